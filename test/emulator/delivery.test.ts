// Tests what users choose about deliveries: push preferences, counts, device tokens, blocks, announcements.

import { expect, test } from 'vitest';
import { type Answer, codeOf, messageOf, startApi } from './support/support.ts';

test('counts unread messages and the channels that have some, as the view of the user does', async () => {
  const api = await startApi();
  await api.users('ann', 'bob');
  for (const [url, custom_type] of [
    ['room-1', 'a'],
    ['room-2', 'b'],
    ['room-3', 'b'],
  ] as const) {
    await api.room(url, ['ann', 'bob'], { custom_type });
  }
  const after = api.clock.nowMs + 1;
  await api.ok('POST', '/migration/room-1', { messages: [messageOf('bob', after), messageOf('bob', after + 1)] });
  await api.ok('POST', '/migration/room-2', { messages: [messageOf('bob', after), messageOf('ann', after)] });
  expect(await api.ok('GET', '/users/ann/unread_message_count')).toEqual({ unread_count: 3 });
  expect(await api.ok('GET', '/users/ann/unread_channel_count')).toEqual({ unread_count: 2 });
  expect(await api.ok('GET', '/users/ann/unread_message_count?custom_types=b')).toEqual({ unread_count: 1 });
  expect(await api.ok('GET', '/users/ann?include_unread_count=true')).toMatchObject({
    unread_message_count: 3,
    unread_channel_count: 2,
  });
});

test('keeps push preferences until they are reset, and splits windows at midnight', async () => {
  const api = await startApi();
  await api.users('ann');
  const before = await api.ok('GET', '/users/ann/push_preference');
  expect(before).toMatchObject({ push_trigger_option: 'all', do_not_disturb: false, dnd_schedules: [] });
  const window = { start_hour: 22, start_min: 15, end_hour: 7, end_min: 30 };
  const changed = await api.ok('PUT', '/users/ann/push_preference', {
    push_trigger_option: 'mention_only',
    dnd_schedules: [{ day_of_week: 'sunday', time_windows: [window] }],
  });
  expect(changed).toEqual({
    ...before,
    push_trigger_option: 'mention_only',
    dnd_schedules: [
      { day_of_week: 'monday', time_windows: [{ ...window, start_hour: 0, start_min: 0 }] },
      { day_of_week: 'sunday', time_windows: [{ ...window, end_hour: 23, end_min: 59 }] },
    ],
  });
  expect(await api.ok('GET', '/users/ann/push_preference')).toEqual(changed);
  await api.ok('DELETE', '/users/ann/push_preference');
  expect(await api.ok('GET', '/users/ann/push_preference')).toEqual(before);
});

test('shows the preferences of a channel in the own view of the member alone', async () => {
  const api = await startApi();
  await api.users('ann', 'bob');
  await api.room('room-1', ['ann', 'bob']);
  const push = '/users/ann/push_preference/room-1';
  expect(await api.ok('PUT', push, { push_trigger_option: 'off' })).toEqual({
    enable: false,
    push_trigger_option: 'off',
    push_sound: 'default',
  });
  await api.ok('PUT', '/users/ann/count_preference/room-1', { count_preference: 'off' });
  const mine = { is_push_enabled: false, push_trigger_option: 'off', count_preference: 'off' };
  expect(await api.ok('GET', '/group_channels/room-1?user_id=ann')).toMatchObject(mine);
  expect(await api.ok('GET', '/group_channels/room-1?user_id=bob')).toMatchObject({
    is_push_enabled: true,
    push_trigger_option: 'all',
    count_preference: 'all',
  });
  await api.ok('PUT', push, { push_trigger_option: 'default' });
  expect(await api.ok('GET', push)).toMatchObject({ enable: true, push_trigger_option: 'all' });
});

test('lists the owners of a device token until it is removed', async () => {
  const api = await startApi();
  await api.users('ann', 'bob');
  const add = (user: string, gcm_reg_token: string) => api.ok('POST', `/users/${user}/push/gcm`, { gcm_reg_token });
  expect(await add('ann', 't1')).toMatchObject({ token: 't1', type: 'GCM', user: { user_id: 'ann' } });
  for (const [user, token] of [
    ['ann', 't1'],
    ['ann', 't2'],
    ['bob', 't1'],
  ] as const)
    await add(user, token);
  expect((await api.ok('GET', '/users/ann/push/gcm')).tokens).toEqual(['t1', 't2']);
  expect(await api.ok('GET', '/push/device_tokens/gcm/t1')).toEqual([{ user_id: 'ann' }, { user_id: 'bob' }]);
  await api.ok('DELETE', '/users/ann/push/gcm/t2');
  await api.ok('DELETE', '/push/device_tokens/gcm/t1');
  expect((await api.ok('GET', '/users/ann/push/gcm')).tokens).toEqual([]);
  await add('bob', 't3');
  expect((await api.ok('DELETE', '/users/bob/push')).token).toEqual(['t3']);
  expect(await api.ok('GET', '/push/device_tokens/gcm/t3')).toEqual([]);
});

test('lists whom a user blocks and who blocks them', async () => {
  const api = await startApi();
  await api.users('ann', 'bob', 'cat');
  await api.ok('POST', '/users/ann/block', { user_ids: ['bob', 'cat'] });
  await api.ok('POST', '/users/cat/block', { target_id: 'ann' });
  const ids = async (query: string) => {
    const { users } = await api.ok('GET', `/users/ann/block${query}`);
    return users.map(({ user_id }: Answer) => user_id);
  };
  expect(await ids('')).toEqual(['bob', 'cat']);
  expect(await ids('?user_ids=cat')).toEqual(['cat']);
  expect(await ids('?list=blocking_me')).toEqual(['cat']);
  await api.ok('DELETE', '/users/ann/block/bob');
  expect(await ids('')).toEqual(['cat']);
  await api.ok('DELETE', '/users/cat');
  expect(await ids('')).toEqual([]);
});

const ANNOUNCEMENT = { message: { user_id: 'ann', content: 'hi' }, target_at: 'target_channels', unique_id: 'a1' };

test.for([
  ['a push preference of nobody', 'GET', '/users/nobody/push_preference', undefined, 400201],
  ['an unknown trigger', 'PUT', '/users/ann/push_preference', { push_trigger_option: 'default' }, 400111],
  ['an hour after 23', 'PUT', '/users/ann/push_preference', { start_hour: 24 }, 400113],
  ['a flag that is a text', 'PUT', '/users/ann/push_preference', { snooze_enabled: 'on' }, 400104],
  ['an unknown day', 'PUT', '/users/ann/push_preference', { dnd_schedules: [{ day_of_week: 'mon' }] }, 400111],
  ['a schedule without a day', 'PUT', '/users/ann/push_preference', { dnd_schedules: [{}] }, 400105],
  ['an unknown template', 'PUT', '/users/ann/push/template', { name: 'x' }, 400111],
  ['no template', 'PUT', '/users/ann/push/template', {}, 400105],
  ['a preference of a channel that the user is not in', 'GET', '/users/bob/push_preference/room-1', undefined, 400201],
  ['no trigger for a channel', 'PUT', '/users/ann/push_preference/room-1', {}, 400105],
  ['no count preference', 'PUT', '/users/ann/count_preference/room-1', {}, 400105],
  ['an unknown count preference', 'PUT', '/users/ann/count_preference/room-1', { count_preference: 'no' }, 400111],
  ['an unknown type of token', 'GET', '/users/ann/push/fax', undefined, 400111],
  ['a token in the field of another type', 'POST', '/users/ann/push/gcm', { apns_device_token: 't' }, 400105],
  ['a token that is not there', 'DELETE', '/users/ann/push/gcm/none', undefined, 400201],
  ['a block of nobody', 'POST', '/users/ann/block', { target_id: 'nobody' }, 400201],
  ['an unblock of who is not blocked', 'DELETE', '/users/ann/block/bob', undefined, 400201],
  ['an announcement without a target', 'POST', '/announcements', { ...ANNOUNCEMENT, target_at: undefined }, 400105],
  ['an announcement with an id that is taken', 'POST', '/announcements', ANNOUNCEMENT, 400202],
] as const)('refuses %s', async ([, method, path, body, code]) => {
  const api = await startApi();
  await api.users('ann', 'bob');
  await api.room('room-1', ['ann']);
  await api.ok('POST', '/announcements', ANNOUNCEMENT);
  expect(await codeOf(api, method, path, body)).toBe(code);
});
