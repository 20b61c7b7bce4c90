// Tests settings of an application, of custom types and of users: how long they hold, and what they change elsewhere.

import { describe, expect, test } from 'vitest';
import { type Api, BOT, startApi } from './support/support.ts';

const TYPES = '/applications/settings_by_channel_custom_type';
const SPORTS = `${TYPES}/sports`;
const FILTER = { domains: ['bad.example'], type: 2, should_check_global: true };

async function start(): Promise<Api> {
  const api = await startApi();
  await api.users('ann', 'bob', 'cat', 'dan');
  await api.ok('POST', TYPES, { custom_type: 'sports' });
  return api;
}

test('pages the settings of custom types in the order of their names', async () => {
  const api = await start();
  await api.ok('POST', TYPES, { custom_type: 'a/b' });
  const first = await api.get(`${TYPES}?limit=1`);
  expect(first.channel_custom_type_settings).toMatchObject([{ custom_type: 'a/b' }]);
  const rest = await api.get(`${TYPES}?limit=1&token=${first.next}`);
  expect(rest).toMatchObject({ channel_custom_type_settings: [{ custom_type: 'sports' }], next: '' });
});

test('checks images by the domain filter of the application alone', async () => {
  const api = await start();
  const filter = (change = {}) =>
    api.ok('PUT', '/applications/settings_global', { domain_filter: { ...FILTER, ...change } });
  const image = 'https://img.bad.example/x.png';
  const show = () => api.code('PUT', '/users/ann', { profile_url: image });
  await api.ok('PUT', SPORTS, { domain_filter: FILTER });
  expect(await show()).toBe(200);
  await filter();
  expect(await show()).toBe(400307);
  expect(await api.code('POST', '/bots', { ...BOT, bot_profile_url: image })).toBe(400307);
  await filter({ type: 1 });
  expect(await show()).toBe(200);
});

describe('people in channels of a custom type', () => {
  test('are its operators until they are cancelled or deleted', async () => {
    const api = await start();
    const operators = () => api.ids(`${SPORTS}/operators`);
    const add = (...operator_ids: string[]) => api.ok('POST', `${SPORTS}/operators`, { operator_ids });
    expect(await add('cat', 'dan')).toEqual({});
    await add('dan');
    expect(await operators()).toEqual(['cat', 'dan']);
    expect(await api.code('DELETE', `${SPORTS}/operators?operator_ids=cat,ann`)).toBe(400111);
    expect(await api.ok('DELETE', `${SPORTS}/operators?operator_ids=cat`)).toEqual({});
    expect(await operators()).toEqual(['dan']);
    await api.ok('DELETE', '/users/dan');
    await api.users('dan');
    expect(await operators()).toEqual([]);
  });

  test('are removed from channels of the type by a ban, and kept out until it is lifted', async () => {
    const api = await start();
    for (const custom_type of ['sports', 'news']) await api.room(`in_${custom_type}`, ['cat', 'dan'], { custom_type });
    const banned_list = [{ user_id: 'cat', seconds: 60, description: 'spam' }, { user_id: 'dan' }];
    expect(await api.ok('POST', `${SPORTS}/ban`, { banned_list })).toEqual({});
    expect((await api.get(`${SPORTS}/ban`)).banned_list).toMatchObject([
      { user: { user_id: 'cat' }, description: 'spam' },
      { user: { user_id: 'dan' } },
    ]);
    const members = async (url: string) => (await api.ids(`/group_channels/${url}/members`)).length;
    expect([await members('in_sports'), await members('in_news')]).toEqual([0, 2]);
    const invite = () => api.code('POST', '/group_channels/in_sports/invite', { user_ids: ['cat'] });
    expect(await invite()).toBe(400750);
    expect(await api.code('POST', `${SPORTS}/ban`, { banned_list })).toBe(400202);
    expect(await api.ok('DELETE', `${SPORTS}/ban?user_ids=cat,dan`)).toEqual({});
    expect(await invite()).toBe(200);
    expect(await api.code('DELETE', `${SPORTS}/ban?user_ids=cat`)).toBe(400201);
  });

  test('are muted until one end, and everything ends with the settings of the type', async () => {
    const api = await start();
    const muted = () => api.ids(`${SPORTS}/mute`);
    await api.ok('POST', `${SPORTS}/mute`, { user_ids: ['cat', 'dan'], seconds: 60 });
    await api.ok('POST', `${SPORTS}/operators`, { operator_ids: ['dan'] });
    expect(await muted()).toEqual(['cat', 'dan']);
    const [{ start_at: from, end_at: until }] = (await api.get(`${SPORTS}/mute`)).muted_list;
    expect(until - from).toBe(60_000);
    await api.ok('DELETE', `${SPORTS}/mute?user_ids=cat`);
    expect(await muted()).toEqual(['dan']);
    await api.ok('DELETE', SPORTS);
    expect(await api.code('GET', `${SPORTS}/mute`)).toBe(400201);
    await api.ok('POST', TYPES, { custom_type: 'sports' });
    expect([await muted(), await api.ids(`${SPORTS}/operators`)]).toEqual([[], []]);
  });
});

test('shows the preferences of a channel in the own view of the member alone', async () => {
  const api = await start();
  await api.room('room-1', ['ann', 'bob']);
  await api.ok('PUT', '/users/ann/push_preference/room-1', { push_trigger_option: 'off' });
  await api.ok('PUT', '/users/ann/count_preference/room-1', { count_preference: 'off' });
  const view = async (id: string) => {
    const { is_push_enabled, push_trigger_option, count_preference } = await api.get(
      `/group_channels/room-1?user_id=${id}`,
    );
    return [is_push_enabled, push_trigger_option, count_preference];
  };
  expect([await view('ann'), await view('bob')]).toEqual([
    [false, 'off', 'off'],
    [true, 'all', 'all'],
  ]);
});

test('lists whom a user blocks and who blocks them', async () => {
  const api = await start();
  await api.ok('POST', '/users/ann/block', { user_ids: ['bob', 'cat'] });
  await api.ok('POST', '/users/cat/block', { target_id: 'ann' });
  const blocks = (query: string) => api.ids(`/users/ann/block?${query}`);
  expect([await blocks(''), await blocks('user_ids=cat')]).toEqual([['bob', 'cat'], ['cat']]);
  expect(await blocks('list=blocking_me')).toEqual(['cat']);
  await api.ok('DELETE', '/users/ann/block/bob');
  expect(await blocks('')).toEqual(['cat']);
  await api.ok('DELETE', '/users/cat');
  expect(await blocks('')).toEqual([]);
});
