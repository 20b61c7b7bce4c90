// Tests channels: what open and group channels share, and distinct, super, public and empty group channels.

import { describe, expect, test } from 'vitest';
import { START_MS, startApi } from './support/support.ts';

describe.for([
  ['open', '/open_channels'],
  ['group', '/group_channels'],
] as const)('%s channels', ([kind, path]) => {
  test('get a missing url, which is unique over both kinds', async () => {
    const api = await startApi();
    await api.users('ann');
    const { channel_url, name } = await api.ok('POST', path, { user_ids: ['ann'] });
    expect(name).toBe(`${kind} channel`);
    expect(channel_url).toMatch(new RegExp(`^sendbird_${kind}_channel_\\d+_[0-9a-f]{40}$`));
    for (const again of ['/open_channels', '/group_channels']) {
      expect(await api.code('POST', again, { user_ids: ['ann'], channel_url })).toBe(400202);
    }
  });

  test('have a cover image, flags and lists from multipart', async () => {
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

  test('are listed newest first, by url, custom type and name, without frozen ones on request', async () => {
    const api = await startApi();
    await api.users('ann');
    for (let n = 0; n < 12; n++) {
      const named = { channel_url: `chan-${n}`, name: `Name ${n}`, custom_type: `t${n % 2}` };
      await api.ok('POST', path, { user_ids: ['ann'], ...named });
    }
    await api.ok('PUT', `${path}/chan-3/freeze`, { freeze: true });
    const urls = (query: string) => api.ids(`${path}?show_empty=true&${query}`);
    expect(await urls('limit=3')).toEqual(['chan-11', 'chan-10', 'chan-9']);
    expect(await urls('limit=100&show_frozen=false')).toHaveLength(11);
    expect(await urls('channel_urls=chan-1,chan-3,none')).toEqual(['chan-3', 'chan-1']);
    expect(await urls('custom_types=t1&limit=100')).toHaveLength(6);
    expect(await urls('name_contains=NAME%201')).toEqual(['chan-11', 'chan-10', 'chan-1']);
    const all = Array.from({ length: 12 }, (_, n) => `chan-${11 - n}`);
    expect(await api.walk(`${path}?show_empty=true&limit=5`)).toEqual(all);
  });

  test('show metadata on request', async () => {
    const api = await startApi();
    await api.users('ann');
    await api.ok('POST', path, { channel_url: 'chan', user_ids: ['ann'] });
    const shown = async (query: string) => (await api.get(`${path}?show_empty=true&${query}`)).channels[0].metadata;
    expect(await shown('show_metadata=true')).toEqual({});
    await api.ok('POST', `${path}/chan/metadata`, { metadata: { a: '1' } });
    expect(await shown('show_metadata=true')).toEqual({ a: '1' });
    expect(await shown('show_metadata=false')).toBeUndefined();
    expect((await api.get(`${path}/chan?show_metadata=true`)).metadata).toEqual({ a: '1' });
  });
});

describe.for([
  ['user', '/users/ann/metadata'],
  ['open channel', '/open_channels/lobby/metadata'],
  ['group channel', '/group_channels/room-1/metadata'],
] as const)('metadata of a %s', ([, path]) => {
  test('is added as texts, shown in whole and in part, updated, and deleted one by one or in whole', async () => {
    const api = await startApi();
    await api.users('ann');
    await api.ok('POST', '/open_channels', { channel_url: 'lobby' });
    await api.room('room-1', ['ann']);
    expect(await api.ok('POST', path, { metadata: { a: '1', yes: true, no: false } })).toEqual({
      ...{ a: '1', yes: 'True', no: 'False' },
    });
    expect(await api.ok('POST', path, { metadata: { n: 1.5 } })).toEqual({ n: '1.5' });
    expect(await api.get(path)).toEqual({ a: '1', yes: 'True', no: 'False', n: '1.5' });
    expect(await api.get(`${path}?keys=a,n,x`)).toEqual({ a: '1', n: '1.5' });
    expect(await api.get(`${path}/yes`)).toEqual({ yes: 'True' });
    expect(await api.ok('PUT', path, { metadata: { a: 'x' } })).toEqual({ a: 'x' });
    // Only upsert adds a key.
    expect(await api.ok('PUT', path, { metadata: { a: 'y', new: 'z' }, upsert: true })).toEqual({ a: 'y', new: 'z' });
    expect(await api.ok('PUT', `${path}/n`, { value: 7 })).toEqual({ n: '7' });
    expect(await api.ok('DELETE', `${path}/yes`)).toEqual({});
    expect(await api.ok('PUT', `${path}/a%2Fb`, { value: 'w', upsert: true })).toEqual({ 'a/b': 'w' });
    // As older clients ask.
    expect(await api.ok('DELETE', `${path}?key=no`)).toEqual({});
    expect(await api.get(`${path}?key=n`)).toEqual({ n: '7' });
    expect(await api.get(path)).toEqual({ a: 'y', n: '7', new: 'z', 'a/b': 'w' });
    expect(await api.ok('DELETE', path)).toEqual({});
    expect(await api.get(path)).toEqual({});
  });
});

describe('group channels', () => {
  test('are reused if they are distinct and have the same members and custom type', async () => {
    const api = await startApi();
    await api.users('ann', 'bob', 'cat');
    const create = async (userIds: string[], more = {}): Promise<string> =>
      (await api.ok('POST', '/group_channels', { user_ids: userIds, is_distinct: true, ...more })).channel_url;
    const url = await create(['ann', 'bob']);
    expect(await create(['bob', 'ann'], { channel_url: 'other' })).toBe(url);
    expect(await create(['ann', 'bob'], { custom_type: 'x' })).not.toBe(url);
    expect(await create(['ann', 'bob'], { is_distinct: false })).not.toBe(url);
    expect(await create(['ann', 'bob', 'cat'])).not.toBe(url);
    await api.ok('POST', `/group_channels/${url}/invite`, { user_ids: ['cat'] });
    expect(await api.get(`/group_channels/${url}`)).toMatchObject({ is_distinct: false, member_count: 3 });
    expect(await create(['ann', 'bob'])).not.toBe(url);
  });

  test('show ten members of a supergroup, which stays one', async () => {
    const api = await startApi();
    const ids = Array.from({ length: 15 }, (_, n) => `u${n}`);
    await api.users(...ids);
    await api.room('room-1', ids);
    expect((await api.get('/group_channels/room-1?show_member=true')).members).toHaveLength(15);
    expect(await api.get('/group_channels/room-1')).not.toHaveProperty('members');
    const updated = await api.ok('PUT', '/group_channels/room-1', { is_super: true });
    expect(updated).toMatchObject({ is_super: true, member_count: 15 });
    expect(updated.members).toHaveLength(10);
    expect(await api.code('PUT', '/group_channels/room-1', { is_super: false })).toBe(400111);
    expect(await api.code('PUT', '/group_channels/room-1', { is_distinct: true })).toBe(400111);
  });

  test('never show the access code', async () => {
    const api = await startApi();
    await api.users('ann', 'bob');
    const created = await api.room('room-1', ['ann'], { is_public: true, access_code: 'secret' });
    expect(created).toMatchObject({ is_access_code_required: true });
    expect(JSON.stringify(created)).not.toContain('secret');
    const join = '/group_channels/room-1/join';
    expect(await api.code('PUT', join, { user_id: 'bob' })).toBe(400108);
    expect(await api.code('PUT', join, { user_id: 'bob', access_code: 'no' })).toBe(400108);
    expect(await api.ok('PUT', join, { user_id: 'bob', access_code: 'secret' })).toMatchObject({ member_count: 2 });
    const closed = { is_public: false, is_access_code_required: false };
    expect(await api.ok('PUT', '/group_channels/room-1', { is_public: false })).toMatchObject(closed);
  });

  test('are hidden from lists without messages by default', async () => {
    const api = await startApi();
    await api.users('ann');
    await api.room('room-1', ['ann']);
    await api.room('room-2', ['ann']);
    await api.say('ann');
    const list = await api.get('/group_channels');
    expect(list.channels).toMatchObject([{ channel_url: 'room-1', last_message: { message: 'hi' } }]);
    expect(list).toMatchObject({ next: '', ts: api.clock.nowMs });
    expect(await api.ids('/users/ann/my_group_channels')).toEqual(['room-1']);
    expect(await api.ids('/users/ann/my_group_channels?show_empty=true')).toHaveLength(2);
  });

  test('are filtered and ordered as asked', async () => {
    const api = await startApi();
    await api.users('ann', 'bob', 'cat');
    await api.room('room-a', ['ann'], { is_super: true, custom_type: 'red', name: 'Alpha' });
    api.clock.nowMs += 1000;
    await api.room('room-b', ['ann', 'bob'], { is_distinct: true, name: 'Beta' });
    await api.ok('POST', '/group_channels/room-b/metadata', { metadata: { k: 'v' } });
    api.clock.nowMs += 1000;
    await api.room('room-c', ['ann', 'cat'], { is_public: true, name: 'Gamma' });
    await api.ok('POST', '/group_channels/room-a/messages', { message_type: 'ADMM', message: 'x' });
    for (const [query, expected] of [
      ['distinct_mode=distinct', 'b'],
      ['public_mode=public', 'c'],
      ['super_mode=super', 'a'],
      ['super_mode=nonsuper', 'cb'],
      ['custom_type_startswith=re', 'a'],
      ['name=Beta', 'b'],
      ['name_startswith=Al', 'a'],
      [`created_after=${START_MS + 1500}`, 'c'],
      [`created_before=${START_MS}`, 'a'],
      ['members_exactly_in=bob,ann', 'b'],
      ['members_include_in=ann,cat', 'c'],
      ['members_include_in=cat,bob&query_type=OR', 'cb'],
      ['members_nickname=bob', 'b'],
      ['members_nickname_startswith=ca', 'c'],
      ['metadata_key=k&metadata_values=v,w', 'b'],
      ['order=channel_name_alphabetical', 'abc'],
      ['order=latest_last_message', 'acb'],
      ['order=metadata_value_alphabetical&metadata_order_key=k', 'cab'],
    ] as const) {
      const urls = [...expected].map((letter) => `room-${letter}`);
      for (const path of ['/group_channels', '/users/ann/my_group_channels']) {
        expect([query, ...(await api.ids(`${path}?show_empty=true&${query}`))]).toEqual([query, ...urls]);
      }
    }
  });
});
