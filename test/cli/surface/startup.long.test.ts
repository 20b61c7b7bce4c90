// Tests that a command loads only the modules it uses. For wall time see npm run bench -- startup.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { place } from '../../support/place.ts';
import { program } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
const main = new URL('../../../src/cli/main.ts', import.meta.url);
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** Tells on stderr what is imported, by a hook, and what is required, from the cache. */
const hook = `import { writeSync } from 'node:fs';
export async function load(url, context, next) { writeSync(2, 'loaded ' + url + '\\n'); return next(url, context); }`;
const watcher = `import { createRequire, register } from 'node:module';
register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)});
const required = Object.keys(createRequire(${JSON.stringify(main.href)}).cache);
process.on('exit', () => {
  for (const file of Object.keys(createRequire(${JSON.stringify(main.href)}).cache)) {
    if (!required.includes(file)) process.stderr.write('loaded ' + file + '\\n');
  }
});`;

interface Loaded {
  /** From `src/`. */
  readonly sources: readonly string[];
  readonly packages: readonly string[];
}

async function loadedBy(args: readonly string[], cwd: string): Promise<Loaded> {
  const watching = `data:text/javascript,${encodeURIComponent(watcher)}`;
  const { stderr } = await run(
    process.execPath,
    ['--import', tsx, '--import', watching, fileURLToPath(main), ...args],
    { cwd },
  );
  const files = [...stderr.matchAll(/^loaded (.*)$/gmu)].map(([, file = '']) => file.replace(/\?.*$/u, ''));
  const found = (pattern: RegExp) => [...new Set(files.flatMap((file) => pattern.exec(file)?.[1] ?? []))].sort();
  return { sources: found(/\/src\/(.*\.ts)$/u), packages: found(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//u) };
}

const manifest = 'version: 1\napplication: { base_url: "emulator:e" }\nusers: { alice: { nickname: Alice } }\n';

test('answers --version before it loads anything else', async () => {
  // The build puts what Node 20 needs, which imports nothing, into the file of the program.
  const sources = ['cli/main.ts', 'cli/process/node-20.ts', 'version.ts'];
  expect(await loadedBy(['--version'], '/')).toEqual({ sources, packages: [] });
});

const reading = [
  { args: ['validate'], unused: /^(?:applier|emulator|planner|platform\/client|refresh|state)\// },
  { args: ['plan'], unused: /^(?:applier\/(?!doubt\/note)|emulator|platform\/client|refresh|state\/postgres)/ },
];

test.for(reading)(
  'chatform $args of what is applied loads two packages, one command and one view',
  async ({ args, unused }) => {
    const at = await place({ 'a.yaml': manifest });
    await at.does('apply --auto-approve');
    const { sources, packages } = await loadedBy(args, at.cwd);
    expect(packages).toEqual(['commander', 'yaml']);
    expect(sources.filter((file) => unused.test(file))).toEqual([]);
    expect(sources.filter((file) => file.startsWith('cli/commands/'))).toEqual([
      'cli/commands/index.ts',
      `cli/commands/${args[0]}.ts`,
    ]);
    expect(sources.filter((file) => /^view\/(?:ci|html|json|markdown)\/|^view\/terminal\/plain/u.test(file))).toEqual(
      [],
    );
  },
);

test('loads no HTTP client for an apply with nothing left', async () => {
  const at = await place({ 'a.yaml': manifest });
  await at.does('apply --auto-approve');
  const { sources, packages } = await loadedBy(['apply', '--auto-approve'], at.cwd);
  expect(packages).toEqual(['commander', 'yaml']);
  expect(
    sources.filter((file) => /^(?:emulator\/|platform\/client|refresh\/refresh|state\/postgres)/u.test(file)),
  ).toEqual([]);
});

const cannotKeep = 'this Node cannot keep compiled code: 22.8 and later can';

/** The variables of this process, with compiled code in `caches`. */
function cachingIn(caches: string): NodeJS.ProcessEnv {
  const { CI: _ci, NODE_DISABLE_COMPILE_CACHE: _off, NODE_COMPILE_CACHE: _other, ...surroundings } = process.env;
  return { ...surroundings, XDG_CACHE_HOME: caches };
}

test.for([
  { where: 'for the next run', env: {}, isKept: true },
  { where: 'not in a pipeline, which begins with empty folders', env: { CI: 'true' }, isKept: false },
])("compiled code is kept in the user's cache folder: $where", async ({ env, isKept }, { skip }) => {
  if (!('enableCompileCache' in module)) skip(cannotKeep);
  const at = await place({ 'a.yaml': manifest });
  const caches = await temporaryFolder();
  await run(process.execPath, [program, 'validate'], { cwd: at.cwd, env: { ...cachingIn(caches), ...env } });
  expect(existsSync(join(caches, 'chatform'))).toBe(isKept);
  expect(await readdir(at.cwd)).toEqual(['a.yaml']);
});

test('a plan and its apply leave the compiled code of each other as it is', async ({ skip }) => {
  if (!('enableCompileCache' in module)) skip(cannotKeep);
  const at = await place({ 'a.yaml': manifest });
  const caches = await temporaryFolder();
  const options = { cwd: at.cwd, env: { ...cachingIn(caches), CHATFORM_STATE: 'file:state' } };
  const filesAfterBoth = async () => {
    await run(process.execPath, [program, 'plan', '--out', 'saved'], options);
    await run(process.execPath, [program, 'apply', 'saved', '--auto-approve'], options);
    const names = (await readdir(caches, { recursive: true })).sort();
    return Promise.all(names.map(async (name) => ({ name, writtenMs: (await stat(join(caches, name))).mtimeMs })));
  };
  const files = await filesAfterBoth();
  expect(files.length).toBeGreaterThan(5);
  expect(await filesAfterBoth()).toEqual(files);
});
