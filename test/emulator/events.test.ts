// Tests which events the operations of the emulator send, with which bodies (platform §13.7).
import { expect, test } from 'vitest';
import type { Behaviours } from '../../src/emulator/api/behaviours.ts';
import { startReceiver } from './support/receiver.ts';
import { type Api, BOT, messageOf, type Parsed, request, START_MS, startApi } from './support/support.ts';

const user = (id: string) => ({ user_id: id, nickname: id, profile_url: '', metadata: {} });
const short = { name: 'group channel', channel_url: 'room-1', custom_type: '', data: '' };
const room = {
  ...short,
  is_distinct: false,
  is_public: false,
  is_super: false,
  is_ephemeral: false,
  is_discoverable: false,
};
const now = START_MS + 1000;
const hello = { message_id: 1, custom_type: '', created_at: START_MS, message: 'hi', translations: {}, data: '' };

/** Runs `prepare`, then `act` one second later, and returns the bodies of the events of `act`. */
async function eventsOf(
  act: (api: Api) => unknown,
  prepare: (api: Api) => unknown = () => {},
  { behaviours = {}, hook = {} }: { behaviours?: Partial<Behaviours>; hook?: object } = {},
): Promise<Parsed[]> {
  const receiver = await startReceiver();
  const api = await startApi({ admin: true, behaviours, deliver: { to: receiver.url } });
  const log = async () =>
    request({ ...api.emulator, url: api.emulator.url.replace('/v3', '') }, 'GET', '/__deliveries');
  await api.users('ann', 'bob', 'carl');
  await prepare(api);
  await log();
  receiver.received.length = 0;
  const webhook = { enabled: true, url: 'https://app.example/', enabled_events: ['*'], ...hook };
  await api.ok('PUT', '/applications/settings/webhook', webhook);
  api.clock.nowMs += 1000;
  await act(api);
  await log();
  return receiver.received.map(({ body: { app_id, ...body } }) => {
    expect(app_id).toEqual(expect.any(String));
    return body;
  });
}

const withRoom = (api: Api) => api.room('room-1', ['ann', 'bob'], { inviter_id: 'ann' });
const publicRoom = (api: Api) => api.room('room-1', ['ann'], { is_public: true });
const withMessage = async (api: Api) => {
  await withRoom(api);
  await api.say('ann');
};
const waiting = async (api: Api) => {
  await api.ok('PUT', '/users/carl/channel_invitation_preference', { auto_accept: false });
  await withRoom(api);
};
const invited = async (api: Api) => {
  await waiting(api);
  await api.ok('POST', '/group_channels/room-1/invite', { user_ids: ['carl'] });
};
const put = (path: string, body: object) => (api: Api) => api.ok('PUT', path, body);
const post = (path: string, body: object) => (api: Api) => api.ok('POST', path, body);
const remove = (path: string) => (api: Api) => api.ok('DELETE', path);
const message = '/group_channels/room-1/messages/1';
const about = { custom_type: '', type: 'MESG', payload: hello, channel: short };

interface Case {
  readonly what: string;
  readonly prepare?: (api: Api) => unknown;
  readonly act: (api: Api) => unknown;
  readonly events: readonly object[];
}

test.for<Case>([
  {
    what: 'a creation: create, then one join, and no invite',
    act: withRoom,
    events: [
      { category: 'group_channel:create', created_at: now, inviter: user('ann'), channel: room },
      { category: 'group_channel:join', joined_at: now, users: [user('ann'), user('bob')], channel: room },
    ],
  },
  {
    what: 'an invitation that waits: invite',
    prepare: waiting,
    act: post('/group_channels/room-1/invite', { user_ids: ['carl'], inviter_id: 'ann' }),
    events: [
      {
        category: 'group_channel:invite',
        invited_at: now,
        inviter: user('ann'),
        invitees: [user('carl')],
        channel: room,
      },
    ],
  },
  {
    what: 'an invitation that is accepted at once: invite and join',
    prepare: withRoom,
    act: post('/group_channels/room-1/invite', { user_ids: ['carl'] }),
    events: [
      { category: 'group_channel:invite', invited_at: now, inviter: null, invitees: [user('carl')], channel: room },
      { category: 'group_channel:join', joined_at: now, users: [user('carl')], channel: room },
    ],
  },
  {
    what: 'an acceptance: join',
    prepare: invited,
    act: put('/group_channels/room-1/accept', { user_id: 'carl' }),
    events: [{ category: 'group_channel:join', joined_at: now, users: [user('carl')], channel: room }],
  },
  {
    what: 'a decline: decline_invite',
    prepare: invited,
    act: put('/group_channels/room-1/decline', { user_id: 'carl' }),
    events: [
      { category: 'group_channel:decline_invite', declined_invite_at: now, users: [user('carl')], channel: room },
    ],
  },
  {
    what: 'a join of a public channel: join',
    prepare: publicRoom,
    act: put('/group_channels/room-1/join', { user_id: 'carl' }),
    events: [
      {
        category: 'group_channel:join',
        joined_at: now,
        users: [user('carl')],
        channel: { ...room, is_public: true, is_discoverable: true },
      },
    ],
  },
  {
    what: 'a bot that joins: join',
    prepare: async (api) => {
      await withRoom(api);
      await api.ok('POST', '/bots', BOT);
    },
    act: post('/bots/helper/channels', { channel_urls: ['room-1'] }),
    events: [
      {
        category: 'group_channel:join',
        joined_at: now,
        users: [{ ...user('helper'), nickname: 'Helper' }],
        channel: room,
      },
    ],
  },
  {
    what: 'a leave: leave',
    prepare: withRoom,
    act: put('/group_channels/room-1/leave', { user_ids: ['bob'] }),
    events: [{ category: 'group_channel:leave', left_at: now, users: [user('bob')], channel: room }],
  },
  {
    what: 'an update: changed, with the old and the new values',
    prepare: withRoom,
    act: put('/group_channels/room-1', { name: 'Room', data: 'x', is_public: true, access_code: 'open' }),
    events: [
      {
        category: 'group_channel:changed',
        changed_at: now,
        changes: [
          { key: 'name', old: 'group channel', new: 'Room' },
          { key: 'data', old: '', new: 'x' },
          { key: 'access_code', old: '', new: 'open' },
        ],
        channel: { ...room, name: 'Room', data: 'x', is_public: true, is_discoverable: true },
      },
    ],
  },
  {
    what: 'a freeze: freeze_unfreeze',
    prepare: withRoom,
    act: put('/group_channels/room-1/freeze', { freeze: true }),
    events: [{ category: 'group_channel:freeze_unfreeze', channel: { ...room, freeze: true } }],
  },
  {
    what: 'a deletion: remove',
    prepare: withRoom,
    act: remove('/group_channels/room-1'),
    events: [{ category: 'group_channel:remove', removed_at: now, channel: room }],
  },
  {
    what: 'a text: message_send',
    prepare: withRoom,
    act: (api) => api.say('ann', { mentioned_user_ids: ['bob'] }),
    events: [
      {
        category: 'group_channel:message_send',
        sender: user('ann'),
        silent: false,
        mention_type: 'users',
        mentioned_users: [user('bob')],
        ...about,
        payload: { ...hello, created_at: now },
        sdk: 'API',
      },
    ],
  },
  {
    what: 'a file: message_send with its URL',
    prepare: withRoom,
    act: (api) => api.say('ann', { message_type: 'FILE', url: 'https://files.example/a.png' }),
    events: [
      {
        category: 'group_channel:message_send',
        sender: user('ann'),
        silent: false,
        mention_type: 'users',
        mentioned_users: [],
        custom_type: '',
        type: 'FILE',
        payload: { message_id: 1, custom_type: '', created_at: now, data: '', url: 'https://files.example/a.png' },
        channel: short,
        sdk: 'API',
      },
    ],
  },
  {
    what: 'an edit of a message: message_update',
    prepare: withMessage,
    act: put(message, { message_type: 'MESG', message: 'ho' }),
    events: [
      {
        category: 'group_channel:message_update',
        sender: user('ann'),
        ...about,
        payload: { ...hello, message: 'ho' },
        changes: [{ key: 'message', old: 'hi', new: 'ho' }],
        sdk: 'API',
      },
    ],
  },
  {
    what: 'a deletion of a message: message_delete',
    prepare: withMessage,
    act: remove(message),
    events: [{ category: 'group_channel:message_delete', sender: user('ann'), ...about }],
  },
  {
    what: 'a reaction: reaction_add',
    prepare: withMessage,
    act: post(`${message}/reactions`, { user_id: 'bob', reaction: 'like' }),
    events: [
      {
        category: 'group_channel:reaction_add',
        reaction: 'like',
        ts: now,
        user: user('bob'),
        message: hello,
        channel: short,
      },
    ],
  },
  {
    what: 'a reaction that is taken back: reaction_delete',
    prepare: async (api) => {
      await withMessage(api);
      await api.ok('POST', `${message}/reactions`, { user_id: 'bob', reaction: 'like' });
    },
    act: remove(`${message}/reactions?user_id=bob&reaction=like`),
    events: [
      {
        category: 'group_channel:reaction_delete',
        reaction: 'like',
        ts: now,
        user: user('bob'),
        message: hello,
        channel: short,
      },
    ],
  },
  {
    what: 'reading all messages: message_read',
    prepare: withMessage,
    act: put('/group_channels/room-1/messages/mark_as_read', { user_id: 'bob' }),
    events: [
      {
        category: 'group_channel:message_read',
        read_updates: [
          { user_id: 'bob', read_ts: now, channel_unread_message_count: 0, total_unread_message_count: 0 },
        ],
        channel: room,
      },
    ],
  },
  {
    what: 'an open channel: create, message_send and remove',
    act: async (api) => {
      await api.ok('POST', '/open_channels', { channel_url: 'hall', name: 'Hall', operator_ids: ['ann'] });
      await api.ok('POST', '/open_channels/hall/messages', { message_type: 'MESG', user_id: 'bob', message: 'hi' });
      await api.ok('DELETE', '/open_channels/hall');
    },
    events: [
      {
        category: 'open_channel:create',
        created_at: now,
        operators: [user('ann')],
        channel: { ...room, channel_url: 'hall', name: 'Hall' },
      },
      {
        category: 'open_channel:message_send',
        sender: user('bob'),
        silent: false,
        mention_type: 'users',
        mentioned_users: [],
        ...about,
        payload: { ...hello, created_at: now },
        channel: { ...short, channel_url: 'hall', name: 'Hall' },
        sdk: 'API',
      },
      { category: 'open_channel:remove', removed_at: now, channel: { ...room, channel_url: 'hall', name: 'Hall' } },
    ],
  },
  {
    what: 'a block and an unblock',
    act: async (api) => {
      await api.ok('POST', '/users/ann/block', { user_ids: ['bob', 'carl'] });
      await api.ok('DELETE', '/users/ann/block/bob');
    },
    events: [
      { category: 'user:block', blocker: user('ann'), blockee: user('bob') },
      { category: 'user:block', blocker: user('ann'), blockee: user('carl') },
      { category: 'user:unblock', unblocker: user('ann'), unblockee: user('bob') },
    ],
  },
])('sends for $what', async ({ prepare, act, events }) => {
  expect(await eventsOf(act, prepare)).toEqual(events);
});

test.for<Case>([
  {
    what: 'a migration',
    prepare: withRoom,
    act: post('/migration/room-1', { messages: [messageOf('ann', 5)] }),
    events: [],
  },
  { what: 'an admin message', prepare: withRoom, act: (api) => api.say('ann', { message_type: 'ADMM' }), events: [] },
  {
    what: 'a ban, a mute and a deactivation',
    prepare: withRoom,
    act: async (api) => {
      await api.ok('POST', '/group_channels/room-1/mute', { user_id: 'bob' });
      await api.ok('POST', '/group_channels/room-1/ban', { user_id: 'bob' });
      await api.ok('PUT', '/users/ann', { is_active: false });
    },
    events: [],
  },
  {
    what: 'reading a part',
    prepare: async (api) => {
      await withMessage(api);
      api.clock.nowMs += 10;
      await api.say('ann');
    },
    act: put('/group_channels/room-1/messages/mark_as_read', { user_id: 'bob', timestamp: START_MS }),
    events: [],
  },
  {
    what: 'a refused request',
    prepare: withRoom,
    act: (api) => api.code('PUT', '/group_channels/room-1/join', { user_id: 'carl' }),
    events: [],
  },
])('sends nothing for $what', async ({ prepare, act, events }) => {
  expect(await eventsOf(act, prepare)).toEqual(events);
});

test.for([
  [{ joinEvents: 'each' }, undefined, withRoom, ['group_channel:create', 'group_channel:join', 'group_channel:join']],
  [
    { migrationEvents: 'sent' },
    withRoom,
    post('/migration/room-1', { messages: [messageOf('ann', 5), messageOf('bob', 6)] }),
    ['group_channel:message_send', 'group_channel:message_send'],
  ],
  [
    { adminMessageEvents: 'sent' },
    withRoom,
    (api: Api) => api.say('ann', { message_type: 'ADMM' }),
    ['group_channel:message_send'],
  ],
] as const)('sends others under %j', async ([behaviours, prepare, act, categories]) => {
  const sent = await eventsOf(act, prepare, { behaviours });
  expect(sent.map(({ category }) => category)).toEqual(categories);
});

test('shows the members only if the webhook includes them, and never those of a supergroup', async () => {
  const hook = { include_members: true };
  const [shown] = await eventsOf((api) => api.say('ann'), withRoom, { hook });
  expect(shown.members).toMatchObject([
    { ...user('ann'), state: 'joined', is_active: true, is_hidden: 0, channel_unread_message_count: 0 },
    { ...user('bob'), push_trigger_option: 'default', channel_unread_message_count: 1, total_unread_message_count: 1 },
  ]);
  const [large] = await eventsOf((api) => api.room('room-1', ['ann'], { is_super: true }), undefined, { hook });
  expect(large).not.toHaveProperty('members');
});
