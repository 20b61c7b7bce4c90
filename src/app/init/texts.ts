// The texts of the files that init writes. The workflows are those of examples/ci/github.

/** Formatted as by `chatform fmt`. `schema` is the path from the manifest. */
export function startingManifest(schema: string): string {
  return `# yaml-language-server: $schema=${schema}
version: 1

application:
  base_url: emulator:.chatform/emulator # a platform inside chatform; yours: https://api-APP_ID.sendbird.com/v3
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

/** Ignores state, data of the emulator and saved plans, but not the schema, which editors need. */
export const ignoredLines: readonly string[] = [
  '.chatform/*',
  '!.chatform/manifest.schema.json',
  '!.chatform/test.schema.json',
  'plan.chatform',
];

/** The example of each workflow, by the name that the workflow gets in .github/workflows. */
export const workflows: Readonly<Record<string, string>> = {
  'chatform-pull-request.yml': 'examples/ci/github/pull-request.yml',
  'chatform-apply.yml': 'examples/ci/github/apply.yml',
  'chatform-drift.yml': 'examples/ci/github/drift.yml',
};

/** Both folders are relative to the repository's root, with `/`; '' is the root itself. */
export interface Place {
  /** The folder of the manifests. */
  readonly folder: string;
}

/** Whether a workflow can contain the folder name without quotes, in YAML, in expressions and in globs. */
export function isPlainFolder(folder: string): boolean {
  return folder === '' || /^[\p{L}\p{N}_.][\p{L}\p{N}_./ -]*$/u.test(folder);
}

/** `example` is a workflow written for the root of a repository. */
export function workflow(example: string, { folder }: Place): string {
  const text = example.replace(' Copy to .github/workflows/.', '');
  return inFolder(text, folder);
}

/** Commands run in the folder. Everything else counts paths from the root: actions, expressions and their scripts. */
function inFolder(text: string, folder: string): string {
  if (folder === '') return text;
  return text
    .replace(/^jobs:$/mu, `defaults:\n  run:\n    working-directory: ${JSON.stringify(folder)}\n\n$&`)
    .replaceAll(/\b(?:hashFiles|readFileSync)\('/gu, `$&${folder}/`)
    .replaceAll(/^( *path: )(?=[^|\s])/gmu, `$1${folder}/`)
    .replaceAll(/^( *)path: \|\n(?:\1 +\S.*\n)+/gmu, (block) =>
      block.replaceAll(/^( *)(?!path: )(?=\S)/gmu, `$1${folder}/`),
    )
    .replaceAll(
      /^( *)- name: .*\n +uses: actions\/download-artifact@\S+\n( +)with:\n +name: .*$/gmu,
      `$&\n$2  path: ${folder}`,
    );
}
