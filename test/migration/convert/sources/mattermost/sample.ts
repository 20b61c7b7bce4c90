// Support: exports of Mattermost in tests of all sources.
import { linesCut } from '../../support/cut-exports.ts';
import {
  type Draft,
  type GeneratedExport,
  type Placed,
  placed,
  reactionsOf,
  times,
  without,
} from '../../support/drafts.ts';
import { at } from '../../support/lists.ts';
import { jsonl, mattermost, mattermostExport, saidAt } from '../../support/small-exports.ts';
import type { SourceSample } from '../../support/source-sample.ts';

/** Posts and their replies. Replies to replies belong to the first post. */
function makeExport(draft: Draft): GeneratedExport {
  const all = placed(draft);
  const nameOf = (user: number): string => `user${user}`;
  // Names do not become ids: people are numbered as the export lists them.
  const idOf = (user: number): string => `user-${user + 1}`;
  const rootOf = (message: Placed): Placed => {
    const parent = message.replyTo === undefined ? undefined : all[message.replyTo];
    return parent === undefined || parent.channel !== message.channel ? message : rootOf(parent);
  };
  const attachments = [{ path: '2024/plan.pdf' }];
  // Posts have no ids: one author writes one post in a millisecond.
  const timesOf = new Map<number, number>();
  const taken = new Set<string>();
  for (const { number, channel, sender, time } of all) {
    let own = time;
    while (taken.has(`${channel} ${sender} ${own}`)) own += 1;
    taken.add(`${channel} ${sender} ${own}`);
    timesOf.set(number, own);
  }
  const timeOf = ({ number, time }: Placed): number => timesOf.get(number) ?? time;
  const textOf = ({ number, text: own }: Placed): string => `${number} ${own}`;
  const bodyOf = (message: Placed): object => ({
    user: nameOf(message.sender),
    message: textOf(message),
    create_at: timeOf(message),
    edit_at: message.isEdited ? timeOf(message) + 5 : 0,
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
    for (const { name, users } of reactionsOf(message, idOf))
      grouped.set(name, [...(grouped.get(name) ?? []), ...users]);
    return without({
      sender: idOf(message.sender),
      time: timeOf(message),
      text: textOf(message),
      isReply: rootOf(message) !== message,
      reactions: [...grouped].map(([name, users]) => ({ name, users, at: users.map(() => 7) })),
      edited: message.isEdited ? timeOf(message) + 5 : undefined,
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

export const sample: SourceSample = {
  make: makeExport,
  list: ({ users, rooms, messages }) => {
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
  cut: (files, parts, partOf) =>
    linesCut(Object.values(files).join('').trimEnd().split('\n'), parts, partOf, (lines, part) => [
      `part-${part}.jsonl`,
      lines.map((line) => `${line}\n`).join(''),
    ]),
  window: undefined,
  restricted: {
    files: ({ user, channel, message }) => {
      const open = { ...mattermost.room.channel, ...channel };
      const lines = [
        { type: 'channel', channel: open },
        mattermost.user('ann'),
        mattermost.user('bob', user),
        mattermost.post({ message: 'whisper', ...message }),
      ];
      return { 'export.jsonl': mattermostExport(...lines) };
    },
    ids: { user: 'mattermost:bob', channel: 'mattermost:team_room', message: `mattermost:team_room:${saidAt}` },
    user: 'user-2',
    room: 'mattermost_team_room',
    hasPublicRooms: true,
  },
  // Posts have no ids, so that they are compared by their text.
  comparable: (facts) => {
    const { id: _id, thread, isReply, ...rest } = facts as { id?: string; thread?: string; isReply?: boolean };
    return { ...rest, isReply: isReply ?? thread !== undefined };
  },
};
