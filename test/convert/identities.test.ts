// Tests the file of identities, which gives people of the source the user_id that they already have.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { contentOf, writeFiles } from '../support/folders.ts';
import { expectEnd, runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const users = [
  { id: 'U000001', name: 'ann', profile: { email: 'Ann@Example.com' } },
  { id: 'U000002', name: 'bob' },
  { id: 'U000003', name: 'cem' },
  { id: 'U000004', name: 'dot' },
];
const messages = users.map(({ id }, number) => ({
  type: 'message',
  user: id,
  text: 'hi',
  ts: `170000000${number}.000100`,
}));

let cwd = '';
const convert = async (people: string, ...flags: string[]) => {
  await writeFiles(cwd, { 'people.csv': people });
  return runCli(['convert', 'slack', 'export', '--out', 'chat', '--identities', 'people.csv', ...flags], { cwd });
};

beforeEach(async () => {
  cwd = await temporaryFolder({
    'export/users.json': JSON.stringify(users),
    'export/channels.json': JSON.stringify([{ id: 'C000001', name: 'room', members: users.map(({ id }) => id) }]),
    'export/room/2023-11-14.json': JSON.stringify(messages),
  });
});

const people = `id,email,handle,user_id
,ann@example.com,,customer-7
U000002,,,customer-8
,,@Cem,customer-9
,gone@example.com,,customer-10
`;

test('finds people by id, address and handle, and reports people without a row', async () => {
  const { exit, stdout } = await convert(people);
  expect(exit).toBe(0);
  expect(stdout).toContain('Identities: 3 users matched, 1 without a row, 1 row that match nobody.');
  const archive = await readFile(join(cwd, 'chat/history/slack_C000001.ndjson'), 'utf8');
  expect([...archive.matchAll(/"user_id":"([^"]+)"/gu)].map(([, id]) => id)).toEqual([
    'customer-7',
    'customer-8',
    'customer-9',
    'U000004',
  ]);
  expect(await readFile(join(cwd, 'chat/conversion/report.md'), 'utf8')).toContain('| U000004 | U000004 |');
  expect(await readFile(join(cwd, 'chat/conversion/missing-identities.csv'), 'utf8')).toBe(
    'id,user_id\n"U000004","U000004"\n',
  );
  const written = Object.values(await contentOf(join(cwd, 'chat'))).join('\n');
  expect(written).not.toMatch(/ann@example\.com/iu);
  expect((await runCli(['validate'], { cwd: join(cwd, 'chat') })).exit).toBe(0);
  // From then on, the ids are in the decisions.
  await expectEnd(runCli(['convert', 'slack', 'export', '--out', 'chat'], { cwd }), 0);
  expect(await readFile(join(cwd, 'chat/users.yaml'), 'utf8')).toContain('customer-7');
});

describe('refuses', () => {
  test.for([
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
  ] as const)('%s', async ([, text, reason]) => {
    const { exit, stderr } = await convert(text);
    expect({ exit, stderr }).toMatchObject({ exit: 65, stderr: expect.stringContaining('convert.identities') });
    expect(stderr.replace(/\s+/gu, ' ')).toContain(reason);
    expect(Object.keys(await contentOf(join(cwd, 'chat')))).toEqual([]);
  });

  test('a row that contradicts the decisions', async () => {
    expect((await runCli(['convert', 'slack', 'export', '--out', 'chat'], { cwd })).exit).toBe(0);
    const { exit, stderr } = await convert('id,user_id\nU000001,customer-7\n');
    expect(exit).toBe(65);
    expect(stderr.replace(/\s+/gu, ' ')).toContain(
      'gives U000001 the user_id customer-7, but conversion/decisions.yaml says U000001',
    );
  });

  test('a file in another encoding', async () => {
    await writeFile(join(cwd, 'latin-1.csv'), 'handle,user_id\nJürgen,a\n', 'latin1');
    const args = ['convert', 'slack', 'export', '--out', 'chat', '--identities', 'latin-1.csv'];
    const { exit, stderr } = await runCli(args, { cwd });
    expect({ exit, stderr }).toMatchObject({ exit: 65, stderr: expect.stringContaining('not in UTF-8') });
  });

  test('a file that is not there', async () => {
    const { exit, stderr } = await runCli(
      ['convert', 'slack', 'export', '--out', 'chat', '--identities', 'missing.csv'],
      { cwd },
    );
    expect({ exit, stderr }).toMatchObject({ exit: 65, stderr: expect.stringContaining('convert.identities') });
  });
});
