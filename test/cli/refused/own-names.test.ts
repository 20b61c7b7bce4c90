// Tests that no command opens a file or folder of chatform's own through a link, which a request could add, or in the place of another type.
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digestText } from '../../../src/lib/digest.ts';
import { type OwnName, ownName, ownNames } from '../../../src/lib/own-names.ts';
import { Place, place } from '../../support/place.ts';

const declared = `version: 1
application: { base_url: "emulator:.chatform/emulator", rate_plan: 100k_mau }
users: { alice: { nickname: A } }
group_channels: { board: { name: B, members: { alice: }, messages: { file: history/board.ndjson } } }
`;
const slack = {
  'export/users.json': '[{"id":"U1","name":"ann"}]',
  'export/channels.json': '[{"id":"C1","name":"all","members":["U1"]}]',
  'export/all/2024-01-01.json': '[{"type":"message","user":"U1","text":"hi","ts":"1704096000.000100"}]',
};
const convert = 'convert slack export --out-dir out';
const part = digestText('no application').slice(-12);

/** Where the name is, the commands that open it, and the `…` of the name. */
interface Opening {
  readonly folder?: string;
  readonly part?: string;
  readonly commands: readonly string[];
  /** Without manifests. */
  readonly isNew?: boolean;
  /** A diagnostic of the manifests (65) instead of a refusal, and nothing for what is not a file. */
  readonly isDiagnosed?: boolean;
}

const init = { isNew: true, commands: ['init --pipeline github'] };
/** Each name of chatform. A name that is missing here does not compile. */
const openings: Readonly<Record<OwnName, Opening>> = {
  cache: { commands: ['validate', 'validate --each .', 'plan', 'explain user.alice'] },
  state: {
    commands: ['plan', 'apply --auto-approve', 'state list', 'drift', 'plan --each .'],
  },
  emulator: { commands: ['apply --auto-approve', 'plan --refresh', 'export --out-dir copy'] },
  otherEmulator: { commands: [] },
  // Written by the tools for agents (test/cli/mcp.test.ts).
  plans: { commands: [] },
  // Calibration needs a server (below).
  calibration: { commands: [], part },
  conformance: { commands: [], part },
  behaviours: { commands: ['plan', 'apply --auto-approve', 'rehearse'] },
  ignoreList: { commands: ['validate', 'plan', 'fmt --check'], isDiagnosed: true },
  manifest: init,
  tests: init,
  manifestSchema: init,
  testSchema: init,
  gitIgnore: init,
  // The guide is written beside a link (test/cli/commands/init.test.ts).
  agents: { commands: [] },
  agentsBeside: { ...init, commands: ['init --agents'] },
  skill: { ...init, commands: ['init --agents'] },
  moveSkill: { ...init, commands: ['init --agents'] },
  githubPullRequest: init,
  githubApply: init,
  githubDrift: init,
  gitlab: { ...init, commands: ['init --pipeline gitlab'] },
  // Its name is new for each process, so only a folder above it can be a link.
  lock: { commands: [] },
  exportProgress: { folder: 'out', commands: ['export --out-dir out'] },
  copyParts: {
    folder: 'copies',
    commands: [`convert-files slack export --out-dir out --to copies --public-url https://x.example`],
  },
  generatedIndex: { folder: 'out/conversion', commands: [convert] },
  generatedCommit: { folder: 'out/conversion', commands: [convert] },
  generatedStaging: { folder: 'out/conversion', commands: [convert] },
};

/** What takes the place, by the target of the link from the repository. Undefined: something of the other type. */
const forms: Readonly<Record<string, string | undefined>> = {
  'a file outside': '../outside/precious.txt',
  'a new file outside': '../outside/new.txt',
  'a folder outside': '../outside',
  'a file inside': 'notes.txt',
  'a folder inside': 'history',
  'the folder of git': '.git',
  'the state': '.chatform/state',
  'the other type': undefined,
};

/** A repository, beside other files, with a state, whose history file is old enough for the cache. */
async function repository(): Promise<{ around: Place; at: Place }> {
  const around = await place({
    'outside/precious.txt': 'precious',
    'repository/notes.txt': 'notes',
    'repository/.git/HEAD': 'ref: refs/heads/main\n',
    'repository/.git/config': '[core]\n\trepositoryformatversion = 0\n\tbare = false\n',
    'repository/.git/objects/x': '',
    'repository/.git/refs/x': '',
    'repository/.chatform/state/kept': 'kept',
    'repository/chat.yaml': declared,
    'repository/history/board.ndjson': '{"user_id":"alice","message":"m","timestamp":1600000000000}\n',
    ...Object.fromEntries(Object.entries(slack).map(([name, text]) => [`repository/${name}`, text])),
  });
  utimesSync(around.path('repository/history/board.ndjson'), 1.6e9, 1.6e9);
  return { around, at: new Place(around.path('repository')) };
}

function plant(path: string, type: 'file' | 'folder', target: string | undefined, root: string): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { recursive: true, force: true });
  if (target !== undefined) symlinkSync(join(root, target), path);
  else if (type === 'folder') writeFileSync(path, 'a file');
  else mkdirSync(path);
}

const opened = (Object.keys(openings) as OwnName[]).filter((name) => openings[name].commands.length > 0);

describe.for(opened)('%s', (name) => {
  const { folder = '', commands, part, isNew = false, isDiagnosed = false } = openings[name];
  const type = ownNames[name].endsWith('/') ? 'folder' : 'file';
  const everyForm = commands
    .slice(0, 1)
    .flatMap((command) => Object.keys(forms).map((form) => [command, form] as const));
  const oneForm = commands.slice(1).map((command) => [command, 'a folder outside'] as const);
  test.for([...everyForm, ...oneForm])('%s is refused where there is %s', async ([command, form]) => {
    // The name itself is that of the state.
    if (name === 'state' && form === 'the state') return;
    const { around, at } = await repository();
    if (isNew) rmSync(at.path('chat.yaml'));
    if (command.startsWith('convert-files')) await at.does(convert);
    plant(at.path(folder, ownName(name, part)), type, forms[form], at.cwd);
    const before = await around.content();
    const { exit, stderr } = await at.run(command);
    // The manifests themselves may not lead outside.
    if (!isDiagnosed)
      expect(`${exit} ${stderr}`).toMatch(
        /^1 error\[file\.leads-outside\]|^65 error\[manifest\.(?:leaves-folder|hidden-file)\]/u,
      );
    else if (forms[form]?.endsWith('.txt') === true && form !== 'a new file outside') expect(exit).toBe(65);
    const after = await around.content();
    expect(after).toMatchObject(before);
    // A state or a cache may be begun before another name is refused.
    const added = Object.keys(after).filter((file) => !(file in before) && !file.startsWith('repository/.chatform/'));
    expect(added).toEqual([]);
  });
});

test('no command opens the folder of chatform through a link', async () => {
  for (const command of ['validate', 'plan', 'apply --auto-approve', 'drift']) {
    const { around, at } = await repository();
    plant(at.path('.chatform'), 'folder', '../outside', at.cwd);
    await at.ends(command, 1, 'error[file.leads-outside]');
    expect(await around.content('outside')).toEqual({ 'precious.txt': 'precious' });
  }
});

test('the cache removes only files that it has made', async () => {
  const { at } = await repository();
  const foreign = { 'thesis.txt': 'x', 'key.tmp': 'x', 'a.json': '{}' };
  await at.write(Object.fromEntries(Object.entries(foreign).map(([name, text]) => [`.chatform/cache/${name}`, text])));
  symlinkSync('../../notes.txt', at.path('.chatform/cache/.gitignore'));
  await at.ends('validate', 0);
  rmSync(at.path('.chatform/cache/.gitignore'));
  await at.does('validate');
  expect(await at.content('.chatform/cache')).toMatchObject(foreign);
  expect(await at.read('notes.txt')).toBe('notes');
});
