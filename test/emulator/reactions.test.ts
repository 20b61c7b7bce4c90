// Tests that messages are reacted to and pinned as documented (platform §6.2).
import { expect, test } from 'vitest';
import { type Api, codeOf, startApi } from './support/support.ts';

async function startRoom(): Promise<{ api: Api; path: string }> {
  const api = await startApi();
  await api.users('ann', 'bob', 'off');
  await api.room('room-1', ['ann', 'bob', 'off']);
  await api.ok('PUT', '/users/off', { is_active: false });
  const { message_id: id } = await api.ok('POST', '/group_channels/room-1/messages', {
    message_type: 'MESG',
    user_id: 'ann',
    message: 'hi',
  });
  return { api, path: `/group_channels/room-1/messages/${id}` };
}

test('adds and removes a reaction, and answers a repetition with success: false', async () => {
  const { api, path } = await startRoom();
  const reaction = { user_id: 'bob', reaction: '👍' };
  const done = { ...reaction, operation: 'ADD', success: true };
  expect(await api.ok('POST', `${path}/reactions`, reaction)).toMatchObject(done);
  expect(await api.ok('POST', `${path}/reactions`, reaction)).toMatchObject({ ...done, success: false });
  expect(await api.ok('GET', `${path}/reactions`)).toEqual({ '👍': ['bob'] });
  const list = '/group_channels/room-1/messages?message_ts=0';
  expect((await api.ok('GET', list)).messages[0].reactions).toEqual([]);
  expect((await api.ok('GET', `${list}&include_reactions=true`)).messages[0].reactions).toMatchObject([
    { key: '👍', user_ids: ['bob'] },
  ]);
  const query = 'user_id=bob&reaction=%F0%9F%91%8D';
  expect(await api.ok('DELETE', `${path}/reactions?${query}`)).toMatchObject({ operation: 'DELETE', success: true });
  expect(await api.ok('DELETE', `${path}/reactions?${query}`)).toMatchObject({ success: false });
  expect(await api.ok('GET', `${path}/reactions`)).toEqual({});
});

test('refuses reactions of deactivated and unknown users, without a key, and beyond twenty keys', async () => {
  const { api, path } = await startRoom();
  const react = (user_id: string, reaction?: string) => codeOf(api, 'POST', `${path}/reactions`, { user_id, reaction });
  expect(await react('off', 'a')).toBe(400300);
  expect(await react('nobody', 'a')).toBe(400201);
  expect(await react('ann')).toBe(400105);
  for (let key = 0; key < 20; key++) await api.ok('POST', `${path}/reactions`, { user_id: 'ann', reaction: `k${key}` });
  expect(await react('bob', 'k0')).toBe(200);
  expect(await react('bob', 'more')).toBe(400203);
});

test('pins ten messages of a channel, and unpins a message that is deleted', async () => {
  const { api } = await startRoom();
  const ids: number[] = [];
  for (let place = 0; place < 11; place++) {
    const body = { message_type: 'ADMM', message: `${place}` };
    ids.push((await api.ok('POST', '/group_channels/room-1/messages', body)).message_id);
  }
  const pin = (id: number | undefined, method = 'POST') =>
    codeOf(api, method, `/group_channels/room-1/messages/${id}/pin`);
  for (const id of ids.slice(0, 10)) expect(await pin(id)).toBe(200);
  expect(await pin(ids[10])).toBe(400203);
  expect(await pin(ids[0], 'DELETE')).toBe(200);
  await api.ok('DELETE', `/group_channels/room-1/messages/${ids[1]}`);
  expect((await api.ok('GET', '/group_channels/room-1')).pinned_message_ids).toEqual(ids.slice(2, 10));
  await api.ok('POST', '/group_channels', { channel_url: 'big-room', user_ids: ['ann'], is_super: true });
  const body = { message_type: 'ADMM', message: 'x' };
  const { message_id: id } = await api.ok('POST', '/group_channels/big-room/messages', body);
  expect(await codeOf(api, 'POST', `/group_channels/big-room/messages/${id}/pin`)).toBe(400920);
});
