// Tests near misses in what people type: the case of a name, the flag of another tool.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { runProgram } from '../../support/program.ts';
import { expectEnd, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('apply --yes suggests --auto-approve', async () => {
  await expectEnd(
    runCli(['apply', '--yes'], { cwd: await temporaryFolder(desk) }),
    64,
    '(Did you mean --auto-approve?)',
  );
});

test('only "yes" approves', async () => {
  const cwd = await temporaryFolder(desk);
  expect(await runCli(['apply'], { cwd, answers: ['YES'] })).toMatchObject({ exit: 5 });
  expect(await runCli(['apply'], { cwd, answers: ['yes'] })).toMatchObject({ exit: 0 });
});

test('a manifest may end in .YAML', async () => {
  const cwd = await temporaryFolder({
    'A.YAML': desk['chat.yaml'] ?? '',
    'B.YML': 'version: 1\nusers: { dave: { nickname: Dave } }\n',
  });
  expect((await runCli(['validate'], { cwd })).stdout).toContain('in 2 files');
});

test('convert takes the name of a system in any case, and its help lists them', async () => {
  const cwd = await temporaryFolder({});
  const ended = await runCli(['convert', 'Slack', 'nowhere', '--out', 'chat'], { cwd });
  expect(ended.stderr).not.toContain('is not a supported source');
  expect((await runCli(['convert', '--help'], { cwd })).stdout.replace(/\s+/gu, ' ')).toContain(
    'slack, mattermost, stream, discord, sendbird or table',
  );
});

test.skipIf(!existsSync('/dev/full'))('an output that cannot be written is an error in one line', async () => {
  const cwd = await temporaryFolder(desk);
  const { status, stderr } = spawnSync('sh', ['-c', `${runProgram} plan > /dev/full`], { cwd, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining('error: The output cannot be written: ENOSPC.\n') as unknown,
  });
  expect(stderr).not.toContain('    at ');
});
