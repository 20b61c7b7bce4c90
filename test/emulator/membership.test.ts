// Tests the documented states of membership: invited, joined, hidden, left.

import { expect, test } from 'vitest';
import { EmulatedPlatform } from '../../src/emulator/platform.ts';
import { type Answer, START_MS, startApi } from './support/support.ts';

const ROOM = '/group_channels/room-1';

test('adds members by an invitation, and names what is wrong', async () => {
  const api = await startApi();
  await api.users('ann', 'bob', 'cat', 'dan');
  await api.room('room-1', ['ann']);
  const invited = await api.ok('POST', `${ROOM}/invite`, {
    user_ids: ['bob'],
    users: [{ user_id: 'cat' }],
    inviter_id: 'ann',
    invitation_status: { cat: 'invited_by_friend' },
  });
  expect(invited).toMatchObject({
    member_count: 3,
    joined_member_count: 2,
    inviter: { user_id: 'ann' },
    invited_at: START_MS,
    // Live answers begin with the newest member (platform §8.1).
    members: [{ user_id: 'cat', state: 'invited' }, { user_id: 'bob', state: 'joined' }, { user_id: 'ann' }],
  });
  expect(await api.ok('POST', `${ROOM}/invite`, { user_ids: ['bob'] })).toMatchObject({ member_count: 3 });
  expect((await api.call('POST', `${ROOM}/invite`, { user_ids: ['dan', 'nobody'] })).body.code).toBe(400201);
  expect((await api.call('POST', `${ROOM}/invite`, {})).body.code).toBe(400105);
  expect((await api.call('POST', '/group_channels/none/invite', { user_ids: ['dan'] })).body.code).toBe(400201);
  expect(await api.ok('GET', ROOM)).toMatchObject({ member_count: 3 });
});

test('keeps an invitation waiting without auto_accept until it is accepted or declined', async () => {
  const api = await startApi();
  await api.users('ann', 'bob', 'cat');
  for (const id of ['bob', 'cat']) {
    await api.ok('PUT', `/users/${id}/channel_invitation_preference`, { auto_accept: false });
  }
  expect(await api.room('room-1', ['ann', 'bob', 'cat'])).toMatchObject({ member_count: 3, joined_member_count: 1 });
  expect(await api.ok('GET', `${ROOM}/members/bob`)).toEqual({ is_member: true, state: 'invited' });
  expect(await api.ok('PUT', `${ROOM}/accept`, { user_id: 'bob' })).toMatchObject({
    member_count: 3,
    joined_member_count: 2,
  });
  expect(await api.ok('PUT', `${ROOM}/accept`, { user_id: 'bob' })).toMatchObject({ joined_member_count: 2 });
  expect(await api.ok('PUT', `${ROOM}/decline`, { user_id: 'bob' })).toEqual({});
  expect(await api.ok('PUT', `${ROOM}/decline`, { user_id: 'cat' })).toEqual({});
  expect(await api.ok('GET', `${ROOM}/members/bob`)).toEqual({ is_member: true, state: 'joined' });
  expect(await api.ok('GET', `${ROOM}/members/cat`)).toEqual({ is_member: false, state: 'none' });
  expect((await api.call('PUT', `${ROOM}/accept`, { user_id: 'cat' })).body.code).toBe(400201);
});

test('lets users join public channels, and members leave', async () => {
  const api = await startApi();
  await api.users('ann', 'bob', 'cat');
  await api.room('room-1', ['ann'], { operator_ids: ['ann'] });
  expect((await api.call('PUT', `${ROOM}/join`, { user_id: 'bob' })).body).toEqual({
    message: 'Not authorized. "Can\'t join to non-public channel.".',
    code: 400108,
    error: true,
  });
  await api.ok('PUT', ROOM, { is_public: true });
  expect(await api.ok('PUT', `${ROOM}/join`, { user_id: 'bob' })).toMatchObject({
    member_count: 2,
    joined_member_count: 2,
  });
  expect(await api.ok('PUT', `${ROOM}/join`, { user_id: 'bob' })).toMatchObject({ member_count: 2 });
  expect((await api.call('PUT', `${ROOM}/leave`, {})).body.code).toBe(400105);
  expect((await api.call('PUT', `${ROOM}/leave`, { user_ids: ['ann', 'cat'] })).body.code).toBe(400201);
  expect((await api.call('PUT', `${ROOM}/leave`, { user_ids: ['ann'], reason: 'bored' })).body.code).toBe(400111);
  expect(await api.ok('PUT', `${ROOM}/leave`, { user_ids: ['ann'], reason: 'ADMIN_REMOVED' })).toEqual({});
  expect(await api.ok('GET', ROOM)).toMatchObject({ member_count: 1, operators: [{ user_id: 'ann', state: '' }] });
  await api.ok('POST', `${ROOM}/invite`, { user_ids: ['ann'] });
  await api.ok('PUT', `${ROOM}/leave`, { user_ids: ['ann'], should_remove_operator_status: true });
  expect((await api.ok('GET', `${ROOM}/operators`)).operators).toEqual([]);
  await api.ok('PUT', `${ROOM}/leave`, { should_leave_all: true });
  expect(await api.ok('GET', ROOM)).toMatchObject({ member_count: 0 });
});

test('refuses to move a deactivated user', async () => {
  const api = await startApi();
  await api.users('ann', 'bob', 'off');
  await api.room('room-1', ['ann', 'off'], { is_public: true, invitation_status: { off: 'invited_by_friend' } });
  await api.room('room-2', ['ann'], { is_public: true });
  await api.ok('PUT', '/users/off', { is_active: false, leave_all_when_deactivated: false });
  const code = async (method: string, path: string, body?: unknown): Promise<number> =>
    (await api.call(method, path, body)).body.code;
  expect(await code('POST', '/group_channels', { user_ids: ['off'] })).toBe(400300);
  expect(await code('POST', '/group_channels/room-2/invite', { user_ids: ['off'] })).toBe(400300);
  expect(await code('PUT', '/group_channels/room-2/join', { user_id: 'off' })).toBe(400300);
  for (const action of ['accept', 'decline', 'hide']) {
    expect(await code('PUT', `${ROOM}/${action}`, { user_id: 'off' })).toBe(400300);
  }
  expect(await code('DELETE', `${ROOM}/hide?user_id=off`)).toBe(400300);
  expect(await code('PUT', `${ROOM}/leave`, { user_ids: ['off'] })).toBe(400300);
  expect(await code('PUT', '/users/off/my_group_channels/leave', {})).toBe(400300);
  expect(await api.ok('GET', '/users/off')).toMatchObject({ is_active: false });
  await api.ok('POST', `${ROOM}/operators`, { operator_ids: ['off'] });
  await api.ok('PUT', '/users/off', { nickname: 'renamed' });
});

test('hides and unhides a channel, also by a message', async () => {
  const api = await startApi();
  await api.users('ann', 'bob', 'cat');
  await api.room('room-1', ['ann', 'bob', 'cat'], {
    hidden_status: { bob: 'hidden_allow_auto_unhide', cat: 'hidden_prevent_auto_unhide' },
  });
  const hidden = async (id: string): Promise<string> => {
    const view = await api.ok('GET', `${ROOM}?user_id=${id}`);
    expect(view.is_hidden).toBe(view.hidden_state !== 'unhidden');
    return view.hidden_state;
  };
  const say = (id: string, more = {}) =>
    api.ok('POST', `${ROOM}/messages`, { message_type: 'MESG', user_id: id, message: 'x', ...more });
  expect([await hidden('ann'), await hidden('bob'), await hidden('cat')]).toEqual([
    'unhidden',
    'hidden_allow_auto_unhide',
    'hidden_prevent_auto_unhide',
  ]);
  const mine = async (mode: string): Promise<number> =>
    (await api.ok('GET', `/users/bob/my_group_channels?show_empty=true${mode}`)).channels.length;
  expect([await mine(''), await mine('&hidden_mode=hidden_only'), await mine('&hidden_mode=all')]).toEqual([0, 1, 1]);
  await say('ann', { is_silent: true });
  expect(await hidden('bob')).toBe('hidden_allow_auto_unhide');
  await say('ann');
  expect([await hidden('bob'), await hidden('cat')]).toEqual(['unhidden', 'hidden_prevent_auto_unhide']);
  await say('cat');
  expect(await hidden('cat')).toBe('hidden_allow_auto_unhide');
  expect(await api.ok('PUT', `${ROOM}/hide`, { user_id: 'bob', allow_auto_unhide: false })).toEqual({});
  expect(await hidden('bob')).toBe('hidden_prevent_auto_unhide');
  expect(await api.ok('PUT', `${ROOM}/hide`, { user_id: 'bob' })).toEqual({});
  expect(await hidden('bob')).toBe('hidden_allow_auto_unhide');
  expect(await api.ok('DELETE', `${ROOM}/hide?user_id=bob`)).toEqual({});
  expect(await hidden('bob')).toBe('unhidden');
  await api.ok('PUT', `${ROOM}/hide`, { should_hide_all: true });
  expect(await hidden('ann')).toBe('hidden_allow_auto_unhide');
  await api.ok('DELETE', `${ROOM}/hide?should_unhide_all=true`);
  expect(await hidden('ann')).toBe('unhidden');
  expect((await api.call('DELETE', '/group_channels/none/hide?user_id=bob')).body.message).toBe('"Channel" not found.');
  expect((await api.call('DELETE', `${ROOM}/hide`)).body.code).toBe(400105);
});

test("shows one user's view of a channel", async () => {
  const api = await startApi();
  await api.users('ann', 'bob', 'cat');
  await api.room('room-1', ['ann', 'bob'], { operator_ids: ['bob'], inviter_id: 'ann' });
  expect(await api.ok('GET', `${ROOM}?user_id=bob`)).toMatchObject({
    is_hidden: false,
    hidden_state: 'unhidden',
    member_state: 'joined',
    my_role: 'operator',
    joined_ts: Math.floor(START_MS / 1000),
    is_muted: false,
    inviter: { user_id: 'ann' },
  });
  expect(await api.ok('GET', `${ROOM}?user_id=cat`)).toMatchObject({ member_state: 'none', my_role: '' });
  expect((await api.call('GET', `${ROOM}?user_id=nobody`)).body.code).toBe(400201);
});

test('sorts, filters and pages the member list', async () => {
  const api = await startApi({ readings: { memberActiveModeAll: 'allowed' } });
  await api.users('dan', 'ann', 'cat', 'bob');
  await api.room('room-1', ['dan', 'ann', 'cat', 'bob'], {
    operator_ids: ['dan'],
    invitation_status: { cat: 'invited_by_friend' },
  });
  await api.ok('PUT', '/users/bob', { is_active: false, leave_all_when_deactivated: false });
  const ids = async (query: string): Promise<string[]> =>
    (await api.ok('GET', `${ROOM}/members?${query}`)).members.map((member: { user_id: string }) => member.user_id);
  expect(await ids('')).toEqual(['ann', 'cat', 'dan']);
  expect(await ids('member_active_mode_filter=all')).toEqual(['ann', 'bob', 'cat', 'dan']);
  expect(await ids('member_active_mode_filter=deactivated')).toEqual(['bob']);
  expect(await ids('order=operator_then_member_alphabetical')).toEqual(['dan', 'ann', 'cat']);
  expect(await ids('operator_filter=operator')).toEqual(['dan']);
  expect(await ids('operator_filter=nonoperator')).toEqual(['ann', 'cat']);
  expect(await ids('member_state_filter=invited_only')).toEqual(['cat']);
  expect(await ids('member_state_filter=invited_by_non_friend')).toEqual([]);
  expect(await ids('member_state_filter=joined_only')).toEqual(['ann', 'dan']);
  expect(await ids('muted_member_filter=muted')).toEqual([]);
  expect(await ids('nickname_startswith=c')).toEqual(['cat']);
  const first = await api.ok('GET', `${ROOM}/members?limit=2&show_read_receipt=true`);
  expect(first.members[0]).toMatchObject({ user_id: 'ann', role: '', state: 'joined', read_ts: START_MS });
  expect(await ids(`limit=2&token=${first.next}`)).toEqual(['dan']);
});

test('limits a channel to 100 members, and not a supergroup', async () => {
  const api = await startApi();
  const ids = Array.from({ length: 121 }, (_, n) => `u${n}`);
  await api.users(...ids);
  await api.room('room-1', ids.slice(0, 100), { is_public: true });
  expect((await api.call('POST', `${ROOM}/invite`, { user_ids: ['u100'] })).body.code).toBe(400920);
  expect((await api.call('PUT', `${ROOM}/join`, { user_id: 'u100' })).body.code).toBe(400920);
  expect((await api.call('POST', `${ROOM}/invite`, { user_ids: ids })).body.code).toBe(400203);
  await api.room('super', ids.slice(0, 100), { is_super: true });
  expect(await api.ok('POST', '/group_channels/super/invite', { user_ids: ids.slice(90, 120) })).toMatchObject({
    member_count: 120,
  });
});

test('limits a supergroup to 2,000 members', () => {
  const platform = new EmulatedPlatform({ token: 'token', seed: 'seed' });
  const send = (method: 'POST' | 'PUT', path: string, value: Answer) =>
    platform.handle(
      { method, path: `/v3${path}`, query: '', headers: { 'api-token': 'token' }, body: { type: 'json', value } },
      START_MS,
    );
  const ids = Array.from({ length: 2001 }, (_, n) => `u${n}`);
  for (const id of ids) send('POST', '/users', { user_id: id, nickname: id, profile_url: '' });
  send('POST', '/group_channels', { channel_url: 'super', user_ids: ids.slice(0, 100), is_super: true });
  for (let from = 100; from < 2000; from += 100)
    send('POST', '/group_channels/super/invite', { user_ids: ids.slice(from, from + 100) });
  const refused = send('POST', '/group_channels/super/invite', { user_ids: ['u2000'] });
  expect(refused.body).toMatchObject({ code: 400920, message: expect.stringContaining('2000 members') });
  expect(platform.state.members('super').size).toBe(2000);
});

test('makes a user leave all channels, or those of one custom type', async () => {
  const api = await startApi();
  await api.users('ann');
  await api.room('room-1', ['ann'], { custom_type: 'x' });
  await api.room('room-2', ['ann']);
  await api.room('room-3', ['ann']);
  const count = async (): Promise<number> =>
    (await api.ok('GET', '/users/ann/my_group_channels?show_empty=true')).channels.length;
  expect(await api.ok('PUT', '/users/ann/my_group_channels/leave', { custom_type: 'x' })).toEqual({});
  expect(await count()).toBe(2);
  await api.ok('PUT', '/users/ann/my_group_channels/leave', {});
  expect(await count()).toBe(0);
});

test('hides earlier messages after a reset of the history', async () => {
  const api = await startApi();
  await api.users('ann', 'bob');
  await api.room('room-1', ['ann', 'bob']);
  api.clock.nowMs += 1000;
  const expected = { ts_message_offset: START_MS + 1000 };
  expect(await api.ok('PUT', `${ROOM}/reset_user_history`, { user_id: 'ann' })).toEqual(expected);
  expect(await api.ok('GET', `${ROOM}?user_id=ann`)).toMatchObject(expected);
  expect(await api.ok('GET', `${ROOM}?user_id=bob`)).toMatchObject({ ts_message_offset: 0 });
  expect(await api.ok('PUT', `${ROOM}/reset_user_history`, { reset_all: true })).toEqual(expected);
  expect(await api.ok('GET', `${ROOM}?user_id=bob`)).toMatchObject(expected);
});
