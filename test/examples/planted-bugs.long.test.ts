// Tests that the tests of an example notice a broken planner, by planting bugs into a copy of the sources one at a time.
import { spawnSync } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFolder, removeFolder } from '../support/folders.ts';

const project = join(import.meta.dirname, '../..');
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
  'plan.ts': [
    [
      'there is never any work',
      'return steps.length > 0 || opens || closes || staysClosed || leftOpen;',
      'return false;',
    ],
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

let folder = '';
beforeAll(async () => {
  folder = await makeFolder({});
  await cp(join(project, 'src'), join(folder, 'src'), { recursive: true });
  await cp(join(project, 'schema'), join(folder, 'schema'), { recursive: true });
  await cp(join(project, 'package.json'), join(folder, 'package.json'));
  await cp(example, join(folder, 'example'), { recursive: true });
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
});

afterAll(() => removeFolder(folder));

function runExample() {
  const args = [
    join(project, 'node_modules/tsx/dist/cli.mjs'),
    join(folder, 'src/cli/main.ts'),
    'test',
    '--format',
    'json',
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: join(folder, 'example'),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('every test passes without a bug', () => {
  const { status, stderr } = runExample();
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test.for(bugs)('%s: %s', async ([file, , code, bug]) => {
  const path = join(folder, 'src/planner', file);
  const text = await readFile(path, 'utf8');
  expect(text.split(code).length, `${code} stands once in ${file}`).toBe(2);
  await writeFile(path, text.split(code).join(bug));
  try {
    const { status, stdout } = runExample();
    expect(status).toBe(4);
    const { tests } = JSON.parse(stdout) as { tests: readonly { failures: readonly object[] }[] };
    expect(tests.some(({ failures }) => failures.length > 0)).toBe(true);
  } finally {
    await writeFile(path, text);
  }
});
