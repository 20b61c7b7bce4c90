// Tests users: lists and their pages, tokens, images; and bots, which are users, members and senders.

import { expect, test } from 'vitest';
import { type Api, BOT, START_MS, startApi } from './support/support.ts';

const USER = { user_id: 'ann', nickname: 'Ann', profile_url: 'https://example.com/ann.png' };

test('issues, shows, replaces and revokes tokens', async () => {
  const api = await startApi();
  const created = await api.ok('POST', '/users', { ...USER, issue_access_token: true, issue_session_token: true });
  expect(created.access_token).toMatch(/^[0-9a-f]{40}$/);
  expect(created.session_tokens).toMatchObject([{ expires_at: START_MS + 604_800_000 }]);
  expect((await api.get('/users/ann')).access_token).toBe(created.access_token);
  const updated = await api.ok('PUT', '/users/ann', { issue_access_token: true });
  expect(updated.access_token).not.toBe(created.access_token);
  const issued = await api.ok('POST', '/users/ann/token', {});
  expect(issued.token.split('.')).toHaveLength(3);
  expect(issued.expires_at).toBe(START_MS + 604_800_000);
  const chosen = { expires_at: START_MS + 5000 };
  expect(await api.ok('POST', '/users/ann/token', chosen)).toMatchObject(chosen);
  expect((await api.get('/users/ann')).session_tokens).toHaveLength(3);
  expect(await api.ok('DELETE', '/users/ann/token')).toEqual({});
  expect((await api.get('/users/ann')).session_tokens).toEqual([]);
});

test('lists without the deactivated, filters, and pages to an empty next', async () => {
  const api = await startApi();
  for (let n = 0; n < 25; n++) {
    const nickname = n % 2 ? 'odd' : `even ${n}`;
    await api.ok('POST', '/users', { user_id: `u${n}`, nickname, profile_url: '', metadata: { team: `t${n % 3}` } });
  }
  await api.ok('PUT', '/users/u3', { is_active: false });
  expect(await api.ids('/users')).toHaveLength(10);
  expect(await api.ids('/users?limit=100')).toHaveLength(24);
  expect(await api.ids('/users?active_mode=deactivated')).toEqual(['u3']);
  expect(await api.ids('/users?user_ids=u3,u4,nobody,u1')).toEqual(['u1', 'u4']);
  expect(await api.ids('/users?user_ids=u3%2Cu4&active_mode=all')).toEqual(['u3', 'u4']);
  expect(await api.ids('/users?nickname=odd&limit=100')).toHaveLength(11);
  expect(await api.ids('/users?nickname_startswith=even%201')).toEqual(['u10', 'u12', 'u14', 'u16', 'u18']);
  expect(await api.ids('/users?metadatakey=team&metadatavalues_in=t1,t2&limit=100')).toHaveLength(16);
  expect(await api.walk('/users?limit=7&active_mode=all')).toEqual(Array.from({ length: 25 }, (_, n) => `u${n}`));
});

test('accepts a page token for its own list until it expires', async () => {
  const api = await startApi();
  await api.users('a', 'b');
  const { next } = await api.get('/users?limit=1');
  expect(await api.code('GET', `/open_channels?token=${next}`)).toBe(400111);
  api.clock.nowMs += 1_800_001;
  expect(await api.code('GET', `/users?limit=1&token=${next}`)).toBe(400109);
});

test('neither repeats nor skips users when others are deleted between pages', async () => {
  const api = await startApi();
  const ids = Array.from({ length: 200 }, (_, n) => `u${n}`);
  await api.users(...ids);
  const { next } = await api.get('/users?limit=50');
  for (const id of ids.slice(0, 150)) await api.ok('DELETE', `/users/${id}`);
  expect(await api.ids(`/users?limit=100&token=${next}`)).toEqual(ids.slice(150));
});

test('accepts a JPG or PNG up to 5 MB as multipart, without metadata', async () => {
  const api = await startApi();
  const png = (size: number): Blob => {
    const bytes = new Uint8Array(size);
    bytes.set([0x89, 0x50, 0x4e, 0x47]);
    return new Blob([bytes], { type: 'image/png' });
  };
  const form = (file: Blob, more: Record<string, string> = {}): FormData => {
    const data = new FormData();
    for (const [name, value] of Object.entries({ user_id: 'ann', nickname: 'Ann', ...more })) data.append(name, value);
    data.append('profile_file', file, 'a.png');
    return data;
  };
  const five = 5_000_000;
  expect(await api.code('POST', '/users', form(png(five + 1)))).toBe(400110);
  expect(await api.code('POST', '/users', form(new Blob(['GIF89a'])))).toBe(400111);
  expect(await api.code('POST', '/users', form(png(9), { metadata: '{}' }))).toBe(400111);
  const created = await api.ok('POST', '/users', form(png(five), { issue_access_token: 'true' }));
  expect(created.profile_url).toMatch(/\.png$/);
  expect(created.access_token).not.toBe('');
  expect((await api.ok('PUT', '/users/ann', form(png(9)))).profile_url).not.toBe(created.profile_url);
});

async function startBot(): Promise<Api> {
  const api = await startApi();
  await api.users('ann', 'bob');
  await api.room('room-1', ['ann']);
  await api.room('room-2', ['ann'], { is_public: true });
  await api.ok('POST', '/bots', BOT);
  return api;
}

test('lists a bot among users, with one metadata for both', async () => {
  const api = await startBot();
  expect(await api.ids('/users')).toEqual(['ann', 'bob', 'helper']);
  expect(await api.ids('/users?show_bot=false')).toEqual(['ann', 'bob']);
  expect(await api.get('/users/helper')).toMatchObject({ user_id: 'helper', nickname: 'Helper' });
  await api.ok('POST', '/users/helper/metadata', { metadata: { team: 'a' } });
  expect((await api.get('/bots/helper')).bot.bot_metadata).toEqual({ team: 'a' });
});

test('lets a bot join, leave one channel and leave all', async () => {
  const api = await startBot();
  const isIn = async (url: string): Promise<boolean> => {
    const { is_member: isMember } = await api.get(`/group_channels/${url}/members/helper`);
    expect((await api.get(`/group_channels/${url}`)).has_bot).toBe(isMember);
    return isMember;
  };
  const places = async () => [await isIn('room-1'), await isIn('room-2')];
  const join = () => api.ok('POST', '/bots/helper/channels', { channel_urls: ['room-1', 'room-2', 'room-1'] });
  const [first, second] = [{ channel_url: 'room-1', member_count: 2 }, { channel_url: 'room-2' }];
  expect(await join()).toMatchObject({ channels: [first, second] });
  expect(await join()).toMatchObject({ channels: [first, second] });
  expect((await api.get('/group_channels/room-1/members')).members).toMatchObject([
    { user_id: 'helper', nickname: 'Helper', state: 'joined', role: '' },
    { user_id: 'ann' },
  ]);
  expect(await api.ok('DELETE', '/bots/helper/channels/room-1')).toEqual({});
  expect(await places()).toEqual([false, true]);
  expect(await api.code('DELETE', '/bots/helper/channels/room-1')).toBe(400201);
  await join();
  await api.ok('DELETE', '/bots/helper/channels?channel_url=room-2');
  expect(await places()).toEqual([true, false]);
  await join();
  expect(await api.ok('DELETE', '/bots/helper/channels')).toEqual({});
  expect(await places()).toEqual([false, false]);
});

test('invites a bot like a user, who waits with preference 1 until it accepts or joins', async () => {
  const api = await startBot();
  const invite = (url: string) => api.ok('POST', `/group_channels/${url}/invite`, { user_ids: ['helper'] });
  const state = async (url: string) => (await api.get(`/group_channels/${url}/members/helper`)).state;
  expect(await invite('room-1')).toMatchObject({ joined_member_count: 2 });
  await api.ok('PUT', '/bots/helper', { channel_invitation_preference: 1 });
  await api.room('room-3', ['ann', 'helper']);
  await invite('room-2');
  expect([await state('room-3'), await state('room-2')]).toEqual(['invited', 'invited']);
  await api.ok('PUT', '/group_channels/room-3/accept', { user_id: 'helper' });
  await api.ok('POST', '/bots/helper/channels', { channel_urls: ['room-2'] });
  expect([await state('room-3'), await state('room-2')]).toEqual(['joined', 'joined']);
});

test('keeps a channel distinct when an invited bot joins, and not when another one does', async () => {
  const api = await startBot();
  await api.ok('PUT', '/bots/helper', { channel_invitation_preference: 1 });
  await api.room('room-3', ['ann', 'helper'], { is_distinct: true });
  await api.ok('POST', '/bots/helper/channels', { channel_urls: ['room-3'] });
  expect(await api.get('/group_channels/room-3')).toMatchObject({ is_distinct: true, joined_member_count: 2 });
  await api.ok('POST', '/bots', { ...BOT, bot_userid: 'second' });
  await api.ok('POST', '/bots/second/channels', { channel_urls: ['room-3'] });
  expect(await api.get('/group_channels/room-3')).toMatchObject({ is_distinct: false, joined_member_count: 3 });
});

test('removes a deleted bot from its channels, and keeps its messages', async () => {
  const api = await startBot();
  await api.ok('POST', '/bots/helper/channels', { channel_urls: ['room-1'] });
  await api.say('helper');
  await api.ok('DELETE', '/bots/helper');
  expect(await api.get('/group_channels/room-1')).toMatchObject({ has_bot: false, member_count: 1 });
  expect(await api.get('/group_channels/room-1/messages/total_count')).toEqual({ total: 1 });
});

test('erases users by a data request after a second, and leaves or deletes their group channels', async () => {
  const api = await startApi();
  await api.users('ann', 'bob', 'cat');
  const room = (channel_url: string, ...user_ids: string[]) =>
    api.ok('POST', '/group_channels', { channel_url, name: channel_url, user_ids });
  await room('pair', 'ann', 'bob');
  await room('three', 'ann', 'bob', 'cat');
  const erase = (...user_ids: string[]) => ({ action: 'delete', user_ids });
  const registered = await api.ok('POST', '/privacy/gdpr', { ...erase('bob'), channel_delete_option: '1_on_1' });
  expect(registered).toEqual({
    request_id: 'gdpr-1',
    action: 'delete',
    status: 'scheduled',
    user_ids: ['bob'],
    channel_delete_option: '1_on_1',
    created_at: START_MS,
  });
  const status = async () => (await api.get('/privacy/gdpr/gdpr-1')).status;
  expect([await status(), await api.code('GET', '/users/bob')]).toEqual(['scheduled', 200]);
  api.clock.nowMs += 500;
  expect([await status(), await api.code('GET', '/users/bob')]).toEqual(['processing', 200]);
  api.clock.nowMs += 500;
  expect([await status(), await api.code('GET', '/users/bob')]).toEqual(['done', 400201]);
  expect([await api.code('GET', '/group_channels/pair'), await api.code('GET', '/group_channels/three')]).toEqual([
    400201, 200,
  ]);
  await api.ok('POST', '/privacy/gdpr', erase('nobody'));
  api.clock.nowMs += 1_000;
  expect((await api.get('/privacy/gdpr')).requests).toMatchObject([{ status: 'done' }, { status: 'no_data' }]);
  expect((await api.get('/privacy/gdpr?limit=1')).next).not.toBe('');
});

test.for([
  [{ action: 'access', user_id: 'ann' }, 400111],
  [{ action: 'delete' }, 400105],
  [{ action: 'delete', user_ids: [] }, 400111],
  [{ action: 'delete', user_ids: Array.from({ length: 101 }, (_, n) => `u${n}`) }, 400203],
  [{ user_ids: ['ann'], channel_delete_option: 'some' }, 400111],
] as const)('refuses the data request %j with %i', async ([body, code]) => {
  const api = await startApi();
  await api.users('ann');
  expect(await api.code('POST', '/privacy/gdpr', body)).toBe(code);
  expect(await api.code('GET', '/privacy/gdpr/gdpr-1')).toBe(400201);
});
