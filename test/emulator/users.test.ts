// Tests every row of the user table, and list, update and deactivation as documented.

import { expect, test } from 'vitest';
import { codeOf, START_MS, startApi } from './support/support.ts';

const USER = { user_id: 'ann', nickname: 'Ann', profile_url: 'https://example.com/ann.png' };

test('answers every field of a created user', async () => {
  const api = await startApi();
  expect(await api.ok('POST', '/users', { ...USER, metadata: { team: 'a' }, discovery_keys: ['k'] })).toEqual({
    ...USER,
    access_token: '',
    is_online: false,
    is_active: true,
    is_created: true,
    phone_number: '',
    require_auth_for_profile_image: false,
    session_tokens: [],
    last_seen_at: -1,
    discovery_keys: ['k'],
    preferred_languages: [],
    has_ever_logged_in: false,
    metadata: { team: 'a' },
    created_at: Math.floor(START_MS / 1000),
    locale: '',
    is_hide_me_from_friends: false,
    is_shadow_blocked: false,
  });
});

test('shows neither is_created nor phone_number in a view', async () => {
  const api = await startApi();
  await api.users('ann');
  const user = await api.ok('GET', '/users/ann');
  expect(user).not.toHaveProperty('is_created');
  expect(user).not.toHaveProperty('phone_number');
  expect(await api.ok('GET', '/users/ann?include_unread_count=true')).toMatchObject({
    unread_channel_count: 0,
    unread_message_count: 0,
  });
});

const LONG = (length: number): string => '😀'.repeat(length);

test.for([
  ['user_id absent', { user_id: undefined }, 400105],
  ['user_id empty', { user_id: '' }, 400151],
  ['user_id of 80 code points', { user_id: LONG(80) }, 200],
  ['user_id of 81', { user_id: LONG(81) }, 400110],
  ['user_id a number', { user_id: 1 }, 400100],
  ['nickname absent', { nickname: undefined }, 400105],
  ['nickname of 80 code points', { nickname: LONG(80) }, 200],
  ['nickname of 81', { nickname: LONG(81) }, 400110],
  ['no profile image', { profile_url: undefined }, 400105],
  ['profile_url empty', { profile_url: '' }, 200],
  ['profile_url of 2,048', { profile_url: 'x'.repeat(2048) }, 200],
  ['profile_url of 2,049', { profile_url: 'x'.repeat(2049) }, 400110],
  ['profile_file as text', { profile_file: 'x' }, 400111],
  ['issue_access_token not a boolean', { issue_access_token: 'yes' }, 400104],
  ['5 metadata items', { metadata: { a: '', b: '', c: '', d: '', e: '' } }, 200],
  ['6 metadata items', { metadata: { a: '', b: '', c: '', d: '', e: '', f: '' } }, 400203],
  ['metadata not an object', { metadata: ['a'] }, 400103],
  ['metadata value a boolean, which becomes a text', { metadata: { a: true } }, 200],
  ['metadata value an object', { metadata: { a: {} } }, 400100],
  ['metadata value null', { metadata: { a: null } }, 400100],
  ['metadata key with a comma', { metadata: { 'a,b': '' } }, 400151],
  ['metadata key of 129', { metadata: { ['k'.repeat(129)]: '' } }, 400110],
  ['metadata value of 191', { metadata: { a: 'v'.repeat(191) } }, 400110],
  ['metadata key __proto__', { metadata: JSON.parse('{"__proto__":"x"}') }, 200],
  ['discovery_keys not a list', { discovery_keys: 'k' }, 400102],
  ['5 preferred languages', { preferred_languages: ['a', 'b', 'c', 'd', 'e'] }, 400203],
  ['session_token_expires_at a string', { session_token_expires_at: '1' }, 400101],
  ['session_token_expires_at negative', { session_token_expires_at: -1 }, 400106],
  ['session_token_expires_at in seconds', { session_token_expires_at: 1_900_000_000 }, 400111],
  ['an unknown field', { unknown: 1 }, 200],
] as const)('checks a creation with %s', async ([, change, expected]) => {
  const api = await startApi();
  expect(await codeOf(api, 'POST', '/users', { ...USER, ...change })).toBe(expected);
});

test('issues, shows, replaces and revokes tokens', async () => {
  const api = await startApi();
  const created = await api.ok('POST', '/users', { ...USER, issue_access_token: true, issue_session_token: true });
  expect(created.access_token).toMatch(/^[0-9a-f]{40}$/);
  expect(created.session_tokens).toMatchObject([{ expires_at: START_MS + 604_800_000 }]);
  expect((await api.ok('GET', '/users/ann')).access_token).toBe(created.access_token);
  const updated = await api.ok('PUT', '/users/ann', { issue_access_token: true });
  expect(updated.access_token).not.toBe(created.access_token);
  const issued = await api.ok('POST', '/users/ann/token', {});
  expect(issued.token.split('.')).toHaveLength(3);
  expect(issued.expires_at).toBe(START_MS + 604_800_000);
  const chosen = START_MS + 5000;
  expect(await api.ok('POST', '/users/ann/token', { expires_at: chosen })).toMatchObject({ expires_at: chosen });
  expect((await api.ok('GET', '/users/ann')).session_tokens).toHaveLength(3);
  expect(await api.ok('DELETE', '/users/ann/token')).toEqual({});
  expect((await api.ok('GET', '/users/ann')).session_tokens).toEqual([]);
});

test('updates what is named, but not metadata', async () => {
  const api = await startApi();
  await api.ok('POST', '/users', { ...USER, metadata: { a: '1' } });
  const updated = await api.ok('PUT', '/users/ann', {
    nickname: 'New',
    profile_url: '',
    discovery_keys: ['x'],
    preferred_languages: ['en'],
    last_seen_at: START_MS,
    metadata: { b: '2' },
  });
  expect(updated).toMatchObject({
    nickname: 'New',
    profile_url: '',
    discovery_keys: ['x'],
    preferred_languages: ['en'],
    last_seen_at: -1,
    metadata: { a: '1' },
  });
  expect((await api.call('PUT', '/users/nobody', {})).body).toMatchObject({
    code: 400201,
    message: '"User" not found.',
  });
});

test('lists without the deactivated, filters, and pages to an empty next', async () => {
  const api = await startApi();
  for (let n = 0; n < 25; n++) {
    await api.ok('POST', '/users', {
      user_id: `u${n}`,
      nickname: n % 2 ? 'odd' : `even ${n}`,
      profile_url: '',
      metadata: { team: `t${n % 3}` },
    });
  }
  await api.ok('PUT', '/users/u3', { is_active: false });
  const ids = async (query: string): Promise<string[]> =>
    (await api.ok('GET', `/users?${query}`)).users.map((user: { user_id: string }) => user.user_id);
  expect(await ids('')).toHaveLength(10);
  expect(await ids('limit=100')).toHaveLength(24);
  expect(await ids('limit=100&active_mode=all')).toHaveLength(25);
  expect(await ids('active_mode=deactivated')).toEqual(['u3']);
  expect(await ids('user_ids=u3,u4,nobody,u1')).toEqual(['u1', 'u4']);
  expect(await ids(`user_ids=${encodeURIComponent('u3,u4')}&active_mode=all`)).toEqual(['u3', 'u4']);
  expect(await ids('nickname=odd&limit=100')).toHaveLength(11);
  expect(await ids('nickname_startswith=even%201&limit=100')).toEqual(['u10', 'u12', 'u14', 'u16', 'u18']);
  expect(await ids('metadatakey=team&metadatavalues_in=t1,t2&limit=100')).toHaveLength(16);

  const walked: string[] = [];
  let next = '';
  do {
    const page = await api.ok('GET', `/users?limit=7&active_mode=all&token=${encodeURIComponent(next)}`);
    walked.push(...page.users.map((user: { user_id: string }) => user.user_id));
    next = page.next;
  } while (next !== '');
  expect(walked).toEqual(Array.from({ length: 25 }, (_, n) => `u${n}`));
});

test.for([
  ['limit=0', 400113],
  ['limit=101', 400113],
  ['limit=-1', 400106],
  ['limit=ten', 400101],
  ['active_mode=some', 400111],
  ['show_bot=perhaps', 400104],
  ['metadatakey=a', 400402],
  ['token=nonsense', 400111],
  [`user_ids=${Array.from({ length: 251 }, (_, n) => n).join(',')}`, 400203],
  ['nickname=%zz', 400404],
] as const)('refuses a list with %s', async ([query, code]) => {
  const api = await startApi();
  expect(await api.call('GET', `/users?${query}`)).toMatchObject({ status: 400, body: { code, error: true } });
});

test('accepts a page token for its own list until it expires', async () => {
  const api = await startApi();
  await api.users('a', 'b');
  const { next } = await api.ok('GET', '/users?limit=1');
  expect((await api.call('GET', `/open_channels?token=${next}`)).body.code).toBe(400111);
  api.clock.nowMs += 1_800_001;
  expect((await api.call('GET', `/users?limit=1&token=${next}`)).body.code).toBe(400109);
});

test('neither repeats nor skips users when others are deleted between pages', async () => {
  const api = await startApi();
  const ids = Array.from({ length: 200 }, (_, n) => `u${n}`);
  await api.users(...ids);
  const first = await api.ok('GET', '/users?limit=50');
  for (const id of ids.slice(0, 150)) await api.ok('DELETE', `/users/${id}`);
  const second = await api.ok('GET', `/users?limit=100&token=${first.next}`);
  expect(second.users.map((user: { user_id: string }) => user.user_id)).toEqual(ids.slice(150));
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
  const five = 5 * 1024 * 1024;
  expect((await api.call('POST', '/users', form(png(five + 1)))).body.code).toBe(400110);
  expect((await api.call('POST', '/users', form(new Blob(['GIF89a'])))).body.code).toBe(400111);
  expect((await api.call('POST', '/users', form(png(9), { metadata: '{}' }))).body.code).toBe(400111);
  const created = await api.ok('POST', '/users', form(png(five), { issue_access_token: 'true' }));
  expect(created.profile_url).toMatch(/\.png$/);
  expect(created.access_token).not.toBe('');
  const updated = await api.ok('PUT', '/users/ann', form(png(9)));
  expect(updated.profile_url).not.toBe(created.profile_url);
});

test('gives later users the invitation preference of the application, and lets each change it', async () => {
  const api = await startApi();
  await api.users('ann');
  const app = '/applications/default_channel_invitation_preference';
  expect(await api.ok('GET', app)).toEqual({ auto_accept: true });
  expect(await api.ok('PUT', app, { auto_accept: false })).toEqual({ auto_accept: false });
  await api.users('bob');
  expect(await api.ok('GET', '/users/ann/channel_invitation_preference')).toEqual({ auto_accept: true });
  expect(await api.ok('GET', '/users/bob/channel_invitation_preference')).toEqual({ auto_accept: false });
  expect(await api.ok('PUT', '/users/bob/channel_invitation_preference', { auto_accept: true })).toEqual({
    auto_accept: true,
  });
  expect((await api.call('PUT', app, { auto_accept: 1 })).body).toMatchObject({
    code: 400104,
    message: '"auto_accept" must be a boolean.',
  });
});
