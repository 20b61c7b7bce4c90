// Tests that the tests of an example notice a broken planner, by planting bugs into bundles of the sources one at a time.
import { spawnSync } from 'node:child_process';
import { cp, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildContext, context, type Plugin } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFolder, removeFolder } from '../support/folders.ts';

const project = join(import.meta.dirname, '../..');
const planner = join(project, 'src/core/planner');
const example = join(project, 'examples/operations/test-before-merge');

/** By file of the planner: what the bug means, the code, and the code with the bug. */
const bugsOf: Readonly<Record<string, readonly (readonly [name: string, code: string, bug: string])[]>> = {
  'judges/budgets.ts': [
    [
      'budgets are never exceeded, and whole kinds may go',
      'const refusals = isConfirmed\n',
      'const refusals = !isConfirmed\n',
    ],
  ],
  'judges/evidence.ts': [
    ['protection is forgotten', 'if (draft.removal !== undefined) this', 'if (draft.removal === undefined) this'],
    ['disabled objects are reopened unasked', 'if (bracket) this', 'if (!bracket) this'],
  ],
  'draft/draft.ts': [
    [
      'there is never any work',
      'return steps.length > 0 || opens || closes || staysClosed || leftOpen;',
      'return false;',
    ],
  ],
  'plan.ts': [
    [
      'nothing is compared',
      'if (draft === undefined) return false;',
      'if (draft === undefined || record !== undefined) return false;',
    ],
    [
      'live objects are not looked at',
      'if (live === undefined) return undefined;',
      'if (live !== undefined || live === undefined) return undefined;',
    ],
  ],
  'diff/diff.ts': [
    ['no edit is noticed', 'if (equalJson(was, wanted) || (', 'if (was !== undefined || was === undefined || ('],
    [
      'removed entries stay',
      'if (equalJson(before, after)) continue;',
      'if (equalJson(before, after) || after === undefined) continue;',
    ],
  ],
  'diff/retirement.ts': [
    [
      'what is removed is deleted',
      '?? policy.on_remove[kind.name] ?? kind.removals[0]',
      "?? (policy.on_remove.nothing ?? 'delete')",
    ],
    ['what is removed stays active', 'closes: !wasClosed && isClosing,', 'closes: false,'],
  ],
  'diff/creation.ts': [['what is declared disabled stays enabled', 'closes: closed === true,', 'closes: false,']],
  'diff/update.ts': [
    [
      'nobody comes back',
      'const opens = isClosed && isOurs && !isIgnored && wanted !== true;',
      'const opens = isClosed && !isClosed;',
    ],
  ],
};
const bugs = Object.entries(bugsOf).flatMap(([file, rows]) => rows.map((row) => [file, ...row] as const));

interface Bug {
  readonly file: string;
  readonly code: string;
  readonly bug: string;
}

let planted: Bug | undefined;

/** Puts the planted bug into its file, and none into the others. */
const withBug: Plugin = {
  name: 'planted-bug',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]src[\\/]core[\\/]planner[\\/]/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (planted === undefined || path !== join(planner, planted.file)) return { loader: 'ts', contents: text };
      return { loader: 'ts', contents: text.split(planted.code).join(planted.bug) };
    });
  },
};

let folder = '';
let bundler: BuildContext;
beforeAll(async () => {
  folder = await makeFolder({});
  await cp(example, join(folder, 'example'), { recursive: true });
  for (const name of ['package.json', 'schema', 'node_modules']) await symlink(join(project, name), join(folder, name));
  // A bundle starts several times as fast as the sources, and is made in less time than that saves.
  bundler = await context({
    absWorkingDir: project,
    entryPoints: ['src/cli/main.ts'],
    outdir: join(folder, 'dist/cli'),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    plugins: [withBug],
  });
});

afterAll(async () => {
  await bundler.dispose();
  await removeFolder(folder);
});

async function runExample(bug?: Bug) {
  planted = bug;
  await bundler.rebuild();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(folder, 'dist/cli/main.js'), 'test', '--format', 'json'],
    { cwd: join(folder, 'example'), encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

test('every test passes without a bug', async () => {
  const { status, stderr } = await runExample();
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test.for(bugs)('%s: %s', async ([file, , code, bug]) => {
  const text = await readFile(join(planner, file), 'utf8');
  expect(text.split(code).length, `${code} stands once in ${file}`).toBe(2);
  const { status, stdout } = await runExample({ file, code, bug });
  expect(status).toBe(4);
  const { tests } = JSON.parse(stdout) as { tests: readonly { failures: readonly object[] }[] };
  expect(tests.some(({ failures }) => failures.length > 0)).toBe(true);
});
