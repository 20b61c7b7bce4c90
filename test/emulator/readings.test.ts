// Tests every reading of src/emulator/README.md: the default and the others.

import { describe, expect, test } from 'vitest';
import { DEFAULT_READINGS, type Readings } from '../../src/emulator/api/readings.ts';
import { type Api, codeOf as code, messageOf, START_MS, startApi } from './support/support.ts';

type Case = readonly [
  readings: Partial<Readings>,
  act: (api: Api) => Promise<unknown>,
  byDefault: unknown,
  switched: unknown,
];

const total = async (api: Api, url = 'room-1'): Promise<number> =>
  (await api.ok('GET', `/group_channels/${url}/messages/total_count`)).total;
const migrate = (api: Api, messages: readonly unknown[], more = {}) =>
  code(api, 'POST', '/migration/room-1', { messages, ...more });

const ban = (api: Api, userId: string, seconds = -1): Promise<number> =>
  code(api, 'POST', '/group_channels/room-1/ban', { user_id: userId, seconds });

/** How many operators the list and the view of an open channel show. */
async function unknownEvent(api: Api) {
  const body = { enabled_events: ['user:ban', 'user:sing'] };
  const reply = await api.call('PUT', '/applications/settings/webhook', body);
  return reply.body.webhook?.enabled_events ?? reply.body.code;
}

async function operatorsInLists(api: Api): Promise<unknown> {
  await api.ok('POST', '/open_channels', { channel_url: 'lobby', operator_ids: ['ann'] });
  const { channels } = await api.ok('GET', '/open_channels?include_operators=true');
  const view = await api.ok('GET', '/open_channels/lobby?include_operators=true');
  return [channels[0].operators?.length, view.operators.length];
}

const CASES: readonly Case[] = [
  [{ deactivatedUserRead: 'refused' }, (api) => code(api, 'GET', '/users/off'), 200, 400300],
  [
    { deactivatedMember: 'allowed' },
    (api) => code(api, 'POST', '/group_channels/room-1/invite', { user_ids: ['off'] }),
    400300,
    200,
  ],
  [
    { migrationIntoFrozen: 'allowed' },
    async (api) => {
      await api.ok('PUT', '/group_channels/room-1/freeze', { freeze: true });
      return migrate(api, [messageOf('ann', 1)]);
    },
    900050,
    200,
  ],
  [{ migrationByDeactivated: 'allowed' }, (api) => migrate(api, [messageOf('off', 1)]), 400700, 200],
  [
    { migrationBatch: 'up_to_first_bad' },
    async (api) => [
      await migrate(api, [messageOf('ann', 1), messageOf('nobody', 2), messageOf('ann', 3)]),
      await total(api),
    ],
    [400201, 0],
    [400201, 1],
  ],
  [
    { migrationUnhides: false },
    async (api) => {
      await api.ok('PUT', '/group_channels/room-1/hide', { user_id: 'ann' });
      await migrate(api, [messageOf('ann', 1)]);
      return (await api.ok('GET', '/group_channels/room-1?user_id=ann')).hidden_state;
    },
    'unhidden',
    'hidden_allow_auto_unhide',
  ],
  [
    { migrationUnhidesSender: true },
    async (api) => {
      await api.ok('PUT', '/group_channels/room-1/hide', { user_id: 'ann', allow_auto_unhide: false });
      await migrate(api, [messageOf('ann', 1)]);
      return (await api.ok('GET', '/group_channels/room-1?user_id=ann')).hidden_state;
    },
    'hidden_prevent_auto_unhide',
    'unhidden',
  ],
  [
    { customFieldOfFile: 'file' },
    async (api) => {
      const file = { message_type: 'FILE', url: 'https://example.com/a', custom_field: 'x' };
      await migrate(api, [{ ...messageOf('ann', 1), ...file }]);
      const { messages } = await api.ok('GET', '/group_channels/room-1/messages?message_ts=0');
      const [{ data, file: shown }] = messages as [{ data: string; file: { data: string } }];
      return [data, shown.data];
    },
    ['x', 'x'],
    ['', 'x'],
  ],
  [{ messageRetrieval: 'off' }, (api) => code(api, 'GET', '/group_channels/room-1/messages?message_ts=0'), 200, 400108],
  [
    { dedup: 'ignore' },
    async (api) => {
      const messages = [messageOf('ann', 1, { dedup_id: 'a' }), messageOf('ann', 2, { dedup_id: 'a' })];
      return [await migrate(api, messages), await total(api)];
    },
    [200, 1],
    [200, 2],
  ],
  [
    { dedup: 'refuse' },
    async (api) => {
      await migrate(api, [messageOf('ann', 1, { dedup_id: 'a' })]);
      return migrate(api, [messageOf('ann', 1, { dedup_id: 'a' })]);
    },
    200,
    400202,
  ],
  [
    { dedupScope: 'application' },
    async (api) => {
      await api.room('room-2', ['ann']);
      for (const url of ['room-1', 'room-2']) {
        await api.ok('POST', `/migration/${url}`, { messages: [messageOf('ann', 1, { dedup_id: 'a' })] });
      }
      return total(api, 'room-2');
    },
    1,
    0,
  ],
  [
    { profileImage: 'optional' },
    (api) => code(api, 'POST', '/users', { user_id: 'new', nickname: 'New' }),
    400105,
    200,
  ],
  [
    { metadataValues: 'strings' },
    async (api) =>
      (await api.call('POST', '/users/ann/metadata', { metadata: { vip: true, n: 1 } })).body.vip ?? 'refused',
    'True',
    'refused',
  ],
  [
    { metadataPostOfExistingKey: 'overwrites' },
    async (api) => {
      await api.ok('POST', '/users/ann/metadata', { metadata: { a: '1' } });
      return code(api, 'POST', '/users/ann/metadata', { metadata: { a: '2' } });
    },
    400202,
    200,
  ],
  [
    { metadataUpdateOfUnknownKey: 'ignored' },
    async (api) => (await api.call('PUT', '/users/ann/metadata', { metadata: { a: '2' } })).body,
    { code: 400201, message: '"Metadata" not found.', error: true },
    {},
  ],
  [{ freezeWithoutValue: 'freezes' }, (api) => code(api, 'PUT', '/group_channels/room-1/freeze', {}), 400105, 200],
  [
    { operatorIdsOnUpdate: 'add' },
    async (api) => {
      for (const id of ['ann', 'bob']) await api.ok('PUT', '/group_channels/room-1', { operator_ids: [id] });
      return (await api.ok('GET', '/group_channels/room-1/operators')).operators.length;
    },
    1,
    2,
  ],
  [
    { operatorOutsidePrivateChannel: 'allowed' },
    (api) => code(api, 'POST', '/group_channels/room-1/operators', { operator_ids: ['cat'] }),
    400108,
    200,
  ],
  [
    { leaveOfNonMember: 'ignored' },
    (api) => code(api, 'PUT', '/group_channels/room-1/leave', { user_ids: ['cat'] }),
    400201,
    200,
  ],
  [
    { inviteOfMember: 'refused' },
    (api) => code(api, 'POST', '/group_channels/room-1/invite', { user_ids: ['ann'] }),
    200,
    400202,
  ],
  [
    { metadataValues: 'strings' },
    (api) => code(api, 'POST', '/users/ann/metadata', { metadata: { a: [] } }),
    400100,
    400100,
  ],
  [
    { channelMetadataInView: 'never' },
    async (api) => {
      const views = ['/group_channels/room-1?show_metadata=true', '/open_channels/lobby?show_metadata=true'];
      await api.ok('POST', '/open_channels', { channel_url: 'lobby' });
      return Promise.all(views.map(async (path) => (await api.ok('GET', path)).metadata));
    },
    [{}, {}],
    [undefined, undefined],
  ],
  [{ operatorsInOpenLists: 'listed' }, operatorsInLists, [0, 1], [1, 1]],
  [{ operatorsInOpenLists: 'absent' }, operatorsInLists, [0, 1], [undefined, 1]],
  [
    { operatorsInGroupViews: 'absent' },
    async (api) => {
      const created = await api.room('room-2', ['ann'], { operator_ids: ['ann'] });
      const { channels } = await api.ok('GET', '/group_channels?show_empty=true');
      const views = [created, await api.ok('GET', '/group_channels/room-2'), channels[0]];
      return views.map(({ operators }) => operators?.length);
    },
    [1, 1, 1],
    [1, undefined, undefined],
  ],
  [
    { memberOrder: 'oldest_first' },
    async (api) => {
      const { members } = await api.ok('POST', '/group_channels/room-1/invite', { user_ids: ['bob'] });
      return members.map(({ user_id: id }: { user_id: string }) => id);
    },
    ['bob', 'ann'],
    ['ann', 'bob'],
  ],
  [
    { memberActiveModeAll: 'allowed' },
    async (api) =>
      Promise.all(
        ['all', 'activated', 'deactivated'].map((mode) =>
          code(api, 'GET', `/group_channels/room-1/members?member_active_mode_filter=${mode}`),
        ),
      ),
    [400111, 200, 200],
    [200, 200, 200],
  ],
  ...(
    [
      ['commas', [200, 400201, 400102]],
      ['json', [400102, 200, 400102]],
      ['repeated', [400201, 400201, 200]],
    ] as const
  ).map(
    ([form, switched]): Case => [
      { multipartLists: form },
      async (api) => {
        const codes: number[] = [];
        for (const parts of [['ann,bob'], ['["ann","bob"]'], ['ann', 'bob']]) {
          const form = new FormData();
          for (const part of parts) form.append('operator_ids', part);
          codes.push(await code(api, 'POST', '/open_channels', form));
        }
        return codes;
      },
      [200, 200, 200],
      switched,
    ],
  ),
  [
    { banOfBanned: 'overwrites' },
    async (api) => {
      await ban(api, 'bob');
      return ban(api, 'bob');
    },
    400202,
    200,
  ],
  [
    { banUpdate: 'from_start' },
    async (api) => {
      await ban(api, 'bob', 10);
      api.clock.nowMs += 3000;
      const { start_at: start, end_at: end } = await api.ok('PUT', '/group_channels/room-1/ban/bob', { seconds: 20 });
      return [start - START_MS, end - START_MS];
    },
    [0, 23_000],
    [0, 20_000],
  ],
  [
    { permanentBanEnd: 'minus_one' },
    async (api) => {
      await ban(api, 'bob');
      const { end_at: end } = await api.ok('GET', '/group_channels/room-1/ban/bob');
      // Either way the ban holds.
      return [end > 0, await code(api, 'POST', '/group_channels/room-1/invite', { user_ids: ['bob'] })];
    },
    [true, 400750],
    [false, 400750],
  ],
  [
    { muteOfMuted: 'overwrites' },
    async (api) => {
      await api.ok('POST', '/group_channels/room-1/mute', { user_id: 'ann' });
      return code(api, 'POST', '/group_channels/room-1/mute', { user_id: 'ann' });
    },
    400202,
    200,
  ],
  [
    { liftOfNothing: 'ignored' },
    async (api) => [
      await code(api, 'DELETE', '/group_channels/room-1/ban/ann'),
      await code(api, 'DELETE', '/group_channels/room-1/mute/ann'),
    ],
    [400201, 400201],
    [200, 200],
  ],
  [
    { eventMessageBody: 'bare' },
    async (api) => {
      const path = '/applications/settings/auto_event_message';
      const [bare, wrapped] = [{ user_join: { user_join: true } }, { channel_change: { channel_change: true } }];
      await api.ok('PUT', path, { ...bare, auto_event_message: wrapped });
      const { user_join, channel_change } = (await api.ok('GET', path)).auto_event_message;
      return [user_join.user_join, channel_change.channel_change];
    },
    [false, true],
    [true, false],
  ],
  [
    { messageIntoFrozen: 'allowed' },
    async (api) => {
      await api.ok('PUT', '/group_channels/room-1/freeze', { freeze: true });
      return code(api, 'POST', '/group_channels/room-1/messages', { user_id: 'ann', message: 'hi' });
    },
    900050,
    200,
  ],
  [{ unknownWebhookEvent: 'ignored' }, unknownEvent, 400111, ['user:ban']],
  [{ unknownWebhookEvent: 'kept' }, unknownEvent, 400111, ['user:ban', 'user:sing']],
  [
    { moderationUpdate: 'merges' },
    async (api) => {
      const path = '/applications/settings_global';
      await api.ok('PUT', path, { domain_filter: { domains: ['a.com'], type: 2 } });
      return (await api.ok('PUT', path, { domain_filter: { type: 1 } })).domain_filter.domains;
    },
    [],
    ['a.com'],
  ],
  [
    { moderationOfNewType: 'created' },
    (api) => code(api, 'PUT', '/applications/settings_by_channel_custom_type/sports', {}),
    400201,
    200,
  ],
  [
    { allowlistDeletion: 'query' },
    async (api) => {
      const list = '/applications/settings/ip_whitelist';
      await api.ok('PUT', list, { ip_whitelist_addresses: ['192.0.2.7'] });
      return code(api, 'DELETE', `${list}?ip_whitelist_addresses=192.0.2.7`);
    },
    400105,
    200,
  ],
  [
    { moderationKeywords: 'list' },
    async (api) => {
      const body = { profanity_filter: { keywords: ['a', 'b'] } };
      return (await api.ok('PUT', '/applications/settings_global', body)).profanity_filter.keywords;
    },
    'a,b',
    ['a', 'b'],
  ],
  [
    { reactionOfNonMember: 'allowed' },
    async (api) => code(api, 'POST', `${await sentIn(api)}/reactions`, { user_id: 'bob', reaction: 'up' }),
    900020,
    200,
  ],
  [
    { pinOfPinned: 'ignored' },
    async (api) => {
      const path = `${await sentIn(api)}/pin`;
      const codes = [await code(api, 'DELETE', path), await code(api, 'POST', path)];
      return [...codes, await code(api, 'POST', path)];
    },
    [400201, 200, 400202],
    [200, 200, 200],
  ],
  [
    { pinsInChannelView: 'absent' },
    async (api) => (await api.ok('GET', '/group_channels/room-1')).pinned_message_ids,
    [],
    undefined,
  ],
  [{ unknownRouteStatus: 404 }, async (api) => (await api.call('GET', '/nowhere')).status, 400, 404],
];

/** The path of a new message of room-1. */
async function sentIn(api: Api): Promise<string> {
  const body = { message_type: 'MESG', user_id: 'ann', message: 'hi' };
  const { message_id: id } = await api.ok('POST', '/group_channels/room-1/messages', body);
  return `/group_channels/room-1/messages/${id}`;
}

/** Readings that need rate limits are in the limiter's test. */
const ELSEWHERE = new Set(['userScope', 'planLimits']);

test('covers every reading', () => {
  const covered = new Set(CASES.flatMap(([readings]) => Object.keys(readings)));
  const missing = Object.keys(DEFAULT_READINGS).filter((name) => !covered.has(name) && !ELSEWHERE.has(name));
  expect(missing).toEqual([]);
});

describe('an emulator', () => {
  const prepare = async (readings?: Partial<Readings>): Promise<Api> => {
    const api = await startApi(readings === undefined ? {} : { readings });
    await api.users('ann', 'bob', 'cat', 'off');
    await api.room('room-1', ['ann']);
    await api.ok('PUT', '/users/off', { is_active: false });
    return api;
  };
  test.for(CASES)('follows %j, and the default otherwise', async ([readings, act, byDefault, switched]) => {
    expect(await act(await prepare())).toEqual(byDefault);
    expect(await act(await prepare(readings))).toEqual(switched);
  });
});
