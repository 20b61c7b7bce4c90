// Tests bans and mutes in both kinds of channel: their shapes, ends, effects and errors.

import { describe, expect, test } from 'vitest';
import type { Readings } from '../../src/emulator/api/readings.ts';
import { type Api, BOT, codeOf, START_MS, startApi } from './support/support.ts';

const TEN_YEARS_MS = 315_360_000_000;
const ANN = { user_id: 'ann', nickname: 'ann', profile_url: '', metadata: {}, require_auth_for_profile_image: false };

async function start(readings: Partial<Readings> = {}): Promise<Api> {
  const api = await startApi({ readings });
  await api.users('ann', 'bob', 'cat', 'off');
  await api.ok('POST', '/open_channels', { channel_url: 'lobby', operator_ids: ['bob'] });
  await api.room('room-1', ['ann', 'bob'], { is_public: true, operator_ids: ['bob'] });
  await api.ok('PUT', '/users/off', { is_active: false });
  return api;
}

describe.for([
  ['open channel', '/open_channels/lobby'],
  ['group channel', '/group_channels/room-1'],
] as const)('bans in an %s', ([, channel]) => {
  test('are imposed, shown, listed, changed and lifted', async () => {
    const api = await start();
    const ban = { user_id: 'ann', agent_id: 'bob', seconds: 60, description: 'spam' };
    const shown = { user: ANN, start_at: START_MS, end_at: START_MS + 60_000, description: 'spam' };
    expect(await api.ok('POST', `${channel}/ban`, ban)).toEqual(shown);
    expect(await api.ok('GET', `${channel}/ban/ann`)).toEqual(shown);
    expect(await api.ok('GET', `${channel}/ban`)).toEqual({ banned_list: [shown], next: '' });
    api.clock.nowMs += 1000;
    await api.ok('POST', `${channel}/ban`, { user_id: 'cat' });
    const first = await api.ok('GET', `${channel}/ban?limit=1&show_total_ban_count=true`);
    expect(first).toMatchObject({ banned_list: [shown], total_ban_count: 2 });
    expect((await api.ok('GET', `${channel}/ban?limit=1&token=${first.next}`)).banned_list).toEqual([
      {
        user: { ...ANN, user_id: 'cat', nickname: 'cat' },
        start_at: START_MS + 1000,
        end_at: START_MS + 1000 + TEN_YEARS_MS,
        description: '',
      },
    ]);
    const changed = { ...shown, end_at: START_MS + 11_000 };
    expect(await api.ok('PUT', `${channel}/ban/ann`, { seconds: 10 })).toEqual(changed);
    expect(await api.ok('PUT', `${channel}/ban/ann`, { seconds: 10, description: 'x' })).toMatchObject({
      description: 'x',
    });
    expect(await api.ok('DELETE', `${channel}/ban/ann`)).toEqual({});
    expect(await codeOf(api, 'GET', `${channel}/ban/ann`)).toBe(400201);
    expect((await api.ok('GET', `${channel}/ban`)).banned_list).toHaveLength(1);
  });

  test.for([
    ['no user', {}, 400105],
    ['an unknown user', { user_id: 'nobody' }, 400201],
    ['a deactivated user', { user_id: 'off' }, 400300],
    ['an operator', { user_id: 'bob' }, 400108],
    ['an unknown agent', { user_id: 'ann', agent_id: 'nobody' }, 400201],
    ['no seconds', { user_id: 'ann' }, 200],
    ['-1 seconds', { user_id: 'ann', seconds: -1 }, 200],
    ['0 seconds', { user_id: 'ann', seconds: 0 }, 400111],
    ['-2 seconds', { user_id: 'ann', seconds: -2 }, 400111],
    ['half a second', { user_id: 'ann', seconds: 0.5 }, 400101],
    ['a description of 250', { user_id: 'ann', description: 'x'.repeat(250) }, 200],
    ['a description of 251', { user_id: 'ann', description: 'x'.repeat(251) }, 400110],
    ['somebody who is banned', { user_id: 'cat' }, 400202],
  ] as const)('POST: %s', async ([, body, code]) => {
    const api = await start();
    await api.ok('POST', `${channel}/ban`, { user_id: 'cat' });
    expect(await codeOf(api, 'POST', `${channel}/ban`, body)).toBe(code);
    expect((await api.ok('GET', `${channel}/ban`)).banned_list).toHaveLength(code === 200 ? 2 : 1);
  });

  test.for([
    ['PUT', '/ban/cat', {}, 400105],
    ['PUT', '/ban/cat', { seconds: 0 }, 400111],
    ['PUT', '/ban/cat', { seconds: 1, description: 'x'.repeat(251) }, 400110],
    ['PUT', '/ban/ann', { seconds: 1 }, 400201],
    ['DELETE', '/ban/ann', undefined, 400201],
    ['GET', '/ban/nobody', undefined, 400201],
    ['GET', '/ban?limit=101', undefined, 400113],
    ['GET', '/ban?show_total_ban_count=x', undefined, 400104],
    ['DELETE', '/mute/ann', undefined, 400201],
    ['GET', '/mute/nobody', undefined, 400201],
    ['GET', '/mute?limit=0', undefined, 400113],
  ] as const)('%s %s', async ([method, path, body, code]) => {
    const api = await start();
    await api.ok('POST', `${channel}/ban`, { user_id: 'cat' });
    expect(await codeOf(api, method, channel + path, body)).toBe(code);
  });

  test('coexist with mutes, which are imposed, shown, listed and lifted', async () => {
    const api = await start({ muteOfMuted: 'overwrites' });
    const mute = { user_id: 'ann', seconds: 60, description: 'loud' };
    await api.ok('POST', `${channel}/mute`, mute);
    api.clock.nowMs += 1000;
    const times = { start_at: START_MS, end_at: START_MS + 60_000, remaining_duration: 59_000, description: 'loud' };
    expect(await api.ok('GET', `${channel}/mute/ann`)).toEqual({ is_muted: true, ...times });
    expect(await api.ok('GET', `${channel}/mute?show_total_mute_count=true`)).toEqual({
      muted_list: [{ ...ANN, ...times }],
      total_mute_count: 1,
      next: '',
    });
    await api.ok('POST', `${channel}/mute`, { user_id: 'ann' });
    const forEver = { start_at: START_MS + 1000, end_at: -1, remaining_duration: -1, description: '' };
    expect((await api.ok('GET', `${channel}/mute`)).muted_list).toEqual([{ ...ANN, ...forEver }]);
    expect(await api.ok('DELETE', `${channel}/mute/ann`)).toEqual({});
    expect(await api.ok('GET', `${channel}/mute/ann`)).toMatchObject({ is_muted: false, remaining_duration: 0 });
    expect(await api.ok('GET', `${channel}/mute`)).toEqual({ muted_list: [], next: '' });
  });

  test.for([
    ['no user', {}, 400105],
    ['an unknown user', { user_id: 'nobody' }, 400201],
    ['a deactivated user', { user_id: 'off' }, 400300],
    ['an operator', { user_id: 'bob' }, 200],
    ['0 seconds', { user_id: 'ann', seconds: 0 }, 400111],
    ['a description of 2,048', { user_id: 'ann', description: 'x'.repeat(2048) }, 200],
    ['a description of 2,049', { user_id: 'ann', description: 'x'.repeat(2049) }, 400110],
  ] as const)('POST mute: %s', async ([, body, code]) => {
    const api = await start();
    expect(await codeOf(api, 'POST', `${channel}/mute`, body)).toBe(code);
    expect((await api.ok('GET', `${channel}/mute`)).muted_list).toHaveLength(code === 200 ? 1 : 0);
  });

  test('refuse a banned sender, like a mute until it ends', async () => {
    const api = await start();
    const send = () =>
      codeOf(api, 'POST', `${channel}/messages`, { message_type: 'MESG', user_id: 'ann', message: 'hi' });
    expect(await send()).toBe(200);
    await api.ok('POST', `${channel}/mute`, { user_id: 'ann', seconds: 60 });
    expect(await send()).toBe(900041);
    await api.ok('POST', `${channel}/ban`, { user_id: 'ann', seconds: 60 });
    expect(await send()).toBe(900100);
    api.clock.nowMs += 60_000;
    // A ban ended the membership, which does not come back.
    expect(await send()).toBe(channel.startsWith('/open') ? 200 : 900020);
  });
});

test('keeps a banned user and a banned bot out of their own join', async () => {
  const api = await start();
  await api.ok('POST', '/bots', BOT);
  for (const user_id of ['ann', 'helper']) await api.ok('POST', '/group_channels/room-1/ban', { user_id });
  expect(await codeOf(api, 'PUT', '/group_channels/room-1/join', { user_id: 'ann' })).toBe(400750);
  expect(await codeOf(api, 'POST', '/bots/helper/channels', { channel_urls: ['room-1'] })).toBe(400750);
});

test('shows a mute in members, in their filter and in the own view until it ends', async () => {
  const api = await start();
  const room = '/group_channels/room-1';
  expect(await codeOf(api, 'POST', `${room}/mute`, { user_id: 'cat' })).toBe(400201);
  await api.ok('POST', `${room}/mute`, { user_id: 'ann', seconds: 60, description: 'loud' });
  const muted = { is_muted: true, muted_end_at: START_MS + 60_000, muted_description: 'loud' };
  const members = async (query = ''): Promise<unknown> => (await api.ok('GET', `${room}/members?${query}`)).members;
  expect(await members('show_member_is_muted=true')).toMatchObject([{ user_id: 'ann', ...muted }, { is_muted: false }]);
  expect(await members('muted_member_filter=muted')).toMatchObject([{ user_id: 'ann' }]);
  expect(await members('muted_member_filter=unmuted')).toMatchObject([{ user_id: 'bob' }]);
  expect(await api.ok('GET', `${room}?user_id=ann&show_member=true`)).toMatchObject({
    is_muted: true,
    members: [{ user_id: 'bob' }, { user_id: 'ann', ...muted }],
  });
  api.clock.nowMs += 60_000;
  expect(await members('muted_member_filter=muted')).toEqual([]);
  expect(await api.ok('GET', `${room}?user_id=ann`)).toMatchObject({ is_muted: false });
});

test('lists the channels where a user is banned or muted', async () => {
  const api = await start();
  await api.ok('POST', '/open_channels/lobby/ban', { user_id: 'ann', seconds: 60, description: 'a' });
  await api.ok('POST', '/group_channels/room-1/ban', { user_id: 'ann', seconds: 60 });
  await api.ok('POST', '/open_channels/lobby/mute', { user_id: 'ann' });
  const first = await api.ok('GET', '/users/ann/ban?limit=1');
  expect(first.banned_channels).toMatchObject([
    { start_at: START_MS, end_at: START_MS + 60_000, description: 'a', channel: { channel_url: 'lobby' } },
  ]);
  expect(await api.ok('GET', `/users/ann/ban?limit=1&token=${first.next}`)).toMatchObject({
    banned_channels: [{ channel: { channel_url: 'room-1' } }],
    next: '',
  });
  expect(await api.ok('GET', '/users/ann/mute')).toMatchObject({
    muted_channels: [{ channel_url: 'lobby', end_at: -1, remaining_duration: -1 }],
  });
  expect(await codeOf(api, 'GET', '/users/nobody/ban')).toBe(400201);
});
