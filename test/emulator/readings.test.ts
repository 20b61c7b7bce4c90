// Tests the readings that the doctor never decides. Its examination in test/tools/doctor covers every value of the others.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEFAULT_READINGS, type Readings } from '../../src/emulator/api/readings.ts';
import { type Api, startApi } from './support/support.ts';

/** The path of a new message of room-1. */
async function sentIn(api: Api): Promise<string> {
  const body = { message_type: 'MESG', user_id: 'ann', message: 'hi' };
  const { message_id: id } = await api.ok('POST', '/group_channels/room-1/messages', body);
  return `/group_channels/room-1/messages/${id}`;
}

async function unknownEvent(api: Api): Promise<unknown> {
  const body = { enabled_events: ['user:ban', 'user:sing'] };
  const reply = await api.call('PUT', '/applications/settings/webhook', body);
  return reply.body.webhook?.enabled_events ?? reply.body.code;
}

type Case = readonly [switched: Partial<Readings>, act: (api: Api) => unknown, byDefault: unknown, otherwise: unknown];

test.for<Case>([
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
  [{ unknownWebhookEvent: 'ignored' }, unknownEvent, 400111, ['user:ban']],
  [{ unknownWebhookEvent: 'kept' }, unknownEvent, 400111, ['user:ban', 'user:sing']],
  [
    { allowlistDeletion: 'query' },
    async (api) => {
      const list = '/applications/settings/ip_whitelist';
      await api.ok('PUT', list, { ip_whitelist_addresses: ['192.0.2.7'] });
      return api.code('DELETE', `${list}?ip_whitelist_addresses=192.0.2.7`);
    },
    400105,
    200,
  ],
  [
    { reactionOfNonMember: 'allowed' },
    async (api) => api.code('POST', `${await sentIn(api)}/reactions`, { user_id: 'bob', reaction: 'up' }),
    900020,
    200,
  ],
  [
    { pinOfPinned: 'ignored' },
    async (api) => {
      const path = `${await sentIn(api)}/pin`;
      const codes = [await api.code('DELETE', path), await api.code('POST', path)];
      return [...codes, await api.code('POST', path)];
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
])('follows %j, and the default otherwise', async ([readings, act, byDefault, otherwise]) => {
  for (const [options, expected] of [
    [{}, byDefault],
    [{ readings }, otherwise],
  ] as const) {
    const api = await startApi(options);
    await api.users('ann', 'bob');
    await api.room('room-1', ['ann']);
    expect(await act(api)).toEqual(expected);
  }
});

test('explains every reading in the README', () => {
  const readme = readFileSync(new URL('../../src/emulator/README.md', import.meta.url), 'utf8');
  for (const name of Object.keys(DEFAULT_READINGS)) expect(readme).toContain(`| \`${name}\` |`);
});
