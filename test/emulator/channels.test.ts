// Tests what open and group channels share: fields, limits, operators, freezing, lists.

import { describe, expect, test } from 'vitest';
import { codeOf, START_MS, startApi } from './support/support.ts';

const SECONDS = Math.floor(START_MS / 1000);

test('answers every field of an open channel', async () => {
  const api = await startApi();
  await api.users('ann');
  const given = { name: 'Lobby', channel_url: 'lobby', cover_url: 'https://c', custom_type: 'hall', data: '{"x":1}' };
  const created = await api.ok('POST', '/open_channels', { ...given, is_ephemeral: true, operator_ids: ['ann'] });
  expect(created).toEqual({
    ...given,
    is_ephemeral: true,
    participant_count: 0,
    max_length_message: 5000,
    created_at: SECONDS,
    operators: [
      { user_id: 'ann', nickname: 'ann', profile_url: '', metadata: {}, require_auth_for_profile_image: false },
    ],
    freeze: false,
    is_dynamic_partitioned: true,
  });
  expect(await api.ok('GET', '/open_channels/lobby')).toEqual(created);
  expect(await api.ok('GET', '/open_channels/lobby/participants')).toEqual({ participants: [], next: '' });
});

test('answers every field of a group channel', async () => {
  const api = await startApi();
  await api.users('ann', 'bob');
  const given = { name: 'Room', channel_url: 'room-1', cover_url: '', custom_type: 't', data: 'd' };
  const created = await api.room('room-1', ['ann', 'bob'], { ...given, operator_ids: ['bob'], inviter_id: 'ann' });
  expect(created).toMatchObject({
    ...given,
    unread_message_count: 0,
    unread_mention_count: 0,
    is_distinct: false,
    is_public: false,
    is_super: false,
    is_ephemeral: false,
    is_access_code_required: false,
    member_count: 2,
    joined_member_count: 2,
    created_by: { user_id: 'ann', nickname: 'ann', profile_url: '', require_auth_for_profile_image: false },
    members: [
      { user_id: 'bob', role: 'operator', state: 'joined', is_active: true, metadata: {} },
      { user_id: 'ann', role: '', state: 'joined', is_active: true, metadata: {} },
    ],
    operators: [{ user_id: 'bob', is_active: true, is_online: false, last_seen_at: -1, state: 'joined', metadata: {} }],
    last_message: null,
    message_survival_seconds: -1,
    max_length_message: 5000,
    created_at: SECONDS,
    freeze: false,
    channel: { channel_url: 'room-1', name: 'Room', member_count: 2, max_length_message: 5000 },
  });
  expect(await api.ok('GET', '/group_channels/room-1')).not.toHaveProperty('members');
  const { members, ...rest } = created;
  expect(await api.ok('GET', '/group_channels/room-1?show_member=true')).toEqual({ ...rest, members });
});

describe.for([
  ['open', '/open_channels', {}],
  ['group', '/group_channels', { user_ids: ['ann'] }],
] as const)('%s channels', ([kind, path, base]) => {
  test.for([
    ['name of 191', { name: 'n'.repeat(191) }, 200],
    ['name of 192', { name: 'n'.repeat(192) }, 400110],
    ['channel_url of 3', { channel_url: 'abc' }, 400111],
    ['channel_url of 4', { channel_url: 'aB_9' }, 200],
    ['channel_url of 100', { channel_url: 'a'.repeat(100) }, 200],
    ['channel_url of 101', { channel_url: 'a'.repeat(101) }, 400111],
    ['channel_url with a dot', { channel_url: 'ab.cd' }, 400111],
    ['channel_url with a letter beyond ASCII', { channel_url: 'abcdé' }, 400111],
    ['channel_url a number', { channel_url: 12345 }, 400100],
    ['cover_url of 2,049', { cover_url: 'x'.repeat(2049) }, 400110],
    ['custom_type of 128', { custom_type: 'x'.repeat(128) }, 200],
    ['custom_type of 129', { custom_type: 'x'.repeat(129) }, 400110],
    ['data an object', { data: {} }, 400100],
    ['is_ephemeral a string', { is_ephemeral: 'true' }, 400104],
    ['101 operators', { operator_ids: Array.from({ length: 101 }, () => 'ann') }, 400203],
    ['an unknown operator', { operator_ids: ['nobody'] }, 400201],
    ['the deprecated operators', { operators: ['ann'] }, 200],
    ['operator_ids a string', { operator_ids: 'ann' }, 400102],
    ['an operator that is a number', { operator_ids: [1] }, 400100],
  ] as const)('create: %s', async ([, change, expected]) => {
    const api = await startApi();
    await api.users('ann');
    expect(await codeOf(api, 'POST', path, { ...base, ...change })).toBe(expected);
  });

  test('generates a missing url, which is unique over both kinds', async () => {
    const api = await startApi();
    await api.users('ann');
    const created = await api.ok('POST', path, base);
    expect(created).toMatchObject({ name: `${kind} channel` });
    expect(created.channel_url).toMatch(new RegExp(`^sendbird_${kind}_channel_\\d+_[0-9a-f]{40}$`));
    for (const again of [
      ['/open_channels', {}],
      ['/group_channels', { user_ids: ['ann'] }],
    ] as const) {
      const reply = await api.call('POST', again[0], { ...again[1], channel_url: created.channel_url });
      expect(reply.body).toEqual({ message: '"channel_url" violates unique constraint.', code: 400202, error: true });
    }
  });

  test('reads a cover image, flags and lists from multipart', async () => {
    const api = await startApi();
    await api.users('ann', 'bob');
    const form = new FormData();
    form.append('channel_url', 'chan');
    form.append('is_ephemeral', 'true');
    for (const id of ['ann', 'bob']) form.append('operator_ids[]', id);
    form.append('user_ids', 'ann,bob');
    form.append('cover_file', new Blob([new Uint8Array([0xff, 0xd8, 0xff])]), 'c.jpg');
    const created = await api.ok('POST', path, form);
    expect(created).toMatchObject({ is_ephemeral: true, operators: [{ user_id: 'ann' }, { user_id: 'bob' }] });
    expect(created.cover_url).toMatch(/cover_file.*\.jpg$/);
    if (kind === 'group') expect(created.member_count).toBe(2);
  });

  test('lists newest first, by url, custom type and name, without frozen ones on request', async () => {
    const api = await startApi();
    await api.users('ann');
    for (let n = 0; n < 12; n++) {
      await api.ok('POST', path, { ...base, channel_url: `chan-${n}`, name: `Name ${n}`, custom_type: `t${n % 2}` });
    }
    await api.ok('PUT', `${path}/chan-3/freeze`, { freeze: true });
    const urls = async (query: string): Promise<string[]> =>
      (await api.ok('GET', `${path}?show_empty=true&${query}`)).channels.map(
        (channel: { channel_url: string }) => channel.channel_url,
      );
    expect(await urls('limit=3')).toEqual(['chan-11', 'chan-10', 'chan-9']);
    expect(await urls('limit=100')).toHaveLength(12);
    expect(await urls('limit=100&show_frozen=false')).toHaveLength(11);
    expect(await urls('channel_urls=chan-1,chan-3,none')).toEqual(['chan-3', 'chan-1']);
    expect(await urls('custom_types=t1&limit=100')).toHaveLength(6);
    expect(await urls('name_contains=NAME%201')).toEqual(['chan-11', 'chan-10', 'chan-1']);
    const walked: string[] = [];
    let next = '';
    do {
      const page = await api.ok('GET', `${path}?show_empty=true&limit=5&token=${next}`);
      walked.push(...page.channels.map((channel: { channel_url: string }) => channel.channel_url));
      next = page.next;
    } while (next !== '');
    expect(walked).toEqual(Array.from({ length: 12 }, (_, n) => `chan-${11 - n}`));
  });
});
