// Tests that the flags common to all commands work before the command as well as after it.
import { describe, expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { expectEnd, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('before the command', () => {
  test.for([
    ['--plain'],
    ['--color', 'always'],
    ['--color=always', '--verbose'],
    ['--state', 'file:elsewhere'],
    ['--base-url', 'emulator:other', '--rate-plan', '100k_mau'],
  ])('%j', async (flags) => {
    const cwd = await temporaryFolder(desk);
    const before = await runCli([...flags, 'plan'], { cwd });
    const behind = await runCli(['plan', ...flags], { cwd });
    expect(before).toEqual(behind);
    expect(before.exit).toBe(0);
    const without = await runCli(['plan'], { cwd });
    if (flags[0] !== '--state') expect(before.stdout).not.toBe(without.stdout);
  });

  test('with the flags after it', async () => {
    const cwd = await temporaryFolder({ 'there/chat.yaml': desk['chat.yaml'] ?? '' });
    const ended = await runCli(['--plain', 'plan', 'there', '--format', 'json'], { cwd });
    expect(JSON.parse(ended.stdout).summary).toEqual({ create: 5 });
  });

  test.for([
    { args: ['--detailed-exitcode', 'plan'], says: "unknown option '--detailed-exitcode'" },
    { args: ['--plain'], says: "unknown option '--plain'" },
    { args: ['--state', 'file:x', 'fmt'], says: "unknown option '--state" },
    { args: ['--state'], says: "unknown option '--state'" },
  ])('a flag of one command, or of none, is refused: $args', async ({ args, says }) => {
    await expectEnd(runCli(args, { cwd: await temporaryFolder(desk) }), 64, says);
  });
});
