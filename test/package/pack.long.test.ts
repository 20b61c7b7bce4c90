// Tests the package as its users get it: packed, installed into an empty folder, run by npx, imported by a typed program.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { makeFolder, removeFolder } from '../support/folders.ts';

const project = new URL('../..', import.meta.url).pathname;
const compiler = join(project, 'node_modules/.bin/tsc');

const consumer = `
import { apply, plan, Refusal, rehearse, validate, type ApplyEvent } from 'chatform';

const found = await validate();
const { plan: made } = await plan();
const rehearsed = await rehearse();
const events: ApplyEvent[] = [];
const report = await apply({ approvedHash: made.hash, onEvent: (event) => void events.push(event) });
const { plan: next } = await plan();
const refused = await plan({ paths: ['nowhere'] }).catch((error: unknown) => {
  if (error instanceof Refusal) return error.exit;
  throw error;
});
const started = events.filter(({ type }) => type === 'step.started').length;
console.log(JSON.stringify({
  objects: found.objects,
  changes: [...made.changes].map(({ address }) => address),
  rehearsed: rehearsed.report.outcome,
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

  beforeAll(async () => {
    staged = await makeFolder();
    home = await makeFolder();
    run(compiler, ['-p', join(project, 'test/config/tsconfig.build.json'), '--outDir', join(staged, 'dist')], project);
    for (const name of ['package.json', 'README.md', 'schema']) {
      cpSync(join(project, name), join(staged, name), { recursive: true });
    }
    mkdirSync(join(staged, 'test'));
    writeFileSync(join(staged, 'test/left-out.test.js'), '');
    const [pack] = JSON.parse(run('npm', ['pack', '--ignore-scripts', '--json'], staged)) as [
      { readonly filename: string; readonly files: readonly { readonly path: string }[] },
    ];
    packed = pack.files.map(({ path }) => path);
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'home', private: true, type: 'module' }));
    const archive = join(staged, pack.filename);
    run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', archive], home);
    cpSync(join(project, 'examples/quickstart/chat.yaml'), join(home, 'chat.yaml'));
  }, 240_000);

  afterAll(async () => {
    await removeFolder(staged);
    await removeFolder(home);
  });

  test('holds the program, the types of the library, the schemas and the page, and nothing else', () => {
    const others = packed.filter((path) => !/^(?:dist|schema)\//u.test(path));
    expect(others.filter((path) => !/^LICEN[CS]E/u.test(path)).sort()).toEqual(['README.md', 'package.json']);
    expect(packed.filter((path) => /\.map$|\.test\.|generate-|tsconfig/u.test(path))).toEqual([]);
    expect(packed.filter((path) => /^dist\//u.test(path) && !/\.(?:js|d\.ts)$/u.test(path))).toEqual([]);
    const schemas = readdirSync(join(project, 'schema')).map((name) => `schema/${name}`);
    expect(packed.filter((path) => path.startsWith('schema/')).sort()).toEqual(schemas.sort());
  });

  test('runs by npx', () => {
    expect(run('npx', ['--no-install', 'chatform', '--version'], home).trim()).toBe(version);
    expect(run('npx', ['--no-install', 'chatform', 'plan'], home)).toContain('Plan: 5 to create.');
  });

  test('is a library, with types that a strict program accepts', () => {
    writeFileSync(join(home, 'program.ts'), consumer);
    for (const [module, moduleResolution] of [
      ['esnext', 'bundler'],
      ['nodenext', 'nodenext'],
    ]) {
      const compilerOptions = { target: 'es2023', lib: ['es2023', 'dom'], strict: true, types: [] };
      const options = { ...compilerOptions, module, moduleResolution };
      writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }));
      run(compiler, ['-p', '.'], home);
    }
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
});

function run(program: string, args: readonly string[], cwd: string): string {
  const env = { ...process.env, NO_COLOR: '1', CI: 'true' };
  return execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
