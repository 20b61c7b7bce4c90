// Tests that messages are migrated, sent, listed, counted, marked and given meta arrays as documented.

import { expect, test } from 'vitest';
import { type Api, messageOf, START_MS, startApi } from './support/support.ts';

const ROOM = '/group_channels/room-1';

async function start(): Promise<Api> {
  const api = await startApi();
  await api.users('ann', 'bob', 'off');
  await api.room('room-1', ['ann', 'bob', 'off']);
  await api.ok('PUT', '/users/off', { is_active: false, leave_all_when_deactivated: false });
  return api;
}

const migrate = (api: Api, messages: readonly unknown[], more = {}) =>
  api.ok('POST', '/migration/room-1', { messages, ...more });

async function texts(api: Api, query: string): Promise<string[]> {
  const { messages } = await api.get(`${ROOM}/messages?${query}`);
  return messages.map(({ message }: { message: string }) => message);
}

test('stores no message of an ephemeral channel', async () => {
  const api = await startApi();
  await api.users('ann');
  await api.room('room-1', ['ann'], { is_ephemeral: true });
  await migrate(api, [messageOf('ann', 1)]);
  await api.say('ann');
  expect(await api.get(`${ROOM}/messages/total_count`)).toEqual({ total: 0 });
});

test('moves read receipts back to migrated messages with update_read_ts, and anywhere with rewind_read_ts', async () => {
  const api = await start();
  const readTs = async () => (await api.get(`${ROOM}?user_id=ann`)).user_last_read;
  const late = START_MS + 1000;
  await migrate(api, [messageOf('bob', late)]);
  expect(await readTs()).toBe(START_MS);
  expect(await api.get(`${ROOM}/messages/unread_count?user_ids=ann,bob`)).toEqual({ unread: { ann: 1, bob: 0 } });
  await migrate(api, [messageOf('bob', late)], { update_read_ts: true });
  expect(await readTs()).toBe(START_MS);
  await migrate(api, [messageOf('bob', 5)], { update_read_ts: true });
  expect(await readTs()).toBe(5);
  await migrate(api, [messageOf('bob', late)], { update_read_ts: true, rewind_read_ts: true });
  expect(await readTs()).toBe(late);
});

test('takes created_at, and a file by url or upload', async () => {
  const api = await start();
  await api.ok('POST', `${ROOM}/messages`, { message_type: 'ADMM', message: 'old', created_at: 5 });
  await api.ok('POST', `${ROOM}/messages`, { message_type: 'FILE', user_id: 'ann', url: 'https://f' });
  const form = new FormData();
  form.append('message_type', 'FILE');
  form.append('user_id', 'ann');
  form.append('file', new Blob(['abc'], { type: 'text/plain' }), 'a.txt');
  const file = { name: 'a.txt', type: 'text/plain', size: 3 };
  expect(await api.ok('POST', `${ROOM}/messages`, form)).toMatchObject({ file });
  expect(await texts(api, 'message_ts=5&next_limit=0')).toEqual(['old']);
});

test('refuses a second message with the same dedup_id in a channel', async () => {
  const api = await start();
  await api.room('room-2', ['ann']);
  const twice = { message_type: 'MESG', user_id: 'ann', message: 'hi', dedup_id: 'a' };
  const urls = ['room-1', 'room-2', 'room-1'];
  const codes = urls.map((url) => api.code('POST', `/group_channels/${url}/messages`, twice));
  expect(await Promise.all(codes)).toEqual([200, 200, 400202]);
});

test('lets operators send into a frozen channel until they are deactivated', async () => {
  const api = await start();
  await api.ok('POST', `${ROOM}/operators`, { operator_ids: ['bob'] });
  await api.ok('PUT', `${ROOM}/freeze`, { freeze: true });
  await api.say('bob');
  await api.ok('PUT', '/users/bob', { is_active: false });
  expect(await api.code('POST', `${ROOM}/messages`, { user_id: 'bob', message: 'x' })).toBe(400700);
});

async function startHistory(): Promise<Api> {
  const api = await start();
  const times = [50, 10, 30, 20, 40, 30];
  const sender = (n: number) => (n % 2 ? 'ann' : 'bob');
  await migrate(
    api,
    times.map((ts, n) => messageOf(sender(n), ts, { custom_type: n % 3 ? '' : 't' })),
  );
  return api;
}

test('lists the messages around a time, filtered as asked', async () => {
  const api = await startHistory();
  for (const [query, ...times] of [
    ['message_ts=0', 10, 20, 30, 30, 40, 50],
    ['message_ts=0&message_id=0', 10, 20, 30, 30, 40, 50],
    ['message_ts=30&prev_limit=1&next_limit=1', 20, 30, 30, 40],
    ['message_ts=30&prev_limit=1&next_limit=1&include=false', 20, 40],
    ['message_ts=30&prev_limit=1&next_limit=1&reverse=true', 40, 30, 30, 20],
    ['message_ts=99&prev_limit=2', 40, 50],
    ['message_ts=0&sender_id=ann', 10, 20, 30],
    ['message_ts=0&sender_ids=ann,bob&next_limit=2', 10, 20],
    ['message_ts=0&custom_types=t', 20, 50],
    ['message_ts=0&custom_types=', 10, 30, 30, 40],
    ['message_ts=0&message_type=ADMM'],
    ['message_ts=0&operator_filter=operator'],
  ] as const) {
    expect([query, ...(await texts(api, query))]).toEqual([query, ...times.map((time) => `at ${time}`)]);
  }
});

test('lists the messages around one message, which separates equal times', async () => {
  const api = await startHistory();
  const [first, second] = await api.ids(`${ROOM}/messages?message_ts=30&prev_limit=0&next_limit=0`);
  const around = (id: unknown) => api.ids(`${ROOM}/messages?message_id=${id}&prev_limit=1&next_limit=1`);
  expect((await around(first)).slice(1)).toEqual([first, second]);
  expect((await around(second)).slice(0, 2)).toEqual([first, second]);
});

test('counts unread messages and the channels that have some, until they are read', async () => {
  const api = await start();
  await api.room('room-2', ['ann', 'bob'], { custom_type: 'x' });
  api.clock.nowMs += 1;
  const say = { message_type: 'MESG', user_id: 'bob', message: 'x', mentioned_user_ids: ['ann'] };
  for (const url of ['room-1', 'room-1', 'room-2']) await api.ok('POST', `/group_channels/${url}/messages`, say);
  const counts = async (query = ''): Promise<unknown> => {
    const user = await api.get(`/users/ann?include_unread_count=true${query}`);
    const { unread_count: messages } = await api.get(`/users/ann/unread_message_count?${query}`);
    const { unread_count: channels } = await api.get(`/users/ann/unread_channel_count?${query}`);
    expect([user.unread_channel_count, user.unread_message_count]).toEqual([channels, messages]);
    return [channels, messages];
  };
  expect(await counts()).toEqual([2, 3]);
  expect(await counts('&custom_types=x')).toEqual([1, 1]);
  expect(await counts('&super_mode=super')).toEqual([0, 0]);
  const unread = { unread_message_count: 2, unread_mention_count: 2 };
  expect(await api.get(`${ROOM}?user_id=ann`)).toMatchObject(unread);
  expect(await api.ids('/users/ann/my_group_channels?unread_filter=unread_message')).toHaveLength(2);
  expect(await api.ok('PUT', `${ROOM}/messages/mark_as_read`, { user_id: 'ann' })).toEqual({});
  expect(await counts()).toEqual([1, 1]);
  expect(await api.ok('PUT', '/users/ann/mark_as_read_all', {})).toEqual({});
  expect(await counts()).toEqual([0, 0]);
});

test('adds, changes and removes meta arrays of a message', async () => {
  const api = await start();
  const { message_id: id } = await api.say('ann');
  const path = `${ROOM}/messages/${id}/sorted_metaarray`;
  const arrays = (...pairs: readonly [key: string, ...value: string[]][]) => ({
    sorted_metaarray: pairs.map(([key, ...value]) => ({ key, value })),
  });
  expect(await api.ok('POST', path, arrays(['a', '1'], ['b']))).toEqual(arrays(['a', '1'], ['b']));
  expect(await api.code('POST', path, arrays(['c'], ['a', '2']))).toBe(400202);
  expect(await api.ok('PUT', path, arrays(['a', '2'], ['c', '3']))).toEqual(arrays(['a', '1', '2'], ['b']));
  const added = arrays(['a', '1', '2'], ['b'], ['c', '3']);
  expect(await api.ok('PUT', path, { ...arrays(['c', '3']), upsert: true })).toEqual(added);
  const removed = arrays(['a', '2'], ['b'], ['c', '3']);
  expect(await api.ok('PUT', path, { ...arrays(['a', '1']), mode: 'remove' })).toEqual(removed);
  for (const [body, code] of [
    [{ ...arrays(['a', '1']), mode: 'set' }, 400111],
    [{}, 400105],
    [{ sorted_metaarray: 'a' }, 400102],
  ] as const) {
    expect(await api.code('PUT', path, body)).toBe(code);
  }
  expect(await api.code('DELETE', `${path}?keys=a,none`)).toBe(400201);
  const shown = () => api.get(`${ROOM}/messages/${id}?with_sorted_meta_array=true`);
  await api.ok('DELETE', `${path}?keys=a,b`);
  expect(await shown()).toMatchObject(arrays(['c', '3']));
  await api.ok('DELETE', path);
  expect(await shown()).toMatchObject(arrays());
  await api.ok('PUT', `${ROOM}/freeze`, { freeze: true });
  expect(await api.code('POST', path, arrays(['d']))).toBe(900050);
});

test('refuses reactions of deactivated and unknown users, without a key, and beyond twenty keys', async () => {
  const api = await start();
  const path = `${ROOM}/messages/${(await api.say('ann')).message_id}/reactions`;
  const react = (user_id: string, reaction?: string) => api.code('POST', path, { user_id, reaction });
  expect([await react('off', 'a'), await react('nobody', 'a'), await react('ann')]).toEqual([400300, 400201, 400105]);
  for (let key = 0; key < 20; key++) expect(await react('ann', `k${key}`)).toBe(200);
  expect([await react('bob', 'k0'), await react('bob', 'more')]).toEqual([200, 400203]);
});

test('pins ten messages of a channel that is not super, and unpins a message that is deleted', async () => {
  const api = await start();
  const ids: number[] = [];
  for (let place = 0; place < 11; place++) ids.push((await api.say('ann')).message_id);
  const pin = (id: number | undefined, method = 'POST') => api.code(method, `${ROOM}/messages/${id}/pin`);
  for (const id of ids.slice(0, 10)) expect(await pin(id)).toBe(200);
  expect(await pin(ids[10])).toBe(400203);
  expect(await pin(ids[0], 'DELETE')).toBe(200);
  await api.ok('DELETE', `${ROOM}/messages/${ids[1]}`);
  expect((await api.get(ROOM)).pinned_message_ids).toEqual(ids.slice(2, 10));
  await api.ok('PUT', ROOM, { is_super: true });
  expect(await pin(ids[10])).toBe(400920);
});
