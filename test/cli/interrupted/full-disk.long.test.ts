// Tests that a command on a full disk stops with an error and the next run completes it. In the real process, files may only
// grow to a few kilobytes, so that writes fail in the middle of the work.

import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { crowd, reaching } from '../../support/desk.ts';
import { declaredIn } from '../../support/estate.ts';
import { fill } from '../../support/odd-content.ts';
import { place } from '../../support/place.ts';
import { startPlatform } from '../../support/platform.ts';
import { differences } from '../../support/platform-differences.ts';
import { program } from '../../support/program.ts';

/** In kilobytes. The signal that accompanies the error is ignored, so that the process sees only the error. */
function withFilesUpTo(
  size: number,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<{ exit: number; stderr: string }> {
  const command = `trap '' XFSZ; ulimit -f ${size}; exec "$0" "$@"`;
  const child = spawn('bash', ['-c', command, process.execPath, program, ...args], {
    cwd,
    env: { PATH: process.env.PATH, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr += part;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ exit: code ?? -1, stderr }));
  });
}

test('a run on a full disk stops with an error, and the next run completes it', async () => {
  const running = await startPlatform({ rateLimits: true, ratePlan: '100k_mau', latencyMs: 5 });
  const env = reaching(running);
  const at = await place(crowd(60), env);
  // One object of the journal fits into a kilobyte, but several calls together do not.
  const full = await withFilesUpTo(1, ['apply', '--auto-approve'], at.cwd, env);
  expect(full.exit, full.stderr).toBe(1);
  expect(full.stderr).toMatch(/could not be written|cannot be written/u);
  await at.does('apply --auto-approve');
  const { resources } = await declaredIn(at.cwd);
  expect(await differences(running, [...resources])).toEqual([]);
  await at.does('plan --detailed-exitcode');
});

const messages = Array.from({ length: 200 }, (_, place) => ({
  type: 'message',
  user: 'U1',
  text: `message ${place}`,
  ts: `${1_700_000_000 + place}.000100`,
}));
const slack = {
  'slack/users.json': JSON.stringify([{ id: 'U1', name: 'ann' }]),
  'slack/channels.json': JSON.stringify([{ id: 'C1', name: 'room', members: ['U1'] }]),
  'slack/room/2023-11-14.json': JSON.stringify(messages),
};

test.for([
  { command: 'convert', args: ['slack', 'slack', '--out-dir', 'chat'] },
  { command: 'export', args: ['--out-dir', 'estate', '--messages', '--without-state'] },
  { command: 'plan', args: ['--out', 'a.plan', '--write', 'html=plan.html'] },
])(
  'chatform $command on a full disk: told which file cannot be written, and done when it is run again',
  async ({ command, args }) => {
    const running = await startPlatform();
    const env = reaching(running);
    const at = await place({ ...crowd(60), ...slack }, env);
    const history = messages.map(({ text, ts }) => ({
      message_type: 'MESG',
      user_id: 'ann',
      message: text,
      timestamp: Number(ts.slice(0, 10)) * 1_000,
    }));
    fill(running, [
      { method: 'POST', path: '/users', body: { user_id: 'ann', nickname: 'Ann', profile_url: '' } },
      { method: 'POST', path: '/group_channels', body: { channel_url: 'room', user_ids: ['ann'] } },
      { method: 'POST', path: '/migration/room', body: { messages: history.slice(0, 100) } },
    ]);
    const full = await withFilesUpTo(1, [command, ...args], at.cwd, env);
    expect(full.exit, full.stderr).toBe(1);
    expect(full.stderr).toMatch(/error\[file\.unwritable\]: .* cannot be written\./u);
    // An export needs an empty folder.
    await rm(at.path('estate'), { recursive: true, force: true });
    await at.does([command, ...args]);
  },
);
