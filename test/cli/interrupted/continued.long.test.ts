// Tests that a command that was killed says, when it is run again, what it continues.
import { existsSync, readdirSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { connected } from '../../support/place.ts';
import { spawnCli } from '../../support/spawn-cli.ts';

const people = 60;
const users = (nickname: string) =>
  `version: 1\nusers:\n${Array.from({ length: people }, (_, at) => `  u${at}: { nickname: ${nickname} }\n`).join('')}`;

test('apply and undo', async () => {
  const { at, running } = await connected({ 'users.yaml': users('A') }, { rateLimits: false, latencyMs: 30 });
  await at.write({ 'app.yaml': `version: 1\napplication: { base_url: "${running.url}", rate_plan: 5k_mau }\n` });
  const env = { CHATFORM_API_TOKEN: running.token, CHATFORM_ALLOWED_HOSTS: new URL(running.url).host };
  const killed = async (...args: string[]) => {
    const child = spawnCli(args, { cwd: at.cwd, env });
    await child.wrote(/Applying/u);
    // Some calls are done by then, and most are not.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    child.kill('SIGKILL');
    expect((await child.ended).exit).toBe(-1);
  };
  const apply = ['apply', '--auto-approve', '--settle-time', '1s'];
  await killed(...apply);
  await at.ends(apply, 0, /Run 1 of [\d-]+ [\d:.]+ UTC has no recorded end\. What is done is not repeated\./u);
  await at.write({ 'users.yaml': users('B') });
  await at.does(apply);
  const undo = ['undo', '--auto-approve', '--settle-time', '1s'];
  await killed(...undo);
  const { stdout, stderr } = await at.does(undo);
  expect(stdout + stderr).toMatch(/Run 4 was an undo of it that did not finish, and this undo continues it\./u);
  const again = await at.run('plan --detailed-exitcode');
  expect(again.stdout).toContain(`${people} to update`);
});

test('export', async () => {
  const { at, running, call } = await connected({}, { rateLimits: false, latencyMs: 30 });
  await call('POST', '/users', { user_id: 'ann', nickname: 'Ann', profile_url: '' });
  for (let room = 0; room < 8; room += 1) {
    const channel_url = `room-${room}`;
    await call('POST', '/group_channels', { channel_url, name: channel_url, user_ids: ['ann'] });
    const message = { message_type: 'MESG', user_id: 'ann', message: 'Hello' };
    for (let sent = 0; sent < 5; sent += 1) await call('POST', `/group_channels/${channel_url}/messages`, message);
  }
  const env = { CHATFORM_API_TOKEN: running.token, CHATFORM_ALLOWED_HOSTS: new URL(running.url).host };
  const command = ['export', '--base-url', running.url, '--rate-plan', '5k_mau', '--out-dir', 'copy', '--messages'];
  const child = spawnCli(command, { cwd: at.cwd, env });
  await child.wrote(/^Sending/mu);
  await vi.waitUntil(() => existsSync(at.path('copy/history')) && readdirSync(at.path('copy/history')).length > 2, {
    timeout: 60_000,
    interval: 10,
  });
  child.kill('SIGKILL');
  expect((await child.ended).exit).toBe(-1);
  const { stderr } = await at.does(command);
  expect(stderr.match(/Continuing an interrupted export; objects are listed again\. Reading all of/gu)).toHaveLength(1);
});
