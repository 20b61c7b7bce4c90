// Tests what clients of the community call and the vendor's clients 2.1 do not: it is served, or refused with a code.

import { expect, test } from 'vitest';
import { type Api, START_MS, startApi } from './support/support.ts';

const ROOM = '/group_channels/room-1';

/** ann and bob in a room with a message that mentions bob, and bob invited to a supergroup. */
async function start(): Promise<Api> {
  const api = await startApi();
  await api.users('ann', 'bob');
  await api.room('room-1', ['ann', 'bob'], { custom_type: 'talk' });
  const invitation_status = { bob: 'invited_by_friend' };
  await api.room('room-2', ['ann', 'bob'], { is_super: true, invitation_status });
  api.clock.nowMs = START_MS + 1000;
  await api.say('ann', { mentioned_user_ids: ['bob'] });
  return api;
}

test('counts the group channels of a user by state', async () => {
  const api = await start();
  const count = (query: string) => api.get(`/users/bob/group_channel_count${query}`);
  expect(await count('')).toEqual({ group_channel_count: 2 });
  expect(await count('?state=joined_only')).toEqual({ group_channel_count: 1 });
  expect(await count('?state=invited_by_friend')).toEqual({ group_channel_count: 1 });
  expect(await api.code('GET', '/users/bob/group_channel_count?state=none')).toBe(400111);
  expect(await api.code('GET', '/users/zoe/group_channel_count')).toBe(400201);
});

test('counts unread messages, mentions and invitations by size of the channel', async () => {
  const api = await start();
  const items = await api.get('/users/bob/unread_item_count');
  expect(Object.keys(items)).toHaveLength(9);
  expect(items).toMatchObject({
    group_channel_unread_message_count: 1,
    non_super_group_channel_unread_mention_count: 1,
    super_group_channel_unread_message_count: 0,
    super_group_channel_invitation_count: 1,
    group_channel_invitation_count: 1,
  });
  const keys = 'group_channel_unread_message_count,super_group_channel_invitation_count';
  expect(await api.get(`/users/bob/unread_item_count?custom_type=talk&item_keys=${keys}`)).toEqual({
    group_channel_unread_message_count: 1,
    super_group_channel_invitation_count: 0,
  });
  expect(await api.code('GET', '/users/bob/unread_item_count?item_keys=other')).toBe(400111);
});

test('sends a message with several files to a group channel, and to no open channel', async () => {
  const api = await start();
  await api.ok('POST', '/open_channels', { channel_url: 'lobby' });
  const files = [{ url: 'https://f/a', file_name: 'a.txt', file_size: 3 }, { url: 'https://f/b' }];
  const message = { message_type: 'FILE', user_id: 'ann', files };
  const expected = { file: {}, files: [{ url: 'https://f/a', name: 'a.txt', size: 3 }, { url: 'https://f/b' }] };
  const { message_id } = await api.ok('POST', `${ROOM}/messages`, message);
  expect(await api.get(`${ROOM}/messages/${message_id}`)).toMatchObject(expected);
  expect(await api.code('POST', '/open_channels/lobby/messages', message)).toBe(400111);
  expect(await api.code('POST', `${ROOM}/messages`, { ...message, files: [] })).toBe(400111);
  expect(await api.code('POST', `${ROOM}/messages`, { ...message, files: [{}] })).toBe(400105);
  expect(await api.code('POST', `${ROOM}/messages`, { ...message, files: Array(31).fill(files[0]) })).toBe(400203);
});

test.each([
  'metacounter_key=a',
  'metacounter_values=1',
  'metacounter_value_gte=1',
  'search_query=a&search_fields=channel_name',
  'members_in=ann',
])('refuses a list of channels with the filter %s, which it does not apply', async (query) => {
  const api = await start();
  expect(await api.code('GET', `/group_channels?${query}`)).toBe(400111);
  expect(await api.code('GET', `/users/ann/my_group_channels?${query}`)).toBe(400111);
});

test('ignores parameters in the body of a GET, and refuses an end of a token that is past and the old path of a refusal', async () => {
  const api = await start();
  const fromBody = await api.ok('GET', '/users?limit=1', { limit: 2 });
  expect(fromBody.users).toHaveLength(1);
  expect(await api.code('DELETE', `${ROOM}/hide`, { user_id: 'ann' })).toBe(400105);
  expect(await api.code('POST', '/users/ann/token', { expires_at: 0 })).toBe(400111);
  expect(await api.code('PUT', `${ROOM}/members/reject`, { user_id: 'bob' })).toBe(400404);
});
