// Tests exports from Stream: import files, channels with their messages and members as JSON and as lines, and reactions.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { temporarySpool } from '../../../../../src/core/app/context/this-process.ts';
import { collectInMemory } from '../../../../../src/lib/series.ts';
import type { SourceReaction } from '../../../../../src/migration/convert/export/items.ts';
import { LinkedRows } from '../../../../../src/migration/convert/export/linked-rows.ts';
import { convertFiles } from '../../support/converted.ts';
import { decided } from '../../support/series.ts';
import { jsonl, streamRows } from '../../support/small-exports.ts';

describe('an import file with a distinct channel, which has no id', () => {
  const rowsOf = (more: object) => [
    ...['u1', 'u2'].map((id) => ({ type: 'user', item: { id, role: 'user' } })),
    { type: 'channel', item: { type: 'messaging', member_ids: ['u2', 'u1'], created_by: 'u1' } },
    {
      type: 'message',
      item: { id: 'm1', channel_type: 'messaging', channel_member_ids: ['u1', 'u2'], user: 'u1', text: 'hi', ...more },
    },
    { type: 'reaction', item: { message_id: 'm1', type: 'like', user_id: 'u2' } },
  ];

  test('finds the channel by its members in any order', async () => {
    const rows = rowsOf({ created_at: '2024-05-06T08:00:00.5Z' });
    const { ledger, historyFiles, facts } = await convertFiles('stream', { 'e.json': JSON.stringify(rows) });
    const [[url = '', lines = []] = []] = Object.entries(historyFiles);
    const to = `messages.${url}`;
    expect(ledger.slice(2)).toMatchObject([
      { at: 'e.json#3', to: `group_channel.${url}` },
      { at: 'e.json#4', to, line: 1 },
      { at: 'e.json#5', outcome: 'changed', reason: 'reactions.enveloped', to, line: 1 },
    ]);
    expect(lines).toHaveLength(1);
    expect(facts[0]).toMatchObject({
      time: Date.parse('2024-05-06T08:00:00.500Z'),
      reactions: [{ name: 'like', users: ['u2'] }],
    });
  });

  test('leaves out messages without a time, or takes it from the decisions', async () => {
    const files = { 'e.jsonl': jsonl(...rowsOf({})) };
    const without = await convertFiles('stream', files);
    expect(without.ledger.slice(3).map(({ reason }) => reason)).toEqual(['message.no-time', 'part.orphan']);
    const given = await convertFiles('stream', files, decided('missing_time: 2024-01-01T00:00:00Z', 'stream'));
    expect(given.ledger[3]).toMatchObject({ outcome: 'changed', reason: 'message.time-given', line: 1 });
    expect(Object.values(given.historyFiles)[0]?.[0]).toMatchObject({ timestamp: Date.UTC(2024, 0, 1) });
    expect(given.facts[0]).toMatchObject({ time: null });
  });
});

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
  'a channel a line': { 'export.jsonl': jsonl(room, attic) },
  'an entity a line, in several files': {
    'export-1.jsonl': jsonl(...entities(room)),
    'export-2.jsonl': jsonl(...entities(attic)),
  },
};

test.for(Object.entries(forms))('reads %s', async ([, files]) => {
  const { historyFiles, ledger, facts, result } = await convertFiles('stream', files);
  expect(Object.keys(historyFiles)).toEqual(['stream_messaging_attic', 'stream_messaging_room']);
  expect(historyFiles.stream_messaging_room?.map(({ message, user_id }) => [message, user_id])).toEqual([
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
  const rows = streamRows({ created_at: '2020-01-01T00:00:00Z' });
  const { result } = await convertFiles('stream', {
    'import.json': JSON.stringify(rows),
    'room.json': JSON.stringify(room),
  });
  expect(result).toMatchObject({ users: 3, channels: 2, messages: 3 });
});

test('gives each message its own reactions in their order', () => {
  const rows = fc.array(fc.record({ message: fc.nat(5), name: fc.string({ maxLength: 5 }) }), { maxLength: 60 });
  fc.assert(
    fc.property(rows, (all) => {
      const spool = temporarySpool(2);
      try {
        for (const collect of [collectInMemory, spool.collect]) {
          const reactions = new LinkedRows<SourceReaction>(collect);
          for (const { message, name } of all) reactions.add(`m${message}`, { name, users: ['u1'] });
          reactions.end();
          for (let message = 0; message <= 5; message++) {
            const own = all.filter((row) => row.message === message).map(({ name }) => ({ name, users: ['u1'] }));
            expect(reactions.of(`m${message}`)).toEqual(own.length === 0 ? undefined : own);
          }
        }
      } finally {
        spool.close();
      }
    }),
    { numRuns: 40 },
  );
});
