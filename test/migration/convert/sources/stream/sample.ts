// Support: exports of Stream in tests of all sources.
import type { JsonObject, JsonValue } from '../../../../../src/lib/json.ts';
import { linesCut, type PartOf } from '../../support/cut-exports.ts';
import {
  type Draft,
  type Fields,
  type GeneratedExport,
  placed,
  reactionsOf,
  textsOf,
  times,
  without,
} from '../../support/drafts.ts';
import { iso, json } from '../../support/lists.ts';
import { jsonl } from '../../support/small-exports.ts';
import type { SourceSample } from '../../support/source-sample.ts';

/** Some of these names are also properties that every object inherits. */
function streamUser(number: number): string {
  return ['u0', 'valueOf', 'constructor', '__proto__', 'u4'][number] ?? `u${number}`;
}

const place = { channel_type: 'team', channel_id: 'c1' };

function makeExport(draft: Draft): GeneratedExport {
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
      ...{
        id: name,
        sender: streamUser(message.sender),
        time: message.time,
        text: message.text,
        thread: root,
        edited: edited && Date.parse(edited),
      },
      reactions: single.map((reaction) => ({ name: reaction.name, users: [reaction.user] })),
      files: message.hasFile ? [{ ...file, asset_url: 'https://example.com/plan.pdf' }] : undefined,
      more,
    });
  }
  const files = textsOf({ 'stream.json': [...rows, ...reactions] });
  return { files, count: rows.length + reactions.length, facts };
}

export const sample: SourceSample = {
  make: makeExport,
  list: ({ users, rooms, messages }) => {
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
  cut: (files, parts) => {
    // In their order, which is that of the reactions to a message.
    const rows = JSON.parse(Object.values(files)[0] ?? '[]') as JsonValue[];
    const inOrder: PartOf = (number) => Math.floor((number * parts) / rows.length);
    return linesCut(rows, parts, inOrder, (own, part) =>
      part % 2 === 0 ? [`part-${part}.json`, JSON.stringify(own)] : [`part-${part}.jsonl`, jsonl(...own)],
    );
  },
  window: (files, isInside) => {
    const rows = JSON.parse(Object.values(files)[0] ?? '[]') as readonly { type: string; item: JsonObject }[];
    const isExported = ({ item }: { item: JsonObject }) => isInside(Date.parse(String(item.created_at)));
    const ids = new Set(rows.filter((row) => row.type === 'message' && isExported(row)).map(({ item }) => item.id));
    // Reactions are exported with their messages.
    const idOf: Readonly<Record<string, string>> = { message: 'id', reaction: 'message_id' };
    const inside = rows.filter(({ type, item }) => idOf[type] === undefined || ids.has(item[idOf[type]]));
    return { 'stream.json': JSON.stringify(inside) };
  },
  restricted: {
    files: ({ user, channel, member, message }) => {
      const rows = [
        { type: 'user', item: { id: 'u1' } },
        { type: 'user', item: { id: 'u2', ...user } },
        { type: 'channel', item: { id: 'c1', type: 'team', ...channel } },
        { type: 'member', item: { ...place, user_id: 'u1' } },
        { type: 'member', item: { ...place, user_id: 'u2', ...member } },
        {
          type: 'message',
          item: { ...place, id: 'm1', user: 'u1', text: 'whisper', created_at: '2024-05-06T08:00:00Z', ...message },
        },
      ];
      return { 'rows.json': JSON.stringify(rows) };
    },
    ids: { user: 'stream:u2', channel: 'stream:team:c1', member: 'stream:team:c1:u2', message: 'm1' },
    user: 'u2',
    room: 'stream_team_c1',
    hasPublicRooms: false,
  },
  listsUsers: true,
};
