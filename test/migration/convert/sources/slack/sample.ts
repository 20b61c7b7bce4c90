// Support: exports of Slack in tests of all sources.
import type { JsonObject } from '../../../../../src/lib/json.ts';
import {
  type Draft,
  type Fields,
  type GeneratedExport,
  type Placed,
  placed,
  reactionsOf,
  textsOf,
  times,
  without,
} from '../../support/drafts.ts';
import { at, json } from '../../support/lists.ts';
import { ann, bob, room, said, slackFiles } from '../../support/small-exports.ts';
import type { SourceSample } from '../../support/source-sample.ts';

const pdf = { name: 'plan.pdf', mimetype: 'application/pdf', size: 12 };

function makeExport(draft: Draft): GeneratedExport {
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

export const sample: SourceSample = {
  make: makeExport,
  list: ({ users, rooms, messages }) => {
    const days = rooms.map(({ id }) => {
      const own = messages.filter(({ room }) => room === id);
      const entries = own.map((message) => ({
        type: 'message',
        user: message.user,
        text: `${message.number}`,
        ts: `${Math.floor(at(message) / 1000)}.${String(at(message) % 1000).padStart(3, '0')}100`,
      }));
      return [`${id}/2023-11-14.json`, json(entries)] as const;
    });
    return {
      'users.json': json(users.map((id) => ({ id, name: id }))),
      'channels.json': json(rooms.map(({ id, members }) => ({ id, name: id, members }))),
      ...Object.fromEntries(days),
    };
  },
  cut: (files, parts, partOf) => {
    const isDay = (name: string): boolean => name.includes('/');
    const lists = Object.entries(files).filter(([name]) => !isDay(name));
    const days = Object.entries(files).filter(([name]) => isDay(name));
    return times(parts, (part) =>
      Object.fromEntries([...lists, ...days.filter((_day, number) => partOf(number) === part)]),
    );
  },
  window: (files, isInside) => {
    const timeOf = ({ ts }: JsonObject): number => Math.floor(Number(ts) * 1000 + 0.000_1);
    const entries = Object.entries(files).flatMap(([name, text]): (readonly [string, string])[] => {
      if (!name.includes('/')) return [[name, text]];
      const messages = (JSON.parse(text) as readonly JsonObject[]).filter((message) => isInside(timeOf(message)));
      return messages.length === 0 ? [] : [[name, JSON.stringify(messages)]];
    });
    return Object.fromEntries(entries);
  },
  restricted: {
    files: ({ user, channel, message }) =>
      slackFiles({
        users: [ann, { ...bob, ...user }],
        channels: [{ ...room, members: [ann.id, bob.id], ...channel }],
        'room/2023-11-14': [{ ...said, text: 'whisper', ...message }],
      }),
    ids: { user: 'slack:U000002', channel: 'slack:C000001', message: `slack:C000001:${said.ts}` },
    user: 'U000002',
    room: 'slack_C000001',
    hasPublicRooms: true,
  },
  partsShareNames: true,
};
