// Tests that a pull request from a fork gets its plan, without secrets and without the variable that names the application.
import { expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { writeFiles } from '../../support/folders.ts';
import { runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const text = desk['chat.yaml'] ?? '';
const named = { 'chat.yaml': text.replace('emulator:.chatform/emulator', `emulator:.chatform/\${STAGE}`) };
const env = { CHATFORM_VAR_STAGE: 'staging' };

test('plans everything as new, and warns of the missing variable', async () => {
  const cwd = await temporaryFolder(named);
  const end = await succeeded(runCli(['plan', '--format', 'json'], { cwd }));
  expect(JSON.parse(end.stdout)).toMatchObject({
    application: 'unknown, without CHATFORM_VAR_STAGE',
    summary: { create: 5 },
  });
  expect(end.stderr).toContain('warning[manifest.missing-variable]');
});

test('takes the application from a state of one application', async () => {
  const cwd = await temporaryFolder(named);
  expect(await runCli(['apply', '--auto-approve'], { cwd, env })).toMatchObject({ exit: 0 });
  await succeeded(runCli(['plan', '--detailed-exitcode'], { cwd }));
  await writeFiles(cwd, { 'chat.yaml': (named['chat.yaml'] ?? '').replace('nickname: Alice', 'nickname: Al') });
  const edited = await runCli(['plan', '--format', 'json'], { cwd });
  expect(JSON.parse(edited.stdout)).toMatchObject({
    application: 'emulator:.chatform/staging',
    summary: { update: 1 },
  });
});

test('needs the variable to read or change the platform, and applies no plan made without it', async () => {
  const cwd = await temporaryFolder(named);
  expect(await runCli(['plan', '--out', 'plan.chatform'], { cwd })).toMatchObject({ exit: 0 });
  const refused = [
    { args: ['plan', '--refresh'], exit: 64 },
    { args: ['validate', '--online'], exit: 64 },
    { args: ['apply', '--auto-approve'], exit: 65 },
    { args: ['apply', 'plan.chatform'], exit: 6 },
  ];
  for (const { args, exit } of refused) {
    const end = await runCli(args, { cwd });
    expect(end, `${args.join(' ')}: ${end.stderr}`).toMatchObject({ exit });
  }
  expect(await runCli(['apply', 'plan.chatform'], { cwd, env })).toMatchObject({ exit: 6 });
});
