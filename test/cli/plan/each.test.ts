// Tests plan and apply of several folders: separate states, one report, and no failure that stops another folder.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function environmentOf(name: string): string {
  return `version: 1\nextends: ../../base\napplication: { base_url: emulator:.chatform/${name}, rate_plan: 100k_mau }\n`;
}

const estate = {
  'base/chat.yaml': 'version: 1\nusers: { alice: { nickname: Alice } }\n',
  'envs/a/chat.yaml': environmentOf('a'),
  'envs/b/chat.yaml': `${environmentOf('b')}users: { bob: { nickname: Bob } }\n`,
  'envs/README.md': 'no folder',
};
const each = ['--each', 'envs/a', 'envs/b', 'envs/README.md'];

interface Joined {
  readonly each: readonly {
    readonly folder: string;
    readonly exit_code: number;
    readonly result: { readonly outcome?: string; readonly summary?: object } | null;
  }[];
}

test('plans and applies several folders, each with its own state', async () => {
  const cwd = await temporaryFolder(estate);
  const planned = await runCli(['plan', ...each, '--format', 'json', '--detailed-exitcode'], { cwd });
  expect(planned.exit).toBe(2);
  expect(JSON.parse(planned.stdout)).toMatchObject({
    each: [
      { folder: 'envs/a', exit_code: 2, result: { application: 'emulator:.chatform/a', summary: { create: 1 } } },
      { folder: 'envs/b', exit_code: 2, result: { application: 'emulator:.chatform/b', summary: { create: 2 } } },
    ],
  });
  expect(planned.stderr).toContain('envs/README.md is not a folder');
  await succeeded(runCli(['apply', ...each, '--auto-approve', '--report', 'report.json'], { cwd }));
  const report = JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8')) as Joined;
  expect(report.each.map(({ folder, result }) => [folder, result?.outcome])).toEqual([
    ['envs/a', 'done'],
    ['envs/b', 'done'],
  ]);
  expect((await readdir(join(cwd, '.chatform/state'))).sort()).toEqual(['envs-a', 'envs-b']);
  const again = await succeeded(runCli(['plan', ...each, '--detailed-exitcode'], { cwd }));
  expect(again.stdout.match(/Nothing to do/gu)).toHaveLength(2);
});

test('continues after the failure of a folder, and shows it in the comment', async () => {
  const cwd = await temporaryFolder({ ...estate, 'envs/a/chat.yaml': 'version: 1\nusers: { alice: 5 }\n' });
  const planned = await runCli(['plan', ...each, '--write', 'markdown=plan.md'], { cwd });
  expect(planned.exit).toBe(65);
  expect(planned.stdout).toContain('+ user.bob');
  expect(planned.stderr).toMatch(
    /envs\/a:\nerror\[manifest\.wrong-type\][\s\S]*envs\/a ended with exit code 65\.\n1 of 2 environments succeeded\./u,
  );
  const comment = await readFile(join(cwd, 'plan.md'), 'utf8');
  expect(comment).toMatch(
    /^# envs\/a\n\nNo plan was made: the command ended with exit code 65[\s\S]*# envs\/b\n[\s\S]*user\.bob/u,
  );
  const applied = await runCli(['apply', ...each, '--auto-approve'], { cwd });
  expect(applied.exit).toBe(65);
  expect(applied.stderr).toContain('Done. 2 steps succeeded.');
});

test.for<[string, readonly string[]]>([
  ['a path beside it', ['plan', 'base', ...each]],
  ['one file for several plans', ['plan', ...each, '--out', 'plan.chatform']],
  ['a view of one plan', ['plan', ...each, '--format', 'html']],
  ['a view of one plan in a file', ['plan', ...each, '--write', 'sarif=x.sarif']],
  ['no such folder', ['plan', '--each', 'envs/none']],
  ['files alone', ['plan', '--each', 'envs/README.md']],
  ['nobody to ask', ['apply', ...each]],
])('refuses %s', async ([, args]) => {
  const cwd = await temporaryFolder(estate);
  expect(await runCli(args, { cwd })).toMatchObject({ exit: 64 });
});

test('refuses two folders of one application', async () => {
  const cwd = await temporaryFolder({ ...estate, 'envs/b/chat.yaml': environmentOf('a') });
  const end = await runCli(['apply', ...each, '--auto-approve'], { cwd });
  expect(end).toMatchObject({ exit: 64 });
  expect(end.stderr).toContain('envs/a and envs/b are the same application');
});

test('refuses an unnamed state in CI, as for one folder', async () => {
  const cwd = await temporaryFolder(estate);
  expect(await runCli(['apply', ...each, '--auto-approve'], { cwd, env: { CI: 'true' } })).toMatchObject({ exit: 64 });
  const named = ['apply', ...each, '--auto-approve', '--state', 'file:kept'];
  expect(await runCli(named, { cwd, env: { CI: 'true' } })).toMatchObject({ exit: 0 });
});
