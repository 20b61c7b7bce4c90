// Tests that destroy removes the objects in state, only for the named application, and never protected ones.
import { expect, test } from 'vitest';
import { crowd, desk } from '../../support/desk.ts';
import { contentOf, writeFiles } from '../../support/folders.ts';
import { expectEnd, runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const application = 'emulator:.chatform/emulator';

async function applied(files: Readonly<Record<string, string>>): Promise<string> {
  const cwd = await temporaryFolder(files);
  await succeeded(runCli(['apply', '--auto-approve'], { cwd }));
  return cwd;
}

test('removes every object in state by its on_remove, without a budget', async () => {
  const cwd = await applied({
    ...desk,
    ...crowd(30),
    'policy.yaml': 'version: 1\npolicy: { on_remove: { open_channel: delete } }\n',
  });
  const ended = await succeeded(runCli(['destroy', '--confirm', application], { cwd }));
  expect(ended.stdout).toContain('Plan: 1 to freeze, 33 to deactivate, 1 to delete.');
  expect(ended.stderr).toContain('removal limits do not apply');
  const list = await runCli(['state', 'list'], { cwd });
  expect(list.stdout).not.toContain('open_channel.lobby');
  expect(list.stdout).toContain('user.alice');
  const again = await runCli(['destroy', '--confirm', application], { cwd });
  expect(again).toMatchObject({ exit: 0, stdout: expect.stringContaining('There is nothing to do') });
  // The object is managed until it is forgotten: declared again, it is reopened, and it counts in the question.
  await expectEnd(runCli(['plan'], { cwd }), 5, 'user.reactivate would happen 33 times');
});

test.for([
  { args: [], exit: 64, says: `--confirm ${application}` },
  { args: ['--confirm', 'emulator:elsewhere'], exit: 5, says: 'emulator:elsewhere' },
])('ends with $exit for $args', async ({ args, exit, says }) => {
  const cwd = await applied(desk);
  const before = await contentOf(cwd);
  const ended = await expectEnd(runCli(['destroy', ...args], { cwd }), exit);
  expect(ended.stderr.replaceAll(/\s+/gu, ' ')).toContain(says);
  expect(await contentOf(cwd)).toEqual(before);
});

test('refuses everything for one protected object', async () => {
  const guarded = 'version: 1\nusers:\n  boss: { nickname: Boss, lifecycle: { protect: true } }\n';
  const cwd = await applied({ ...desk, 'boss.yaml': guarded });
  const before = await contentOf(cwd);
  await expectEnd(runCli(['destroy', '--confirm', application], { cwd }), 5, 'user.boss');
  expect(await contentOf(cwd)).toEqual(before);
  // Editing the manifest does not help, because state remembers the protection.
  await writeFiles(cwd, { 'boss.yaml': guarded.replace('true', 'false') });
  expect(await runCli(['destroy', '--confirm', application], { cwd })).toMatchObject({ exit: 5 });
});
