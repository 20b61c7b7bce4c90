// Tests that the flags common to all commands work before the command as well as after it.
import { describe, expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { place } from '../../support/place.ts';
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
    const at = await place(desk);
    const before = await at.run([...flags, 'plan']);
    const behind = await at.run(['plan', ...flags]);
    expect(before).toEqual(behind);
    expect(before.exit).toBe(0);
    const without = await at.run('plan');
    if (flags[0] !== '--state') expect(before.stdout).not.toBe(without.stdout);
  });

  test('with the flags after it', async () => {
    const at = await place({ 'there/chat.yaml': desk['chat.yaml'] ?? '' });
    const ended = await at.run('--plain plan there --format json');
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
