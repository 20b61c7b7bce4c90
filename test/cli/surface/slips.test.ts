// Tests near misses in what people type: the case of a name, the flag of another tool.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { place } from '../../support/place.ts';
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
  const at = await place(desk);
  await at.with({ answers: ['YES'] }).ends('apply', 5);
  await at.with({ answers: ['yes'] }).does('apply');
});

test('a manifest may end in .YAML', async () => {
  const at = await place({
    'A.YAML': desk['chat.yaml'] ?? '',
    'B.YML': 'version: 1\nusers: { dave: { nickname: Dave } }\n',
  });
  expect((await at.run('validate')).stdout).toContain('in 2 files');
});

test('convert takes the name of a system in any case, and its help lists them', async () => {
  const at = await place();
  const ended = await at.run('convert Slack nowhere --out chat');
  expect(ended.stderr).not.toContain('is not a supported source');
  expect((await at.run('convert --help')).stdout.replace(/\s+/gu, ' ')).toContain(
    'slack, mattermost, stream, discord, sendbird or table',
  );
});

test.skipIf(!existsSync('/dev/full'))('an output that cannot be written is an error in one line', async () => {
  const at = await place(desk);
  const { status, stderr } = spawnSync('sh', ['-c', `${runProgram} plan > /dev/full`], {
    cwd: at.cwd,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining('error: The output cannot be written: ENOSPC.\n') as unknown,
  });
  expect(stderr).not.toContain('    at ');
});
