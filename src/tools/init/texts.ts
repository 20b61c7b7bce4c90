// The texts of the files that init writes, except the workflows.
import { ownName } from '../../lib/own-names.ts';

/** Formatted as by `chatform fmt`. `schema` is the path from the manifest, `data` that of the emulator's data. */
export function startingManifest(schema: string, data: string): string {
  return `# yaml-language-server: $schema=${schema}
version: 1

application:
  base_url: emulator:${data} # a platform inside chatform; yours: https://api-APP_ID.sendbird.com/v3
  rate_plan: 5k_mau

policy:
  refresh: { plan: none, apply: changed } # an apply and a saved plan read what they change

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

/** A manifest of a given application, without objects. */
export function emptyManifest(schema: string, baseUrl: string, ratePlan: string): string {
  return `# yaml-language-server: $schema=${schema}
version: 1

application:
  base_url: ${JSON.stringify(baseUrl)}
  rate_plan: ${ratePlan}

policy:
  refresh: { plan: none, apply: changed } # an apply and a saved plan read what they change

# users:
#   alice:
#     nickname: Alice
#
# group_channels:
#   first-room:
#     name: First room
#     members:
#       alice:
`;
}

/** Tests of the starting manifest. `schema` is the path from the file. */
export function startingTests(schema: string): string {
  return `# yaml-language-server: $schema=${schema}
# Run them with: chatform test
tests:
  - name: everything is created in an empty application
    given: { applied: false }
    expect:
      end:
        group_channel.first-room: { members: { alice: {}, bob: {} }, operators: [alice] }

  - name: nothing is left to do after an apply
    expect: { counts: {} }

  - name: a room that somebody renamed gets its name back
    given:
      live: [{ call: PUT /open_channels/lobby, body: { name: Hall } }]
    expect: { end: { open_channel.lobby: { name: Lobby } } }
`;
}

/** Ignores what contains names: state and its copies, data of the emulator, plans and reports. Not the schema, which editors need. */
export const ignoredLines: readonly string[] = [
  '.chatform/*',
  `!${ownName('manifestSchema')}`,
  `!${ownName('testSchema')}`,
  'plan*.chatform',
  'plan*.html',
  'plan*.md',
  'drift*.html',
  'tokens*.ndjson',
  '/report.json',
  '/run.html',
  '/copy.ndjson',
];
