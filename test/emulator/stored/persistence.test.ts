// Tests that the data survive restarts, kill -9, torn lines, and a second emulator on the same file.

import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../../src/emulator/server.ts';
import { Store } from '../../../src/emulator/stored/store.ts';
import { fastTest, inSuite } from '../../support/suite.ts';
import { zombie } from '../../support/zombie.ts';
import { type Api, BOT, messageOf, request, startApi } from '../support/support.ts';

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'emulator-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'data');
}

const SPORTS = '/applications/settings_by_channel_custom_type/sports';

/** Everything that can be read from a small application. */
async function everything(api: Api): Promise<unknown[]> {
  const paths = [
    '/users?active_mode=all&limit=100',
    '/open_channels',
    '/group_channels?show_empty=true&show_member=true&show_metadata=true',
    '/group_channels/room-1?user_id=bob',
    '/group_channels/room-1/messages?message_ts=0&including_removed=true&with_sorted_meta_array=true',
    '/applications/default_channel_invitation_preference',
    '/users/ann/my_group_channels?show_empty=true',
    '/bots',
    '/group_channels/room-1/ban',
    '/group_channels/room-1/mute',
    '/users/ann/mute',
    '/applications/settings/webhook',
    '/applications/settings/auto_event_message',
    '/applications/settings_global',
    '/applications/settings_by_channel_custom_type',
    ...['operators', 'ban', 'mute'].map((list) => `${SPORTS}/${list}`),
  ];
  return Promise.all(paths.map((path) => api.get(path)));
}

async function fill(api: Api): Promise<void> {
  await api.users('ann', 'bob', 'cat', 'dan');
  await api.ok('POST', '/users/ann/metadata', { metadata: { a: '1', __proto__x: '2' } });
  await api.ok('POST', '/users/ann/token', {});
  await api.ok('PUT', '/applications/default_channel_invitation_preference', { auto_accept: false });
  await api.ok('POST', '/open_channels', { channel_url: 'lobby', operator_ids: ['ann', 'cat'] });
  await api.ok('POST', '/open_channels', {});
  await api.room('room-1', ['ann', 'bob', 'cat'], { operator_ids: ['bob'], is_public: true, access_code: 'x' });
  await api.ok('PUT', '/group_channels/room-1/leave', { user_ids: ['cat'] });
  await api.ok('PUT', '/group_channels/room-1/hide', { user_id: 'bob', allow_auto_unhide: false });
  await api.ok('POST', '/migration/room-1', {
    messages: [messageOf('ann', 5, { dedup_id: 'a' }), messageOf('bob', 3), messageOf('bob', 4)],
  });
  await api.ok('DELETE', '/group_channels/room-1/messages/2');
  await api.room('room-2', ['ann']);
  await api.ok('DELETE', '/group_channels/room-2');
  await api.ok('DELETE', '/users/cat');
  await api.ok('PUT', '/users/dan', { is_active: false });
  for (const bot_userid of ['helper', 'gone']) await api.ok('POST', '/bots', { ...BOT, bot_userid });
  await api.ok('POST', '/bots/helper/channels', { channel_urls: ['room-1'] });
  await api.ok('DELETE', '/bots/gone');
  await api.users('eve', 'fay');
  for (const user_id of ['eve', 'fay']) {
    await api.ok('POST', '/group_channels/room-1/ban', { user_id, seconds: 60, description: 'spam' });
  }
  await api.ok('DELETE', '/group_channels/room-1/ban/fay');
  await api.ok('POST', '/group_channels/room-1/mute', { user_id: 'ann' });
  await api.ok('PUT', '/applications/settings/webhook', { enabled: true, url: 'https://hooks.example.com' });
  const auto_event_message = { user_join: { user_join: true } };
  await api.ok('PUT', '/applications/settings/auto_event_message', { auto_event_message });
  for (const custom_type of ['sports', 'news']) {
    const filter = { domain_filter: { domains: ['bad.example'], type: 2 } };
    await api.ok('POST', '/applications/settings_by_channel_custom_type', { custom_type, ...filter });
  }
  await api.ok('DELETE', '/applications/settings_by_channel_custom_type/news');
  await api.ok('POST', `${SPORTS}/operators`, { operator_ids: ['bob'] });
  await api.ok('POST', `${SPORTS}/ban`, { banned_list: [{ user_id: 'eve', description: 'spam' }] });
  await api.ok('POST', `${SPORTS}/mute`, { user_ids: ['fay'] });
}

fastTest('keeps all data over a restart and a compaction', async () => {
  const dataFile = newFile();
  const first = await startApi({ dataFile });
  await fill(first);
  const before = await everything(first);
  await first.emulator.close();
  const second = await startApi({ dataFile });
  expect(await everything(second)).toEqual(before);
  await second.emulator.close();

  const size = statSync(dataFile).size;
  const store = new Store(dataFile, { compactFromBytes: 100 });
  const [application] = [...store.state.snapshot()];
  if (application === undefined) throw new Error('A snapshot begins with the application.');
  // Redundant lines accumulate until a restart drops them.
  for (let n = 0; n < 1000; n++) store.append([application]);
  store.close();
  new Store(dataFile, { compactFromBytes: 100 }).close();
  expect(statSync(dataFile).size).toBeLessThan(size);
  const third = await startApi({ dataFile });
  expect(await everything(third)).toEqual(before);
  // Ids are never reused.
  expect(await third.say('bob')).toMatchObject({ message_id: 4 });
});

fastTest('drops a torn last line, and refuses damage before it', async () => {
  const dataFile = newFile();
  const first = await startApi({ dataFile });
  await first.users('ann');
  await first.emulator.close();
  const whole = readFileSync(dataFile);
  appendFileSync(dataFile, '[{"type":"user.put","user":{"seq":2,"userId":"torn"');
  const second = await startApi({ dataFile });
  expect(await second.ids('/users')).toEqual(['ann']);
  await second.users('bob');
  await second.emulator.close();
  const third = await startApi({ dataFile });
  expect(await third.ids('/users')).toEqual(['ann', 'bob']);
  await third.emulator.close();

  for (let cut = 1; cut < whole.length; cut += 7) {
    writeFileSync(dataFile, whole.subarray(0, cut));
    new Store(dataFile).close();
  }
  writeFileSync(dataFile, Buffer.concat([whole.subarray(0, -20), Buffer.from('\n'), whole]));
  expect(() => new Store(dataFile)).toThrow(/damaged: line \d+/);
  writeFileSync(dataFile, 'something else\n');
  expect(() => new Store(dataFile)).toThrow('is not a data file');
  expect(readFileSync(dataFile, 'utf8')).toBe('something else\n');
  expect(existsSync(`${dataFile}.lock`)).toBe(false);
});

fastTest('gives a data file to one emulator at a time, and takes over the lock of a dead one', async () => {
  const dataFile = newFile();
  const first = await startEmulator({ dataFile });
  await expect(startEmulator({ dataFile })).rejects.toThrow('in use by another emulator');
  await first.close();
  await first.close();
  const dead = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => dead.once('exit', resolve));
  for (const left of [String(dead.pid), String(process.pid), '']) {
    writeFileSync(`${dataFile}.lock`, left);
    const next = await startEmulator({ dataFile });
    await next.close();
  }
  writeFileSync(`${dataFile}.lock`, '1');
  await expect(startEmulator({ dataFile })).rejects.toThrow('process 1');
});

fastTest('closes although its lock cannot be removed', async () => {
  const dataFile = newFile();
  const emulator = await startEmulator({ dataFile });
  rmSync(`${dataFile}.lock`);
  mkdirSync(`${dataFile}.lock`);
  await expect(emulator.close()).resolves.toBeUndefined();
});

fastTest('releases the data file when the port is in use', async () => {
  const dataFile = newFile();
  const api = await startApi();
  const port = Number(new URL(api.emulator.url).port);
  await expect(startEmulator({ port, dataFile })).rejects.toThrow('EADDRINUSE');
  await (await startEmulator({ dataFile })).close();
});

test.runIf(inSuite(false, true))('loses nothing that it answered before kill -9', async () => {
  const dataFile = newFile();
  const server = fileURLToPath(new URL('../../../src/emulator/server.ts', import.meta.url));
  const script = `
    const { startEmulator } = await import(${JSON.stringify(server)});
    const emulator = await startEmulator({ dataFile: ${JSON.stringify(dataFile)}, rateLimits: false });
    console.log(JSON.stringify({ url: emulator.url, token: emulator.token }));`;
  for (let round = 0; round < 2; round++) {
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const line = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve));
    const target: { url: string; token: string } = JSON.parse(line);
    const answered: string[] = [];
    const send = async (lane: number): Promise<void> => {
      for (let n = 0; ; n++) {
        const id = `r${round}-${lane}-${n}`;
        await request(target, 'POST', '/users', { user_id: id, nickname: id, profile_url: '' });
        answered.push(id);
        if (answered.length === 100) child.kill('SIGKILL');
      }
    };
    await Promise.allSettled([0, 1, 2, 3].map(send));
    await exited;
    expect(answered.length).toBeGreaterThanOrEqual(100);
    const store = new Store(dataFile);
    for (const id of answered) expect(store.state.users.get(id)?.userId).toBe(id);
    store.close();
  }
});

fastTest('answers 500 and changes nothing when the data file cannot be written', async () => {
  const api = await startApi({ dataFile: newFile() });
  await api.users('ann');
  await api.emulator.close();
  const { platform, token } = api.emulator;
  const body = { type: 'json', value: { user_id: 'late', nickname: '', profile_url: '' } } as const;
  const create = { method: 'POST', path: '/v3/users', query: '', headers: { 'api-token': token }, body };
  expect(platform.handle(create, 0)).toMatchObject({ status: 500, body: { code: 500901 } });
  expect(platform.state.users.get('late')).toBeUndefined();
});

fastTest.for(['data', 'data.lock', 'data.new'])(
  'refuses a device or a pipe as %s, and leaves it alone',
  async (name) => {
    const dataFile = newFile();
    const folder = dirname(dataFile);
    for (const make of [
      (at: string) => symlinkSync('/dev/null', at),
      (at: string) => void execFileSync('mkfifo', [at]),
      (at: string) => void mkdirSync(at),
    ]) {
      const at = join(folder, name);
      make(at);
      const before = lstatSync(at);
      await expect(startEmulator({ dataFile })).rejects.toThrow(`${at} is not a regular file.`);
      expect(lstatSync(at)).toMatchObject({ ino: before.ino, mode: before.mode });
      expect(readdirSync(folder)).toEqual([name]);
      rmSync(at, { recursive: true });
    }
  },
);

fastTest('uses a data file behind a link', async () => {
  const dataFile = newFile();
  const { emulator } = await startApi({ dataFile });
  await emulator.close();
  symlinkSync(dataFile, `${dataFile}-link`);
  const other = await startApi({ dataFile: `${dataFile}-link` });
  expect(await other.ok('GET', '/users')).toMatchObject({ users: [] });
  await other.emulator.close();
});

test.runIf(process.platform === 'linux')(
  'takes over the lock of a process that its parent has not awaited',
  async () => {
    const file = newFile();
    writeFileSync(`${file}.lock`, String(await zombie()));
    const store = new Store(file);
    expect(readFileSync(`${file}.lock`, 'utf8')).toBe(String(process.pid));
    store.close();
  },
);
