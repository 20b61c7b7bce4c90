// Tests bots: their life, their errors, and their roles as users, members and operators.

import { describe, expect, test } from 'vitest';
import { type Answer, type Api, BOT, codeOf, START_MS, startApi } from './support/support.ts';

async function start(): Promise<Api> {
  const api = await startApi();
  await api.users('ann', 'bob');
  await api.room('room-1', ['ann']);
  await api.room('room-2', ['ann'], { is_public: true });
  await api.ok('POST', '/open_channels', { channel_url: 'lobby' });
  await api.ok('POST', '/bots', BOT);
  return api;
}

test('creates, shows, lists, updates and deletes a bot', async () => {
  const api = await startApi();
  const created = await api.ok('POST', '/bots', BOT);
  expect(created).toEqual({
    bot: {
      bot_userid: 'helper',
      bot_nickname: 'Helper',
      bot_type: 'support',
      bot_profile_url: '',
      bot_token: expect.stringMatching(/^[0-9a-f]{40}$/),
      bot_metadata: {},
      bot_require_auth_for_profile_image: false,
    },
    bot_callback_url: BOT.bot_callback_url,
    is_privacy_mode: true,
    enable_mark_as_read: true,
    show_member: false,
    channel_invitation_preference: 0,
    created_at: Math.floor(START_MS / 1000),
  });
  const { created_at: _, ...viewed } = created;
  expect(await api.ok('GET', '/bots/helper')).toEqual(viewed);
  await api.ok('POST', '/bots', { ...BOT, bot_userid: 'second' });
  const first = await api.ok('GET', '/bots?limit=1');
  expect(first.bots).toEqual([created]);
  const rest = await api.ok('GET', `/bots?limit=1&token=${first.next}`);
  expect(rest).toMatchObject({ bots: [{ bot: { bot_userid: 'second' } }], next: '' });
  const changed = {
    bot_nickname: 'H',
    bot_profile_url: 'https://example.com/h.png',
    bot_callback_url: 'http://localhost:1/x',
    is_privacy_mode: false,
    enable_mark_as_read: false,
    show_member: true,
    channel_invitation_preference: 1,
  };
  const updated = await api.ok('PUT', '/bots/helper', { ...changed, bot_type: 'other', bot_userid: 'other' });
  // The type and the token stay.
  expect(updated).toEqual({
    bot: { ...created.bot, bot_nickname: 'H', bot_profile_url: 'https://example.com/h.png' },
    bot_callback_url: 'http://localhost:1/x',
    is_privacy_mode: false,
    enable_mark_as_read: false,
    show_member: true,
    channel_invitation_preference: 1,
  });
  expect(await api.ok('PUT', '/bots/helper', {})).toEqual(updated);
  expect(await api.ok('DELETE', '/bots/helper')).toEqual({});
  expect((await api.call('GET', '/bots/helper')).body.code).toBe(400201);
  expect((await api.ok('GET', '/users')).users).toMatchObject([{ user_id: 'second' }]);
});

describe('checks the fields of a bot', () => {
  const CASES: readonly (readonly [string, Answer, number])[] = [
    ...Object.keys(BOT).map((name) => [`${name} absent`, { [name]: undefined }, 400105] as const),
    ['bot_userid empty', { bot_userid: '' }, 400151],
    ['bot_userid of 80', { bot_userid: 'x'.repeat(80) }, 200],
    ['bot_userid of 81', { bot_userid: 'x'.repeat(81) }, 400110],
    ['bot_userid of a user', { bot_userid: 'ann' }, 400202],
    ['bot_userid of a bot', { bot_userid: 'helper' }, 400202],
    ['bot_nickname of 81', { bot_nickname: 'x'.repeat(81) }, 400110],
    ['bot_type of 129', { bot_type: 'x'.repeat(129) }, 400110],
    ['bot_profile_url of 2,049', { bot_profile_url: 'x'.repeat(2049) }, 400110],
    ['bot_callback_url of 1,025', { bot_callback_url: `https://a/${'x'.repeat(1015)}` }, 400110],
    ['bot_callback_url no URL', { bot_callback_url: 'helper' }, 400111],
    ['bot_callback_url of another scheme', { bot_callback_url: 'ftp://example.com' }, 400111],
    ['is_privacy_mode a text', { is_privacy_mode: 'true' }, 400104],
    ['channel_invitation_preference 2', { channel_invitation_preference: 2 }, 400111],
    ['channel_invitation_preference -1', { channel_invitation_preference: -1 }, 400106],
    ['channel_invitation_preference a boolean', { channel_invitation_preference: true }, 400101],
    ['an unknown field', { mood: 'good' }, 200],
  ];
  test.for(CASES)('create: %s', async ([, change, expected]) => {
    const api = await start();
    expect(await codeOf(api, 'POST', '/bots', { ...BOT, bot_userid: 'new', ...change })).toBe(expected);
    expect((await api.ok('GET', '/bots')).bots).toHaveLength(expected === 200 ? 2 : 1);
  });

  test.for(CASES.filter(([name]) => !/absent|userid|bot_type/.test(name)))('update: %s', async ([, change, code]) => {
    const api = await start();
    expect(await codeOf(api, 'PUT', '/bots/helper', change)).toBe(code);
  });
});

test.for([
  ['GET', '/bots/none', undefined],
  ['GET', '/bots/ann', undefined],
  ['PUT', '/bots/ann', {}],
  ['DELETE', '/bots/ann', undefined],
  ['POST', '/bots/ann/channels', { channel_urls: ['room-1'] }],
  ['DELETE', '/bots/none/channels', undefined],
  ['DELETE', '/bots/none/channels/room-1', undefined],
] as const)('answers 400201 for what is not a bot: %s %s', async ([method, path, body]) => {
  const api = await start();
  const reply = await api.call(method, path, body);
  expect([reply.status, reply.body]).toEqual([400, { message: '"Bot" not found.', code: 400201, error: true }]);
});

test('lists a bot among users, with one metadata for both', async () => {
  const api = await start();
  const ids = async (query: string): Promise<string[]> =>
    (await api.ok('GET', `/users?${query}`)).users.map((user: { user_id: string }) => user.user_id);
  expect(await ids('')).toEqual(['ann', 'bob', 'helper']);
  expect(await ids('show_bot=false')).toEqual(['ann', 'bob']);
  expect(await api.ok('GET', '/users/helper')).toMatchObject({ user_id: 'helper', nickname: 'Helper' });
  await api.ok('POST', '/users/helper/metadata', { metadata: { team: 'a' } });
  expect((await api.ok('GET', '/bots/helper')).bot.bot_metadata).toEqual({ team: 'a' });
  const taken = await api.call('POST', '/users', { user_id: 'helper', nickname: '', profile_url: '' });
  expect(taken.body.code).toBe(400202);
});

test('lets a bot join, leave one channel and leave all', async () => {
  const api = await start();
  const has = async (url: string): Promise<unknown> => {
    const { is_member: isMember } = await api.ok('GET', `/group_channels/${url}/members/helper`);
    return [(await api.ok('GET', `/group_channels/${url}`)).has_bot, isMember];
  };
  const join = { channel_urls: ['room-1', 'room-2', 'room-1'] };
  expect(await api.ok('POST', '/bots/helper/channels', join)).toMatchObject({
    channels: [
      { channel_url: 'room-1', has_bot: true, member_count: 2 },
      { channel_url: 'room-2', has_bot: true },
    ],
  });
  expect(await api.ok('POST', '/bots/helper/channels', join)).toMatchObject({ channels: [{ member_count: 2 }, {}] });
  expect(await api.ok('GET', '/group_channels/room-1/members')).toMatchObject({
    members: [{ user_id: 'helper', nickname: 'Helper', state: 'joined', role: '' }, { user_id: 'ann' }],
  });
  expect(await api.ok('DELETE', '/bots/helper/channels/room-1')).toEqual({});
  expect([await has('room-1'), await has('room-2')]).toEqual([
    [false, false],
    [true, true],
  ]);
  expect((await api.call('DELETE', '/bots/helper/channels/room-1')).body.code).toBe(400201);
  await api.ok('POST', '/bots/helper/channels', join);
  await api.ok('DELETE', '/bots/helper/channels?channel_url=room-2');
  expect([await has('room-1'), await has('room-2')]).toEqual([
    [true, true],
    [false, false],
  ]);
  await api.ok('POST', '/bots/helper/channels', join);
  expect(await api.ok('DELETE', '/bots/helper/channels')).toEqual({});
  expect([await has('room-1'), await has('room-2')]).toEqual([
    [false, false],
    [false, false],
  ]);
});

test.for([
  ['no list', {}, 400105],
  ['a text', { channel_urls: 'room-1' }, 400102],
  ['nothing', { channel_urls: [] }, 400111],
  ['an unknown channel', { channel_urls: ['room-1', 'none'] }, 400201],
  ['an open channel', { channel_urls: ['lobby'] }, 400201],
] as const)('joins nothing with %s', async ([, body, code]) => {
  const api = await start();
  expect((await api.call('POST', '/bots/helper/channels', body)).body.code).toBe(code);
  expect((await api.ok('GET', '/group_channels/room-1')).member_count).toBe(1);
});

test('invites a bot like a user, who waits with preference 1 until it accepts', async () => {
  const api = await start();
  const invite = { user_ids: ['helper'] };
  expect(await api.ok('POST', '/group_channels/room-1/invite', invite)).toMatchObject({ joined_member_count: 2 });
  await api.ok('PUT', '/bots/helper', { channel_invitation_preference: 1 });
  await api.room('room-3', ['ann', 'helper']);
  expect(await api.ok('GET', '/group_channels/room-3/members/helper')).toEqual({ is_member: true, state: 'invited' });
  await api.ok('PUT', '/group_channels/room-3/accept', { user_id: 'helper' });
  expect(await api.ok('GET', '/group_channels/room-3/members/helper')).toMatchObject({ state: 'joined' });
  // Its own join accepts, too.
  await api.ok('POST', '/group_channels/room-2/invite', invite);
  await api.ok('POST', '/bots/helper/channels', { channel_urls: ['room-2'] });
  expect(await api.ok('GET', '/group_channels/room-2/members/helper')).toMatchObject({ state: 'joined' });
});

test('keeps a channel distinct when an invited bot joins, and not when another one does', async () => {
  const api = await start();
  await api.ok('PUT', '/bots/helper', { channel_invitation_preference: 1 });
  const { channel_url: url } = await api.ok('POST', '/group_channels', {
    user_ids: ['ann', 'helper'],
    is_distinct: true,
  });
  await api.ok('POST', '/bots/helper/channels', { channel_urls: [url] });
  expect(await api.ok('GET', `/group_channels/${url}`)).toMatchObject({ is_distinct: true, joined_member_count: 2 });
  await api.ok('POST', '/bots', { ...BOT, bot_userid: 'second' });
  await api.ok('POST', '/bots/second/channels', { channel_urls: [url] });
  expect(await api.ok('GET', `/group_channels/${url}`)).toMatchObject({ is_distinct: false, joined_member_count: 3 });
});

test('removes a deleted bot from its channels, and keeps its messages', async () => {
  const api = await start();
  await api.ok('POST', '/bots/helper/channels', { channel_urls: ['room-1'] });
  const message = { message_type: 'MESG', user_id: 'helper', message: 'hi' };
  await api.ok('POST', '/group_channels/room-1/messages', message);
  await api.ok('DELETE', '/bots/helper');
  expect(await api.ok('GET', '/group_channels/room-1')).toMatchObject({ has_bot: false, member_count: 1 });
  expect(await api.ok('GET', '/group_channels/room-1/messages/total_count')).toEqual({ total: 1 });
});

test.for([
  ['PUT', '/users/helper', { nickname: 'x' }, 400108],
  ['DELETE', '/users/helper', undefined, 400108],
  ['POST', '/users/helper/token', {}, 400108],
  ['PUT', '/users/helper/channel_invitation_preference', { auto_accept: false }, 400108],
  ['PUT', '/users/helper/my_group_channels/leave', {}, 400108],
  ['PUT', '/group_channels/room-2/join', { user_id: 'helper' }, 400108],
  ['PUT', '/group_channels/room-1/leave', { user_ids: ['helper'] }, 400108],
  ['POST', '/group_channels/room-1/operators', { operator_ids: ['helper'] }, 400111],
  ['POST', '/open_channels', { operator_ids: ['helper'] }, 400111],
  ['PUT', '/group_channels/room-1', { operator_ids: ['helper'] }, 400111],
] as const)('refuses a bot in calls for users only: %s %s', async ([method, path, body, code]) => {
  const api = await start();
  await api.ok('POST', '/group_channels/room-1/invite', { user_ids: ['helper'] });
  const before = await api.ok('GET', '/bots/helper');
  expect((await api.call(method, path, body)).body.code).toBe(code);
  expect(await api.ok('GET', '/bots/helper')).toEqual(before);
  expect(await api.ok('GET', '/group_channels/room-1/members/helper')).toMatchObject({ is_member: true });
});
