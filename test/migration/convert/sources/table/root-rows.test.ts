// Tests the path $: a JSON file whose root is a row, while other tables read lists in it.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of mappings
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { convertTables } from '../../support/converted.ts';

interface Case {
  readonly files: Readonly<Record<string, unknown>>;
  readonly mapping: string;
  /** Of each message: the place in the ledger, and the channel. */
  readonly places: readonly (readonly [at: string, channel: string])[];
  readonly channel: object;
}

const cases: Readonly<Record<string, Case>> = {
  'an export of Telegram, which has the id of its chat only at the root': {
    files: {
      'ChatExport_2024-01-02/result.json': {
        name: 'Hiking',
        type: 'private_group',
        id: 42,
        messages: [
          { id: 1, type: 'message', date_unixtime: '1704103200', from: 'Ann', from_id: 'user1', text: 'Up?' },
          { id: 2, type: 'message', date_unixtime: '1704103260', from: 'Bob', from_id: 'user2', text: 'Up!' },
        ],
      },
    },
    mapping: `version: 1
name: tg
tables:
  chats: { files: "{folder}/result.json", path: $, key: "\${folder}", omit: [type] }
  messages:
    files: "{folder}/result.json"
    path: messages.*
    computed: { chat: { in: chats, key: "\${folder}", get: "\${id}" } }
    omit: [type]
users: { from: messages, id: "\${from_id}", name: "\${from}", repeats: true }
channels: { from: chats, id: "\${id}", name: "\${name}" }
members: { from: messages, channel: "\${chat}", user: "\${from_id}" }
messages:
  from: messages
  id: "\${id}"
  channel: "\${chat}"
  sender: "\${from_id}"
  time: { of: "\${date_unixtime}", unit: seconds }
  text: "\${text}"
`,
    places: [
      ['ChatExport_2024-01-02/result.json#messages/1/messages', 'tg_42'],
      ['ChatExport_2024-01-02/result.json#messages/2/messages', 'tg_42'],
    ],
    channel: { name: 'Hiking', members: { user1: null, user2: null } },
  },
  'one file for each chat of Messenger': {
    files: {
      'inbox/hiking_42/message_1.json': {
        participants: [{ name: 'Ann' }, { name: 'Ren\u00c3\u00a9' }],
        messages: [{ sender_name: 'Ann', timestamp_ms: 1_704_103_260_000, content: 'Up!' }],
        title: 'Caf\u00c3\u00a9',
        is_still_participant: true,
        magic_words: [],
      },
      'inbox/hiking_42/message_2.json': {
        participants: [{ name: 'Ann' }, { name: 'Ren\u00c3\u00a9' }],
        messages: [{ sender_name: 'Ren\u00c3\u00a9', timestamp_ms: 1_704_103_200_000, content: 'Up?' }],
        title: 'Caf\u00c3\u00a9',
        is_still_participant: true,
        magic_words: [],
      },
    },
    mapping: `version: 1
name: fb
tables:
  threads: { files: "inbox/{thread}/message_*.json", path: $, omit: [is_still_participant] }
  people: { files: "inbox/{thread}/message_*.json", path: participants.*, omit: [thread] }
  messages: { files: "inbox/{thread}/message_*.json", path: messages.* }
users: { from: people, id: { cel: row.name.mojibake() }, name: { cel: row.name.mojibake() }, repeats: true }
channels: { from: threads, id: "\${thread}", name: { cel: row.title.mojibake() }, repeats: true }
members: { from: people, channel: "\${thread}", user: { cel: row.name.mojibake() } }
messages:
  from: messages
  channel: "\${thread}"
  sender: { cel: row.sender_name.mojibake() }
  time: { of: "\${timestamp_ms}", unit: milliseconds }
  text: { cel: row.content.mojibake() }
`,
    places: [
      ['inbox/hiking_42/message_1.json#messages/1', 'fb_hiking_42'],
      ['inbox/hiking_42/message_2.json#messages/1', 'fb_hiking_42'],
    ],
    channel: { name: 'Café', members: { Ann: null, René: null } },
  },
  'a file about each room of Google Chat': {
    files: {
      'Groups/Space 7/group_info.json': {
        name: 'Team',
        members: [
          { name: 'Ann', email: 'ann@a.example', user_type: 'Human' },
          { name: 'Bob', email: 'bob@a.example', user_type: 'Human' },
        ],
      },
      'Groups/Space 7/messages.json': {
        messages: [
          {
            creator: { name: 'Ann', email: 'ann@a.example' },
            created_date: 'Tuesday, September 10, 2024 at 8:44:40\u202fPM UTC',
            text: 'Hello',
            message_id: 'a/b/1',
          },
        ],
      },
    },
    mapping: `version: 1
name: gc
tables:
  rooms: { files: "Groups/{room}/group_info.json", path: $ }
  people: { files: "Groups/{room}/group_info.json", path: members.*, omit: [user_type] }
  messages: { files: "Groups/{room}/messages.json", path: messages.*, omit: [creator.name] }
users: { from: people, id: "\${email}", name: "\${name}", repeats: true }
channels: { from: rooms, id: "\${room}", name: "\${name}" }
members: { from: people, channel: "\${room}", user: "\${email}" }
messages:
  from: messages
  id: "\${message_id}"
  channel: "\${room}"
  sender: "\${creator.email}"
  time: { of: "\${created_date}", format: "EEEE, MMMM d, yyyy 'at' h:mm:ss a Z" }
  text: "\${text}"
`,
    places: [['Groups/Space 7/messages.json#messages/1', 'gc_Space_7']],
    channel: { name: 'Team', members: { 'user-1': null, 'user-2': null } },
  },
};

test.for(Object.entries(cases))('reads %s', async ([, { files, mapping, places, channel }]) => {
  const texts = Object.fromEntries(Object.entries(files).map(([path, value]) => [path, JSON.stringify(value)]));
  const { ledger, folder } = await convertTables(texts, mapping);
  const messages = ledger.filter(({ to }) => to?.startsWith('messages.') === true);
  expect(ledger.filter(({ outcome }) => outcome === 'left_out')).toEqual([]);
  expect(messages.map(({ at, to }) => [at, to?.replace('messages.', '')])).toEqual(places);
  const channels = await readFile(join(folder, 'group_channels.yaml'), 'utf8');
  expect(Object.values(parse(channels).group_channels as object)).toEqual([expect.objectContaining(channel)]);
});

const rooms = (name: string) => `version: 1
name: own
tables: { rooms: { files: room.json, path: $ }, people: { files: room.json, path: people.*, optional: true } }
users: { from: people, id: "\${id}" }
channels: { from: rooms, id: "\${id}", name: ${name}, members: "1" }
`;

test('the row lacks the rows that other tables read', async () => {
  const room = { id: 7, people: [{ id: 1 }, { id: 2 }], tags: ['a'] };
  const { folder } = await convertTables(
    { 'room.json': JSON.stringify(room) },
    rooms('{ cel: string(size(row.people)) + " of " + string(size(row.tags)) }'),
  );
  expect(await readFile(join(folder, 'group_channels.yaml'), 'utf8')).toContain('0 of 1');
});

test.for([
  ['a list', '[{"id":7}]'],
  ['a text', '"7"'],
])('a root that is %s has a line', async ([, text = '']) => {
  const { ledger } = await convertTables({ 'room.json': text }, rooms('"${name}"'));
  expect(ledger).toEqual([expect.objectContaining({ at: 'room.json#$', reason: 'object.broken' })]);
});

test.for(['.', 'people..name'])('the path %s is refused with advice', async (path) => {
  const mapping = rooms('"${name}"').replace('path: $', `path: "${path}"`);
  await expect(convertTables({ 'room.json': '{}' }, mapping)).rejects.toMatchObject({
    diagnostics: [expect.objectContaining({ detail: expect.stringContaining('or $ for the whole file as one row') })],
  });
});
