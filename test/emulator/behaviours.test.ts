// Tests the behaviours that a calibration never decides. The examination in test/tools/calibration covers every value of the others.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Behaviours, DEFAULT_BEHAVIOURS } from '../../src/emulator/api/behaviours.ts';
import { type Api, START_MS, startApi } from './support/support.ts';

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

/** What ann or bob sees of room-1, with times in words. */
async function memberView(api: Api, userId: string) {
  const view = await api.ok('GET', `/users/${userId}/my_group_channels?show_empty=true`);
  const [channel] = view.channels;
  const inWords = (ms: number) => (ms === START_MS ? 'creation' : ms === api.clock.nowMs ? 'now' : ms);
  return {
    offset: inWords(channel.ts_message_offset),
    read: inWords(channel.user_last_read),
    unread: channel.unread_message_count,
  };
}

async function migrate(api: Api, timestamp: number, more = {}): Promise<void> {
  const message = { message_type: 'MESG', user_id: 'bob', message: 'hi', timestamp, dedup_id: String(timestamp) };
  await api.ok('POST', '/migration/room-1', { messages: [message], ...more });
}

/** Of ann, who is there from the creation, and of bob, who is invited later and then accepts. */
async function offsetsOf(api: Api): Promise<unknown> {
  await api.ok('PUT', '/users/bob/channel_invitation_preference', { auto_accept: false });
  const atCreation = (await memberView(api, 'ann')).offset;
  api.clock.nowMs += 1_000;
  await api.ok('POST', '/group_channels/room-1/invite', { user_ids: ['bob'] });
  const invited = (await memberView(api, 'bob')).offset;
  await api.ok('PUT', '/group_channels/room-1/accept', { user_id: 'bob' });
  return [atCreation, invited, (await memberView(api, 'bob')).offset];
}

type Case = readonly [
  switched: Partial<Behaviours>,
  act: (api: Api) => unknown,
  byDefault: unknown,
  otherwise: unknown,
];

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
    { listedReplies: 'always' },
    async (api) => {
      const sent = await sentIn(api);
      const reply = {
        message_type: 'MESG',
        user_id: 'ann',
        message: 'yes',
        parent_message_id: Number(sent.split('/').at(-1)),
      };
      await api.ok('POST', '/group_channels/room-1/messages', reply);
      const list = '/group_channels/room-1/messages?message_ts=0&next_limit=200';
      const counts = [list, `${list}&include_reply_type=ALL`].map(
        async (path) => (await api.ok('GET', path)).messages.length,
      );
      return Promise.all(counts);
    },
    [1, 2],
    [2, 2],
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
    { botAi: 'readable' },
    async (api) => {
      const bot = {
        bot_nickname: 'Bo',
        bot_type: 'ai',
        bot_profile_url: '',
        is_privacy_mode: false,
        ai: { model: 'a' },
      };
      const callback = { bot_callback_url: 'https://bots.example' };
      const code = await api.code('POST', '/bots', { bot_userid: 'bo', ...bot });
      return [code, (await api.ok('POST', '/bots', { bot_userid: 'bea', ...bot, ...callback })).ai];
    },
    [200, { model: 'a' }],
    [400105, undefined],
  ],
  [
    { pastMessagesDefault: 'on' },
    async (api) => {
      const { display_past_message: shown } = await api.ok('GET', '/applications/settings_global');
      return [shown, (await memberView(api, 'ann')).offset];
    },
    [false, 'creation'],
    [true, 0],
  ],
  ...(['invitation', 'none'] as const).map((historyLine): Case => {
    const lines = { join: ['creation', 0, 'now'], invitation: ['creation', 'now', 'now'], none: [0, 0, 0] };
    return [{ historyLine }, offsetsOf, lines.join, lines[historyLine]];
  }),
  [
    { firstReceipt: 'by_history' },
    async (api) => {
      await migrate(api, 1_600_000_000_000);
      return [(await memberView(api, 'ann')).unread, (await memberView(api, 'ann')).read];
    },
    [0, 'creation'],
    // Nothing is read, but nothing from before the line counts either.
    [0, 0],
  ],
  ...(['to_newest', 'forwards'] as const).map((updateReadTs): Case => {
    const [old, young] = [1_600_000_000_000, 4_000_000_000_000];
    const moved = { backwards: [old, old], to_newest: [old, young], forwards: ['creation', young] };
    const act = async (api: Api) => {
      await migrate(api, old, { update_read_ts: true });
      const first = (await memberView(api, 'ann')).read;
      await migrate(api, young, { update_read_ts: true });
      return [first, (await memberView(api, 'ann')).read];
    };
    return [{ updateReadTs }, act, moved.backwards, moved[updateReadTs]];
  }),
  ...(['by_time', 'by_arrival'] as const).map((migrationRetention): Case => {
    const act = async (api: Api) => {
      await migrate(api, 1_600_000_000_000);
      return (await api.ok('GET', '/group_channels/room-1/messages/total_count')).total;
    };
    return [{ migrationRetention }, act, 1, migrationRetention === 'by_time' ? 0 : 1];
  }),
  [
    { joinLimit: 'declined' },
    async (api) => {
      for (let at = 2; at <= 2000; at += 1) await api.room(`room-${at}`, ['ann']);
      const body = { channel_url: 'last', user_ids: ['ann', 'bob'] };
      const { body: answer } = await api.call('POST', '/group_channels', body);
      return answer.member_count ?? answer.code;
    },
    400920,
    1,
  ],
  [
    { migrationLastMessage: 'stays' },
    async (api) => {
      const messages = [{ message_type: 'MESG', user_id: 'ann', message: 'old', timestamp: 1_600_000_000_000 }];
      await api.ok('POST', '/migration/room-1', { messages });
      const { last_message: last } = await api.ok('GET', '/group_channels/room-1');
      return (last as { message: string } | null)?.message;
    },
    'old',
    undefined,
  ],
  [
    { silentLastMessage: 'changes' },
    async (api) => {
      const message = { message_type: 'MESG', user_id: 'ann' };
      await api.ok('POST', '/group_channels/room-1/messages', { ...message, message: 'heard' });
      await api.ok('POST', '/group_channels/room-1/messages', { ...message, message: 'silent', is_silent: true });
      const { last_message: last } = await api.ok('GET', '/group_channels/room-1');
      return (last as { message: string } | null)?.message;
    },
    'heard',
    'silent',
  ],
  [
    { pinsInChannelView: 'absent' },
    async (api) => (await api.ok('GET', '/group_channels/room-1')).pinned_message_ids,
    [],
    undefined,
  ],
])('follows %j, and the default otherwise', async ([behaviours, act, byDefault, otherwise]) => {
  for (const [options, expected] of [
    [{}, byDefault],
    [{ behaviours }, otherwise],
  ] as const) {
    const api = await startApi(options);
    await api.users('ann', 'bob');
    await api.room('room-1', ['ann']);
    expect(await act(api)).toEqual(expected);
  }
});

test('explains every reading on its page', () => {
  const readme = readFileSync(new URL('../../src/emulator/behaviours.md', import.meta.url), 'utf8');
  for (const name of Object.keys(DEFAULT_BEHAVIOURS)) expect(readme).toContain(`| \`${name}\` |`);
});
