// Tests exports from Stream: channels with their messages and members, as JSON and as lines.
import { expect, test } from 'vitest';
import { convertFiles } from '../support/converted.ts';

const ann = { id: 'ann', name: 'Ann', role: 'user', created_at: '2021-02-01T08:00:00Z', online: false };
const bob = { id: 'bob', name: 'Bob', role: 'user', created_at: '2021-02-01T08:00:00Z', online: false };
const channelOf = (id: string) => ({
  id,
  type: 'messaging',
  cid: `messaging:${id}`,
  name: `Room ${id}`,
  created_at: '2021-02-01T08:00:00Z',
  created_by: ann,
  frozen: false,
  member_count: 2,
  config: { name: 'messaging', commands: [] },
});
const member = (user: typeof ann) => ({ user_id: user.id, user, role: 'member', channel_role: 'channel_member' });
const messageOf = (id: string, channel: string, more: object = {}) => ({
  id,
  cid: `messaging:${channel}`,
  user: ann,
  text: `text ${id}`,
  html: `<p>text ${id}</p>`,
  type: 'regular',
  attachments: [],
  latest_reactions: [{ type: 'like', user_id: 'bob', user: bob, message_id: id }],
  own_reactions: [],
  reaction_counts: { like: 12 },
  reply_count: 0,
  created_at: '2021-02-17T08:17:49.745857Z',
  updated_at: '2021-02-17T08:17:49.745857Z',
  shadowed: false,
  ...more,
});

const room = {
  channel: channelOf('room'),
  messages: [messageOf('m1', 'room'), messageOf('m2', 'room', { created_at: '2021-02-17T08:18:00Z', parent_id: 'm1' })],
  members: [member(ann), member(bob)],
};
const attic = { channel: channelOf('attic'), messages: [messageOf('m3', 'attic')], members: [member(ann)] };
const lines = (...values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const entities = ({ channel, messages, members }: typeof room): readonly object[] => [
  { channel },
  ...members.map((one) => ({ member: one })),
  ...messages.map((message) => ({ message })),
];

const forms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'an object a file': { 'attic.json': JSON.stringify(attic), 'room.json': JSON.stringify(room, null, 2) },
  'an object with its channel last': {
    'attic.json': JSON.stringify(attic),
    'room.json': JSON.stringify({ messages: room.messages, members: room.members, channel: room.channel }),
  },
  'a list of channels': { 'export.json': JSON.stringify([room, attic]) },
  'a channel a line': { 'export.jsonl': lines(room, attic) },
  'an entity a line, in several files': {
    'export-1.jsonl': lines(...entities(room)),
    'export-2.jsonl': lines(...entities(attic)),
  },
};

test.for(Object.entries(forms))('reads %s', async ([, files]) => {
  const { archives, ledger, facts, result } = await convertFiles('stream', files);
  expect(Object.keys(archives)).toEqual(['stream_messaging_attic', 'stream_messaging_room']);
  expect(archives.stream_messaging_room?.map(({ message, user_id }) => [message, user_id])).toEqual([
    ['text m1', 'ann'],
    ['text m2', 'ann'],
  ]);
  expect(facts.find(({ id }) => id === 'stream:messaging:room:m2')).toMatchObject({
    thread: 'm1',
    reactions: [{ name: 'like', users: ['bob'], count: 12 }],
  });
  expect(facts[0]).not.toHaveProperty('more');
  expect(result).toMatchObject({ users: 2, channels: 2, messages: 3, undecided: [] });
  // Two channels, three members, three messages.
  expect(ledger).toHaveLength(8);
});

test('reads an export beside an import file', async () => {
  const rows = [
    { type: 'user', item: { id: 'carl', name: 'Carl' } },
    { type: 'channel', item: { id: 'old', type: 'messaging', created_by: 'carl', member_ids: ['carl'] } },
    {
      type: 'message',
      item: {
        id: 'm9',
        channel_id: 'old',
        channel_type: 'messaging',
        user: 'carl',
        text: 'hi',
        created_at: '2020-01-01T00:00:00Z',
      },
    },
  ];
  const files = { 'import.json': JSON.stringify(rows), 'room.json': JSON.stringify(room) };
  const { result } = await convertFiles('stream', files);
  expect(result).toMatchObject({ users: 3, channels: 2, messages: 3 });
});
