// Support: the manifests of the recorded sessions, and what varies between sessions.

export const small = `version: 1
application: { base_url: "emulator:.chatform/emulator", rate_plan: 25k_mau }
users:
  alice: { nickname: Alice }
  bob: { nickname: Bob, metadata: { team: support } }
group_channels:
  support-42:
    name: Support 42
    members: { alice: , bob: }
    operators: [alice]
`;

/** About two seconds at the rate limits. */
export const busy = [
  'version: 1',
  'application: { base_url: "emulator:.chatform/emulator", rate_plan: 25k_mau }',
  'users:',
  ...Array.from({ length: 80 }, (_, at) => `  user-${at}: { nickname: U${at} }`),
  'group_channels:',
  ...Array.from({ length: 30 }, (_, at) => `  room-${at}: { name: R${at}, members: { user-1: , user-2: } }`),
  '',
].join('\n');

/** Replaces what varies: hashes, times, the spinner, and the figures of a running apply. */
export function steady(screen: string): string {
  return screen
    .replaceAll(/Plan hash [\da-f]{12}/gu, 'Plan hash 0123456789ab')
    .replaceAll(/Took [\d.]+ s/gu, 'Took 0.5 s')
    .replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/gu, '*');
}

export function figuresLeftOut(block: string): string {
  return (
    steady(block)
      .replaceAll(/[█░]+/gu, '[bar]')
      .replaceAll(/\d[\d,]*(?:\.\d+)?/gu, 'N')
      .replaceAll(/ {3,}/gu, '  ')
      // Pauses and the place where a line is cut depend on the figures.
      .replaceAll(/ {2}\S*…$/gmu, '  …')
      .replaceAll(/ · rate-limited for N s/gu, '')
  );
}
