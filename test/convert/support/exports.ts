// Support: makes exports of each system, with the results that a conversion must find.
import fc from 'fast-check';
import { jsonl } from './small-exports.ts';

export interface GeneratedExport {
  readonly files: Readonly<Record<string, string>>;
  /** Objects and messages: lines that the ledger must have. */
  readonly count: number;
  /** The facts that decoding must return for the kept messages, by id. */
  readonly facts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface DraftMessage {
  readonly channel: number;
  readonly sender: number;
  /** Milliseconds after the start; many share one, and they are in no order. */
  readonly after: number;
  readonly text: string;
  readonly replyTo: number | undefined;
  readonly reactions: readonly { readonly name: string; readonly users: readonly number[] }[];
  readonly isEdited: boolean;
  readonly hasFile: boolean;
}

export interface Draft {
  readonly users: number;
  readonly channels: number;
  readonly messages: readonly DraftMessage[];
}

const start = 1_700_000_000_000;

const textPart = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    ...['<@U000001>', '<#C000000|room>', '<https://example.com/a?b=1&amp;c=2|a link>', '&lt;b&gt;', ':+1:', '`:x:`'],
    ':constructor:',
  ),
  fc.constantFrom('@user1', '# not a heading', '\n', '"quoted" \\ back', ':100:', 'https://example.com/?t=42'),
);

const text = fc.oneof(
  { weight: 12, arbitrary: fc.array(textPart, { maxLength: 5 }).map((parts) => parts.join(' ')) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 4990, max: 16_000 }).map((length) => 'long words 😀 '.repeat(length / 13)),
  },
);

export const draft: fc.Arbitrary<Draft> = fc.record({
  users: fc.integer({ min: 1, max: 5 }),
  channels: fc.integer({ min: 1, max: 3 }),
  messages: fc.array(
    fc.record({
      channel: fc.nat(2),
      sender: fc.nat(4),
      after: fc.oneof(fc.nat(3), fc.nat(200_000_000)),
      text,
      replyTo: fc.option(fc.nat(20), { nil: undefined }),
      reactions: fc.array(
        fc.record({
          name: fc.constantFrom('+1', 'tada', 'own_emoji', 'constructor', '__proto__'),
          users: fc.array(fc.nat(4), { minLength: 1, maxLength: 3 }),
        }),
        { maxLength: 2 },
      ),
      isEdited: fc.boolean(),
      hasFile: fc.boolean(),
    }),
    { maxLength: 25, size: 'max' },
  ),
});

interface Placed extends DraftMessage {
  readonly number: number;
  readonly time: number;
}

/** Senders and people who reacted are numbers of users. */
function placed({ users, channels, messages }: Draft): Placed[] {
  return messages.map((message, number) => ({
    ...message,
    number,
    channel: message.channel % channels,
    sender: message.sender % users,
    time: start + message.after,
    replyTo: message.replyTo !== undefined && message.replyTo < number ? message.replyTo : undefined,
    reactions: message.reactions.map(({ name, users: all }) => ({ name, users: all.map((user) => user % users) })),
  }));
}

function times<T>(count: number, make: (number: number) => T): T[] {
  return Array.from({ length: count }, (_none, number) => make(number));
}

type Fields = Readonly<Record<string, unknown>>;

/** Without undefined fields and empty lists. */
function without<T extends Fields>(object: T): T {
  const isThere = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(object).filter(([, value]) => isThere(value))) as T;
}

/** The reactions to a message by names of users. */
function reactionsOf({ reactions }: Placed, nameOf: (user: number) => string) {
  return reactions.map(({ name, users }) => ({ name, users: users.map(nameOf) }));
}

function textsOf(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));
}

const pdf = { name: 'plan.pdf', mimetype: 'application/pdf', size: 12 };

export function slackExport(draft: Draft): GeneratedExport {
  const user = (number: number): string => `U${String(number).padStart(6, '0')}`;
  const channel = (number: number): string => `C${String(number).padStart(6, '0')}`;
  // The number of a message is below the millisecond, so that messages of one millisecond differ.
  const ts = ({ time, number }: Placed): string =>
    `${Math.floor(time / 1000)}.${String(time % 1000).padStart(3, '0')}${String(number).padStart(3, '0')}`;
  const all = placed(draft);
  const days: Record<string, object[]> = {};
  const facts: Record<string, Fields> = {};
  for (const message of all) {
    const root = message.replyTo === undefined ? undefined : all[message.replyTo];
    const file = { id: `F${message.number}`, ...pdf };
    const thread = root === undefined ? undefined : ts(root);
    const reactions = reactionsOf(message, user);
    const edited = message.isEdited ? { user: user(message.sender), ts: ts(message) } : undefined;
    const entry = without({
      type: 'message',
      user: user(message.sender),
      text: message.text,
      ts: ts(message),
      thread_ts: thread,
      reactions: reactions.map((reaction) => ({ ...reaction, count: reaction.users.length })),
      edited,
      files: message.hasFile ? [{ ...file, url_private: 'https://files.slack.com/plan.pdf?t=xoxe-1-2' }] : undefined,
      blocks: message.number % 3 === 0 ? [{ type: 'rich_text', block_id: 'b' }] : undefined,
    });
    const day = `room-${message.channel}/${new Date(message.time).toISOString().slice(0, 10)}.json`;
    days[day] = [...(days[day] ?? []), entry];
    const id = `slack:${channel(message.channel)}:${ts(message)}`;
    facts[id] = without({
      ...{ id, sender: user(message.sender), time: message.time, text: message.text, reactions, edited },
      thread: thread === ts(message) ? undefined : thread,
      files: message.hasFile ? [{ ...file, url_private: 'https://files.slack.com/plan.pdf' }] : undefined,
      more: entry.blocks === undefined ? undefined : { blocks: entry.blocks },
    });
  }
  const email = 'a@example.com';
  const users = times(draft.users, (number) => ({ id: user(number), name: `user${number}`, profile: { email } }));
  const members = times(draft.users, user);
  const channels = times(draft.channels, (number) => ({ id: channel(number), name: `room-${number}`, members }));
  const files = textsOf({ 'users.json': users, 'channels.json': channels, ...days });
  return { files, count: users.length + channels.length + all.length, facts };
}

/** Some of these names are also properties that every object inherits. */
function streamUser(number: number): string {
  return ['u0', 'valueOf', 'constructor', '__proto__', 'u4'][number] ?? `u${number}`;
}

function streamExport(draft: Draft): GeneratedExport {
  const all = placed(draft);
  const rowOf = (type: string, item: object) => ({ type, item });
  const own = streamUser(0);
  const rows: object[] = [
    ...times(draft.users, (number) => rowOf('user', { id: streamUser(number), name: `User ${number}` })),
    ...times(draft.channels, (number) => rowOf('channel', { id: `room${number}`, type: 'messaging', created_by: own })),
    ...times(draft.channels, (number) =>
      rowOf('member', { channel_id: `room${number}`, channel_type: 'messaging', user_id: own }),
    ),
  ];
  const reactions: object[] = [];
  const facts: Record<string, Fields> = {};
  for (const message of all) {
    const id = `m${message.number}`;
    const root = message.replyTo === undefined ? undefined : `m${message.replyTo}`;
    const file = { type: 'file', title: 'plan.pdf', mime_type: 'application/pdf', file_size: 12 };
    const edited = message.isEdited ? '2030-01-01T00:00:00Z' : undefined;
    const more = { own_field: message.number, ['__proto__']: { own: true } };
    const item = without({
      id,
      channel_id: `room${message.channel}`,
      channel_type: 'messaging',
      user: streamUser(message.sender),
      text: message.text,
      created_at: new Date(message.time).toISOString(),
      updated_at: edited,
      parent_id: root,
      attachments: message.hasFile ? [{ ...file, asset_url: 'https://example.com/plan.pdf?sig=abc' }] : undefined,
    });
    rows.push(rowOf('message', { ...item, ...more }));
    const single = reactionsOf(message, streamUser).flatMap(({ name, users }) => users.map((user) => ({ name, user })));
    reactions.push(...single.map(({ name, user }) => rowOf('reaction', { type: name, user_id: user, message_id: id })));
    const name = `stream:messaging:room${message.channel}:${id}`;
    facts[name] = without({
      ...{ id: name, sender: streamUser(message.sender), time: message.time, text: message.text, thread: root, edited },
      reactions: single.map((reaction) => ({ name: reaction.name, users: [reaction.user] })),
      files: message.hasFile ? [{ ...file, asset_url: 'https://example.com/plan.pdf' }] : undefined,
      more,
    });
  }
  const files = textsOf({ 'stream.json': [...rows, ...reactions] });
  return { files, count: rows.length + reactions.length, facts };
}

/** Posts and their replies. Replies to replies belong to the first post. */
function mattermostExport(draft: Draft): GeneratedExport {
  const all = placed(draft);
  const nameOf = (user: number): string => `user${user}`;
  const rootOf = (message: Placed): Placed => {
    const parent = message.replyTo === undefined ? undefined : all[message.replyTo];
    return parent === undefined || parent.channel !== message.channel ? message : rootOf(parent);
  };
  const attachments = [{ path: '2024/plan.pdf' }];
  // Posts have no ids: the number keeps equal ones apart.
  const textOf = ({ number, text: own }: Placed): string => `${number} ${own}`;
  const bodyOf = (message: Placed): object => ({
    user: nameOf(message.sender),
    message: textOf(message),
    create_at: message.time,
    edit_at: message.isEdited ? message.time + 5 : 0,
    reactions: reactionsOf(message, nameOf).flatMap(({ name, users }) =>
      users.map((user) => ({ user, emoji_name: name, create_at: 7 })),
    ),
    ...(message.hasFile ? { attachments } : {}),
    is_pinned: true,
  });
  const channels = times(draft.channels, (number) => ({ name: `room${number}`, roles: 'channel_user' }));
  const rows = [
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'team', display_name: 'Team', type: 'O' } },
    ...channels.map(({ name }, number) => ({
      type: 'channel',
      channel: { team: 'team', name, display_name: `Room ${number}`, type: number === 0 ? 'O' : 'P' },
    })),
    ...times(draft.users, (number) => ({
      type: 'user',
      user: { username: nameOf(number), email: `${nameOf(number)}@example.com`, teams: [{ name: 'team', channels }] },
    })),
    ...all
      .filter((message) => rootOf(message) === message)
      .map((root) => {
        const replies = all.filter((message) => message !== root && rootOf(message) === root).map(bodyOf);
        return { type: 'post', post: { team: 'team', channel: `room${root.channel}`, ...bodyOf(root), replies } };
      }),
  ];
  const expected = all.map((message) => {
    const grouped = new Map<string, string[]>();
    for (const { name, users } of reactionsOf(message, nameOf))
      grouped.set(name, [...(grouped.get(name) ?? []), ...users]);
    return without({
      sender: nameOf(message.sender),
      time: message.time,
      text: textOf(message),
      isReply: rootOf(message) !== message,
      reactions: [...grouped].map(([name, users]) => ({ name, users, at: users.map(() => 7) })),
      edited: message.isEdited ? message.time + 5 : undefined,
      files: message.hasFile ? attachments : undefined,
      more: { is_pinned: true },
    });
  });
  const count = 2 + draft.channels + draft.users + all.length;
  return {
    files: { 'export.jsonl': jsonl(...rows) },
    count,
    facts: { ...expected } as unknown as GeneratedExport['facts'],
  };
}

/** A file for each channel, with its messages. `messageOf` records the facts of a message. */
function channelFiles(draft: Draft, messageOf: (message: Placed) => object, fileOf: (channel: number) => object) {
  const all = placed(draft);
  const files = times(draft.channels, (number) => {
    const messages = all.filter(({ channel }) => channel === number).map(messageOf);
    return [`room-${number}.json`, { ...fileOf(number), messages }];
  });
  return { files: textsOf(Object.fromEntries(files)), messages: all.length };
}

function discordExport(draft: Draft): GeneratedExport {
  const userId = (user: number): string => `90000000000000000${user}`;
  const userOf = (user: number): object => ({ id: userId(user), name: `user${user}`, isBot: false });
  const channelId = (channel: number): string => `70000000000000000${channel}`;
  const idOf = (number: number): string => `80000000000000${String(number).padStart(4, '0')}`;
  const facts: Record<string, Fields> = {};
  const messageOf = (message: Placed): object => {
    const attachment = { id: '7', fileName: 'plan.pdf', fileSizeBytes: 12 };
    const replyTo = message.replyTo === undefined ? undefined : idOf(message.replyTo);
    const edited = message.isEdited ? '2030-01-01T00:00:00+00:00' : null;
    const timestamp = new Date(message.time).toISOString().replace('Z', '+00:00');
    const isPinned = message.number % 2 === 0;
    const url = 'https://cdn.discordapp.com/plan.pdf';
    const id = `discord:${channelId(message.channel)}:${idOf(message.number)}`;
    facts[id] = without({
      ...{ id, sender: userId(message.sender), time: timestamp, text: message.text, reply_to: replyTo },
      type: replyTo === undefined ? undefined : 'Reply',
      reactions: reactionsOf(message, userId),
      edited: edited ?? undefined,
      files: message.hasFile ? [{ ...attachment, url }] : undefined,
      more: isPinned ? { isPinned } : undefined,
    });
    return {
      id: idOf(message.number),
      type: replyTo === undefined ? 'Default' : 'Reply',
      timestamp,
      timestampEdited: edited,
      isPinned,
      content: message.text,
      author: userOf(message.sender),
      attachments: message.hasFile ? [{ ...attachment, url: `${url}?ex=66000000&is=65000000&hm=ab` }] : [],
      embeds: [],
      reactions: message.reactions.map(({ name, users }) => ({
        emoji: { id: '', name, code: name },
        count: users.length,
        users: users.map(userOf),
      })),
      mentions: [],
      ...(replyTo === undefined ? {} : { reference: { messageId: replyTo, channelId: '1' } }),
    };
  };
  const { files, messages } = channelFiles(draft, messageOf, (number) => ({
    guild: { id: '1', name: 'Guild' },
    channel: { id: channelId(number), type: 'GuildTextChat', name: `room-${number}`, topic: null },
  }));
  return { files, count: draft.channels + messages, facts };
}

function sendbirdExport(draft: Draft): GeneratedExport {
  const nameOf = (user: number): string => `u${user}`;
  const facts: Record<string, Fields> = {};
  const messageOf = (message: Placed): object => {
    const id = `sendbird:room_${message.channel}:${message.number + 1}`;
    const reactions = reactionsOf(message, nameOf);
    const own = message.hasFile ? { own: 1 } : undefined;
    facts[id] = without({
      ...{ id, sender: nameOf(message.sender), time: message.time, text: message.text, reactions, more: own },
      thread: message.replyTo === undefined ? undefined : String(message.replyTo + 1),
      edited: message.isEdited ? message.time + 5 : undefined,
    });
    return {
      message_id: message.number + 1,
      type: 'MESG',
      custom_type: 'kind',
      data: message.number % 2 === 0 ? '{"own":"data"}' : '',
      user: { user_id: nameOf(message.sender), nickname: `User ${message.sender}`, is_active: true },
      message: message.text,
      created_at: message.time,
      updated_at: message.isEdited ? message.time + 5 : 0,
      parent_message_id: message.replyTo === undefined ? 0 : message.replyTo + 1,
      reactions: reactions.map(({ name, users }) => ({ key: name, user_ids: users })),
      file: {},
      ...own,
    };
  };
  const members = times(draft.users, (user) => ({ user_id: nameOf(user), nickname: `User ${user}` }));
  const { files, messages } = channelFiles(draft, messageOf, (number) => ({
    channel: { channel_url: `room_${number}`, name: `Room ${number}`, data: '', members },
  }));
  return { files, count: draft.channels * (1 + draft.users) + messages, facts };
}

export const systems = [
  { source: 'slack', make: slackExport },
  { source: 'stream', make: streamExport },
  { source: 'mattermost', make: mattermostExport },
  { source: 'discord', make: discordExport },
  { source: 'sendbird', make: sendbirdExport },
] as const;
