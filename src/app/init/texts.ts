// The texts of the files that init writes, but for the workflows.

/** In the form that `chatform fmt` gives it. `schema` is the path from the manifest. */
export function startingManifest(schema: string): string {
  return `# yaml-language-server: $schema=${schema}
version: 1

application:
  base_url: emulator:.chatform/emulator   # a platform inside chatform; yours: https://api-APP_ID.sendbird.com/v3
  rate_plan: 5k_mau

users:
  alice:
    nickname: Alice
  bob:
    nickname: Bob

open_channels:
  lobby:
    name: Lobby
    operators: [alice]

group_channels:
  first-room:
    name: First room
    members:
      alice:
      bob:
    operators: [alice]
`;
}

/** Tests of the starting manifest. `schema` is the path from the file. */
export function startingTests(schema: string): string {
  return `# yaml-language-server: $schema=${schema}
# Run them with: chatform test
tests:
  - name: an empty application gets everything
    given: { applied: false }
    expect:
      counts: { user.create: 2, open_channel.create: 1, group_channel.create: 1 }
      end:
        group_channel.first-room: { members: { alice: {}, bob: {} }, operators: [alice] }

  - name: after an apply nothing is to do
    expect: { counts: {} }

  - name: a room that somebody renamed gets its name back
    given:
      live: [{ call: PUT /open_channels/lobby, body: { name: Hall } }]
    expect: { counts: { update: 1 }, end: { open_channel.lobby: { name: Lobby } } }
`;
}

/** State, the platform's data and saved plans stay out; the schema goes in, so that every editor has it. */
export const ignoredLines: readonly string[] = [
  '.chatform/*',
  '!.chatform/manifest.schema.json',
  '!.chatform/test.schema.json',
  'plan.json',
];
