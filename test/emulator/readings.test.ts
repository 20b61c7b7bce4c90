// Every switch of src/emulator/README.md: the default and the other reading.

import { describe, expect, test } from 'vitest';
import type { Readings } from '../../src/emulator/readings.ts';
import { type Api, messageOf, startApi } from './support/support.ts';

interface Case {
  readonly name: string;
  readonly readings: Partial<Readings>;
  readonly act: (api: Api) => Promise<unknown>;
  readonly byDefault: unknown;
  readonly switched: unknown;
}

const code = async (api: Api, method: string, path: string, body?: unknown): Promise<number> => {
  const reply = await api.call(method, path, body);
  return reply.status === 200 ? 200 : reply.body.code;
};
const total = async (api: Api, url = 'room-1'): Promise<number> =>
  (await api.ok('GET', `/group_channels/${url}/messages/total_count`)).total;
const migrate = (api: Api, messages: readonly unknown[], more = {}) =>
  code(api, 'POST', '/migration/room-1', { messages, ...more });

const CASES: readonly Case[] = [
  {
    name: 'deactivatedUserRead',
    readings: { deactivatedUserRead: 'refused' },
    act: (api) => code(api, 'GET', '/users/off'),
    byDefault: 200,
    switched: 400300,
  },
  {
    name: 'deactivatedMember',
    readings: { deactivatedMember: 'allowed' },
    act: (api) => code(api, 'POST', '/group_channels/room-1/invite', { user_ids: ['off'] }),
    byDefault: 400300,
    switched: 200,
  },
  {
    name: 'migrationFeature',
    readings: { migrationFeature: 'off' },
    act: (api) => migrate(api, [messageOf('ann', 1)]),
    byDefault: 200,
    switched: 400108,
  },
  {
    name: 'migrationIntoFrozen',
    readings: { migrationIntoFrozen: 'allowed' },
    act: async (api) => {
      await api.ok('PUT', '/group_channels/room-1/freeze', { freeze: true });
      return migrate(api, [messageOf('ann', 1)]);
    },
    byDefault: 900050,
    switched: 200,
  },
  {
    name: 'migrationByDeactivated',
    readings: { migrationByDeactivated: 'allowed' },
    act: (api) => migrate(api, [messageOf('off', 1)]),
    byDefault: 400700,
    switched: 200,
  },
  {
    name: 'migrationByNonMember',
    readings: { migrationByNonMember: 'refused' },
    act: (api) => migrate(api, [messageOf('cat', 1)]),
    byDefault: 200,
    switched: 900020,
  },
  {
    name: 'migrationBatch',
    readings: { migrationBatch: 'up_to_first_bad' },
    act: async (api) => [
      await migrate(api, [messageOf('ann', 1), messageOf('nobody', 2), messageOf('ann', 3)]),
      await total(api),
    ],
    byDefault: [400201, 0],
    switched: [400201, 1],
  },
  {
    name: 'migrationUnhides',
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
    name: 'migrationUnhidesSender',
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
    name: 'customFieldOfFile',
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
    name: 'readReceiptsInOpenChannel',
    readings: { readReceiptsInOpenChannel: 'ignored' },
    act: async (api) => {
      await api.ok('POST', '/open_channels', { channel_url: 'lobby' });
      return code(api, 'POST', '/migration/lobby', { messages: [messageOf('ann', 1)], update_read_ts: true });
    },
    byDefault: 400111,
    switched: 200,
  },
  {
    name: 'messageRetrieval',
    readings: { messageRetrieval: 'off' },
    act: (api) => code(api, 'GET', '/group_channels/room-1/messages?message_ts=0'),
    byDefault: 200,
    switched: 400108,
  },
  {
    name: 'dedup ignored',
    readings: { dedup: 'ignore' },
    act: async (api) => {
      const messages = [messageOf('ann', 1, { dedup_id: 'a' }), messageOf('ann', 2, { dedup_id: 'a' })];
      return [await migrate(api, messages), await total(api)];
    },
    byDefault: [200, 1],
    switched: [200, 2],
  },
  {
    name: 'dedup refused',
    readings: { dedup: 'refuse' },
    act: async (api) => {
      await migrate(api, [messageOf('ann', 1, { dedup_id: 'a' })]);
      return migrate(api, [messageOf('ann', 1, { dedup_id: 'a' })]);
    },
    byDefault: 200,
    switched: 400202,
  },
  {
    name: 'dedupScope',
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
    name: 'profileImage',
    readings: { profileImage: 'optional' },
    act: (api) => code(api, 'POST', '/users', { user_id: 'new', nickname: 'New' }),
    byDefault: 400105,
    switched: 200,
  },
  {
    name: 'metadataValues',
    readings: { metadataValues: 'strings' },
    act: async (api) =>
      (await api.call('POST', '/users/ann/metadata', { metadata: { vip: true, n: 1 } })).body.vip ?? 'refused',
    byDefault: 'True',
    switched: 'refused',
  },
  {
    name: 'metadataPostOfExistingKey',
    readings: { metadataPostOfExistingKey: 'overwrites' },
    act: async (api) => {
      await api.ok('POST', '/users/ann/metadata', { metadata: { a: '1' } });
      return code(api, 'POST', '/users/ann/metadata', { metadata: { a: '2' } });
    },
    byDefault: 400202,
    switched: 200,
  },
  {
    name: 'metadataUpdateOfUnknownKey',
    readings: { metadataUpdateOfUnknownKey: 'ignored' },
    act: async (api) => (await api.call('PUT', '/users/ann/metadata', { metadata: { a: '2' } })).body,
    byDefault: { code: 400201, message: '"Metadata" not found.', error: true },
    switched: {},
  },
  {
    name: 'channelMetadataItems',
    readings: { channelMetadataItems: 6 },
    act: (api) => {
      const metadata = { a: '', b: '', c: '', d: '', e: '', f: '' };
      return code(api, 'POST', '/group_channels/room-1/metadata', { metadata });
    },
    byDefault: 400203,
    switched: 200,
  },
  {
    name: 'freezeWithoutValue',
    readings: { freezeWithoutValue: 'freezes' },
    act: (api) => code(api, 'PUT', '/group_channels/room-1/freeze', {}),
    byDefault: 400105,
    switched: 200,
  },
  {
    name: 'operatorIdsOnUpdate',
    readings: { operatorIdsOnUpdate: 'add' },
    act: async (api) => {
      for (const id of ['ann', 'bob']) await api.ok('PUT', '/group_channels/room-1', { operator_ids: [id] });
      return (await api.ok('GET', '/group_channels/room-1/operators')).operators.length;
    },
    byDefault: 1,
    switched: 2,
  },
  {
    name: 'operatorOutsidePrivateChannel',
    readings: { operatorOutsidePrivateChannel: 'allowed' },
    act: (api) => code(api, 'POST', '/group_channels/room-1/operators', { operator_ids: ['cat'] }),
    byDefault: 400108,
    switched: 200,
  },
  {
    name: 'leaveOfNonMember',
    readings: { leaveOfNonMember: 'ignored' },
    act: (api) => code(api, 'PUT', '/group_channels/room-1/leave', { user_ids: ['cat'] }),
    byDefault: 400201,
    switched: 200,
  },
  {
    name: 'inviteOfMember',
    readings: { inviteOfMember: 'refused' },
    act: (api) => code(api, 'POST', '/group_channels/room-1/invite', { user_ids: ['ann'] }),
    byDefault: 200,
    switched: 400202,
  },
  {
    name: 'distinctByCustomType',
    readings: { distinctByCustomType: false },
    act: async (api) => {
      const create = async (customType: string): Promise<string> =>
        (await api.ok('POST', '/group_channels', { user_ids: ['cat'], is_distinct: true, custom_type: customType }))
          .channel_url;
      return (await create('a')) === (await create('b'));
    },
    byDefault: false,
    switched: true,
  },
  {
    name: 'publicSupergroupMembers',
    readings: { publicSupergroupMembers: 1 },
    act: (api) => code(api, 'POST', '/group_channels', { user_ids: ['ann', 'bob'], is_super: true, is_public: true }),
    byDefault: 200,
    switched: 400920,
  },
  {
    name: 'supergroupMembers',
    readings: { supergroupMembers: 1 },
    act: (api) => code(api, 'POST', '/group_channels', { user_ids: ['ann', 'bob'], is_super: true }),
    byDefault: 200,
    switched: 400920,
  },
  {
    name: 'channelsOfOneUser',
    readings: { channelsOfOneUser: 1 },
    act: (api) => code(api, 'POST', '/group_channels', { user_ids: ['ann'] }),
    byDefault: 200,
    switched: 400920,
  },
  {
    name: 'messagesPerMigration',
    readings: { messagesPerMigration: 1 },
    act: (api) => migrate(api, [messageOf('ann', 1), messageOf('ann', 2)]),
    byDefault: 200,
    switched: 400203,
  },
  {
    name: 'unknownRouteStatus',
    readings: { unknownRouteStatus: 404 },
    act: async (api) => (await api.call('GET', '/nowhere')).status,
    byDefault: 400,
    switched: 404,
  },
  {
    name: 'pageTokenLifetimeMs',
    readings: { pageTokenLifetimeMs: 10 },
    act: async (api) => {
      const { next } = await api.ok('GET', '/users?limit=1');
      api.clock.nowMs += 11;
      return code(api, 'GET', `/users?limit=1&token=${next}`);
    },
    byDefault: 200,
    switched: 400109,
  },
  {
    name: 'filteredDomains',
    readings: { filteredDomains: ['bad.example'] },
    act: (api) => code(api, 'PUT', '/users/ann', { profile_url: 'https://img.bad.example/x.png' }),
    byDefault: 200,
    switched: 400307,
  },
];

describe('readings', () => {
  const prepare = async (readings?: Partial<Readings>): Promise<Api> => {
    const api = await startApi(readings === undefined ? {} : { readings });
    await api.users('ann', 'bob', 'cat', 'off');
    await api.room('room-1', ['ann']);
    await api.ok('PUT', '/users/off', { is_active: false });
    return api;
  };
  test.for(CASES.map((one) => [one.name, one] as const))('%s', async ([, { readings, act, byDefault, switched }]) => {
    expect(await act(await prepare())).toEqual(byDefault);
    expect(await act(await prepare(readings))).toEqual(switched);
  });
});
