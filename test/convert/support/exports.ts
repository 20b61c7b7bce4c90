// Support: makes exports of each system, with the results that a conversion must find.
import fc from 'fast-check';

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
    '<@U000001>',
    '<#C000000|room>',
    '<https://example.com/a?b=1&amp;c=2|a link>',
    '&lt;b&gt;',
    ':+1:',
    ':constructor:',
    '`:x:`',
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

function placed({ users, channels, messages }: Draft): Placed[] {
  return messages.map((message, number) => ({
    ...message,
    number,
    channel: message.channel % channels,
    sender: message.sender % users,
    time: start + message.after,
    replyTo: message.replyTo !== undefined && message.replyTo < number ? message.replyTo : undefined,
  }));
}

function times<T>(count: number, make: (number: number) => T): T[] {
  return Array.from({ length: count }, (_none, number) => make(number));
}

function without<T extends Readonly<Record<string, unknown>>>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

export function slackExport(draft: Draft): GeneratedExport {
  const user = (number: number): string => `U${String(number).padStart(6, '0')}`;
  const channel = (number: number): string => `C${String(number).padStart(6, '0')}`;
  // The number of a message is below the millisecond, so that messages of one millisecond differ.
  const ts = ({ time, number }: Placed): string =>
    `${Math.floor(time / 1000)}.${String(time % 1000).padStart(3, '0')}${String(number).padStart(3, '0')}`;
  const all = placed(draft);
  const days = new Map<string, object[]>();
  const facts: Record<string, Record<string, unknown>> = {};
  for (const message of all) {
    const root = message.replyTo === undefined ? undefined : all[message.replyTo];
    const file = { id: `F${message.number}`, name: 'plan.pdf', mimetype: 'application/pdf', size: 12 };
    const thread = root === undefined ? undefined : ts(root);
    const reactions =
      message.reactions.length === 0
        ? undefined
        : message.reactions.map(({ name, users }) => ({
            name,
            users: users.map((number) => user(number % draft.users)),
          }));
    const edited = message.isEdited ? { user: user(message.sender), ts: ts(message) } : undefined;
    const entry = without({
      type: 'message',
      user: user(message.sender),
      text: message.text,
      ts: ts(message),
      thread_ts: thread,
      reactions: reactions?.map((reaction) => ({ ...reaction, count: reaction.users.length })),
      edited,
      files: message.hasFile ? [{ ...file, url_private: 'https://files.slack.com/plan.pdf?t=xoxe-1-2' }] : undefined,
      blocks: message.number % 3 === 0 ? [{ type: 'rich_text', block_id: 'b' }] : undefined,
    });
    const day = `room-${message.channel}/${new Date(message.time).toISOString().slice(0, 10)}.json`;
    days.set(day, [...(days.get(day) ?? []), entry]);
    const id = `slack:${channel(message.channel)}:${ts(message)}`;
    facts[id] = without({
      id,
      sender: user(message.sender),
      time: message.time,
      text: message.text,
      thread: thread === ts(message) ? undefined : thread,
      reactions,
      edited,
      files: message.hasFile ? [{ ...file, url_private: 'https://files.slack.com/plan.pdf' }] : undefined,
      more: entry.blocks === undefined ? undefined : { blocks: entry.blocks },
    });
  }
  const users = times(draft.users, (number) => ({
    id: user(number),
    name: `user${number}`,
    profile: { email: 'a@example.com' },
  }));
  const channels = times(draft.channels, (number) => ({
    id: channel(number),
    name: `room-${number}`,
    members: times(draft.users, user),
  }));
  return {
    files: {
      'users.json': JSON.stringify(users),
      'channels.json': JSON.stringify(channels),
      ...Object.fromEntries([...days].map(([name, entries]) => [name, JSON.stringify(entries)])),
    },
    count: users.length + channels.length + all.length,
    facts,
  };
}

/** Some of these names are also properties that every object inherits. */
function streamUser(number: number): string {
  return ['u0', 'valueOf', 'constructor', '__proto__', 'u4'][number] ?? `u${number}`;
}

function streamExport(draft: Draft): GeneratedExport {
  const all = placed(draft);
  const rows: object[] = [
    ...times(draft.users, (number) => ({ type: 'user', item: { id: streamUser(number), name: `User ${number}` } })),
    ...times(draft.channels, (number) => ({
      type: 'channel',
      item: { id: `room${number}`, type: 'messaging', created_by: streamUser(0) },
    })),
    ...times(draft.channels, (number) => ({
      type: 'member',
      item: { channel_id: `room${number}`, channel_type: 'messaging', user_id: streamUser(0) },
    })),
  ];
  const reactions: object[] = [];
  const facts: Record<string, Record<string, unknown>> = {};
  for (const message of all) {
    const id = `m${message.number}`;
    const root = message.replyTo === undefined ? undefined : `m${message.replyTo}`;
    const file = { type: 'file', title: 'plan.pdf', mime_type: 'application/pdf', file_size: 12 };
    const created = new Date(message.time).toISOString();
    rows.push({
      type: 'message',
      item: without({
        id,
        channel_id: `room${message.channel}`,
        channel_type: 'messaging',
        user: streamUser(message.sender),
        text: message.text,
        created_at: created,
        updated_at: message.isEdited ? '2030-01-01T00:00:00Z' : undefined,
        parent_id: root,
        attachments: message.hasFile ? [{ ...file, asset_url: 'https://example.com/plan.pdf?sig=abc' }] : undefined,
        own_field: message.number,
        ['__proto__']: { own: true },
      }),
    });
    const found = message.reactions.flatMap(({ name, users }) =>
      users.map((number) => ({ type: name, user_id: streamUser(number % draft.users), message_id: id })),
    );
    reactions.push(...found.map((item) => ({ type: 'reaction', item })));
    const name = `stream:messaging:room${message.channel}:${id}`;
    facts[name] = without({
      id: name,
      sender: streamUser(message.sender),
      time: message.time,
      text: message.text,
      thread: root,
      reactions: found.length === 0 ? undefined : found.map(({ type, user_id }) => ({ name: type, users: [user_id] })),
      edited: message.isEdited ? '2030-01-01T00:00:00Z' : undefined,
      files: message.hasFile ? [{ ...file, asset_url: 'https://example.com/plan.pdf' }] : undefined,
      more: { own_field: message.number, ['__proto__']: { own: true } },
    });
  }
  return {
    files: { 'stream.json': JSON.stringify([...rows, ...reactions]) },
    count: rows.length + reactions.length,
    facts,
  };
}

/** Posts and their replies. Replies to replies belong to the first post. */
function mattermostExport(draft: Draft): GeneratedExport {
  const all = placed(draft);
  const rootOf = (message: Placed): Placed => {
    const parent = message.replyTo === undefined ? undefined : all[message.replyTo];
    return parent === undefined || parent.channel !== message.channel ? message : rootOf(parent);
  };
  const bodyOf = (message: Placed): Record<string, unknown> =>
    without({
      user: `user${message.sender}`,
      // Posts have no ids: the number keeps equal ones apart.
      message: `${message.number} ${message.text}`,
      create_at: message.time,
      edit_at: message.isEdited ? message.time + 5 : 0,
      reactions: message.reactions.flatMap(({ name, users }) =>
        users.map((number) => ({ user: `user${number % draft.users}`, emoji_name: name, create_at: 7 })),
      ),
      attachments: message.hasFile ? [{ path: '2024/plan.pdf' }] : undefined,
      is_pinned: true,
    });
  const lines: object[] = [
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'team', display_name: 'Team', type: 'O' } },
    ...times(draft.channels, (number) => ({
      type: 'channel',
      channel: { team: 'team', name: `room${number}`, display_name: `Room ${number}`, type: number === 0 ? 'O' : 'P' },
    })),
    ...times(draft.users, (number) => ({
      type: 'user',
      user: {
        username: `user${number}`,
        email: `user${number}@example.com`,
        teams: [
          { name: 'team', channels: times(draft.channels, (room) => ({ name: `room${room}`, roles: 'channel_user' })) },
        ],
      },
    })),
    ...all
      .filter((message) => rootOf(message) === message)
      .map((root) => ({
        type: 'post',
        post: {
          team: 'team',
          channel: `room${root.channel}`,
          ...bodyOf(root),
          replies: all.filter((message) => message !== root && rootOf(message) === root).map(bodyOf),
        },
      })),
  ];
  const expected = all.map((message) => {
    const root = rootOf(message);
    const grouped = new Map<string, { users: string[]; at: number[] }>();
    for (const { name, users } of message.reactions) {
      const known = grouped.get(name) ?? { users: [], at: [] };
      grouped.set(name, known);
      known.users.push(...users.map((number) => `user${number % draft.users}`));
      known.at.push(...users.map(() => 7));
    }
    return without({
      sender: `user${message.sender}`,
      time: message.time,
      text: `${message.number} ${message.text}`,
      isReply: root !== message,
      reactions: grouped.size === 0 ? undefined : [...grouped].map(([name, found]) => ({ name, ...found })),
      edited: message.isEdited ? message.time + 5 : undefined,
      files: message.hasFile ? [{ path: '2024/plan.pdf' }] : undefined,
      more: { is_pinned: true },
    });
  });
  return {
    files: { 'export.jsonl': lines.map((line) => `${JSON.stringify(line)}\n`).join('') },
    count: 2 + draft.channels + draft.users + all.length,
    facts: Object.fromEntries(expected.map((found, number) => [String(number), found])),
  };
}

function discordExport(draft: Draft): GeneratedExport {
  const all = placed(draft);
  const userOf = (number: number): object => ({
    id: `90000000000000000${number}`,
    name: `user${number}`,
    isBot: false,
  });
  const idOf = (number: number): string => `80000000000000${String(number).padStart(4, '0')}`;
  const facts: Record<string, Record<string, unknown>> = {};
  const files = times(draft.channels, (number) => {
    const messages = all
      .filter(({ channel }) => channel === number)
      .map((message) => {
        const attachment = { id: '7', fileName: 'plan.pdf', fileSizeBytes: 12 };
        const reactions = message.reactions.map(({ name, users }) => ({
          name,
          users: users.map((user) => user % draft.users),
        }));
        const replyTo = message.replyTo === undefined ? undefined : idOf(message.replyTo);
        const edited = message.isEdited ? '2030-01-01T00:00:00+00:00' : null;
        const timestamp = new Date(message.time).toISOString().replace('Z', '+00:00');
        const id = `discord:70000000000000000${number}:${idOf(message.number)}`;
        facts[id] = without({
          id,
          sender: `90000000000000000${message.sender}`,
          time: timestamp,
          text: message.text,
          type: replyTo === undefined ? undefined : 'Reply',
          reply_to: replyTo,
          reactions:
            reactions.length === 0
              ? undefined
              : reactions.map(({ name, users }) => ({ name, users: users.map((user) => `90000000000000000${user}`) })),
          edited: edited ?? undefined,
          files: message.hasFile ? [{ ...attachment, url: 'https://cdn.discordapp.com/plan.pdf' }] : undefined,
          more: message.number % 2 === 0 ? { isPinned: true } : undefined,
        });
        return {
          id: idOf(message.number),
          type: replyTo === undefined ? 'Default' : 'Reply',
          timestamp,
          timestampEdited: edited,
          isPinned: message.number % 2 === 0,
          content: message.text,
          author: userOf(message.sender),
          attachments: message.hasFile
            ? [{ ...attachment, url: 'https://cdn.discordapp.com/plan.pdf?ex=66000000&is=65000000&hm=ab' }]
            : [],
          embeds: [],
          reactions: reactions.map(({ name, users }) => ({
            emoji: { id: '', name, code: name },
            count: users.length,
            users: users.map(userOf),
          })),
          mentions: [],
          ...(replyTo === undefined ? {} : { reference: { messageId: replyTo, channelId: '1' } }),
        };
      });
    const channel = { id: `70000000000000000${number}`, type: 'GuildTextChat', name: `room-${number}`, topic: null };
    return [`room-${number}.json`, JSON.stringify({ guild: { id: '1', name: 'Guild' }, channel, messages })] as const;
  });
  return { files: Object.fromEntries(files), count: draft.channels + all.length, facts };
}

function sendbirdExport(draft: Draft): GeneratedExport {
  const all = placed(draft);
  const facts: Record<string, Record<string, unknown>> = {};
  const files = times(draft.channels, (number) => {
    const messages = all
      .filter(({ channel }) => channel === number)
      .map((message) => {
        const id = `sendbird:room_${number}:${message.number + 1}`;
        const reactions = message.reactions.map(({ name, users }) => ({
          key: name,
          user_ids: users.map((user) => `u${user % draft.users}`),
        }));
        facts[id] = without({
          id,
          sender: `u${message.sender}`,
          time: message.time,
          text: message.text,
          thread: message.replyTo === undefined ? undefined : String(message.replyTo + 1),
          reactions:
            reactions.length === 0 ? undefined : reactions.map(({ key, user_ids }) => ({ name: key, users: user_ids })),
          edited: message.isEdited ? message.time + 5 : undefined,
          more: message.hasFile ? { own: 1 } : undefined,
        });
        return {
          message_id: message.number + 1,
          type: 'MESG',
          custom_type: 'kind',
          data: message.number % 2 === 0 ? '{"own":"data"}' : '',
          user: { user_id: `u${message.sender}`, nickname: `User ${message.sender}`, is_active: true },
          message: message.text,
          created_at: message.time,
          updated_at: message.isEdited ? message.time + 5 : 0,
          parent_message_id: message.replyTo === undefined ? 0 : message.replyTo + 1,
          reactions,
          file: {},
          ...(message.hasFile ? { own: 1 } : {}),
        };
      });
    const members = times(draft.users, (user) => ({ user_id: `u${user}`, nickname: `User ${user}` }));
    const channel = { channel_url: `room_${number}`, name: `Room ${number}`, data: '', members };
    return [`room_${number}.json`, JSON.stringify({ messages, channel })] as const;
  });
  return { files: Object.fromEntries(files), count: draft.channels * (1 + draft.users) + all.length, facts };
}

export const systems = [
  { source: 'slack', make: slackExport },
  { source: 'stream', make: streamExport },
  { source: 'mattermost', make: mattermostExport },
  { source: 'discord', make: discordExport },
  { source: 'sendbird', make: sendbirdExport },
] as const;
