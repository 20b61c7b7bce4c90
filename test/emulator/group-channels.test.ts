// Tests what only group channels have: distinct, super, public, hidden when empty, filters.

import { describe, expect, test } from 'vitest';
import { codeOf, START_MS, startApi } from './support/support.ts';

describe('group channels', () => {
  test.for([
    ['neither users nor user_ids', { user_ids: undefined }, 400105],
    ['no user at all', { user_ids: [] }, 400111],
    ['101 users', { user_ids: Array.from({ length: 101 }, (_, n) => `u${n}`) }, 400203],
    ['users as objects', { user_ids: undefined, users: [{ user_id: 'ann', nickname: 'x' }] }, 200],
    ['users without ids', { user_ids: undefined, users: [{ nickname: 'x' }] }, 400105],
    ['users as ids', { user_ids: undefined, users: ['ann'] }, 400103],
    ['an unknown user', { user_ids: ['ann', 'nobody'] }, 200],
    ['an unknown user, strict', { user_ids: ['ann', 'nobody'], strict: true }, 400111],
    ['a status of an unlisted user, strict', { strict: true, invitation_status: { nobody: 'joined' } }, 200],
    ['an unknown invitation status', { invitation_status: { ann: 'maybe' } }, 400111],
    ['an unknown hidden status', { hidden_status: { ann: 'maybe' } }, 400111],
    ['is_super and is_distinct', { is_super: true, is_distinct: true }, 400111],
    ['an access code for a public channel', { is_public: true, access_code: 'x' }, 200],
    ['an access code for a private channel', { access_code: 'x' }, 400111],
    ['an unknown inviter', { inviter_id: 'nobody' }, 400201],
    ['block_sdk_user_channel_join', { block_sdk_user_channel_join: true }, 200],
  ] as const)('create: %s', async ([, change, expected]) => {
    const api = await startApi();
    await api.users('ann');
    expect(await codeOf(api, 'POST', '/group_channels', { user_ids: ['ann'], ...change })).toBe(expected);
  });

  test('reuse a distinct channel of the same members and custom type', async () => {
    const api = await startApi();
    await api.users('ann', 'bob', 'cat');
    const create = (userIds: string[], more = {}) =>
      api.ok('POST', '/group_channels', { user_ids: userIds, is_distinct: true, ...more });
    const { channel_url: url } = await create(['ann', 'bob']);
    expect(await create(['bob', 'ann'], { channel_url: 'other' })).toMatchObject({ channel_url: url });
    expect((await create(['ann', 'bob'], { custom_type: 'x' })).channel_url).not.toBe(url);
    expect((await create(['ann', 'bob'], { is_distinct: false })).channel_url).not.toBe(url);
    expect((await create(['ann', 'bob', 'cat'])).channel_url).not.toBe(url);
    await api.ok('POST', `/group_channels/${url}/invite`, { user_ids: ['cat'] });
    expect(await api.ok('GET', `/group_channels/${url}`)).toMatchObject({ is_distinct: false, member_count: 3 });
    expect((await create(['ann', 'bob'])).channel_url).not.toBe(url);
  });

  test('show ten members of a supergroup, which stays one', async () => {
    const api = await startApi();
    const ids = Array.from({ length: 15 }, (_, n) => `u${n}`);
    await api.users(...ids);
    await api.room('room-1', ids);
    expect((await api.ok('GET', '/group_channels/room-1?show_member=true')).members).toHaveLength(15);
    const updated = await api.ok('PUT', '/group_channels/room-1', { is_super: true });
    expect(updated).toMatchObject({ is_super: true, member_count: 15 });
    expect(updated.members).toHaveLength(10);
    expect((await api.call('PUT', '/group_channels/room-1', { is_super: false })).body.code).toBe(400111);
    expect((await api.call('PUT', '/group_channels/room-1', { is_distinct: true })).body.code).toBe(400111);
  });

  test('never show the access code', async () => {
    const api = await startApi();
    await api.users('ann', 'bob');
    const created = await api.room('room-1', ['ann'], { is_public: true, access_code: 'secret' });
    expect(created).toMatchObject({ is_access_code_required: true });
    expect(JSON.stringify(created)).not.toContain('secret');
    const join = '/group_channels/room-1/join';
    expect((await api.call('PUT', join, { user_id: 'bob' })).body.code).toBe(400108);
    expect((await api.call('PUT', join, { user_id: 'bob', access_code: 'no' })).body.code).toBe(400108);
    expect(await api.ok('PUT', join, { user_id: 'bob', access_code: 'secret' })).toMatchObject({ member_count: 2 });
    expect(await api.ok('PUT', '/group_channels/room-1', { is_public: false })).toMatchObject({
      is_public: false,
      is_access_code_required: false,
    });
  });

  test('are hidden from lists without messages by default', async () => {
    const api = await startApi();
    await api.users('ann');
    await api.room('room-1', ['ann']);
    await api.room('room-2', ['ann']);
    await api.ok('POST', '/group_channels/room-2/messages', { message_type: 'MESG', user_id: 'ann', message: 'hi' });
    const list = await api.ok('GET', '/group_channels');
    expect(list.channels).toMatchObject([{ channel_url: 'room-2', last_message: { message: 'hi' } }]);
    expect(list).toMatchObject({ next: '', ts: api.clock.nowMs });
    expect((await api.ok('GET', '/users/ann/my_group_channels')).channels).toHaveLength(1);
    expect((await api.ok('GET', '/users/ann/my_group_channels?show_empty=true')).channels).toHaveLength(2);
  });

  test.for([
    ['distinct_mode=distinct', ['room-b']],
    ['public_mode=public', ['room-c']],
    ['super_mode=super', ['room-a']],
    ['super_mode=nonsuper', ['room-c', 'room-b']],
    ['custom_type_startswith=re', ['room-a']],
    ['name=Beta', ['room-b']],
    ['name_startswith=Al', ['room-a']],
    [`created_after=${START_MS + 1500}`, ['room-c']],
    [`created_before=${START_MS}`, ['room-a']],
    ['members_exactly_in=bob,ann', ['room-b']],
    ['members_include_in=ann,cat', ['room-c']],
    ['members_include_in=cat,bob&query_type=OR', ['room-c', 'room-b']],
    ['members_nickname=bob', ['room-b']],
    ['members_nickname_startswith=ca', ['room-c']],
    ['metadata_key=k&metadata_values=v,w', ['room-b']],
    ['order=channel_name_alphabetical', ['room-a', 'room-b', 'room-c']],
    ['order=latest_last_message', ['room-a', 'room-c', 'room-b']],
    ['order=metadata_value_alphabetical&metadata_order_key=k', ['room-c', 'room-a', 'room-b']],
  ] as const)('are filtered by %s', async ([query, expected]) => {
    const api = await startApi();
    await api.users('ann', 'bob', 'cat');
    await api.room('room-a', ['ann'], { is_super: true, custom_type: 'red', name: 'Alpha' });
    api.clock.nowMs += 1000;
    await api.room('room-b', ['ann', 'bob'], { is_distinct: true, name: 'Beta' });
    await api.ok('POST', '/group_channels/room-b/metadata', { metadata: { k: 'v' } });
    api.clock.nowMs += 1000;
    await api.room('room-c', ['ann', 'cat'], { is_public: true, name: 'Gamma' });
    await api.ok('POST', '/group_channels/room-a/messages', { message_type: 'ADMM', message: 'x' });
    for (const path of ['/group_channels', '/users/ann/my_group_channels']) {
      const list = await api.ok('GET', `${path}?show_empty=true&${query}`);
      expect(list.channels.map((channel: { channel_url: string }) => channel.channel_url)).toEqual(expected);
    }
  });
});
