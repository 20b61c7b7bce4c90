// Tests the documented states of membership: invited, joined, hidden, left, banned and muted.

import { describe, expect, test } from 'vitest';
import { EmulatedPlatform } from '../../src/emulator/platform.ts';
import { type Answer, type Api, BOT, START_MS, startApi } from './support/support.ts';

const ROOM = '/group_channels/room-1';

async function start(members: readonly string[], more: Answer = {}, behaviours = {}): Promise<Api> {
  const api = await startApi({ behaviours });
  await api.users('ann', 'bob', 'cat', 'dan');
  await api.room('room-1', members, more);
  return api;
}

test('adds members by an invitation', async () => {
  const api = await start(['ann']);
  const others = { users: [{ user_id: 'cat' }], inviter_id: 'ann', invitation_status: { cat: 'invited_by_friend' } };
  expect(await api.ok('POST', `${ROOM}/invite`, { user_ids: ['bob'], ...others })).toMatchObject({
    member_count: 3,
    joined_member_count: 2,
    inviter: { user_id: 'ann' },
    invited_at: START_MS,
    // Live answers begin with the newest member (platform §8.1).
    members: [{ user_id: 'cat', state: 'invited' }, { user_id: 'bob', state: 'joined' }, { user_id: 'ann' }],
  });
  expect(await api.ok('POST', `${ROOM}/invite`, { user_ids: ['bob'] })).toMatchObject({ member_count: 3 });
});

test('keeps an invitation waiting without auto_accept until it is accepted or declined', async () => {
  const api = await start(['ann']);
  for (const id of ['bob', 'cat']) {
    await api.ok('PUT', `/users/${id}/channel_invitation_preference`, { auto_accept: false });
  }
  const invited = await api.ok('POST', `${ROOM}/invite`, { user_ids: ['bob', 'cat'] });
  expect(invited).toMatchObject({ member_count: 3, joined_member_count: 1 });
  const answer = (action: string, user_id: string) => api.ok('PUT', `${ROOM}/${action}`, { user_id });
  const state = async (id: string) => Object.values(await api.get(`${ROOM}/members/${id}`));
  expect(await state('bob')).toEqual([true, 'invited']);
  expect(await answer('accept', 'bob')).toMatchObject({ member_count: 3, joined_member_count: 2 });
  expect(await answer('accept', 'bob')).toMatchObject({ joined_member_count: 2 });
  expect(await answer('decline', 'bob')).toEqual({});
  expect(await answer('decline', 'cat')).toEqual({});
  expect([await state('bob'), await state('cat')]).toEqual([
    [true, 'joined'],
    [false, 'none'],
  ]);
});

test.for([
  ['withdraws', 0, 'none'],
  ['not_found', 400201, 'invited'],
  ['invalid', 400111, 'invited'],
] as const)(
  'answers the leave of an invited user as %s, and a decline ends the invitation',
  async ([value, code, state]) => {
    const api = await start(['ann'], {}, { leaveOfInvitee: value });
    await api.ok('POST', `${ROOM}/invite`, { user_ids: ['bob'], invitation_status: { bob: 'invited_by_friend' } });
    const leaving = { user_ids: ['ann', 'bob'] };
    if (code === 0) await api.ok('PUT', `${ROOM}/leave`, leaving);
    else expect(await api.code('PUT', `${ROOM}/leave`, leaving)).toBe(code);
    expect(await api.get(`${ROOM}/members/bob`)).toMatchObject({ state });
    expect(await api.get(`${ROOM}/members/ann`)).toMatchObject({ state: code === 0 ? 'none' : 'joined' });
    if (code !== 0) await api.ok('PUT', `${ROOM}/decline`, { user_id: 'bob' });
    expect(await api.get(`${ROOM}/members/bob`)).toMatchObject({ state: 'none' });
  },
);

test('lets users join public channels, and members leave', async () => {
  const api = await start(['ann'], { operator_ids: ['ann'], is_public: true });
  const join = () => api.ok('PUT', `${ROOM}/join`, { user_id: 'bob' });
  expect(await join()).toMatchObject({ member_count: 2, joined_member_count: 2 });
  expect(await join()).toMatchObject({ member_count: 2 });
  const leave = (more: Answer) => api.ok('PUT', `${ROOM}/leave`, { user_ids: ['ann'], ...more });
  expect(await leave({ reason: 'ADMIN_REMOVED' })).toEqual({});
  expect(await api.get(ROOM)).toMatchObject({ member_count: 1, operators: [{ user_id: 'ann', state: '' }] });
  await api.ok('POST', `${ROOM}/invite`, { user_ids: ['ann'] });
  await leave({ should_remove_operator_status: true });
  expect(await api.ids(`${ROOM}/operators`)).toEqual([]);
  await api.ok('PUT', `${ROOM}/leave`, { should_leave_all: true });
  expect(await api.get(ROOM)).toMatchObject({ member_count: 0 });
});

test('hides and unhides a channel, also by a message', async () => {
  const [auto, prevent] = ['hidden_allow_auto_unhide', 'hidden_prevent_auto_unhide'];
  const api = await start(['ann', 'bob', 'cat'], { hidden_status: { bob: auto, cat: prevent } });
  const hidden = async (id: string): Promise<string> => {
    const view = await api.get(`${ROOM}?user_id=${id}`);
    expect(view.is_hidden).toBe(view.hidden_state !== 'unhidden');
    return view.hidden_state;
  };
  const hide = (body: Answer) => api.ok('PUT', `${ROOM}/hide`, body);
  expect([await hidden('ann'), await hidden('bob'), await hidden('cat')]).toEqual(['unhidden', auto, prevent]);
  const mine = async (mode: string) => (await api.ids(`/users/bob/my_group_channels?show_empty=true${mode}`)).length;
  expect([await mine(''), await mine('&hidden_mode=hidden_only'), await mine('&hidden_mode=all')]).toEqual([0, 1, 1]);
  await api.say('ann', { is_silent: true });
  expect(await hidden('bob')).toBe(auto);
  await api.say('ann');
  expect([await hidden('bob'), await hidden('cat')]).toEqual(['unhidden', prevent]);
  await api.say('cat');
  expect(await hidden('cat')).toBe(auto);
  expect(await hide({ user_id: 'bob', allow_auto_unhide: false })).toEqual({});
  expect(await hidden('bob')).toBe(prevent);
  await hide({ user_id: 'bob' });
  expect(await hidden('bob')).toBe(auto);
  expect(await api.ok('DELETE', `${ROOM}/hide?user_id=bob`)).toEqual({});
  expect(await hidden('bob')).toBe('unhidden');
  await hide({ should_hide_all: true });
  expect(await hidden('ann')).toBe(auto);
  await api.ok('DELETE', `${ROOM}/hide?should_unhide_all=true`);
  expect(await hidden('ann')).toBe('unhidden');
});

test('sorts, filters and pages the member list', async () => {
  const more = { operator_ids: ['dan'], invitation_status: { cat: 'invited_by_friend' } };
  const api = await start(['dan', 'ann', 'cat', 'bob'], more, { memberActiveModeAll: 'allowed' });
  await api.ok('PUT', '/users/bob', { is_active: false, leave_all_when_deactivated: false });
  for (const [query, ...ids] of [
    ['', 'ann', 'cat', 'dan'],
    ['member_active_mode_filter=all', 'ann', 'bob', 'cat', 'dan'],
    ['member_active_mode_filter=deactivated', 'bob'],
    ['order=operator_then_member_alphabetical', 'dan', 'ann', 'cat'],
    ['operator_filter=operator', 'dan'],
    ['operator_filter=nonoperator', 'ann', 'cat'],
    ['member_state_filter=invited_only', 'cat'],
    ['member_state_filter=invited_by_non_friend'],
    ['member_state_filter=joined_only', 'ann', 'dan'],
    ['muted_member_filter=muted'],
    ['nickname_startswith=c', 'cat'],
  ]) {
    expect([query, ...(await api.ids(`${ROOM}/members?${query}`))]).toEqual([query, ...ids]);
  }
  const first = await api.get(`${ROOM}/members?limit=2&show_read_receipt=true`);
  expect(first.members[0]).toMatchObject({ user_id: 'ann', role: '', state: 'joined', read_ts: START_MS });
  expect(await api.ids(`${ROOM}/members?limit=2&token=${first.next}`)).toEqual(['dan']);
});

test('limits a channel to 100 members, and a supergroup to 2,000', () => {
  const platform = new EmulatedPlatform({ token: 'token', seed: 'seed' });
  const send = (method: 'POST' | 'PUT', path: string, value: Answer) => {
    const request = { method, path: `/v3${path}`, query: '', headers: { 'api-token': 'token' } };
    return platform.handle({ ...request, body: { type: 'json', value } }, START_MS).body;
  };
  const ids = Array.from({ length: 2001 }, (_, n) => `u${n}`);
  for (const id of ids) send('POST', '/users', { user_id: id, nickname: id, profile_url: '' });
  const invite = (url: string, from: number, until = from + 1) =>
    send('POST', `/group_channels/${url}/invite`, { user_ids: ids.slice(from, until) });
  send('POST', '/group_channels', { channel_url: 'room', user_ids: ids.slice(0, 100), is_public: true });
  expect(invite('room', 100)).toMatchObject({ code: 400920 });
  expect(send('PUT', '/group_channels/room/join', { user_id: 'u100' })).toMatchObject({ code: 400920 });
  expect(invite('room', 0, 101)).toMatchObject({ code: 400203 });
  send('POST', '/group_channels', { channel_url: 'super', user_ids: ids.slice(0, 100), is_super: true });
  expect(invite('super', 90, 120)).toMatchObject({ member_count: 120 });
  for (let from = 100; from < 2000; from += 100) invite('super', from, from + 100);
  expect(invite('super', 2000)).toMatchObject({ code: 400920, message: expect.stringContaining('2000 members') });
  expect(platform.state.members('super').size).toBe(2000);
});

test('makes a user leave all channels, or those of one custom type', async () => {
  const api = await start(['ann'], { custom_type: 'x' });
  for (const url of ['room-2', 'room-3']) await api.room(url, ['ann']);
  const mine = () => api.ids('/users/ann/my_group_channels?show_empty=true');
  expect(await api.ok('PUT', '/users/ann/my_group_channels/leave', { custom_type: 'x' })).toEqual({});
  expect(await mine()).toEqual(['room-3', 'room-2']);
  await api.ok('PUT', '/users/ann/my_group_channels/leave', {});
  expect(await mine()).toEqual([]);
});

test('hides earlier messages after a reset of the history', async () => {
  const api = await start(['ann', 'bob']);
  api.clock.nowMs += 1000;
  const offset = async (id: string) => (await api.get(`${ROOM}?user_id=${id}`)).ts_message_offset;
  const expected = { ts_message_offset: START_MS + 1000 };
  expect(await api.ok('PUT', `${ROOM}/reset_user_history`, { user_id: 'ann' })).toEqual(expected);
  expect([await offset('ann'), await offset('bob')]).toEqual([START_MS + 1000, START_MS]);
  expect(await api.ok('PUT', `${ROOM}/reset_user_history`, { reset_all: true })).toEqual(expected);
  expect(await offset('bob')).toBe(START_MS + 1000);
});

async function startRestricted(): Promise<Api> {
  const api = await start(['ann', 'bob'], { is_public: true, operator_ids: ['bob'] }, { muteOfMuted: 'overwrites' });
  await api.ok('POST', '/open_channels', { channel_url: 'lobby', operator_ids: ['bob'] });
  return api;
}

describe.for(['/open_channels/lobby', '/group_channels/room-1'])('restrictions in %s', (channel) => {
  test('refuse a banned sender, like a mute until it ends', async () => {
    const api = await startRestricted();
    const restrict = (what: string) => api.ok('POST', `${channel}/${what}`, { user_id: 'ann', seconds: 60 });
    const send = () => api.code('POST', `${channel}/messages`, { user_id: 'ann', message: 'hi' });
    expect(await send()).toBe(200);
    await restrict('mute');
    expect(await send()).toBe(900041);
    await restrict('ban');
    expect(await send()).toBe(900100);
    api.clock.nowMs += 60_000;
    // A ban ended the membership, which does not come back.
    expect(await send()).toBe(channel.startsWith('/open') ? 200 : 900020);
  });

  test('are listed page by page, and a second mute may replace the first', async () => {
    const api = await startRestricted();
    await api.ok('POST', `${channel}/mute`, { user_id: 'ann', seconds: 60, description: 'loud' });
    api.clock.nowMs += 1000;
    await api.ok('POST', `${channel}/mute`, { user_id: 'ann' });
    const muted = { start_at: START_MS + 1000, end_at: -1, remaining_duration: -1, description: '' };
    expect((await api.get(`${channel}/mute`)).muted_list).toMatchObject([{ user_id: 'ann', ...muted }]);
    for (const user_id of ['cat', 'dan']) await api.ok('POST', `${channel}/ban`, { user_id });
    const { banned_list: banned, next } = await api.get(`${channel}/ban?limit=1`);
    expect(banned).toMatchObject([{ user: { user_id: 'cat' } }]);
    const rest = await api.get(`${channel}/ban?limit=1&token=${next}`);
    expect(rest).toMatchObject({ banned_list: [{ user: { user_id: 'dan' } }], next: '' });
  });
});

test('keeps a banned user and a banned bot out of their own join', async () => {
  const api = await startRestricted();
  await api.ok('POST', '/bots', BOT);
  for (const user_id of ['ann', 'helper']) await api.ok('POST', `${ROOM}/ban`, { user_id });
  expect(await api.code('PUT', `${ROOM}/join`, { user_id: 'ann' })).toBe(400750);
  expect(await api.code('POST', '/bots/helper/channels', { channel_urls: ['room-1'] })).toBe(400750);
});

test('shows a mute in members, in their filter and in the own view until it ends', async () => {
  const api = await startRestricted();
  await api.ok('POST', `${ROOM}/mute`, { user_id: 'ann', seconds: 60, description: 'loud' });
  const muted = { is_muted: true, muted_end_at: START_MS + 60_000, muted_description: 'loud' };
  const { members } = await api.get(`${ROOM}/members?show_member_is_muted=true`);
  expect(members).toMatchObject([{ user_id: 'ann', ...muted }, { is_muted: false }]);
  const filtered = (filter: string) => api.ids(`${ROOM}/members?muted_member_filter=${filter}`);
  expect([await filtered('muted'), await filtered('unmuted')]).toEqual([['ann'], ['bob']]);
  expect(await api.get(`${ROOM}?user_id=ann&show_member=true`)).toMatchObject({
    is_muted: true,
    members: [{ user_id: 'bob' }, { user_id: 'ann', ...muted }],
  });
  api.clock.nowMs += 60_000;
  expect(await filtered('muted')).toEqual([]);
  expect(await api.get(`${ROOM}?user_id=ann`)).toMatchObject({ is_muted: false });
});

test('lists the channels where a user is banned or muted', async () => {
  const api = await startRestricted();
  await api.ok('POST', '/open_channels/lobby/ban', { user_id: 'ann', seconds: 60, description: 'a' });
  await api.ok('POST', `${ROOM}/ban`, { user_id: 'ann', seconds: 60 });
  await api.ok('POST', '/open_channels/lobby/mute', { user_id: 'ann' });
  const { banned_channels: first, next } = await api.get('/users/ann/ban?limit=1');
  const ban = { start_at: START_MS, end_at: START_MS + 60_000, description: 'a' };
  expect(first).toMatchObject([{ ...ban, channel: { channel_url: 'lobby' } }]);
  const rest = await api.get(`/users/ann/ban?limit=1&token=${next}`);
  expect(rest).toMatchObject({ banned_channels: [{ channel: { channel_url: 'room-1' } }], next: '' });
  const muted = { channel_url: 'lobby', end_at: -1, remaining_duration: -1 };
  expect((await api.get('/users/ann/mute')).muted_channels).toMatchObject([muted]);
});
