// The table of conformance: declarations in stages, and what the reads of the platform must show after each.
//
// Each feature has an object of its own, so that a refusal of one call hides nothing else. `@name` is the scratch object of that name.
import type { JsonObject, JsonValue } from '../../lib/json.ts';

/** The attributes of a block after a stage, or null for a block that is removed. Absent: as in the stage before. */
type StagedBlock = JsonObject | null | undefined;

/** What a read must show after a stage. Entries of maps that are not listed may have any value; null is an absent entry. */
export interface ExpectedRead {
  readonly stage: number;
  readonly claim: string;
  /** Absent: whether the object exists. */
  readonly attribute?: string;
  readonly value: JsonValue;
}

export interface StagedObject {
  readonly section: string;
  readonly name: string;
  readonly stages: readonly StagedBlock[];
  readonly reads: readonly ExpectedRead[];
}

export const stageCount = 3;

const read = (stage: number, claim: string, attribute: string, value: JsonValue): ExpectedRead => ({
  stage,
  claim,
  attribute,
  value,
});
const exists = (stage: number, claim: string, value: boolean): ExpectedRead => ({ stage, claim, value });
const object = (
  section: string,
  name: string,
  stages: readonly StagedBlock[],
  ...reads: readonly ExpectedRead[]
): StagedObject => ({ section, name, stages, reads });

const person = (name: string): StagedObject =>
  object('users', name, [{ nickname: name, profile_url: '' }], read(0, `creates the user ${name}`, 'nickname', name));

const users: readonly StagedObject[] = [
  ...['ann', 'bob', 'cat', 'dan'].map(person),
  object(
    'users',
    'rich',
    [
      {
        nickname: 'One',
        profile_url: 'https://example.com/a.png',
        metadata: { team: 'a', place: 'b' },
        discovery_keys: ['@key'],
        preferred_languages: ['en', 'de'],
      },
      {
        nickname: 'Two',
        profile_url: 'https://example.com/b.png',
        metadata: { team: 'c' },
        discovery_keys: ['@other-key'],
        preferred_languages: ['de'],
      },
      { nickname: 'Two' },
    ],
    read(0, 'creates a user with a picture', 'profile_url', 'https://example.com/a.png'),
    read(0, 'creates a user with metadata', 'metadata', { team: 'a', place: 'b' }),
    read(0, 'creates a user with discovery keys', 'discovery_keys', ['@key']),
    read(0, 'creates a user with languages', 'preferred_languages', ['en', 'de']),
    read(1, 'edits a nickname', 'nickname', 'Two'),
    read(1, 'edits a picture', 'profile_url', 'https://example.com/b.png'),
    read(1, 'edits and removes metadata of a user', 'metadata', { team: 'c', place: null }),
    read(1, 'replaces discovery keys', 'discovery_keys', ['@other-key']),
    read(1, 'replaces languages', 'preferred_languages', ['de']),
    read(2, 'removes a picture', 'profile_url', ''),
    read(2, 'removes metadata of a user', 'metadata', { team: null }),
    read(2, 'removes discovery keys', 'discovery_keys', []),
    read(2, 'removes languages', 'preferred_languages', []),
  ),
  object(
    'users',
    'idle',
    [
      { nickname: 'Idle', profile_url: '' },
      { nickname: 'Idle', profile_url: '', deactivated: true },
      { nickname: 'Idle', profile_url: '' },
    ],
    read(1, 'deactivates a user', 'deactivated', true),
    read(2, 'reactivates a user', 'deactivated', false),
  ),
  object(
    'users',
    'careful',
    [
      { nickname: 'Careful', profile_url: '', auto_accept: false },
      { nickname: 'Careful', profile_url: '', auto_accept: true },
    ],
    read(0, 'creates a user who accepts invitations', 'auto_accept', false),
    read(1, 'edits the preference for invitations', 'auto_accept', true),
  ),
  object('users', 'gone', [{ nickname: 'Gone', profile_url: '' }, null], exists(1, 'deletes a user', false)),
];

const bots: readonly StagedObject[] = [
  object(
    'bots',
    'helper',
    [
      { bot_nickname: 'One', bot_type: 'helper', bot_callback_url: 'https://example.com/a' },
      {
        bot_nickname: 'Two',
        bot_type: 'helper',
        bot_callback_url: 'https://example.com/b',
        is_privacy_mode: true,
        show_member: true,
      },
      null,
    ],
    read(0, 'creates a bot', 'bot_nickname', 'One'),
    read(1, 'edits the name of a bot', 'bot_nickname', 'Two'),
    read(1, 'edits the callback of a bot', 'bot_callback_url', 'https://example.com/b'),
    read(1, 'switches the privacy mode of a bot', 'is_privacy_mode', true),
    exists(2, 'deletes a bot', false),
  ),
  // A plan that removes every object of a kind is refused.
  object('bots', 'keeper', [
    { bot_nickname: 'Keeper', bot_type: 'helper', bot_callback_url: 'https://example.com/a', bot_profile_url: '' },
  ]),
];

/** The rows that open and group channels have in common. `members` are those of a group channel. */
function channelRows(section: string, title: string, members: JsonObject): readonly StagedObject[] {
  const named = (what: string): string => `${what} of ${title}`;
  const plain = { name: 'Scratch', ...members };
  return [
    object(
      section,
      'room',
      [
        {
          name: 'One',
          custom_type: '@type-of-room',
          data: 'one',
          metadata: { a: '1', b: '2' },
          operators: ['@ann'],
          ...members,
        },
        {
          name: 'Two',
          custom_type: '@other-type',
          data: 'two',
          metadata: { a: '3' },
          operators: ['@bob'],
          ...members,
        },
        { name: 'Two', ...members },
      ],
      read(0, `creates ${title}`, 'name', 'One'),
      read(0, named('creates the custom type'), 'custom_type', '@type-of-room'),
      read(0, named('creates the metadata'), 'metadata', { a: '1', b: '2' }),
      read(0, named('creates the operators'), 'operators', ['@ann']),
      read(1, named('edits the name'), 'name', 'Two'),
      read(1, named('edits the custom type'), 'custom_type', '@other-type'),
      read(1, named('edits the data'), 'data', 'two'),
      read(1, named('edits and removes metadata'), 'metadata', { a: '3', b: null }),
      read(1, named('replaces the operators'), 'operators', ['@bob']),
      read(2, named('removes the custom type'), 'custom_type', ''),
      read(2, named('removes the data'), 'data', ''),
      read(2, named('removes the operators'), 'operators', []),
    ),
    object(
      section,
      'frost',
      [plain, { ...plain, frozen: true }, plain],
      read(1, `freezes ${title}`, 'frozen', true),
      read(2, `unfreezes ${title}`, 'frozen', false),
    ),
    object(
      section,
      'court',
      [plain, { ...plain, banned: { '@dan': { description: 'spam' } } }, plain],
      read(1, `bans a user from ${title}`, 'banned', { '@dan': { description: 'spam' } }),
      read(2, `lifts a ban from ${title}`, 'banned', { '@dan': null }),
    ),
    object(
      section,
      'quiet',
      [plain, { ...plain, muted: { '@bob': { description: 'loud' } } }, plain],
      read(1, `mutes a user in ${title}`, 'muted', { '@bob': { description: 'loud' } }),
      read(2, `lifts a mute in ${title}`, 'muted', { '@bob': null }),
    ),
    object(section, 'gone', [plain, null], exists(1, `deletes ${title}`, false)),
  ];
}

const pair = { members: { '@ann': {}, '@bob': {} } };
const membersWith = (attributes: JsonObject): JsonObject => ({ name: 'Scratch', ...attributes });

const groupChannels: readonly StagedObject[] = [
  ...channelRows('group_channels', 'a group channel', pair),
  object(
    'group_channels',
    'crowd',
    [
      membersWith(pair),
      membersWith({ members: { '@ann': {}, '@bob': {}, '@cat': {} } }),
      membersWith({ members: { '@ann': {}, '@cat': {} } }),
    ],
    read(0, 'creates members', 'members', { '@ann': { invitation_status: null }, '@bob': {} }),
    read(1, 'invites a user', 'members', { '@cat': {} }),
    read(2, 'removes a member', 'members', { '@bob': null, '@cat': {} }),
  ),
  object(
    'group_channels',
    'doorbell',
    [
      membersWith({ members: { '@ann': {}, '@dan': { invitation_status: 'invited_by_friend' } } }),
      membersWith({ members: { '@ann': {}, '@dan': { invitation_status: 'joined' } } }),
    ],
    read(0, 'creates an invitation', 'members', { '@dan': { invitation_status: 'invited_by_friend' } }),
    read(1, 'accepts an invitation', 'members', { '@dan': { invitation_status: null } }),
  ),
  object(
    'group_channels',
    'attic',
    [
      membersWith(pair),
      membersWith({ members: { '@ann': { hidden_status: 'hidden_prevent_auto_unhide' }, '@bob': {} } }),
      membersWith({ members: { '@ann': { hidden_status: 'unhidden' }, '@bob': {} } }),
    ],
    read(1, 'hides a channel from a member', 'members', { '@ann': { hidden_status: 'hidden_prevent_auto_unhide' } }),
    read(2, 'shows a hidden channel', 'members', { '@ann': { hidden_status: null } }),
  ),
  object(
    'group_channels',
    'hall',
    [membersWith({ ...pair, is_super: true }), membersWith({ ...pair, is_super: true, name: 'Hall' })],
    read(0, 'creates a supergroup', 'is_super', true),
    read(1, 'edits the name of a supergroup', 'name', 'Hall'),
  ),
  object(
    'group_channels',
    'square',
    [membersWith({ ...pair, is_public: true }), membersWith({ ...pair, is_public: false })],
    read(0, 'creates a public channel', 'is_public', true),
    read(1, 'makes a public channel private', 'is_public', false),
  ),
];

const customTypes: readonly StagedObject[] = [
  object(
    'custom_types',
    'type',
    [
      { max_message_length: 500, display_past_message: true, operators: ['@ann'] },
      { max_message_length: 1000, display_past_message: false, operators: ['@bob'] },
      null,
    ],
    read(0, 'creates the message length of a custom type', 'max_message_length', 500),
    read(0, 'creates the history of a custom type', 'display_past_message', true),
    read(0, 'creates operators of a custom type', 'operators', ['@ann']),
    read(1, 'edits the message length of a custom type', 'max_message_length', 1000),
    read(1, 'edits the history of a custom type', 'display_past_message', false),
    read(1, 'replaces operators of a custom type', 'operators', ['@bob']),
    exists(2, 'deletes the settings of a custom type', false),
  ),
  object('custom_types', 'other', [{ max_message_length: 500 }]),
];

/** Channels whose history file is read back message by message. */
export const channelsWithHistory = [
  { section: 'open_channels', name: 'log', claim: 'migrates the history of an open channel' },
  { section: 'group_channels', name: 'log', claim: 'migrates the history of a group channel' },
  { section: 'group_channels', name: 'talk', claim: 'sends replies in threads at their times' },
] as const;

/** Each channel has a history file of its own, because a dedup_id may count for the whole application. */
export function historyFileOf(section: string, name: string): string {
  return `${section}-${name}.ndjson`;
}

const archived: readonly StagedObject[] = channelsWithHistory.map(({ section, name }) =>
  object(section, name, [
    {
      name: 'Log',
      messages: { file: historyFileOf(section, name), ...(hasThreads(name) ? { threads: 'send' } : {}) },
      ...(section === 'group_channels' ? pair : {}),
    },
  ]),
);

function hasThreads(name: string): boolean {
  return name === 'talk';
}

/** The lines of a history file. Timestamps count from the beginning of the run. */
export function historyFileLines(name: string): readonly JsonObject[] {
  return hasThreads(name) ? [...plainLines, reply] : plainLines;
}

const plainLines: readonly JsonObject[] = [
  { message_type: 'MESG', user_id: '@ann', message: 'Hello', timestamp: 0, dedup_id: '@one' },
  { message_type: 'ADMM', message: 'A notice', timestamp: 1000, dedup_id: '@two' },
  {
    message_type: 'FILE',
    user_id: '@bob',
    url: 'https://example.com/a.png',
    timestamp: 2000,
    dedup_id: '@three',
  },
];

const reply: JsonObject = {
  message_type: 'MESG',
  user_id: '@bob',
  message: 'A reply',
  timestamp: 3000,
  dedup_id: '@four',
  parent: '@one',
};

export const stagedObjects: readonly StagedObject[] = [
  ...users,
  ...bots,
  ...channelRows('open_channels', 'an open channel', {}),
  ...groupChannels,
  ...customTypes,
  ...archived,
];
