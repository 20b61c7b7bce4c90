// The names of files and folders that chatform opens without being told. Only own-files.ts makes paths of them.

/** From the folder to which the name belongs. A name that ends with `/` is a folder, and `…` varies. */
export const ownNames = {
  cache: '.chatform/cache/',
  state: '.chatform/state/',
  emulator: '.chatform/emulator',
  /** Of an application in a subfolder of the package. */
  otherEmulator: '.chatform/…',
  plans: '.chatform/plans/',
  calibration: '.chatform/calibrate-….json',
  conformance: '.chatform/conformance-…/',
  manifestSchema: '.chatform/manifest.schema.json',
  testSchema: '.chatform/test.schema.json',
  manifest: 'chatform.yaml',
  tests: 'chatform.test.yaml',
  behaviours: 'chatform-behaviours.json',
  ignoreList: '.chatformignore',
  gitIgnore: '.gitignore',
  agents: 'AGENTS.md',
  /** The guide beside an AGENTS.md of other people. */
  agentsBeside: 'AGENTS.chatform.md',
  skill: '.agents/skills/chatform/SKILL.md',
  moveSkill: '.agents/skills/move-chat/SKILL.md',
  githubPullRequest: '.github/workflows/chatform-pull-request.yml',
  githubApply: '.github/workflows/chatform-apply.yml',
  githubDrift: '.github/workflows/chatform-drift.yml',
  gitlab: '.gitlab-ci.yml',
  /** The rest are in a folder that a command was told to write. */
  lock: '.chatform-lock-…',
  exportProgress: '.chatform-export.ndjson',
  copyParts: '.chatform-parts/',
  generatedIndex: 'generated.json',
  generatedCommit: '.commit.json',
  generatedStaging: '.staged/',
} as const;

export type OwnName = keyof typeof ownNames;

/** The name without a slash at its end, for `part` in the place of `…`. */
export function ownName(name: OwnName, part = ''): string {
  return ownNames[name].replace('…', part).replace(/\/$/u, '');
}
