// Tests that commands need little memory, however many objects and messages there are.
import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeUsers } from '../bench/many-users.ts';
import { servedHistoryFiles, writeEstate } from '../bench/verify.ts';
import { commitAll, git, startRepository } from '../support/git.ts';
import { serve } from '../support/loopback.ts';
import { place } from '../support/place.ts';
import { program } from '../support/program.ts';

const perChannel = 2_500;
const empty = 'version: 1\napplication: { base_url: "https://api-memory.sendbird.com/v3" }\n';

/** Returns the exit code, or null if the heap was too small, and everything said. */
async function runWithin(megabytes: number, command: string, cwd: string): Promise<readonly [number | null, string]> {
  const args = [`--max-old-space-size=${megabytes}`, program, ...command.split(' ')];
  const env = { ...process.env, NO_COLOR: '1', CHATFORM_API_TOKEN: 'a'.repeat(40) };
  const child = spawn(process.execPath, args, { cwd, env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      said += String(text);
    });
  }
  return [await new Promise((resolve) => child.on('close', resolve)), said];
}

test('compares 50,000 messages of 20 channels with a heap of 40 MB', async () => {
  const server = await servedHistoryFiles(perChannel);
  onTestFinished(() => void server.close());
  const at = await place();
  await writeEstate(at.cwd, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`, perChannel);
  const [exit, said] = await runWithin(40, 'verify --all m.yaml', at.cwd);
  expect(said).toContain('50,000 compared one by one');
  expect(exit).toBe(0);
});

test.for([
  ['validate', 'Valid: 60,000 objects'],
  ['plan', 'Plan: 60,000 to create'],
  ['plan --base-ref base', 'Plan: 60,000 to create'],
] as const)('runs %s for 60,000 new users with a heap of 30 MB', async ([command, says]) => {
  const at = await place({ 'chat.yaml': empty });
  startRepository(at.cwd);
  commitAll(at.cwd, 'Declare nothing');
  git(at.cwd, 'branch', 'base');
  await writeUsers(join(at.cwd, 'users.ndjson'), 60_000);
  await at.write({ 'chat.yaml': `${empty}sources: [{ kind: user, file: users.ndjson }]\n` });
  const [exit, said] = await runWithin(30, command, at.cwd);
  expect(said).toContain(says);
  expect(exit).toBe(0);
});

test('counts 100,000 unmanaged users, and as many channels with a custom type each, with a heap of 40 MB', async () => {
  const amount = 100_000;
  const users = (id: string): object => ({ user_id: id, nickname: id, last_seen_at: 1_700_000_000_000 });
  const channels = (id: string): object => ({ channel_url: id, custom_type: `type-${id}`, last_message: null });
  const host = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const objectOf = { '/v3/users': users, '/v3/group_channels': channels }[pathname];
    const first = Number(searchParams.get('token') ?? 0);
    const next = objectOf !== undefined && first + 100 < amount ? String(first + 100) : '';
    // In another order than that of their ids.
    const ids = Array.from({ length: 100 }, (_none, place) => `id-${((first + place) * 7_919) % amount}`);
    const page = objectOf === undefined ? [] : ids.map(objectOf);
    const empty = { bots: [], channel_custom_type_settings: [] };
    response.end(JSON.stringify({ ...empty, users: page, channels: page, next }));
  });
  const limits = Object.fromEntries(['GET /users', 'GET /group_channels'].map((route) => [route, 10_000]));
  const at = await place({
    'chat.yaml': JSON.stringify({ version: 1, application: { base_url: `http://${host}/v3`, limits } }),
  });
  const [exit, said] = await runWithin(40, 'drift --unmanaged', at.cwd);
  expect(said).toContain('100,000 users and 100,000 group channels are not managed.');
  expect(exit).toBe(0);
});
