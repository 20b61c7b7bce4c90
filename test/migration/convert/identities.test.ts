// Tests the file of identities, which gives people of the source the user_id that they already have.
import { beforeEach, describe, expect, test } from 'vitest';
import { contentOf, writeFiles } from '../../support/folders.ts';
import { expectEnd } from '../../support/run-cli.ts';
import { convertTables } from './support/converted.ts';
import { expectRefused, Series } from './support/series.ts';
import { ann, bob, room, said, slackFiles } from './support/small-exports.ts';

const users = [
  { ...ann, profile: { email: 'Ann@Example.com' } },
  bob,
  { id: 'U000003', name: 'cem' },
  { id: 'U000004', name: 'dot' },
];
const files = slackFiles({
  users,
  channels: [{ ...room, members: users.map(({ id }) => id) }],
  'room/2023-11-14': users.map(({ id }, place) => ({ ...said, user: id, ts: `170000000${place}.000100` })),
});

let series: Series;
beforeEach(async () => {
  series = await Series.of('slack');
});
const convert = async (people: string | Uint8Array, name = 'people.csv') => {
  await writeFiles(series.cwd, { 'people.csv': people });
  return series.convert(files, '--identities', name);
};

const people = `id,email,handle,user_id
,ann@example.com,,customer-7
U000002,,,customer-8
,,@Cem,customer-9
,gone@example.com,,customer-10
`;

test('finds people by id, address and handle, and reports people without a row', async () => {
  const { stdout } = await expectEnd(convert(people), 0);
  expect(stdout).toContain('Identities: 3 users matched, 1 without a row, 1 row that match nobody.');
  const historyFile = await series.read('history/slack_C000001.ndjson');
  expect([...historyFile.matchAll(/"user_id":"([^"]+)"/gu)].map(([, id]) => id)).toEqual([
    'customer-7',
    'customer-8',
    'customer-9',
    'U000004',
  ]);
  expect(await series.read('conversion/report.md')).toContain('| U000004 | U000004 |');
  expect(await series.read('conversion/missing-identities.csv')).toBe('id,user_id\n"U000004","U000004"\n');
  const written = await contentOf(`${series.cwd}/chat`);
  expect(Object.values(written).join('\n')).not.toMatch(/ann@example\.com/iu);
  await expectEnd(series.chat('validate'), 0);
  // From then on, the ids are in the decisions.
  await series.converted();
  expect(await series.read('users.yaml')).toContain('customer-7');
});

describe('refuses', () => {
  test.for<readonly [string, string | Uint8Array, string, name?: string]>([
    ['two rows for one person', 'id,user_id\nU000001,a\nU000001,b\n', 'line 3: U000001 is already in line 2'],
    ['one user_id for two', 'id,user_id\nU000001,a\nU000002,a\n', 'line 3: a is already in line 2'],
    ['a user_id that is an address', 'id,user_id\nU000001,a@example.com\n', 'cannot be a user_id'],
    ['a row that names nobody', 'id,user_id\n,a\n', 'none of id, email, handle'],
    ['other columns', 'name,user_id\nann,a\n', 'the columns are user_id and one of id, email, handle'],
    [
      'two rows for one person, by id and by address',
      'id,email,user_id\nU000001,,a\n,ann@example.com,b\n',
      'line 2: U000001 has a here and b in line 3',
    ],
    ['two columns of one name', 'id,user_id,user_id\nU000001,a,b\n', 'line 1: two columns are named user_id'],
    ['an empty file', '', 'line 1: the columns are user_id'],
    ['a header of other columns alone', 'name,user_id\n', 'line 1: the columns are user_id'],
    ['a row that is too short', 'id,user_id\nU000001\n', 'line 2'],
    ['what is not CSV', 'id,user_id\n"U000001,a\n', 'people.csv cannot be used'],
    ['a file in another encoding', Buffer.from('handle,user_id\nJürgen,a\n', 'latin1'), 'not in UTF-8'],
    ['a file that is not there', '', 'missing.csv cannot be read', 'missing.csv'],
  ])('%s', async ([, text, reason, name]) => {
    expectRefused(await convert(text, name), 65, 'convert.identities', reason);
    expect(Object.keys(await contentOf(`${series.cwd}/chat`))).toEqual([]);
  });

  test('a row that contradicts the decisions', async () => {
    await series.converted(files);
    const reason = 'gives U000001 the user_id customer-7, but conversion/decisions.yaml says U000001';
    expectRefused(await convert('id,user_id\nU000001,customer-7\n'), 65, reason);
  });
});

describe('accounts of one person', () => {
  const decide = async (text: string) => {
    await series.write({ 'conversion/decisions.yaml': `format_version: 1\nsource: slack\n${text}\n` });
    return series.convert(files);
  };

  test('become one user, whose messages keep their order and ids', async () => {
    await expectEnd(series.convert(files), 0);
    const idsIn = (text: string) => [...text.matchAll(/"dedup_id":"([^"]+)"/gu)].map(([, id]) => id);
    const before = await series.read('history/slack_C000001.ndjson');
    await expectEnd(decide('merged: { U000003: U000001 }'), 0);
    const after = await series.read('history/slack_C000001.ndjson');
    expect(idsIn(after)).toEqual(idsIn(before));
    expect(after.split('U000003')).toHaveLength(2);
    expect(after).toContain(
      String.raw`"user_id":"U000001","message":"${said.text}","data":"{\"chatform\":1,\"id\":\"slack:C000001:1700000002.000100\",\"sender\":\"U000003\"`,
    );
    expect(await series.read('users.yaml')).not.toContain('U000003');
    expect(await series.read('group_channels.yaml')).not.toContain('U000003');
    expect(await series.read('conversion/report.md')).toContain('U000003 into U000001');
    expect(await series.read('conversion/ledger.ndjson')).toContain(
      '"outcome":"changed","reason":"user.merged","to":"user.U000001"',
    );
    await series.arrives();
  });

  test('become a user that only an earlier conversion lists', async () => {
    await expectEnd(series.convert(files), 0);
    await series.write({
      'conversion/decisions.yaml': 'format_version: 1\nsource: slack\nmerged: { U000003: U000001 }\n',
    });
    const later = { ...files, 'users.json': JSON.stringify(users.slice(1)) };
    await expectEnd(series.convert(later), 0);
    expect(await series.read('users.yaml')).not.toMatch(/U000003|Unknown/u);
  });

  test.for<readonly [string, string]>([
    ['merged: { U000003: U000003 }', 'Write OTHER_ID: ID'],
    ['merged: { U000003: U000002, U000002: U000001 }', 'U000002 is merged itself'],
    ['merged: [U000003]', 'merged must be a map'],
    ['merged:\n  U000003: U00001', 'line 4: U000003 is merged into U00001, but neither this export nor'],
    ['merged: { U000003: nobody }', 'Write the id at the source of the account that the person keeps.'],
    ['merged: { U000003: U00001 }', 'Did you mean "U000001"?'],
    ['merged: { U000003: U000009 }\nleft_out: { users: { U000008: asked } }', 'U000003 is merged into U000009'],
    ['user_ids: { U000001: x, U000002: x }', 'merged: { U000002: U000001 }'],
  ])('are refused as %s', async ([text, reason]) => {
    await expectEnd(decide(text), 65, reason);
  });
});

test('an account that was converted before and is merged now is declared no more, unless kept messages are of it', async () => {
  const mapping = `version: 1
name: own
tables: { users: { files: users.csv }, rooms: { files: rooms.csv }, messages: { files: messages.csv } }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${name}", members: "\${members}" }
messages: { from: messages, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${at}", text: "\${body}" }
`;
  const tablesOf = (...rows: readonly string[]) => ({
    'users.csv': 'id,name\n1,Ann\n2,Ann\n',
    'rooms.csv': 'id,name,members\n7,Desk,"1,2"\n',
    'messages.csv': ['id,room,user,at,body', ...rows, ''].join('\n'),
  });
  const edge = (id: string, day: string) => `${id},7,1,2024-01-${day}T10:00:00Z,edge`;
  const rows = [edge('x', '01'), 'a,7,2,2024-01-02T10:00:00Z,one', edge('y', '03')];
  const merge = async (folder: string) => {
    const file = 'conversion/decisions.yaml';
    await writeFiles(folder, { [file]: `${(await contentOf(folder))[file]}merged: { "2": "1" }\n` });
  };
  const whole = (await convertTables(tablesOf(...rows), mapping)).folder;
  await merge(whole);
  await convertTables(tablesOf(...rows), mapping, { into: whole });
  const after = await contentOf(whole);
  expect(after['users.yaml']).not.toMatch(/^ {2}"?2"?:/mu);
  expect(after['group_channels.yaml']).not.toMatch(/^ +"?2"?:/mu);
  const part = (await convertTables(tablesOf(...rows), mapping)).folder;
  await merge(part);
  await convertTables(tablesOf('c,7,2,2024-01-04T10:00:00Z,two'), mapping, { into: part });
  const { 'users.yaml': users, 'history/own_7.ndjson': history } = await contentOf(part);
  expect(users).toMatch(/^ {2}"?2"?:/mu);
  expect(String(history).match(/"user_id":"\d"/gu)).toEqual([1, 2, 1, 1].map((id) => `"user_id":"${id}"`));
});
