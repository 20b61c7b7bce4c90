// A small estate for the tests of the command line: three users, an open and a group channel, on the embedded emulator.

const base = `version: 1
application:
  base_url: emulator:.chatform/emulator
  rate_plan: 100k_mau
`;

const objects = `users:
  alice:
    nickname: Alice
  bob:
    nickname: Bob
    metadata: { team: support }
  carol:
    nickname: Carol
open_channels:
  lobby:
    name: Lobby
    operators: [alice]
group_channels:
  support-42:
    name: Support 42
    members:
      alice:
      bob:
    operators: [alice]
`;

/** Valid, complete, one file of eight calls at most. */
export const desk: Readonly<Record<string, string>> = { 'chat.yaml': base + objects };

/** The same objects without an application, for CHATFORM_BASE_URL. */
export const deskElsewhere: Readonly<Record<string, string>> = { 'chat.yaml': `version: 1\n${objects}` };

/** Only `count` users, so that the rate plan determines the duration of a run. */
export function crowd(count: number, more = ''): Readonly<Record<string, string>> {
  const users = Array.from({ length: count }, (_, index) => `  user-${index}: { nickname: User ${index} }\n`);
  return { 'crowd.yaml': `version: 1\nusers:\n${users.join('')}${more}` };
}

/** For a running emulator, as its tests start it. */
export function reaching({ url, token }: { readonly url: string; readonly token: string }): Record<string, string> {
  return { CHATFORM_BASE_URL: url, CHATFORM_API_TOKEN: token, CHATFORM_RATE_PLAN: '100k_mau' };
}
