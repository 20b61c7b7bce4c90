// Tests what the emulator answers in full, as exchanges that are to be read: goldens/answers.md.

import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { type Answer, BOT, messageOf, START_MS, startApi } from './support/support.ts';

/** A request with its body, or the seconds that pass. */
type Exchange = readonly [request: string, body?: Answer] | number;

const TYPES = '/applications/settings_by_channel_custom_type';
const IMAGE = 'https://example.com/h.png';
const shared = { custom_type: 'c', mentioned_user_ids: ['bob'], sorted_metaarray: [{ key: 'k', value: ['v'] }] };
const file = { url: 'https://f/x.png', file_name: 'x.png', file_size: 7, file_type: 'image/png', custom_field: 'cf' };
const rules = {
  domain_filter: { domains: ['bad.example'], type: 2, should_check_global: true },
  profanity_filter: { keywords: ['dumb', 'dummy*'], regex_filters: [{ regex: 'da+mn' }], type: 1 },
  profanity_triggered_moderation: { count: 3, duration: 60, action: 1 },
  image_moderation: { type: 2, soft_block: true, limits: { adult: 1 }, check_urls: true },
};
const window = { start_hour: 22, start_min: 15, end_hour: 7, end_min: 30 };

const restrictions = (channel: string): readonly Exchange[] => [
  [`POST ${channel}/ban`, { user_id: 'ann', agent_id: 'bob', seconds: 60, description: 'spam' }],
  [`GET ${channel}/ban/ann`],
  1,
  [`POST ${channel}/ban`, { user_id: 'cat' }],
  [`GET ${channel}/ban?show_total_ban_count=true`],
  [`PUT ${channel}/ban/ann`, { seconds: 10 }],
  [`PUT ${channel}/ban/ann`, { seconds: 10, description: 'x' }],
  [`DELETE ${channel}/ban/ann`],
  [`GET ${channel}/ban/ann`],
  [`GET ${channel}/ban`],
  [`POST ${channel}/mute`, { user_id: 'bob', seconds: 60, description: 'loud' }],
  1,
  [`GET ${channel}/mute/bob`],
  [`GET ${channel}/mute?show_total_mute_count=true`],
  [`DELETE ${channel}/mute/bob`],
  [`GET ${channel}/mute/bob`],
  [`GET ${channel}/mute`],
  [`POST ${channel}/mute`, { user_id: 'bob' }],
  [`GET ${channel}/mute`],
];

/** Each begins with the users ann, bob and cat, the open channel lobby and the group channel room-1 of ann and bob. */
const STORIES: Readonly<Record<string, readonly Exchange[]>> = {
  'A user is created, viewed without is_created and phone_number, and updated except for metadata': [
    [
      'POST /users',
      { user_id: 'u', nickname: 'U', profile_url: IMAGE, metadata: { team: 'a' }, discovery_keys: ['k'] },
    ],
    ['GET /users/u?include_unread_count=true'],
    [
      'PUT /users/u',
      { nickname: 'New', profile_url: '', preferred_languages: ['en'], last_seen_at: START_MS, metadata: { b: '2' } },
    ],
    ['GET /applications/dau'],
    ['GET /applications/mau?date=2026-11-22'],
    ['POST /group_channels/room-1/typing', { user_ids: ['ann'] }],
    ['DELETE /group_channels/room-1/typing', { user_ids: ['ann'] }],
  ],
  'An open channel shows every field': [
    [
      'POST /open_channels',
      {
        ...{ name: 'Hall', channel_url: 'hall', cover_url: 'https://c', custom_type: 'hall', data: '{"x":1}' },
        ...{ is_ephemeral: true, operator_ids: ['ann'] },
      },
    ],
    ['GET /open_channels/hall'],
    ['GET /open_channels/hall/participants'],
  ],
  'A group channel shows every field, members on request, and what one user sees of it': [
    [
      'POST /group_channels',
      {
        ...{ name: 'Room', channel_url: 'room-2', custom_type: 't', data: 'd', inviter_id: 'ann' },
        ...{ user_ids: ['ann', 'bob'], operator_ids: ['bob'] },
      },
    ],
    ['GET /group_channels/room-2?show_member=true'],
    ['GET /group_channels/room-2?user_id=bob'],
    ['GET /group_channels/room-2?user_id=cat'],
  ],
  'A bot is created, viewed, updated except for its type and token, and deleted': [
    ['POST /bots', BOT],
    ['GET /bots/helper'],
    [
      'PUT /bots/helper',
      {
        ...{ bot_nickname: 'H', bot_profile_url: IMAGE, bot_callback_url: 'http://localhost:1/x', bot_type: 'other' },
        ...{ bot_userid: 'other', is_privacy_mode: false, enable_mark_as_read: false, show_member: true },
        channel_invitation_preference: 1,
      },
    ],
    ['PUT /bots/helper', {}],
    ['POST /bots', { ...BOT, bot_userid: 'second' }],
    ['GET /bots?limit=1'],
    ['DELETE /bots/helper'],
    ['GET /bots'],
  ],
  'People are banned and muted in an open channel, until that is lifted': restrictions('/open_channels/lobby'),
  'People are banned and muted in a group channel, until that is lifted': restrictions('/group_channels/room-1'),
  'A migrated message of each kind is listed with its fields and time': [
    [
      'POST /migration/room-1',
      {
        messages: [
          { message_type: 'MESG', user_id: 'ann', message: 'hi', timestamp: 1000, data: 'd', ...shared },
          { message_type: 'FILE', user_id: 'bob', timestamp: 2000, ...file, ...shared },
          { message_type: 'ADMM', message: 'note', timestamp: 3000, is_silent: true, data: 'd', ...shared },
        ],
      },
    ],
    ['GET /group_channels/room-1/messages?message_ts=0&with_sorted_meta_array=true'],
  ],
  'A message is sent, viewed and updated, and not found once it is deleted': [
    [
      'POST /open_channels/lobby/messages',
      { message_type: 'MESG', user_id: 'ann', message: 'hi', data: 'd', mention_type: 'channel' },
    ],
    ['GET /open_channels/lobby/messages/1'],
    1,
    ['PUT /open_channels/lobby/messages/1', { message_type: 'MESG', message: 'ho' }],
    ['PUT /open_channels/lobby/messages/1', { message_type: 'ADMM', message: 'ho' }],
    ['DELETE /open_channels/lobby/messages/1'],
    ['GET /open_channels/lobby/messages/1'],
    ['PUT /open_channels/lobby/messages/1', { message_type: 'MESG', message: 'x' }],
    ['DELETE /open_channels/lobby/messages/1'],
    ['GET /open_channels/lobby/messages?message_ts=0'],
    ['GET /open_channels/lobby/messages/total_count'],
    ['GET /open_channels/lobby/messages?message_ts=0&including_removed=true'],
  ],
  'A change of a message takes its text, data, type and mentions, and leaves its time and meta arrays': [
    [
      'POST /migration/room-1',
      { messages: [messageOf('ann', 5, { data: 'd', custom_type: 'c', mentioned_user_ids: ['bob'] })] },
    ],
    [
      'PUT /group_channels/room-1/messages/1',
      { message_type: 'MESG', message: 'new', data: '', ...shared, custom_type: '', mentioned_user_ids: [] },
    ],
    ['PUT /group_channels/room-1/messages/1', { message_type: 'MESG', message: 'x'.repeat(5001) }],
    ['POST /migration/room-1', { messages: [{ message_type: 'FILE', user_id: 'ann', timestamp: 9, ...file }] }],
    ['PUT /group_channels/room-1/messages/2', { message_type: 'FILE', data: '' }],
  ],
  'The webhook is off at first and without events, keeps what a body leaves out, and answers * with all events': [
    ['GET /applications/settings/webhook'],
    [
      'PUT /applications/settings/webhook',
      { enabled: true, url: 'https://hooks.example.com/chat', enabled_events: ['group_channel:create'] },
    ],
    ['PUT /applications/settings/webhook', { include_members: true, include_unread_count: true }],
    ['GET /applications/settings/webhook?display_all_webhook_categories=true'],
    ['PUT /applications/settings/webhook', { enabled_events: ['*'] }],
    ['PUT /applications/settings/webhook', { enabled_events: [] }],
  ],
  'Automatic event messages are off at first, and change only as named': [
    ['GET /applications/settings/auto_event_message'],
    [
      'PUT /applications/settings/auto_event_message',
      { auto_event_message: { user_join: { user_join: true }, channel_create: { public_channel: true } } },
    ],
    [
      'PUT /applications/settings/auto_event_message',
      { auto_event_message: { unknown: { x: 1 }, user_join: { unknown: 1 } } },
    ],
  ],
  'The rest of a setting that is sent in part goes back to its default, and keywords are answered as one text': [
    [`POST ${TYPES}`, { custom_type: 'a/b' }],
    [`GET ${TYPES}/a%2Fb`],
    [`PUT ${TYPES}/a%2Fb`, rules],
    [`PUT ${TYPES}/a%2Fb`, { domain_filter: { type: 1 } }],
    ['GET /applications/settings_global'],
    [`DELETE ${TYPES}/a%2Fb`],
    [`GET ${TYPES}/a%2Fb`],
  ],
  'Push is on at first, a template is updated as a whole, and addresses are added to those that are listed': [
    ['GET /applications/push/settings'],
    ['PUT /applications/push/settings', { push_enabled: false }],
    ['PUT /applications/push/message_templates/alternative', { template: { MESG: 'a', FILE: 'b', ADMM: 'c' } }],
    ['GET /applications/push/message_templates/alternative'],
    ['GET /applications/push/message_templates'],
    ['GET /applications/settings/ip_whitelist'],
    ['PUT /applications/settings/ip_whitelist', { ip_whitelist_addresses: ['192.0.2.0/24'] }],
    ['PUT /applications/settings/ip_whitelist', { ip_whitelist_addresses: ['198.51.100.7'] }],
    ['DELETE /applications/settings/ip_whitelist', { ip_whitelist_addresses: ['198.51.100.7'] }],
  ],
  'Later users get the invitation preference of the application, and each may change it': [
    ['GET /applications/default_channel_invitation_preference'],
    ['PUT /applications/default_channel_invitation_preference', { auto_accept: false }],
    ['POST /users', { user_id: 'late', nickname: 'L', profile_url: '' }],
    ['GET /users/ann/channel_invitation_preference'],
    ['GET /users/late/channel_invitation_preference'],
    ['PUT /users/late/channel_invitation_preference', { auto_accept: true }],
    ['GET /users/late/channel_invitation_preference'],
  ],
  'Push preferences stay until they are reset, and their windows are divided at midnight': [
    ['GET /users/ann/push_preference'],
    [
      'PUT /users/ann/push_preference',
      { push_trigger_option: 'mention_only', dnd_schedules: [{ day_of_week: 'sunday', time_windows: [window] }] },
    ],
    ['GET /users/ann/push_preference'],
    ['DELETE /users/ann/push_preference'],
    ['GET /users/ann/push_preference'],
    ['PUT /users/ann/push_preference/room-1', { push_trigger_option: 'off' }],
    ['PUT /users/ann/push_preference/room-1', { push_trigger_option: 'default' }],
    ['GET /users/ann/push_preference/room-1'],
  ],
  'A device token has its owners until it is removed': [
    ['POST /users/ann/push/gcm', { gcm_reg_token: 't1' }],
    ['POST /users/ann/push/gcm', { gcm_reg_token: 't1' }],
    ['POST /users/ann/push/gcm', { gcm_reg_token: 't2' }],
    ['POST /users/bob/push/gcm', { gcm_reg_token: 't1' }],
    ['GET /users/ann/push/gcm'],
    ['GET /push/device_tokens/gcm/t1'],
    ['DELETE /users/ann/push/gcm/t2'],
    ['DELETE /push/device_tokens/gcm/t1'],
    ['GET /users/ann/push/gcm'],
    ['POST /users/bob/push/gcm', { gcm_reg_token: 't3' }],
    ['DELETE /users/bob/push'],
    ['GET /push/device_tokens/gcm/t3'],
  ],
  'A reaction is added and removed, and a repetition answers success: false': [
    ['POST /group_channels/room-1/messages', { message_type: 'ADMM', message: 'hi' }],
    ['POST /group_channels/room-1/messages/1/reactions', { user_id: 'bob', reaction: '👍' }],
    ['POST /group_channels/room-1/messages/1/reactions', { user_id: 'bob', reaction: '👍' }],
    ['GET /group_channels/room-1/messages/1/reactions'],
    ['GET /group_channels/room-1/messages?message_ts=0&include_reactions=true'],
    ['GET /group_channels/room-1/messages?message_ts=0'],
    ['DELETE /group_channels/room-1/messages/1/reactions?user_id=bob&reaction=%F0%9F%91%8D'],
    ['DELETE /group_channels/room-1/messages/1/reactions?user_id=bob&reaction=%F0%9F%91%8D'],
    ['GET /group_channels/room-1/messages/1/reactions'],
  ],
};

/** What an object has and another one has not, as text. */
function differences(body: Answer, before: Answer): string {
  const gone = Object.keys(before).filter((name) => !(name in body));
  const changed = Object.entries(body).filter(([name, value]) => !isDeepStrictEqual(value, before[name]));
  return [
    ...gone.map((name) => `without ${name}`),
    ...changed.map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
  ].join(', ');
}

/** Breaks a text into lines of a page, after commas. */
function wrapped(text: string): string {
  const lines = [''];
  for (const piece of text.split(/(?<=,)/u)) {
    const last = lines.length - 1;
    if ((lines[last] + piece).length > 116) lines.push(`     ${piece.trimStart()}`);
    else lines[last] += piece;
  }
  return lines.join('\n');
}

/** The exchanges of a story. An answer that has most fields of an earlier one is shown as its differences. */
async function told(story: readonly Exchange[]): Promise<string> {
  const api = await startApi();
  await api.users('ann', 'bob', 'cat');
  await api.ok('POST', '/open_channels', { channel_url: 'lobby' });
  await api.room('room-1', ['ann', 'bob']);
  const lines: string[] = [];
  const known: { readonly number: number; readonly body: Answer }[] = [];
  for (const [place, exchange] of story.entries()) {
    if (typeof exchange === 'number') {
      api.clock.nowMs += 1000 * exchange;
      lines.push(`(${exchange} s later)`);
      continue;
    }
    const [asked, sent] = exchange;
    const [method = '', path = ''] = asked.split(' ');
    const body: Answer = (await api.call(method, path, sent)).body;
    const names = Object.keys(body);
    const like = known.findLast(
      (one) => names.filter((name) => name in one.body).length > Math.max(3, names.length / 2),
    );
    if (names.length > 3) known.push({ number: place + 1, body });
    const text = differences(body, like?.body ?? {}) || (like === undefined ? '{}' : 'the same');
    const answer = like === undefined ? text : `as ${like.number}, but ${text}`.replace(', but the same', '');
    lines.push(wrapped(`${place + 1}. ${asked} ${JSON.stringify(sent)?.replace(/x{99,}/u, 'xx…') ?? ''}`.trimEnd()));
    lines.push(wrapped(`   ${answer.replaceAll(/\b[0-9a-f]{40}\b/gu, '(40 hexadecimal digits)')}`));
  }
  return `\`\`\`\n${lines.join('\n')}\n\`\`\``;
}

test('the answers equal goldens/answers.md', async () => {
  const sections = ['# What the emulator answers\n\nWritten by `test/emulator/answers.test.ts`.'];
  for (const [title, story] of Object.entries(STORIES)) sections.push(`## ${title}`, await told(story));
  await expect(`${sections.join('\n\n')}\n`).toMatchFileSnapshot('goldens/answers.md');
});
