// Support: exports of tables in tests of all sources.
import { type Draft, type GeneratedExport, placed, reactionsOf, times, without } from '../../support/drafts.ts';
import { iso } from '../../support/lists.ts';
import { jsonl } from '../../support/small-exports.ts';
import type { ExportSample } from '../../support/source-sample.ts';

const mapping = `version: 1
name: own
null: []
tables:
  people: { files: people.ndjson }
  rooms: { files: rooms.ndjson }
  messages: { files: messages.ndjson, optional: true }
  reactions: { files: reactions.ndjson, optional: true }
users: { from: people, id: "\${id}", name: "\${id}" }
channels: { from: rooms, id: "\${id}", members: "\${members}" }
messages:
  from: messages
  id: "\${id}"
  channel: "\${room}"
  sender: "\${user}"
  time: { of: "\${at}", unit: milliseconds }
  edited: { of: "\${edited}", unit: milliseconds }
  text: "\${text}"
  thread: "\${root}"
reactions: { from: reactions, message: "\${message}", name: "\${name}", user: "\${user}" }
`;

const userOf = (user: number): string => `u${user}`;

function makeExport(draft: Draft): GeneratedExport {
  const all = placed(draft);
  const people = times(draft.users, (user) => ({ id: userOf(user) }));
  const rooms = times(draft.channels, (room) => ({ id: `room${room}`, members: people.map(({ id }) => id) }));
  const messages = all.map((message) => ({
    id: `m${message.number}`,
    room: `room${message.channel}`,
    user: userOf(message.sender),
    at: message.time,
    edited: message.isEdited ? message.time + 5 : null,
    text: message.text,
    root: message.replyTo === undefined ? null : `m${message.replyTo}`,
  }));
  const reactions = all.flatMap((message) =>
    reactionsOf(message, userOf).flatMap(({ name, users }) =>
      [...new Set(users)].map((user) => ({ message: `m${message.number}`, name, user })),
    ),
  );
  const facts = messages.map(
    ({ id, room, user, at, edited, text, root }): [string, Readonly<Record<string, unknown>>] => {
      const byName = new Map<string, string[]>();
      for (const reaction of reactions) {
        if (reaction.message !== id) continue;
        byName.set(reaction.name, [...(byName.get(reaction.name) ?? []), reaction.user]);
      }
      const given = Array.from(byName, ([name, users]) => ({ name, users }));
      const name = `own:${room}:${id}`;
      return [
        name,
        without({
          id: name,
          sender: user,
          time: at,
          text,
          reactions: given,
          thread: root ?? undefined,
          edited: edited ?? undefined,
        }),
      ];
    },
  );
  const tables = { people, rooms, messages, reactions };
  const files = Object.entries(tables).map(([name, rows]) => [`${name}.ndjson`, jsonl(...rows)]);
  // A file without rows has a line of its own.
  const count = Object.values(tables).reduce((sum, rows) => sum + Math.max(rows.length, 1), 0);
  return { files: Object.fromEntries(files), mapping, count, facts: Object.fromEntries(facts) };
}

const lines = (header: string, rows: readonly string[]) => [header, ...rows, ''].join('\n');

export const tableSample = {
  make: makeExport,
  mapping: (isComplete) => `version: 1
name: own
complete: ${isComplete}
tables: { u: { files: users.csv }, r: { files: rooms.csv }, p: { files: members.csv }, m: { files: messages.csv } }
users: { from: u, id: "\${id}", name: "\${id}" }
channels: { from: r, id: "\${id}" }
members: { from: p, channel: "\${room}", user: "\${user}", operator: "\${operator}" }
messages: { from: m, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${at}", text: "\${id}" }
`,
  list: ({ users, rooms, messages }) => {
    const members = rooms.flatMap(({ id, members, operators }) =>
      members.map((user) => `${id},${user},${operators.includes(user)}`),
    );
    const said = messages.map((message) => `${message.number},${message.room},${message.user},${iso(message)}`);
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
  listsUsers: true,
} as const satisfies ExportSample;
