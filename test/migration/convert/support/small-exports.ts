// Support: small exports of each system, in which tests replace what matters to them.
export type Files = Readonly<Record<string, string>>;
type Lists = Readonly<Record<string, readonly unknown[]>>;

export const ann = { id: 'U000001', name: 'ann' };
export const bob = { id: 'U000002', name: 'bob' };
export const room = { id: 'C000001', name: 'room', members: ['U000001'] };
/** A message of Slack. */
export const said = { type: 'message', user: 'U000001', text: 'hello', ts: '1700000000.000100' };
/** The first seconds of the time of `said` and of the messages of other systems. */
export const saidAt = 1_700_000_000_000;

export function jsonl(...rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** A Slack export in which ann says hello in her room. `lists` are further files, or replace those, by name without `.json`. */
export function slackFiles(lists: Lists = {}): Files {
  const all = { users: [ann, bob], channels: [room], 'room/2023-11-14': [said], ...lists };
  return Object.fromEntries(Object.entries(all).map(([name, list]) => [`${name}.json`, JSON.stringify(list)]));
}

export const mattermost = {
  version: { type: 'version', version: 1 },
  room: { type: 'channel', channel: { team: 'team', name: 'room', display_name: 'Room', type: 'O' } },
  user: (username: string, more: object = {}, channel = 'room') => ({
    type: 'user',
    user: { username, teams: [{ name: 'team', channels: [{ name: channel }] }], ...more },
  }),
  post: (more: object = {}) => ({
    type: 'post',
    post: { team: 'team', channel: 'room', user: 'ann', message: 'hello', create_at: saidAt, ...more },
  }),
  direct: (more: object = {}) => ({
    type: 'direct_post',
    direct_post: { channel_members: ['ann', 'bob'], user: 'ann', message: 'hi', create_at: saidAt, ...more },
  }),
};

/** The text of a Mattermost export whose lines are these, after that of its version. */
export function mattermostExport(...rows: readonly object[]): string {
  return jsonl(mattermost.version, ...rows);
}

const discordAuthor = { id: '100000000000000001', name: 'ann', nickname: 'Ann', isBot: false };

export function discordMessage(id: string, more: object = {}): object {
  const timestamp = `2024-05-06T10:00:0${id}.123+02:00`;
  return { id, type: 'Default', timestamp, content: `m${id}`, author: discordAuthor, ...more };
}

/** The text of a file of DiscordChatExporter, which has one channel. */
export function discordFile(messages: readonly object[], channel: object = {}, more: object = {}): string {
  const own = { id: '700000000000000000', type: 'GuildTextChat', name: 'room', ...channel };
  return JSON.stringify({ guild: { id: '1', name: 'Guild' }, channel: own, ...more, messages });
}

const streamMessage = { id: 'm1', channel_id: 'c1', channel_type: 'messaging', user: 'u1', text: 'hi' };

/** The rows of a Stream import with a user, a channel and a message. */
export function streamRows(message: object = {}): readonly object[] {
  return [
    { type: 'user', item: { id: 'u1', role: 'user' } },
    { type: 'channel', item: { id: 'c1', type: 'messaging', member_ids: ['u1'], created_by: 'u1' } },
    { type: 'message', item: { ...streamMessage, ...message } },
  ];
}

export const sendbirdUsers = ['ann-1', 'bob-2'].map((user_id) => ({ user_id, nickname: user_id }));

export function sendbirdMessage(id: number, more: object = {}): object {
  return { message_id: id, type: 'MESG', user: sendbirdUsers[0], message: `m${id}`, created_at: saidAt + id, ...more };
}

/** The text of a file of the platform's own export, which has one channel. */
export function sendbirdFile(messages: readonly object[], channel: object = {}): string {
  return JSON.stringify({ channel: { channel_url: 'own_url', members: sendbirdUsers, ...channel }, messages });
}
