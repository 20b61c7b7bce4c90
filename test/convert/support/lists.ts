// Support: exports of each system that list some of the people, rooms and members of a small chat.
import type { Files } from './small-exports.ts';
import { jsonl, mattermost, saidAt } from './small-exports.ts';

export interface Room {
  readonly id: string;
  /** Ids of users. */
  readonly members: readonly string[];
  readonly operators: readonly string[];
}

interface Spoken {
  readonly room: string;
  readonly user: string;
  /** Also its time, in seconds after the first one. */
  readonly number: number;
}

/** What one export contains. Ids of users and rooms are those of Slack, which every system can have. */
export interface Listed {
  readonly users: readonly string[];
  readonly rooms: readonly Room[];
  readonly messages: readonly Spoken[];
}

const at = ({ number }: Spoken): number => saidAt + number * 1000;
const iso = (message: Spoken): string => new Date(at(message)).toISOString();
const json = (value: unknown): string => JSON.stringify(value);

export function mappingOf(isComplete: boolean): string {
  return `version: 1
name: own
complete: ${isComplete}
tables: { u: { files: users.csv }, r: { files: rooms.csv }, p: { files: members.csv }, m: { files: messages.csv } }
users: { from: u, id: "\${id}", name: "\${id}" }
channels: { from: r, id: "\${id}" }
members: { from: p, channel: "\${room}", user: "\${user}", operator: "\${operator}" }
messages: { from: m, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${at}", text: "\${id}" }
`;
}

/** By source, the files of an export. */
export const exportsWithLists: Readonly<Record<string, (listed: Listed) => Files>> = {
  table: ({ users, rooms, messages }) => {
    const members = rooms.flatMap(({ id, members, operators }) =>
      members.map((user) => `${id},${user},${operators.includes(user)}`),
    );
    const said = messages.map((message) => `${message.number},${message.room},${message.user},${iso(message)}`);
    const lines = (header: string, rows: readonly string[]) => [header, ...rows, ''].join('\n');
    return {
      'users.csv': lines('id', users),
      'rooms.csv': lines(
        'id',
        rooms.map(({ id }) => id),
      ),
      'members.csv': lines('room,user,operator', members),
      'messages.csv': lines('id,room,user,at', said),
    };
  },
  stream: ({ users, rooms, messages }) => {
    const place = (room: string) => ({ channel_type: 'team', channel_id: room });
    const rows = [
      ...users.map((id) => ({ type: 'user', item: { id, name: id } })),
      ...rooms.map(({ id }) => ({ type: 'channel', item: { id, type: 'team' } })),
      ...rooms.flatMap(({ id, members, operators }) =>
        members.map((user_id) => {
          const role = operators.includes(user_id) ? { channel_role: 'channel_moderator' } : {};
          return { type: 'member', item: { ...place(id), user_id, ...role } };
        }),
      ),
      ...messages.map((message) => {
        const { room, user, number } = message;
        const item = { id: `m${number}`, ...place(room), user, text: `${number}`, created_at: iso(message) };
        return { type: 'message', item };
      }),
    ];
    return { 'stream.json': json(rows) };
  },
  discord: ({ rooms, messages }) =>
    byRoom(rooms, messages, ({ id }, own) => ({
      guild: { id: '1', name: 'Guild' },
      channel: { id, type: 'GuildTextChat', name: id },
      messages: own.map((message) => ({
        id: `${message.number}`,
        type: 'Default',
        timestamp: iso(message),
        content: `${message.number}`,
        author: { id: message.user, name: message.user },
      })),
    })),
  sendbird: ({ users, rooms, messages }) => {
    const userOf = (user_id: string) => ({ user_id, nickname: user_id });
    const files = byRoom(rooms, messages, ({ id, members, operators }, own) => ({
      channel: { channel_url: id, members: members.map(userOf), operators: operators.map(userOf) },
      messages: own.map((message) => ({
        message_id: message.number + 1,
        type: 'MESG',
        user: userOf(message.user),
        message: `${message.number}`,
        created_at: at(message),
      })),
    }));
    return { ...files, 'people.json': json({ users: users.map(userOf) }) };
  },
  slack: ({ users, rooms, messages }) => {
    const days = rooms.map(({ id }) => {
      const own = messages.filter(({ room }) => room === id);
      const entries = own.map((message) => ({
        type: 'message',
        user: message.user,
        text: `${message.number}`,
        ts: `${at(message) / 1000}.000100`,
      }));
      return [`${id}/2023-11-14.json`, json(entries)] as const;
    });
    return {
      'users.json': json(users.map((id) => ({ id, name: id }))),
      'channels.json': json(rooms.map(({ id, members }) => ({ id, name: id, members }))),
      ...Object.fromEntries(days),
    };
  },
  mattermost: ({ users, rooms, messages }) => {
    const memberships = (user: string) =>
      rooms
        .filter(({ members }) => members.includes(user))
        .map(({ id, operators }) => ({ name: id, roles: operators.includes(user) ? 'channel_admin' : 'channel_user' }));
    const lines = [
      mattermost.version,
      ...rooms.map(({ id }) => ({ type: 'channel', channel: { team: 'team', name: id, type: 'O' } })),
      ...users.map((username) => ({
        type: 'user',
        user: { username, teams: [{ name: 'team', channels: memberships(username) }] },
      })),
      ...messages.map((message) => ({
        type: 'post',
        post: {
          ...{ team: 'team', channel: message.room, user: message.user },
          ...{ message: `${message.number}`, create_at: at(message) },
        },
      })),
    ];
    return { 'export.jsonl': jsonl(...lines) };
  },
};

function byRoom(
  rooms: readonly Room[],
  messages: readonly Spoken[],
  of: (room: Room, own: readonly Spoken[]) => object,
) {
  return Object.fromEntries(
    rooms.map((room) => {
      const own = messages.filter((message) => message.room === room.id);
      return [`${room.id}.json`, json(of(room, own))];
    }),
  );
}
