// Tests the package as users get it: packed, installed into an empty folder, run by npx, imported by a typed program.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { context, pullRequest, pullRequestComments, runner, secrets } from '../examples/support/chat.ts';
import { readWorkflow, runWorkflow } from '../examples/support/workflow.ts';
import { makeFolder, removeFolder } from '../support/folders.ts';
import { commitAll, git, startRepository } from '../support/git.ts';
import { makePackages } from '../support/package/make.ts';
import { packIn, run } from '../support/package/packed.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const project = join(import.meta.dirname, '../..');
const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
/** Today's compiler, and the oldest one that understands the types. */
const compilers = ['typescript', 'typescript-5.4'].map((name) => join(project, 'node_modules', name, 'bin/tsc'));

/** All checks that both compilers have, also of the declarations of the package. */
const strictest = {
  target: 'es2022',
  lib: ['es2023'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
};

const consumer = `
import { adopt, apply, type ApplyEvent, calibrate, convert, copyFiles, drift, explain, exportEstate, type Notice, plan, planUndo, Refusal, rehearse, runTests, undo, validate, verify } from 'chatform';

/** true if the type excludes the value. Otherwise never, which makes the assignment an error. */
type Excludes<Type, Value> = Value extends Type ? never : true;
const noSuchRatePlan: Excludes<NonNullable<Parameters<typeof drift>[0]>['ratePlan'], 'zzz'> = true;
const noSuchSystem: Excludes<Parameters<typeof convert>[0]['source'], 'fax'> = true;

/** Only the types of these calls are checked. */
export const others = async (signal: AbortSignal) => {
  const cwd = 'never';
  const onNotice = (notice: Notice) => void notice.type;
  const objects = (await adopt({ cwd, addresses: ['user.*'], onNotice })).adopted.map(({ differs }) => differs.length);
  const [first] = (await runTests({ cwd, signal, onResult: ({ failures }) => void failures.length })).tests;
  const ends = await convert({ cwd, source: 'slack', exported: 'a.zip', out: 'chat', identities: 'a.csv', signal });
  return [
    noSuchRatePlan,
    noSuchSystem,
    objects,
    first?.source.file,
    ends.identities?.missing,
    (await copyFiles({ cwd, source: 'discord', exported: 'a', out: 'b', to: 'c', publicUrl: 'd' })).failed[0]?.reason,
    (await exportEstate({ cwd, out: 'copy', messages: true, since: 'monday', overlap: '12h' })).objects['users'],
    (await explain({ cwd, address: 'user.alice' })).attributes[0]?.standing,
    (await verify({ cwd, all: true })).exit_code,
    (await planUndo({ cwd, run: 12, out: 'undo.chatform' })).plan.hash,
    (await undo({ cwd, approvedHash: 'abc', maxDuration: '50m' })).exit_code,
    (await calibrate({ cwd, anySize: false })).date,
    (await drift({ cwd })).plan.drift?.length,
  ];
};

const found = await validate();
const { plan: made } = await plan();
const rehearsed = await rehearse();
const events: ApplyEvent[] = [];
const report = await apply({ state: 'file:.chatform/state', plan: made, onEvent: (event) => void events.push(event) });
const { plan: next } = await plan();
const refused = await plan({ paths: ['nowhere'] }).catch((error: unknown) => {
  if (error instanceof Refusal) return error.exitCode;
  throw error;
});
const started = events.filter(({ type }) => type === 'step.started').length;
console.log(JSON.stringify({
  objects: found.objects,
  changes: [...made.changes].map(({ address }) => address),
  rehearsed: rehearsed.outcome,
  applied: report.outcome,
  started,
  next: next.changes.length,
  refused,
}));
`;

describe('npm pack', () => {
  let staged: string;
  let home: string;
  let packed: readonly string[];
  let archive: string;

  beforeAll(async () => {
    staged = await makeFolder();
    home = await makeFolder();
    ({ archive, paths: packed } = await packIn(staged, { hasTypes: true }));
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'home', private: true, type: 'module' }));
    run('npm', ['install', ...quietly, archive], home);
    cpSync(join(project, 'examples/quickstart/chat.yaml'), join(home, 'chat.yaml'));
  });

  afterAll(async () => {
    await removeFolder(staged);
    await removeFolder(home);
  });

  test('contains exactly the program, the types of the library, the schemas, the examples and the documents', () => {
    const others = packed.filter((path) => !/^(?:dist|schema|examples)\/|^src\/.*\.md$/u.test(path));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(packed.filter((path) => /\.test\.[jt]s|generate-|tsconfig|rolldown\.config/u.test(path))).toEqual([]);
    const notCode = packed.filter((path) => /^dist\//u.test(path) && !/\.(?:c?js|js\.map|d\.ts)$/u.test(path));
    expect(notCode.sort()).toEqual(['dist/NOTICES.txt']);
    const schemas = readdirSync(join(project, 'schema')).map((name) => `schema/${name}`);
    expect(packed.filter((path) => path.startsWith('schema/')).sort()).toEqual(schemas.sort());
  });

  test('has no script that an install would run, and leaves the manifest of the project as it was', () => {
    const scriptsIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts;
    const named = Object.keys(scriptsIn(join(home, 'node_modules/chatform')));
    expect(named.filter((name) => /^(?:pre|post)?(?:prepare|install)$/u.test(name))).toEqual([]);
    expect(scriptsIn(staged)).toHaveProperty('prepare');
  });

  test('contains a source map for each compiled file, without the text of sources', () => {
    const maps = packed.filter((path) => path.endsWith('.map'));
    expect(maps).toEqual(expect.arrayContaining(['dist/cli/main.js.map', 'dist/library.js.map']));
    for (const path of maps) {
      expect(packed).toContain(path.replace(/\.map$/u, ''));
      const { sources, sourcesContent } = JSON.parse(readFileSync(join(home, 'node_modules/chatform', path), 'utf8'));
      expect(sourcesContent, path).toBeUndefined();
      for (const source of sources) {
        expect(existsSync(join(staged, posix.join(posix.dirname(path), source))), `${path}: ${source}`).toBe(true);
      }
    }
  });

  test('contains no link that leads out of the package', () => {
    const installed = join(home, 'node_modules/chatform');
    const pages = new Set(['README.md']);
    const dead: string[] = [];
    for (const page of pages) {
      const text = readFileSync(join(installed, page), 'utf8').replace(/^(```+)[\s\S]*?^\1/gmu, '');
      for (const [, link = ''] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/gu)) {
        if (/^[a-z]+:/u.test(link)) continue;
        const path = posix.join(posix.dirname(page), link);
        if (path.startsWith('..') || !existsSync(join(installed, path))) dead.push(`${page}: ${link}`);
        else if (path.endsWith('.md')) pages.add(path);
      }
    }
    expect(dead).toEqual([]);
    expect([...pages]).toEqual(
      expect.arrayContaining(['examples/ci/README.md', 'src/semantics.md', 'src/platform.md']),
    );
  });

  test('runs by npx', () => {
    expect(run('npx', ['--no-install', 'chatform', '--version'], home).trim()).toBe(version);
    expect(run('npx', ['--no-install', 'chatform', 'plan'], home)).toContain('Plan: 5 to create.');
  });

  test('is a library, with types that a strict program accepts', () => {
    writeFileSync(join(home, 'program.ts'), consumer);
    const options = { ...strictest, lib: ['es2023', 'dom'], types: [] };
    const [today = ''] = compilers;
    compile(today, home, { ...options, module: 'esnext', moduleResolution: 'bundler' }, 'program.ts');
    for (const compiler of compilers) compile(compiler, home, { ...options, module: 'nodenext' }, 'program.ts');
    expect(JSON.parse(run(process.execPath, ['program.js'], home))).toMatchInlineSnapshot(`
      {
        "applied": "done",
        "changes": [
          "group_channel.support-42",
          "open_channel.lobby",
          "user.alice",
          "user.bob",
          "user.support-bot",
        ],
        "next": 0,
        "objects": 5,
        "refused": 65,
        "rehearsed": "done",
        "started": 5,
      }
    `);
  });

  test('the example of the library runs, and its types hold', async () => {
    const folder = join(home, 'library');
    cpSync(join(home, 'node_modules/chatform/examples/library'), folder, { recursive: true });
    const typeRoots = [join(project, 'node_modules/@types')];
    const ofScript = {
      ...strictest,
      noEmit: true,
      allowJs: true,
      checkJs: true,
      module: 'nodenext',
      typeRoots,
      types: ['node'],
    };
    // The types of Node are not ours to check.
    for (const compiler of compilers) compile(compiler, folder, { ...ofScript, skipLibCheck: true }, 'provision.mjs');
    const first = run(process.execPath, ['provision.mjs'], folder);
    expect(first).toContain('5 objects are declared, 5 of them change:\n');
    expect(first).toMatch(/^ {2}create user\.alice\n/mu);
    expect(first).toContain('done: 5 of 5 steps, 5 events\n');
    expect(run(process.execPath, ['provision.mjs'], folder)).toContain(
      '5 objects are declared, 0 of them change:\ndone: 0 of 0',
    );
    writeFileSync(join(folder, 'chat.yaml'), 'version: 1\nusers: [alice]\n');
    expect(() => run(process.execPath, ['provision.mjs'], folder)).toThrow(expect.objectContaining({ status: 65 }));
  });

  test.skipIf(process.platform !== 'linux')('is a single executable, which unpacks itself once', () => {
    const { executable = '', image } = makePackages(join(staged, 'out'), archive);
    const folder = join(staged, 'shop');
    const machine = join(staged, 'machine');
    for (const path of [folder, machine]) mkdirSync(path);
    cpSync(join(project, 'examples/quickstart/chat.yaml'), join(folder, 'chat.yaml'));
    const env = { HOME: machine, PATH: '', NO_COLOR: '1' };
    const chatform = (...args: readonly string[]) =>
      execFileSync(executable, args, { cwd: folder, env, encoding: 'utf8' });
    expect(chatform('--version')).toBe(`${version}\n`);
    expect(chatform('apply', '--auto-approve')).toContain('Plan: 5 to create.');
    expect(chatform('plan')).toContain('Nothing to do');
    expect(chatform('schema', 'plan')).toContain('"$schema"');
    expect(readdirSync(join(machine, '.cache/chatform'))).toEqual([
      expect.stringMatching(/^executable-[0-9a-f]{16}$/u),
    ]);
    const homeless = spawnSync(executable, ['plan', '--detailed-exitcode', '--state', 'file:other'], {
      cwd: folder,
      env: { ...env, HOME: '/dev/null', TMPDIR: machine },
      encoding: 'utf8',
    });
    expect(homeless).toMatchObject({ status: 2, stderr: '' });
    expect(readdirSync(machine)).toEqual(['.cache']);

    // The steps of the recipe for an image, by hand.
    const recipe = readFileSync(join(image, 'Containerfile'), 'utf8');
    const [, copied = ''] = /^COPY (.+) \.\/$/mu.exec(recipe) ?? [];
    const [, install = ''] = /^RUN (npm .+)$/mu.exec(recipe) ?? [];
    const opt = join(staged, 'opt');
    mkdirSync(opt);
    for (const name of copied.split(' ')) cpSync(join(image, name), join(opt, name));
    run('sh', ['-c', `${install} --prefer-offline`], opt);
    const [, entry = ''] = /^ENTRYPOINT \["(.+)"\]$/mu.exec(recipe) ?? [];
    expect(run(join(opt, 'node_modules/.bin', entry), ['validate'], folder)).toContain('5 objects');
  });

  test('gives a repository workflows that run what its lock file names, and nothing by a bare name', async () => {
    const root = await temporaryFolder();
    const folder = join(root, 'work');
    mkdirSync(join(root, 'runner'));
    mkdirSync(folder);
    cpSync(archive, join(folder, basename(archive)));
    git(folder, 'init', '--quiet', '--initial-branch', 'main');
    run('npm', ['install', '--save-dev', ...quietly, `./${basename(archive)}`], folder);
    expect(run('npx', ['--no-install', 'chatform', 'init'], folder)).not.toContain('npm install');
    const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
    expect(lock.match(/"[^"]*chatform[^"]*"/gu)).toEqual([
      '"chatform"',
      `"file:${basename(archive)}"`,
      '"node_modules/chatform"',
      `"file:${basename(archive)}"`,
      '"chatform"',
    ]);
    startRepository(folder);
    expect(git(folder, 'ls-files')).not.toContain('node_modules');
    git(root, 'clone', '--quiet', '--bare', 'work', 'remote.git');
    git(folder, 'remote', 'add', 'origin', join(root, 'remote.git'));
    git(folder, 'fetch', '--quiet', 'origin');
    git(folder, 'switch', '--quiet', '--create', 'rename');
    const manifest = readFileSync(join(folder, 'chatform.yaml'), 'utf8');
    writeFileSync(join(folder, 'chatform.yaml'), manifest.replace('nickname: Bob', 'nickname: Robert'));
    commitAll(folder, 'Rename');

    const env = {
      PATH: process.env.PATH ?? '',
      HOME: join(root, 'runner'),
      npm_config_cache: run('npm', ['config', 'get', 'cache'], folder).trim(),
      npm_config_registry: run('npm', ['config', 'get', 'registry'], folder).trim(),
      npm_config_prefer_offline: 'true',
      npm_config_ignore_scripts: 'true',
      CI: 'true',
    };
    const comments: Parameters<typeof pullRequestComments>[0] = [];
    const surroundings = { github: pullRequest(), secrets, env: runner, context, ...pullRequestComments(comments) };
    for (const name of ['pull-request', 'apply', 'drift']) {
      const file = pathToFileURL(join(folder, `.github/workflows/chatform-${name}.yml`));
      const ends = await runWorkflow(await readWorkflow(file), { folder, env }, surroundings);
      for (const { result, steps, log } of Object.values(ends)) {
        expect(result, log).toBe('success');
        expect(steps.filter(([, end]) => end === 'skipped').map(([step]) => step)).toEqual(
          steps.some(([step]) => step === 'Notify') ? ['Notify'] : [],
        );
      }
    }
    expect(comments.map(({ body }) => body)).toEqual([expect.stringContaining('Robert')]);
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
    expect(report).toMatchObject({ outcome: 'done', steps: { succeeded: 4 } });
  });
});

function compile(compiler: string, folder: string, compilerOptions: object, ...files: readonly string[]): void {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  run(process.execPath, [compiler, '-p', '.'], folder);
}
