// Tests the package as each package manager and runtime installs and runs it: a project is started, checked, planned and applied.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFolder, removeFolder } from '../support/folders.ts';
import { packIn, run } from '../support/package/packed.ts';

const [major = 0] = process.versions.node.split('.').map(Number);
const bun = `@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`;
const installed = 'node_modules/chatform/dist/cli/main.js';
/** Node 20 and 22 call the permission model experimental. */
const permission = major < 24 ? '--experimental-permission' : '--permission';

interface Way {
  readonly name: string;
  /** Packages of the npm registry, with versions. */
  readonly tool?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Command lines. `TOOLS` is the folder of the packages, `ARCHIVE` the name of the archive. */
  readonly add: string;
  readonly chatform: string;
  /** Whether a state in a folder is refused. */
  readonly isRefused?: boolean;
}

const ways: readonly Way[] = [
  { name: 'npm', add: 'npm install --save-dev --prefer-offline ./ARCHIVE', chatform: 'npx --no-install chatform' },
  {
    name: 'npm, under the permission model of Node',
    add: 'npm install --save-dev --prefer-offline ./ARCHIVE',
    chatform: `node ${permission} ${major < 26 ? '' : '--allow-net '}--allow-fs-read=* --allow-fs-write=* ${installed}`,
    isRefused: major >= 26,
  },
  {
    name: 'pnpm',
    tool: 'pnpm@10.34.9',
    add: 'node TOOLS/pnpm/bin/pnpm.cjs add -D ./ARCHIVE',
    chatform: 'node TOOLS/pnpm/bin/pnpm.cjs exec chatform',
  },
  {
    name: "Yarn with Plug'n'Play",
    tool: '@yarnpkg/cli-dist@4.18.1',
    files: { '.yarnrc.yml': 'nodeLinker: pnp\nenableTelemetry: false\n', 'yarn.lock': '' },
    add: 'node TOOLS/@yarnpkg/cli-dist/bin/yarn.js add -D chatform@file:./ARCHIVE',
    chatform: 'node TOOLS/@yarnpkg/cli-dist/bin/yarn.js chatform',
  },
  {
    name: 'Bun',
    tool: `${bun}@1.4.5`,
    add: `TOOLS/${bun}/bin/bun add -d ./ARCHIVE`,
    chatform: `TOOLS/${bun}/bin/bun run chatform`,
  },
  {
    name: 'Bun as the runtime',
    tool: `${bun}@1.4.5`,
    add: `TOOLS/${bun}/bin/bun add -d ./ARCHIVE`,
    chatform: `TOOLS/${bun}/bin/bun --bun run chatform`,
  },
];

let staged: string;
let archive: string;
let surroundings: NodeJS.ProcessEnv;

beforeAll(async () => {
  staged = await makeFolder();
  ({ archive } = await packIn(staged, { hasTypes: false }));
  surroundings = readSurroundings();
});

afterAll(() => removeFolder(staged));

test.for(ways)('chatform works with $name', async ({ tool, files = {}, add, chatform, isRefused }, { skip }) => {
  const [tools, folder] = [join(staged, `tools ${tool}`.replaceAll(/[^\w.-]/gu, '-')), await makeFolder()];
  try {
    if (tool !== undefined) {
      mkdirSync(tools, { recursive: true });
      writeFileSync(join(tools, 'package.json'), '{ "private": true }');
      const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', tool];
      const { status, stderr } = spawnSync('npm', args, { cwd: tools, encoding: 'utf8' });
      skip(status !== 0, `${tool} cannot be had from the registry: ${stderr.trim()}`);
    }
    for (const [name, text] of Object.entries({ 'package.json': '{ "private": true }', ...files }))
      writeFileSync(join(folder, name), text);
    cpSync(archive, join(folder, basename(archive)));
    const wordsOf = (line: string) =>
      line
        .split(' ')
        .map((word) => word.replace('TOOLS', join(tools, 'node_modules')).replace('ARCHIVE', basename(archive)));
    const does = (line: string, ...more: readonly string[]) => {
      const [program = '', ...args] = [...wordsOf(line), ...more];
      return run(program, args, folder, surroundings);
    };
    does(add);
    expect(does(chatform, 'init')).toMatch(/written +chatform\.yaml/u);
    expect(does(chatform, 'validate')).toContain('Valid: 4 objects in 1 file.');
    expect(does(chatform, 'plan')).toContain('Plan: 4 to create.');
    const apply = ['apply', '--auto-approve', '--state', 'file:.chatform/state'];
    if (isRefused === true) {
      expect(() => does(chatform, ...apply)).toThrow('state.store-unsafe');
      return;
    }
    does(chatform, ...apply);
    expect(does(chatform, 'plan')).toContain('Nothing to do');
    expect(() => does(chatform, 'plan', '--state', 's3://bucket/prefix')).toThrow('state.package-missing');
  } finally {
    await removeFolder(folder);
  }
});

/** Yarn does not read the settings of npm. */
function readSurroundings(): NodeJS.ProcessEnv {
  const setting = (name: string) => run('npm', ['config', 'get', name], staged).trim();
  const [registry, authority] = [setting('registry'), setting('cafile')];
  return {
    YARN_NPM_REGISTRY_SERVER: registry.replace(/\/$/u, ''),
    YARN_GLOBAL_FOLDER: join(staged, 'yarn'),
    ...(/^(?:null|undefined|)$/u.test(authority) ? {} : { YARN_HTTPS_CA_FILE_PATH: authority }),
  };
}
