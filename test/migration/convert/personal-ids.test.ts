// Tests that ids of people which are names or addresses are in no generated file, except where people need them to decide.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Converted, convertFiles, convertTables } from './support/converted.ts';
import { jsonl } from './support/small-exports.ts';

const time = 1_700_000_000_000;
const mapping = `version: 1
name: own
tables: { people: { files: people.ndjson }, rooms: { files: rooms.ndjson }, m: { files: m.ndjson } }
users: { from: people, id: "\${login}", name: "\${name}", personal_ids: true }
channels: { from: rooms, id: "\${id}", members: "\${members}", creator: "\${by}" }
messages:
  from: m
  id: "\${id}"
  channel: "\${room}"
  sender: "\${login}"
  time: { of: "\${at}", unit: milliseconds }
  text: "\${text}"
  kind: "\${kind}"
  reactions: "\${reactions}"
  mentions: "\${mentions}"
`;
const tables = {
  'people.ndjson': jsonl({ login: 'ann.lee', name: 'A' }, { login: 'bob.ray', name: 'B' }),
  'rooms.ndjson': jsonl(
    { id: 'r1', members: ['ann.lee', 'bob.ray'], by: 'ann.lee' },
    { id: 'r2', members: ['ann.lee'], by: 'eve.fox' },
  ),
  'm.ndjson': jsonl(
    {
      id: 1,
      room: 'r1',
      login: 'ann.lee',
      at: time,
      text: 'hi',
      kind: 'message',
      mentions: ['bob.ray'],
      reactions: {},
    },
    { id: 2, room: 'r1', login: 'bob.ray', at: time, text: 'renamed', kind: 'system', mentions: [], reactions: {} },
    { id: 3, room: 'r1', login: 'cem.kay', at: time, text: 'unlisted', kind: 'message', mentions: [], reactions: {} },
    {
      ...{ id: 4, room: 'r1', login: 'ann.lee', at: time, text: 'liked', kind: 'message', mentions: [] },
      reactions: { like: ['bob.ray', 'dee.may'] },
    },
  ),
};
const names = /ann\.lee|bob\.ray|cem\.kay|dee\.may|eve\.fox/u;

/** The generated files that contain a match. */
async function filesWith(pattern: RegExp, { folder }: Converted): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const contents = await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const));
  return contents.flatMap(([file, text]) => (pattern.test(text) ? [file.slice(folder.length + 1)] : [])).sort();
}

test('no login of a mapping with personal_ids is outside of decisions.yaml and the ledger', async () => {
  const converted = await convertTables(tables, mapping);
  expect(await filesWith(names, converted)).toEqual(['conversion/decisions.yaml', 'conversion/ledger.ndjson']);
  expect(converted.facts.map(({ sender, reactions }) => [sender, reactions])).toEqual([
    ['user-1', undefined],
    ['user-2', undefined],
    ['user-3', undefined],
    ['user-1', [{ name: 'like', users: ['user-2'], count: 2 }]],
  ]);
});

test('logins that are not personal stay in the data of messages', async () => {
  const { facts } = await convertTables(tables, mapping.replace(', personal_ids: true', ''));
  expect(facts[3]).toMatchObject({ sender: 'ann.lee', reactions: [{ users: ['bob.ray', 'dee.may'] }] });
});

test('a second conversion of the same tables changes no message', async () => {
  const first = await convertTables(tables, mapping);
  const second = await convertTables(tables, mapping, { into: first.folder });
  expect(second.historyFiles).toEqual(first.historyFiles);
});

test('no name of Mattermost is outside of decisions.yaml and the ledger', async () => {
  const post = (user: string, message: string, more: object) => ({
    type: 'post',
    post: { team: 't', channel: 'c', user, message, create_at: time, ...more },
  });
  const user = (username: string) => ({
    type: 'user',
    user: { username, nickname: 'N', email: 'x@acme.example', teams: [{ name: 't', channels: [{ name: 'c' }] }] },
  });
  const lines = [
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 't', display_name: 'T', type: 'O' } },
    { type: 'channel', channel: { team: 't', name: 'c', display_name: 'C', type: 'O' } },
    ...[user('ann.lee'), user('bob.ray')],
    post('ann.lee', 'hi', {
      reactions: [
        { user: 'bob.ray', emoji_name: 'like', create_at: time },
        { user: 'dee.may', emoji_name: 'like', create_at: time + 1 },
      ],
    }),
    post('bob.ray', 'joined', { type: 'system_join_channel', create_at: time + 1 }),
  ];
  const converted = await convertFiles('mattermost', { 'export.jsonl': jsonl(...lines) });
  expect(await filesWith(names, converted)).toEqual(['conversion/decisions.yaml', 'conversion/ledger.ndjson']);
  expect(converted.facts[0]).toMatchObject({
    sender: 'user-1',
    reactions: [{ name: 'like', users: ['user-2'], at: [time], count: 2 }],
  });
});
