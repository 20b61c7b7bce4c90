// Tests that the tests of an example notice a broken planner, by planting bugs into a copy of the sources one at a time.
import { spawnSync } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFolder, removeFolder } from '../support/folders.ts';

const project = join(import.meta.dirname, '../..');
const example = join(project, 'examples/operations/test-before-merge');

interface PlantedBug {
  readonly name: string;
  readonly file: string;
  readonly replace: string;
  readonly with: string;
}

const bugs: readonly PlantedBug[] = [
  {
    name: 'budgets are never exceeded, and whole kinds may go',
    file: 'safety/safety.ts',
    replace: 'if (!isConfirmed) refusals.push',
    with: 'if (isConfirmed) refusals.push',
  },
  {
    name: 'protection is forgotten',
    file: 'safety/safety.ts',
    replace: 'if (draft.removal !== undefined) this',
    with: 'if (draft.removal === undefined) this',
  },
  {
    name: 'disabled objects are reopened unasked',
    file: 'safety/safety.ts',
    replace: 'if (bracket) this',
    with: 'if (!bracket) this',
  },
  {
    name: 'there is never any work',
    file: 'plan.ts',
    replace: 'return steps.length > 0 || opens || closes || staysClosed || leftOpen;',
    with: 'return false;',
  },
  {
    name: 'nothing is compared',
    file: 'plan.ts',
    replace: 'if (draft === undefined) return false;',
    with: 'if (draft === undefined || record !== undefined) return false;',
  },
  {
    name: 'live objects are not looked at',
    file: 'plan.ts',
    replace: 'if (live === undefined) return undefined;',
    with: 'if (live !== undefined || live === undefined) return undefined;',
  },
  {
    name: 'no edit is noticed',
    file: 'diff/diff.ts',
    replace: 'if (equalJson(was, wanted) || (',
    with: 'if (was !== undefined || was === undefined || (',
  },
  {
    name: 'removed entries stay',
    file: 'diff/diff.ts',
    replace: 'if (equalJson(before, after)) continue;',
    with: 'if (equalJson(before, after) || after === undefined) continue;',
  },
  {
    name: 'what is removed is deleted',
    file: 'diff/retirement.ts',
    replace: '?? policy.on_remove[kind.name] ?? kind.removals[0]',
    with: "?? (policy.on_remove.nothing ?? 'delete')",
  },
  {
    name: 'what is removed stays active',
    file: 'diff/retirement.ts',
    replace: 'closes: !wasClosed && isClosing,',
    with: 'closes: false,',
  },
  {
    name: 'what is declared disabled stays enabled',
    file: 'diff/creation.ts',
    replace: 'closes: closed === true,',
    with: 'closes: false,',
  },
  {
    name: 'nobody comes back',
    file: 'diff/update.ts',
    replace: 'const opens = isClosed && isOurs && !isIgnored && wanted !== true;',
    with: 'const opens = isClosed && !isClosed;',
  },
];

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

test.for(bugs)('$name', async ({ file, replace, with: by }) => {
  const path = join(folder, 'src/planner', file);
  const text = await readFile(path, 'utf8');
  expect(text.split(replace).length, `${replace} stands once in ${file}`).toBe(2);
  await writeFile(
    path,
    text.replace(replace, () => by),
  );
  try {
    const { status, stdout } = runExample();
    expect(status).toBe(4);
    const { tests } = JSON.parse(stdout) as { tests: readonly { failures: readonly object[] }[] };
    expect(tests.some(({ failures }) => failures.length > 0)).toBe(true);
  } finally {
    await writeFile(path, text);
  }
});

test('at least ten bugs are planted', () => {
  expect(bugs.length).toBeGreaterThanOrEqual(10);
});
