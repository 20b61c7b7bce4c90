// Every reading of src/emulator/README.md: the default and the others.

import { describe, expect, test } from 'vitest';
import { DEFAULT_READINGS, type Readings } from '../../src/emulator/api/readings.ts';
import { type Api, codeOf as code, messageOf, START_MS, startApi } from './support/support.ts';

interface Case {
  readonly readings: Partial<Readings>;
  readonly act: (api: Api) => Promise<unknown>;
  readonly byDefault: unknown;
  readonly switched: unknown;
}

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
  {
    readings: { deactivatedUserRead: 'refused' },
    act: (api) => code(api, 'GET', '/users/off'),
    byDefault: 200,
    switched: 400300,
  },
  {
    readings: { deactivatedMember: 'allowed' },
    act: (api) => code(api, 'POST', '/group_channels/room-1/invite', { user_ids: ['off'] }),
    byDefault: 400300,
    switched: 200,
  },
  {
    readings: { migrationIntoFrozen: 'allowed' },
    act: async (api) => {
      await api.ok('PUT', '/group_channels/room-1/freeze', { freeze: true });
      return migrate(api, [messageOf('ann', 1)]);
    },
    byDefault: 900050,
    switched: 200,
  },
  {
    readings: { migrationByDeactivated: 'allowed' },
    act: (api) => migrate(api, [messageOf('off', 1)]),
    byDefault: 400700,
    switched: 200,
  },
  {
    readings: { migrationBatch: 'up_to_first_bad' },
    act: async (api) => [
      await migrate(api, [messageOf('ann', 1), messageOf('nobody', 2), messageOf('ann', 3)]),
      await total(api),
    ],
    byDefault: [400201, 0],
    switched: [400201, 1],
  },
  {
    readings: { migrationUnhides: false },
    act: async (api) => {
      await api.ok('PUT', '/group_channels/room-1/hide', { user_id: 'ann' });
      await migrate(api, [messageOf('ann', 1)]);
      return (await api.ok('GET', '/group_channels/room-1?user_id=ann')).hidden_state;
    },
    byDefault: 'unhidden',
    switched: 'hidden_allow_auto_unhide',
  },
  {
    readings: { migrationUnhidesSender: true },
    act: async (api) => {
      await api.ok('PUT', '/group_channels/room-1/hide', { user_id: 'ann', allow_auto_unhide: false });
      await migrate(api, [messageOf('ann', 1)]);
      return (await api.ok('GET', '/group_channels/room-1?user_id=ann')).hidden_state;
    },
    byDefault: 'hidden_prevent_auto_unhide',
    switched: 'unhidden',
  },
  {
    readings: { customFieldOfFile: 'file' },
    act: async (api) => {
      const file = { message_type: 'FILE', url: 'https://example.com/a', custom_field: 'x' };
      await migrate(api, [{ ...messageOf('ann', 1), ...file }]);
      const { messages } = await api.ok('GET', '/group_channels/room-1/messages?message_ts=0');
      const [{ data, file: shown }] = messages as [{ data: string; file: { data: string } }];
      return [data, shown.data];
    },
    byDefault: ['x', 'x'],
    switched: ['', 'x'],
  },
  {
    readings: { messageRetrieval: 'off' },
    act: (api) => code(api, 'GET', '/group_channels/room-1/messages?message_ts=0'),
    byDefault: 200,
    switched: 400108,
  },
  {
    readings: { dedup: 'ignore' },
    act: async (api) => {
      const messages = [messageOf('ann', 1, { dedup_id: 'a' }), messageOf('ann', 2, { dedup_id: 'a' })];
      return [await migrate(api, messages), await total(api)];
    },
    byDefault: [200, 1],
    switched: [200, 2],
  },
  {
    readings: { dedup: 'refuse' },
    act: async (api) => {
      await migrate(api, [messageOf('ann', 1, { dedup_id: 'a' })]);
      return migrate(api, [messageOf('ann', 1, { dedup_id: 'a' })]);
    },
    byDefault: 200,
    switched: 400202,
  },
  {
    readings: { dedupScope: 'application' },
    act: async (api) => {
      await api.room('room-2', ['ann']);
      for (const url of ['room-1', 'room-2']) {
        await api.ok('POST', `/migration/${url}`, { messages: [messageOf('ann', 1, { dedup_id: 'a' })] });
      }
      return total(api, 'room-2');
    },
    byDefault: 1,
    switched: 0,
  },
  {
    readings: { profileImage: 'optional' },
    act: (api) => code(api, 'POST', '/users', { user_id: 'new', nickname: 'New' }),
    byDefault: 400105,
    switched: 200,
  },
  {
    readings: { metadataValues: 'strings' },
    act: async (api) =>
      (await api.call('POST', '/users/ann/metadata', { metadata: { vip: true, n: 1 } })).body.vip ?? 'refused',
    byDefault: 'True',
    switched: 'refused',
  },
  {
    readings: { metadataPostOfExistingKey: 'overwrites' },
    act: async (api) => {
      await api.ok('POST', '/users/ann/metadata', { metadata: { a: '1' } });
      return code(api, 'POST', '/users/ann/metadata', { metadata: { a: '2' } });
    },
    byDefault: 400202,
    switched: 200,
  },
  {
    readings: { metadataUpdateOfUnknownKey: 'ignored' },
    act: async (api) => (await api.call('PUT', '/users/ann/metadata', { metadata: { a: '2' } })).body,
    byDefault: { code: 400201, message: '"Metadata" not found.', error: true },
    switched: {},
  },
  {
    readings: { freezeWithoutValue: 'freezes' },
    act: (api) => code(api, 'PUT', '/group_channels/room-1/freeze', {}),
    byDefault: 400105,
    switched: 200,
  },
  {
    readings: { operatorIdsOnUpdate: 'add' },
    act: async (api) => {
      for (const id of ['ann', 'bob']) await api.ok('PUT', '/group_channels/room-1', { operator_ids: [id] });
      return (await api.ok('GET', '/group_channels/room-1/operators')).operators.length;
    },
    byDefault: 1,
    switched: 2,
  },
  {
    readings: { operatorOutsidePrivateChannel: 'allowed' },
    act: (api) => code(api, 'POST', '/group_channels/room-1/operators', { operator_ids: ['cat'] }),
    byDefault: 400108,
    switched: 200,
  },
  {
    readings: { leaveOfNonMember: 'ignored' },
    act: (api) => code(api, 'PUT', '/group_channels/room-1/leave', { user_ids: ['cat'] }),
    byDefault: 400201,
    switched: 200,
  },
  {
    readings: { inviteOfMember: 'refused' },
    act: (api) => code(api, 'POST', '/group_channels/room-1/invite', { user_ids: ['ann'] }),
    byDefault: 200,
    switched: 400202,
  },
  {
    readings: { metadataValues: 'strings' },
    act: (api) => code(api, 'POST', '/users/ann/metadata', { metadata: { a: [] } }),
    byDefault: 400100,
    switched: 400100,
  },
  {
    readings: { channelMetadataInView: 'never' },
    act: async (api) => {
      const views = ['/group_channels/room-1?show_metadata=true', '/open_channels/lobby?show_metadata=true'];
      await api.ok('POST', '/open_channels', { channel_url: 'lobby' });
      return Promise.all(views.map(async (path) => (await api.ok('GET', path)).metadata));
    },
    byDefault: [{}, {}],
    switched: [undefined, undefined],
  },
  { readings: { operatorsInOpenLists: 'listed' }, act: operatorsInLists, byDefault: [0, 1], switched: [1, 1] },
  { readings: { operatorsInOpenLists: 'absent' }, act: operatorsInLists, byDefault: [0, 1], switched: [undefined, 1] },
  {
    readings: { operatorsInGroupViews: 'absent' },
    act: async (api) => {
      const created = await api.room('room-2', ['ann'], { operator_ids: ['ann'] });
      const { channels } = await api.ok('GET', '/group_channels?show_empty=true');
      const views = [created, await api.ok('GET', '/group_channels/room-2'), channels[0]];
      return views.map(({ operators }) => operators?.length);
    },
    byDefault: [1, 1, 1],
    switched: [1, undefined, undefined],
  },
  {
    readings: { memberOrder: 'oldest_first' },
    act: async (api) => {
      const { members } = await api.ok('POST', '/group_channels/room-1/invite', { user_ids: ['bob'] });
      return members.map(({ user_id: id }: { user_id: string }) => id);
    },
    byDefault: ['bob', 'ann'],
    switched: ['ann', 'bob'],
  },
  {
    readings: { memberActiveModeAll: 'allowed' },
    act: async (api) =>
      Promise.all(
        ['all', 'activated', 'deactivated'].map((mode) =>
          code(api, 'GET', `/group_channels/room-1/members?member_active_mode_filter=${mode}`),
        ),
      ),
    byDefault: [400111, 200, 200],
    switched: [200, 200, 200],
  },
  ...(
    [
      ['commas', [200, 400201, 400102]],
      ['json', [400102, 200, 400102]],
      ['repeated', [400201, 400201, 200]],
    ] as const
  ).map(
    ([form, switched]): Case => ({
      readings: { multipartLists: form },
      act: async (api) => {
        const codes: number[] = [];
        for (const parts of [['ann,bob'], ['["ann","bob"]'], ['ann', 'bob']]) {
          const form = new FormData();
          for (const part of parts) form.append('operator_ids', part);
          codes.push(await code(api, 'POST', '/open_channels', form));
        }
        return codes;
      },
      byDefault: [200, 200, 200],
      switched,
    }),
  ),
  {
    readings: { banOfBanned: 'overwrites' },
    act: async (api) => {
      await ban(api, 'bob');
      return ban(api, 'bob');
    },
    byDefault: 400202,
    switched: 200,
  },
  {
    readings: { banUpdate: 'from_start' },
    act: async (api) => {
      await ban(api, 'bob', 10);
      api.clock.nowMs += 3000;
      const { start_at: start, end_at: end } = await api.ok('PUT', '/group_channels/room-1/ban/bob', { seconds: 20 });
      return [start - START_MS, end - START_MS];
    },
    byDefault: [3000, 23_000],
    switched: [0, 20_000],
  },
  {
    readings: { permanentBanEnd: 'minus_one' },
    act: async (api) => {
      await ban(api, 'bob');
      const { end_at: end } = await api.ok('GET', '/group_channels/room-1/ban/bob');
      // Either way the ban holds.
      return [end > 0, await code(api, 'POST', '/group_channels/room-1/invite', { user_ids: ['bob'] })];
    },
    byDefault: [true, 400750],
    switched: [false, 400750],
  },
  {
    readings: { muteOfMuted: 'overwrites' },
    act: async (api) => {
      await api.ok('POST', '/group_channels/room-1/mute', { user_id: 'ann' });
      return code(api, 'POST', '/group_channels/room-1/mute', { user_id: 'ann' });
    },
    byDefault: 400202,
    switched: 200,
  },
  {
    readings: { liftOfNothing: 'ignored' },
    act: async (api) => [
      await code(api, 'DELETE', '/group_channels/room-1/ban/ann'),
      await code(api, 'DELETE', '/group_channels/room-1/mute/ann'),
    ],
    byDefault: [400201, 400201],
    switched: [200, 200],
  },
  { readings: { unknownWebhookEvent: 'ignored' }, act: unknownEvent, byDefault: 400111, switched: ['user:ban'] },
  {
    readings: { unknownWebhookEvent: 'kept' },
    act: unknownEvent,
    byDefault: 400111,
    switched: ['user:ban', 'user:sing'],
  },
  {
    readings: { moderationUpdate: 'merges' },
    act: async (api) => {
      const path = '/applications/settings_global';
      await api.ok('PUT', path, { domain_filter: { domains: ['a.com'], type: 2 } });
      return (await api.ok('PUT', path, { domain_filter: { type: 1 } })).domain_filter.domains;
    },
    byDefault: [],
    switched: ['a.com'],
  },
  {
    readings: { moderationOfNewType: 'created' },
    act: (api) => code(api, 'PUT', '/applications/settings_by_channel_custom_type/sports', {}),
    byDefault: 400201,
    switched: 200,
  },
  {
    readings: { moderationKeywords: 'list' },
    act: async (api) => {
      const body = { profanity_filter: { keywords: ['a', 'b'] } };
      return (await api.ok('PUT', '/applications/settings_global', body)).profanity_filter.keywords;
    },
    byDefault: 'a,b',
    switched: ['a', 'b'],
  },
  {
    readings: { unknownRouteStatus: 404 },
    act: async (api) => (await api.call('GET', '/nowhere')).status,
    byDefault: 400,
    switched: 404,
  },
];

/** The limiter's test has the one that needs limits. */
const ELSEWHERE = new Set(['userScope']);

test('every reading has a case', () => {
  const covered = new Set(CASES.flatMap(({ readings }) => Object.keys(readings)));
  const missing = Object.keys(DEFAULT_READINGS).filter((name) => !covered.has(name) && !ELSEWHERE.has(name));
  expect(missing).toEqual([]);
});

describe('readings', () => {
  const prepare = async (readings?: Partial<Readings>): Promise<Api> => {
    const api = await startApi(readings === undefined ? {} : { readings });
    await api.users('ann', 'bob', 'cat', 'off');
    await api.room('room-1', ['ann']);
    await api.ok('PUT', '/users/off', { is_active: false });
    return api;
  };
  test.for(CASES)('follows $readings, and the default otherwise', async ({ readings, act, byDefault, switched }) => {
    expect(await act(await prepare())).toEqual(byDefault);
    expect(await act(await prepare(readings))).toEqual(switched);
  });
});
