// Tests the refusals of the emulator, each caused by a request: its code, the message of each code, and that nothing changes.

import { describe, expect, test } from 'vitest';
import type { MetaArrayBounds } from '../../src/emulator/call/call.ts';
import { type Answer, type Api, BOT, messageOf, request, startApi } from './support/support.ts';

const USER = { user_id: 'new', nickname: 'n', profile_url: '' };
const ANNOUNCEMENT = { message: { user_id: 'ann', content: 'hi' }, target_at: 'target_channels', unique_id: 'a1' };
const TYPES = '/applications/settings_by_channel_custom_type';

/** What a request names in braces, as a path of each kind. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  '{channels}': ['/open_channels', '/group_channels'],
  '{channel}': ['/open_channels/lobby', '/group_channels/room-1'],
  '{migration}': ['/migration/lobby', '/migration/room-1'],
  '{owner}': ['/users/ann', '/open_channels/lobby', '/group_channels/room-1'],
};

async function start(): Promise<Api> {
  const api = await startApi();
  await api.users('ann', 'bob', 'bad', 'loud', 'op', 'off');
  await api.room('room-1', ['ann', 'loud', 'op', 'off'], { operator_ids: ['op'] });
  await api.room('room-2', ['ann'], { is_public: true });
  await api.room('cold', ['ann']);
  await api.ok('POST', '/open_channels', { channel_url: 'lobby', operator_ids: ['op'] });
  await api.ok('POST', '/group_channels/room-1/mute', { user_id: 'loud' });
  for (const channel of KINDS['{channel}'] ?? []) await api.ok('POST', `${channel}/ban`, { user_id: 'bad' });
  for (const owner of KINDS['{owner}'] ?? [])
    await api.ok('POST', `${owner}/metadata`, { metadata: { a: '1', b: '' } });
  await api.ok('PUT', '/group_channels/cold/freeze', { freeze: true });
  await api.ok('PUT', '/users/off', { is_active: false, leave_all_when_deactivated: false });
  await api.ok('POST', '/bots', BOT);
  await api.ok('POST', '/group_channels/room-1/invite', { user_ids: ['helper'] });
  await api.ok('POST', TYPES, { custom_type: 'sports' });
  await api.ok('POST', '/announcements', ANNOUNCEMENT);
  return api;
}

let unchanged: Promise<Api> | undefined;

/** An estate that no refusal changes, so that all may share it. Calls bypass HTTP, so it answers although its server closed. */
const shared = (): Promise<Api> => (unchanged ??= start());

type Row = readonly [request: string, body: unknown, code: number, message?: string];

function each(path: string): readonly string[] {
  const kind = Object.keys(KINDS).find((name) => path.includes(name));
  return kind === undefined ? [path] : (KINDS[kind] ?? []).map((one) => path.replace(kind, one));
}

/** Tests each row, for each kind that its request is for. A code of 200 means that the request is accepted. */
function answers(title: string, rows: readonly Row[]): void {
  const titled = rows.flatMap(([asked, body, code, message]) =>
    each(asked).map((one) => [code, `${one} ${JSON.stringify(body ?? '').slice(0, 90)}`, one, body, message] as const),
  );
  describe(title, () => {
    test.for(titled)('answers %i to %s', async ([code, , asked, body, message]) => {
      const api = await (code === 200 ? start() : shared());
      const before = [...api.emulator.platform.state.snapshot()];
      const [method = '', path = ''] = asked.split(/ (.*)/su);
      const reply = await api.call(method, path, body);
      expect(reply.status === 200 ? 200 : reply.body.code).toBe(code);
      if (code === 200) return;
      expect([...api.emulator.platform.state.snapshot()]).toEqual(before);
      expect(reply).toMatchObject({
        status: 400,
        body: { error: true, ...(message === undefined ? {} : { message }) },
      });
    });
  });
}

const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);
const user = (change: Answer): Answer => ({ ...USER, ...change });
const channel = (change: Answer): Answer => ({ user_ids: ['ann'], ...change });
const bot = (change: Answer): Answer => ({ ...BOT, bot_userid: 'new', ...change });
const migrated = (change: Answer): Answer => ({ messages: [messageOf('ann', 1, change)] });
const text = (userId: string): Answer => ({ message_type: 'MESG', user_id: userId, message: 'x' });

answers('any request', [
  ['GET /users/%zz', undefined, 400404, 'Invalid request URL.'],
  ['GET /users/', undefined, 400404, 'Invalid request URL.'],
  ['PUT /users', {}, 400404, 'Invalid request URL.'],
  ['POST /users', ['x'], 400403, 'Invalid value: "JSON body.".'],
]);

answers('users', [
  ['POST /users', user({ nickname: 1 }), 400100, '"nickname" must be a string.'],
  ['POST /users', user({ user_id: 1 }), 400100],
  ['POST /users', user({ user_id: undefined }), 400105],
  ['POST /users', user({ nickname: undefined }), 400105, '"nickname" must be required.'],
  ['POST /users', user({ profile_url: undefined }), 400105],
  ['POST /users', user({ profile_url: '' }), 200],
  ['POST /users', user({ user_id: '' }), 400151, '"user_id" contains characters that are not allowed.'],
  ['POST /users', user({ user_id: 'ann' }), 400202, '"user_id" violates unique constraint.'],
  ['POST /users', user({ user_id: 'helper' }), 400202],
  ['POST /users', user({ profile_file: 'x' }), 400111],
  ['POST /users', user({ issue_access_token: 'yes' }), 400104],
  ['POST /users', user({ metadata: { a: '', b: '', c: '', d: '', e: '' } }), 200],
  ['POST /users', user({ metadata: { a: '', b: '', c: '', d: '', e: '', f: '' } }), 400203],
  ['POST /users', user({ metadata: 'x' }), 400103, '"metadata" must be a JSON.'],
  ['POST /users', user({ metadata: ['a'] }), 400103],
  ['POST /users', user({ metadata: { a: true } }), 200],
  ['POST /users', user({ metadata: { a: {} } }), 400100],
  ['POST /users', user({ metadata: { a: null } }), 400100],
  ['POST /users', user({ metadata: { 'a,b': '' } }), 400151],
  ['POST /users', user({ metadata: JSON.parse('{"__proto__":"x"}') }), 200],
  ['POST /users', user({ discovery_keys: 'k' }), 400102],
  ['POST /users', user({ preferred_languages: ['a', 'b', 'c', 'd', 'e'] }), 400203],
  ['POST /users', user({ session_token_expires_at: '1' }), 400101],
  ['POST /users', user({ session_token_expires_at: -1 }), 400106],
  ['POST /users', user({ session_token_expires_at: 1_900_000_000 }), 400111],
  ['POST /users', user({ unknown: 1 }), 200],
  ['POST /users/ann/token', { expires_at: 'x' }, 400101, '"expires_at" must be a number.'],
  ['PUT /users/ann', { last_seen_at: -1 }, 400106, '"last_seen_at" must be a positive number.'],
  ['PUT /users/nobody', {}, 400201, '"User" not found.'],
  ['GET /users/nobody', undefined, 400201, '"User" not found.'],
  ['GET /users?limit=0', undefined, 400113],
  ['GET /users?limit=101', undefined, 400113],
  ['GET /users?limit=-1', undefined, 400106],
  ['GET /users?limit=ten', undefined, 400101, '"limit" must be a number.'],
  ['GET /users?active_mode=some', undefined, 400111],
  ['GET /users?show_bot=perhaps', undefined, 400104],
  ['GET /users?metadatakey=a', undefined, 400402, 'Missing parameters: "metadatavalues_in".'],
  ['GET /users?token=nonsense', undefined, 400111],
  [`GET /users?user_ids=${[...times(251, '').keys()].join(',')}`, undefined, 400203],
  ['GET /users?nickname=%zz', undefined, 400404],
  ['PUT /applications/default_channel_invitation_preference', { auto_accept: 1 }, 400104],
]);

answers('bots', [
  ...Object.keys(BOT).map((name): Row => ['POST /bots', bot({ [name]: undefined }), 400105]),
  ['POST /bots', bot({ bot_userid: '' }), 400151],
  ['POST /bots', bot({ bot_userid: 'ann' }), 400202],
  ['POST /bots', bot({ bot_userid: 'helper' }), 400202],
  ['POST /bots', bot({ mood: 'good' }), 200],
  ...['POST /bots', 'PUT /bots/helper'].flatMap((asked): readonly Row[] => [
    [asked, bot({ bot_callback_url: 'helper' }), 400111],
    [asked, bot({ bot_callback_url: 'ftp://example.com' }), 400111],
    [asked, bot({ is_privacy_mode: 'true' }), 400104],
    [asked, bot({ channel_invitation_preference: 2 }), 400111],
    [asked, bot({ channel_invitation_preference: -1 }), 400106],
    [asked, bot({ channel_invitation_preference: true }), 400101],
  ]),
  // Unknown bots, users among them.
  ['GET /bots/none', undefined, 400201, '"Bot" not found.'],
  ['GET /bots/ann', undefined, 400201],
  ['PUT /bots/ann', {}, 400201],
  ['DELETE /bots/ann', undefined, 400201],
  ['POST /bots/ann/channels', { channel_urls: ['room-1'] }, 400201],
  ['DELETE /bots/none/channels', undefined, 400201],
  ['DELETE /bots/none/channels/room-1', undefined, 400201],
  ['POST /bots/helper/channels', {}, 400105],
  ['POST /bots/helper/channels', { channel_urls: 'room-1' }, 400102],
  ['POST /bots/helper/channels', { channel_urls: [] }, 400111],
  ['POST /bots/helper/channels', { channel_urls: ['room-2', 'none'] }, 400201],
  ['POST /bots/helper/channels', { channel_urls: ['lobby'] }, 400201],
  // Calls for users only.
  ['PUT /users/helper', { nickname: 'x' }, 400108],
  ['DELETE /users/helper', undefined, 400108],
  ['POST /users/helper/token', {}, 400108],
  ['PUT /users/helper/channel_invitation_preference', { auto_accept: false }, 400108],
  ['PUT /users/helper/my_group_channels/leave', {}, 400108],
  ['PUT /group_channels/room-2/join', { user_id: 'helper' }, 400108],
  ['PUT /group_channels/room-1/leave', { user_ids: ['helper'] }, 400108],
  ['POST /group_channels/room-1/operators', { operator_ids: ['helper'] }, 400111],
  ['POST /open_channels', { operator_ids: ['helper'] }, 400111],
  ['PUT /group_channels/room-1', { operator_ids: ['helper'] }, 400111],
]);

answers('channels', [
  ['POST {channels}', channel({ channel_url: 'lobby' }), 400202, '"channel_url" violates unique constraint.'],
  ['POST {channels}', channel({ channel_url: 'abc' }), 400111, 'Invalid value: "channel_url".'],
  ['POST {channels}', channel({ channel_url: 'aB_9' }), 200],
  ['POST {channels}', channel({ channel_url: 'ab.cd' }), 400111],
  ['POST {channels}', channel({ channel_url: 'abcdé' }), 400111],
  ['POST {channels}', channel({ channel_url: 12345 }), 400100],
  ['POST {channels}', channel({ data: {} }), 400100],
  ['POST {channels}', channel({ is_ephemeral: 'true' }), 400104],
  ['POST {channels}', channel({ operator_ids: times(101, 'ann') }), 400203],
  ['POST {channels}', channel({ operator_ids: ['nobody'] }), 400201],
  ['POST {channels}', channel({ operators: ['ann'] }), 200],
  ['POST {channels}', channel({ operator_ids: 'ann' }), 400102],
  ['POST {channels}', channel({ operator_ids: [1] }), 400100],
  ['PUT {channel}/freeze', { freeze: 'true' }, 400104, '"freeze" must be a boolean.'],
  ['GET {channels}?limit=101', undefined, 400113, '"limit" is out of range.'],
  ['GET {channels}/none', undefined, 400201, '"Channel" not found.'],
  ['POST /group_channels', {}, 400105],
  ['POST /group_channels', { user_ids: 'ann' }, 400102, '"user_ids" must be a list.'],
  ['POST /group_channels', { user_ids: [] }, 400111],
  ['POST /group_channels', { user_ids: times(101, 'ann') }, 400203, '"user_ids" contains too many items.'],
  ['POST /group_channels', { user_ids: ['off'] }, 400300, 'Deactivated user is not accessible: "off".'],
  ['POST /group_channels', { users: [{ user_id: 'ann', nickname: 'x' }] }, 200],
  ['POST /group_channels', { users: [{ nickname: 'x' }] }, 400105],
  ['POST /group_channels', { users: ['ann'] }, 400103],
  ['POST /group_channels', { user_ids: ['ann', 'nobody'] }, 200],
  ['POST /group_channels', { user_ids: ['ann', 'nobody'], strict: true }, 400111],
  ['POST /group_channels', channel({ strict: true, invitation_status: { nobody: 'joined' } }), 200],
  ['POST /group_channels', channel({ invitation_status: { ann: 'maybe' } }), 400111],
  ['POST /group_channels', channel({ hidden_status: { ann: 'maybe' } }), 400111],
  ['POST /group_channels', channel({ is_super: true, is_distinct: true }), 400111],
  ['POST /group_channels', channel({ is_public: true, access_code: 'x' }), 200],
  ['POST /group_channels', channel({ access_code: 'x' }), 400111],
  ['POST /group_channels', channel({ inviter_id: 'nobody' }), 400201],
  ['POST /group_channels', channel({ block_sdk_user_channel_join: true }), 200],
]);

answers('membership', [
  [
    'PUT /group_channels/room-1/join',
    { user_id: 'bob' },
    400108,
    'Not authorized. "Can\'t join to non-public channel.".',
  ],
  ['POST /group_channels/room-1/invite', { user_ids: ['bad'] }, 400750, 'Banned user cannot enter the channel: "bad".'],
  ['POST /group_channels/room-1/invite', { user_ids: ['bob', 'nobody'] }, 400201],
  ['POST /group_channels/room-1/invite', {}, 400105],
  ['POST /group_channels/none/invite', { user_ids: ['bob'] }, 400201],
  ['PUT /group_channels/room-1/accept', { user_id: 'bob' }, 400201],
  ['PUT /group_channels/room-1/leave', {}, 400105],
  ['PUT /group_channels/room-1/leave', { user_ids: ['ann', 'bob'] }, 400201],
  ['PUT /group_channels/room-1/leave', { user_ids: ['ann'], reason: 'bored' }, 400111],
  ['DELETE /group_channels/none/hide?user_id=ann', undefined, 400201, '"Channel" not found.'],
  ['DELETE /group_channels/room-1/hide', undefined, 400105],
  ['GET /group_channels/room-1?user_id=nobody', undefined, 400201],
  // A deactivated user cannot be moved.
  ['POST /group_channels/room-2/invite', { user_ids: ['off'] }, 400300],
  ['PUT /group_channels/room-2/join', { user_id: 'off' }, 400300],
  ['PUT /group_channels/room-1/accept', { user_id: 'off' }, 400300],
  ['PUT /group_channels/room-1/decline', { user_id: 'off' }, 400300],
  ['PUT /group_channels/room-1/hide', { user_id: 'off' }, 400300],
  ['DELETE /group_channels/room-1/hide?user_id=off', undefined, 400300],
  ['PUT /group_channels/room-1/leave', { user_ids: ['off'] }, 400300],
  ['PUT /users/off/my_group_channels/leave', {}, 400300],
  ['POST /group_channels/room-1/operators', { operator_ids: ['off'] }, 200],
  ['PUT /users/off', { nickname: 'renamed' }, 200],
  ['POST /group_channels/room-1/typing', { user_ids: times(10, 'ann') }, 200],
  ...['POST', 'DELETE'].flatMap((method): readonly Row[] => [
    [`${method} /group_channels/room-1/typing`, { user_ids: times(11, 'ann') }, 400203],
    [`${method} /group_channels/room-1/typing`, { user_ids: [] }, 400111],
    [`${method} /group_channels/room-1/typing`, {}, 400105],
    [`${method} /group_channels/room-1/typing`, { user_ids: ['ann', 'nobody'] }, 400201],
    [`${method} /group_channels/room-1/typing`, { user_ids: ['bob'] }, 400201],
    [`${method} /group_channels/none/typing`, { user_ids: ['ann'] }, 400201],
  ]),
]);

answers('restrictions', [
  ['POST {channel}/ban', {}, 400105],
  ['POST {channel}/ban', { user_id: 'nobody' }, 400201],
  ['POST {channel}/ban', { user_id: 'off' }, 400300],
  ['POST {channel}/ban', { user_id: 'op' }, 400108],
  ['POST {channel}/ban', { user_id: 'ann', agent_id: 'nobody' }, 400201],
  ['POST {channel}/ban', { user_id: 'ann' }, 200],
  ['POST {channel}/ban', { user_id: 'ann', seconds: -1 }, 200],
  ['POST {channel}/ban', { user_id: 'ann', seconds: 0 }, 400111],
  ['POST {channel}/ban', { user_id: 'ann', seconds: -2 }, 400111],
  ['POST {channel}/ban', { user_id: 'ann', seconds: 0.5 }, 400101],
  ['POST {channel}/ban', { user_id: 'bad' }, 400202],
  ['PUT {channel}/ban/bad', {}, 400105],
  ['PUT {channel}/ban/bad', { seconds: 0 }, 400111],
  ['PUT {channel}/ban/ann', { seconds: 1 }, 400201],
  ['DELETE {channel}/ban/ann', undefined, 400201],
  ['GET {channel}/ban/nobody', undefined, 400201],
  ['GET {channel}/ban?limit=101', undefined, 400113],
  ['GET {channel}/ban?show_total_ban_count=x', undefined, 400104],
  ['POST {channel}/mute', {}, 400105],
  ['POST {channel}/mute', { user_id: 'nobody' }, 400201],
  ['POST {channel}/mute', { user_id: 'off' }, 400300],
  ['POST {channel}/mute', { user_id: 'op' }, 200],
  ['POST {channel}/mute', { user_id: 'ann', seconds: 0 }, 400111],
  ['POST /group_channels/room-1/mute', { user_id: 'bob' }, 400201],
  ['DELETE {channel}/mute/ann', undefined, 400201],
  ['GET {channel}/mute/nobody', undefined, 400201],
  ['GET {channel}/mute?limit=0', undefined, 400113],
  ['GET /users/nobody/ban', undefined, 400201],
]);

answers('metadata', [
  ['POST {owner}/metadata', { metadata: { a: 'again' } }, 400202],
  ['POST {owner}/metadata', { metadata: { c: '', d: '', e: '', f: '' } }, 400203],
  ['POST {owner}/metadata', {}, 400105],
  ['PUT {owner}/metadata', { metadata: { c: '', d: '', e: '', f: '' }, upsert: true }, 400203],
  ['PUT {owner}/metadata', { metadata: { a: 'y', new: 'z' } }, 400201],
  ['PUT {owner}/metadata', { metadata: { a: null } }, 400100],
  ['PUT {owner}/metadata', { metadata: { a: [] } }, 400100],
  ['PUT {owner}/metadata', { metadata: { a: {} } }, 400100],
  ['PUT {owner}/metadata/a', {}, 400105],
  ['PUT {owner}/metadata/q', { value: 'w' }, 400201],
  ['DELETE {owner}/metadata/q', undefined, 400201],
  ['DELETE {owner}/metadata?key=q', undefined, 400201],
  ['GET /users/none/metadata', undefined, 400201],
  ['GET {channels}/none/metadata', undefined, 400201],
]);

answers('messages', [
  ['POST {migration}', {}, 400105],
  ['POST {migration}', { messages: [] }, 400111],
  ['POST {migration}', { messages: times(100, messageOf('ann', 1)) }, 200],
  ['POST {migration}', { messages: times(101, messageOf('ann', 1)) }, 400203],
  ['POST {migration}', { messages: {} }, 400102],
  ['POST {migration}', { messages: ['x'] }, 400103],
  ['POST {migration}', migrated({ message_type: 'X' }), 400111, 'Invalid value: "messages[0].message_type".'],
  ['POST {migration}', migrated({ message_type: undefined }), 200],
  ['POST {migration}', migrated({ timestamp: undefined }), 400105],
  ['POST {migration}', migrated({ timestamp: '1' }), 400101],
  ['POST {migration}', migrated({ message: undefined }), 400105],
  ['POST {migration}', migrated({ user_id: undefined }), 400105],
  ['POST {migration}', migrated({ user_id: 'nobody' }), 400201],
  ['POST {migration}', migrated({ message_type: 'FILE' }), 400105],
  ['POST {migration}', migrated({ sorted_metaarray: [{ key: 'k' }] }), 400111],
  ['POST {migration}', migrated({ sorted_metaarray: ['k'] }), 400111, 'Invalid value: "messages[0].sorted_metaarray".'],
  ['POST {migration}', { ...migrated({}), update_read_ts: 1 }, 400104],
  // The bad message of a batch is named, and no message is stored.
  [
    'POST {migration}',
    { messages: [messageOf('ann', 1), messageOf('x', 2)] },
    400201,
    '"messages[1].user_id" not found.',
  ],
  ['POST /migration/lobby', { ...migrated({}), update_read_ts: true }, 400111],
  ['POST /migration/none', migrated({}), 400201, '"Channel" not found.'],
  ['POST /migration/cold', migrated({}), 900050, 'Channel is frozen: "cold".'],
  ['POST /open_channels/lobby/messages', text('off'), 400700, 'Sending is not allowed: "The sender is deactivated.".'],
  ['POST {channel}/messages', text('nobody'), 400201],
  ['POST {channel}/messages', text('bad'), 900100, 'The sender is banned from the channel: "bad".'],
  ['POST /group_channels/room-1/messages', text('bob'), 900020, 'Not a member of the channel: "bob".'],
  ['POST /group_channels/room-1/messages', text('loud'), 900041, 'The sender is muted in the channel: "loud".'],
  ['POST /group_channels/cold/messages', text('ann'), 900050],
  ['POST /group_channels/cold/messages', { message_type: 'ADMM', message: 'x' }, 200],
  ['GET {channel}/messages', undefined, 400105],
  ['GET {channel}/messages?message_ts=0&next_limit=201', undefined, 400113],
  ['GET {channel}/messages?message_ts=-1', undefined, 400106],
  ['GET {channel}/messages?message_ts=x', undefined, 400101],
  ['GET {channel}/messages?message_ts=0&message_type=X', undefined, 400111],
  ['GET {channel}/messages?message_id=999', undefined, 400201],
  ['PUT {channel}/messages/999', { message_type: 'MESG', message: 'x' }, 400201, '"Message" not found.'],
  ['PUT /group_channels/room-1/messages/mark_as_read', {}, 400105],
  ['PUT /users/ann/mark_as_read_all', { channel_urls: ['none'] }, 400201],
]);

answers('deliveries', [
  ...['22.11.2026', '2026-13-01', 'today'].flatMap((date): readonly Row[] => [
    [`GET /applications/dau?date=${date}`, undefined, 400111],
    [`GET /applications/mau?date=${date}`, undefined, 400111],
  ]),
  ['GET /users/nobody/push_preference', undefined, 400201],
  ['PUT /users/ann/push_preference', { push_trigger_option: 'default' }, 400111],
  ['PUT /users/ann/push_preference', { start_hour: 24 }, 400113],
  ['PUT /users/ann/push_preference', { snooze_enabled: 'on' }, 400104],
  ['PUT /users/ann/push_preference', { dnd_schedules: [{ day_of_week: 'mon' }] }, 400111],
  ['PUT /users/ann/push_preference', { dnd_schedules: [{}] }, 400105],
  ['PUT /users/ann/push/template', { name: 'x' }, 400111],
  ['PUT /users/ann/push/template', {}, 400105],
  ['GET /users/bob/push_preference/room-1', undefined, 400201],
  ['PUT /users/ann/push_preference/room-1', {}, 400105],
  ['PUT /users/ann/count_preference/room-1', {}, 400105],
  ['PUT /users/ann/count_preference/room-1', { count_preference: 'no' }, 400111],
  ['GET /users/ann/push/fax', undefined, 400111],
  ['POST /users/ann/push/gcm', { apns_device_token: 't' }, 400105],
  ['DELETE /users/ann/push/gcm/none', undefined, 400201],
  ['POST /users/ann/block', { target_id: 'nobody' }, 400201],
  ['DELETE /users/ann/block/bob', undefined, 400201],
  ['POST /announcements', { ...ANNOUNCEMENT, unique_id: 'a2', target_at: undefined }, 400105],
  ['POST /announcements', ANNOUNCEMENT, 400202],
]);

const WEBHOOK = 'PUT /applications/settings/webhook';
const EVENTS = 'PUT /applications/settings/auto_event_message';
const SPORTS = `PUT ${TYPES}/sports`;
const LIST = 'PUT /applications/settings/ip_whitelist';
const TEMPLATES = 'PUT /applications/push/message_templates';

answers('settings', [
  [WEBHOOK, { enabled: true }, 400105],
  [WEBHOOK, { enabled: false }, 200],
  [WEBHOOK, { url: 'hooks' }, 400111],
  [WEBHOOK, { url: 'file:///etc/passwd' }, 400111],
  [WEBHOOK, { url: 'http://hooks.example.com' }, 200],
  [WEBHOOK, { enabled: 'yes' }, 400104],
  [WEBHOOK, { include_members: 1 }, 400104],
  [WEBHOOK, { enabled_events: '*' }, 400102],
  [WEBHOOK, { enabled_events: [1] }, 400100],
  [WEBHOOK, { enabled_events: ['group_channel:explode'] }, 400111],
  [WEBHOOK, { enabled_events: ['*', 'user:ban'] }, 400111],
  [WEBHOOK, { enabled_events: ['user:ban', 'user:ban'] }, 200],
  [EVENTS, {}, 400105],
  [EVENTS, { user_join: { user_join: true } }, 400105],
  [EVENTS, { auto_event_message: 'all' }, 400103],
  [EVENTS, { auto_event_message: { user_join: true } }, 400103],
  [EVENTS, { auto_event_message: { user_join: { user_join: 1 } } }, 400104],
  ['PUT /applications/push/settings', {}, 400105],
  [`${TEMPLATES}/default`, { template: { MESG: 'a' } }, 400105],
  [`${TEMPLATES}/other`, { template: { MESG: 'a', FILE: 'b', ADMM: 'c' } }, 400201],
  [LIST, { ip_whitelist_addresses: ['192.0.2.256'] }, 400111],
  [LIST.replace('PUT', 'DELETE'), { ip_whitelist_addresses: ['203.0.113.1'] }, 400201],
  [`POST ${TYPES}`, {}, 400105],
  [`POST ${TYPES}`, { custom_type: '' }, 400151],
  [`POST ${TYPES}`, { custom_type: 'sports' }, 400202],
  [`GET ${TYPES}/none`, undefined, 400201],
  [`PUT ${TYPES}/none`, {}, 400201],
  [`DELETE ${TYPES}/none`, undefined, 400201],
  [`GET ${TYPES}?limit=101`, undefined, 400113],
  [SPORTS, { domain_filter: [] }, 400103],
  [SPORTS, { domain_filter: { domains: 'a.com' } }, 400102],
  [SPORTS, { domain_filter: { domains: ['localhost'] } }, 400111],
  [SPORTS, { domain_filter: { domains: ['https://a.com'] } }, 400111],
  [SPORTS, { domain_filter: { domains: times(1001, 'a.com') } }, 400203],
  [SPORTS, { domain_filter: { type: 3 } }, 400113],
  [SPORTS, { domain_filter: { should_check_global: 'true' } }, 400104],
  [SPORTS, { profanity_filter: { keywords: 'dumb,dummy' } }, 400102],
  [SPORTS, { profanity_filter: { keywords: ['a,b'] } }, 400151],
  [SPORTS, { profanity_filter: { keywords: [' '] } }, 400151],
  [SPORTS, { profanity_filter: { keywords: times(1000, 'x') } }, 200],
  [SPORTS, { profanity_filter: { keywords: times(1001, 'x') } }, 400203],
  [SPORTS, { profanity_filter: { regex_filters: ['a+'] } }, 400103],
  [SPORTS, { profanity_filter: { regex_filters: [{}] } }, 400105],
  [SPORTS, { profanity_filter: { regex_filters: [{ regex: '' }] } }, 400111],
  [SPORTS, { profanity_filter: { type: -1 } }, 400106],
  [SPORTS, { profanity_triggered_moderation: { count: '3' } }, 400101],
  [SPORTS, { profanity_triggered_moderation: { duration: 0 } }, 400113],
  [SPORTS, { profanity_triggered_moderation: { duration: 86_401 } }, 400113],
  [SPORTS, { profanity_triggered_moderation: { action: 4 } }, 400113],
  [SPORTS, { image_moderation: { type: 3 } }, 400113],
  [SPORTS, { image_moderation: { limits: { adult: 6 } } }, 400113],
  [SPORTS, { image_moderation: { limits: 3 } }, 400103],
  [SPORTS, { image_moderation: { soft_block: null } }, 400104],
  [SPORTS, { max_message_length: 300 }, 400111],
  [SPORTS, { max_message_length: 'abc' }, 400101],
  [SPORTS, { allow_links: 1 }, 400104],
  [SPORTS, { user_messages_per_channel: 0 }, 400111],
  [SPORTS, { user_messages_per_channel_duration: 0 }, 400111],
  [SPORTS, { push_template: 'Hi' }, 400103],
  [SPORTS, { push_template: { MESG: { title: 'Hi' } } }, 400105],
  [`POST ${TYPES}/sports/ban`, {}, 400105],
  [`POST ${TYPES}/sports/ban`, { banned_list: ['ann'] }, 400103],
  [`POST ${TYPES}/sports/ban`, { banned_list: [{ seconds: 60 }] }, 400105],
  [`POST ${TYPES}/sports/ban`, { banned_list: [{ user_id: 'nobody' }] }, 400201],
  [`POST ${TYPES}/sports/mute`, { user_ids: ['ann'], seconds: 0 }, 400111],
  [`DELETE ${TYPES}/sports/mute`, undefined, 400105],
  [`POST ${TYPES}/sports/operators`, {}, 400105],
]);

test.for<readonly [request: string, most: number, body: (text: string) => Answer, code?: number]>([
  ['POST /users', 80, (user_id) => user({ user_id })],
  ['POST /users', 80, (nickname) => user({ nickname })],
  ['POST /users', 2048, (profile_url) => user({ profile_url })],
  ['POST /users', 128, (key) => user({ metadata: { [key]: '' } })],
  ['POST /users', 190, (value) => user({ metadata: { a: value } })],
  ['POST /bots', 80, (bot_userid) => bot({ bot_userid })],
  ['POST /bots', 128, (bot_type) => bot({ bot_type })],
  ...['POST /bots', 'PUT /bots/helper'].flatMap((asked) => [
    [asked, 80, (bot_nickname: string) => bot({ bot_nickname })] as const,
    [asked, 2048, (bot_profile_url: string) => bot({ bot_profile_url })] as const,
    [asked, 1014, (path: string) => bot({ bot_callback_url: `https://a/${path}` })] as const,
  ]),
  ['POST {channels}', 191, (name) => channel({ name })],
  ['POST {channels}', 2048, (cover_url) => channel({ cover_url })],
  ['POST {channels}', 128, (custom_type) => channel({ custom_type })],
  ['POST {channels}', 100, (text) => channel({ channel_url: text.replaceAll('😀', 'a') }), 400111],
  ['POST {channel}/ban', 250, (description) => ({ user_id: 'ann', description })],
  ['PUT {channel}/ban/bad', 250, (description) => ({ seconds: 1, description })],
  ['POST {channel}/mute', 2048, (description) => ({ user_id: 'ann', description })],
  ['POST {migration}', 128, (custom_type) => migrated({ custom_type })],
  ['POST {migration}', 5000, (message) => migrated({ message }), 400700],
  [`POST ${TYPES}`, 128, (custom_type) => ({ custom_type })],
])('%s accepts a text of %i code points, and not of one more', async ([asked, most, body, code = 400110]) => {
  for (const one of each(asked)) {
    const [method = '', path = ''] = one.split(' ');
    expect(await (await start()).code(method, path, body('😀'.repeat(most)))).toBe(200);
    expect(await (await shared()).code(method, path, body('😀'.repeat(most + 1)))).toBe(code);
  }
});

test('answers 400401 for a wrong token before it looks at the request', async () => {
  const api = await startApi();
  for (const path of ['/users', '/nowhere', '/users?limit=x']) {
    const { body, headers } = await request({ url: api.emulator.url, token: 'wrong' }, 'GET', path);
    expect(body).toEqual({ message: 'Invalid API token.', code: 400401, error: true });
    expect(headers.get('content-type')).toBe('application/json');
  }
});

test('refuses texts that are longer than the application allows', async () => {
  const api = await startApi({ raisedLimits: { message_length: 50 } });
  await api.users('ann');
  expect(await api.room('room-1', ['ann'])).toMatchObject({ max_length_message: 50 });
  await api.say('ann', { message: 'é'.repeat(50) });
  const longer = { message_type: 'MESG', user_id: 'ann', message: 'é'.repeat(51) };
  expect(await api.code('POST', '/group_channels/room-1/messages', longer)).toBe(400700);
});

test.for<readonly [limits: MetaArrayBounds, code: number]>([
  [{ arrays: 2, keys: 2, values: 3, key_bytes: 4, value_bytes: 5 }, 200],
  [{ arrays: 1 }, 900029],
  [{ keys: 1 }, 900027],
  [{ values: 2 }, 900028],
  [{ key_bytes: 3 }, 400110],
  [{ value_bytes: 4 }, 400110],
])('refuses meta arrays of a message beyond %j with %i', async ([metaArrays, code]) => {
  const api = await startApi({ raisedLimits: { meta_arrays: metaArrays } });
  await api.users('ann');
  await api.room('room-1', ['ann']);
  const arrays = [
    { key: 'kéy', value: ['a', 'b', 'ccccc'] },
    { key: 'k', value: [] },
  ];
  const message = { message_type: 'MESG', user_id: 'ann', message: 'hi' };
  const sent = { ...message, sorted_metaarray: arrays };
  const migrated = { messages: [{ ...sent, timestamp: 1_700_000_000_000, dedup_id: 'a' }] };
  expect(await api.code('POST', '/group_channels/room-1/messages', sent)).toBe(code);
  expect(await api.code('POST', '/migration/room-1', migrated)).toBe(code);
  const { message_id: id } = await api.ok('POST', '/group_channels/room-1/messages', message);
  const path = `/group_channels/room-1/messages/${id}/sorted_metaarray`;
  expect(await api.code('POST', path, { sorted_metaarray: arrays })).toBe(code);
});
