// Tests wrong tables and mappings: each is refused at its place with nothing written, or gets a line in the ledger.
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../../../src/core/model/errors.ts';
import { convertExport } from '../../../../../src/migration/convert.ts';
import { writeFiles } from '../../../../support/folders.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { convertTables } from '../../support/converted.ts';

const mapping = `version: 1
name: acme
tables:
  users: { files: users.csv }
  rooms: { files: rooms.csv }
  members: { files: members.csv }
  messages: { files: messages.csv }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}" }
members: { from: members, channel: "\${room}", user: "\${user}" }
messages: { from: messages, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${time}", text: "\${text}" }
`;
const time = '2024-01-01T00:00:00Z';
const tables = {
  'users.csv': 'id,name\nu1,Ann\n',
  'rooms.csv': 'id\nr1\n',
  'members.csv': 'room,user\nr1,u1\n',
  'messages.csv': `id,room,user,time,text\nm1,r1,u1,${time},hi\n`,
};

/** The refusal of a conversion with the mapping and the data of a folder. `exported`: names of its subfolders. */
async function refusalIn(folder: string, exported: readonly string[] = ['data']): Promise<Refusal> {
  const paths = exported.map((name) => join(folder, name));
  const options = { exported: paths, out: join(folder, 'out'), mapping: join(folder, 'mapping.yaml') };
  const error = await convertExport({ source: 'table', ...options }).catch((cause: unknown) => cause);
  if (!(error instanceof Refusal)) throw new Error(String(error));
  return error;
}

const rows = (...lines: readonly string[]) => ({
  'messages.csv': `id,room,user,time,text\n${lines.join('\n')}\n`,
});

describe('refuses, at its place and without writing anything,', () => {
  const dumpHead = 'COPY public.messages (id, room, user, time, text) FROM stdin;\n';
  const inDump = mapping.replace('files: messages.csv', 'files: dump.sql');
  const inJson = mapping.replace('{ files: messages.csv }', '{ files: m.json, path: data.rows.* }');
  const rooms = (files: string) => mapping.replace('files: rooms.csv', `files: ${files}`);
  const deep = `{"data":{"rows":[{"id":"m1"}]},"x":${'['.repeat(100_000)}`;
  type Files = Readonly<Record<string, string>>;
  interface Row {
    readonly what: string;
    readonly files?: Files;
    /** Default: the mapping of these tests. */
    readonly yaml?: string;
    /** Default: `convert.mapping`. */
    readonly code?: string;
    readonly reason: RegExp;
    readonly place?: readonly [line: number, column: number];
  }
  const ofMapping: readonly Row[] = [
    {
      what: 'missing columns',
      files: { 'messages.csv': 'id,room,at\n' },
      reason: /has no column user\. Its columns are id, room, at/u,
      place: [11, 70],
    },
    {
      what: 'a time without a zone',
      files: rows('m1,r1,u1,2024-01-01 00:00:00,hi'),
      reason: /csv#2 has no time zone/u,
    },
    { what: 'a number without a unit', files: rows('m1,r1,u1,1700000000,hi'), reason: /csv#2 is a number/u },
    {
      what: 'a table without files',
      yaml: rooms('chambers*.csv'),
      reason: /No file is named chambers/u,
      place: [5, 19],
    },
    { what: 'two tables of one file', yaml: rooms('users.csv'), reason: /already in the table users/u },
    {
      what: 'a path in a file that is not JSON',
      yaml: rooms('rooms.csv, path: data.*'),
      reason: /rooms\.csv is read as csv, in which rows have no path/u,
      place: [5, 36],
    },
    {
      what: 'an unknown format',
      files: { 'messages.csv': '', 'm.txt': 'x' },
      yaml: mapping.replace('files: messages.csv', 'files: m.txt'),
      reason: /unknown format/u,
    },
    { what: 'a column that is there twice', files: { 'rooms.csv': 'id,id\nr1,r1\n' }, reason: /the column id twice/u },
    {
      what: 'a table that the dump lacks',
      files: { 'dump.sql': 'COPY public.others (id) FROM stdin;\n1\n\\.\n' },
      yaml: inDump,
      reason: /dump\.sql has no table messages/u,
    },
    {
      what: 'a path without rows',
      files: { 'm.json': '{"data":{"lines":[]}}' },
      yaml: inJson,
      reason: /Nothing in m\.json matches the path data\.rows/u,
    },
  ];
  const ofFiles: readonly (readonly [what: string, file: string, text: string, reason: RegExp, code?: string])[] = [
    [
      'cut in a table',
      'dump.sql',
      `${dumpHead}m1\tr1\tu1\t${time}\thi\n`,
      /in the middle, after line 2/u,
      'convert.cut',
    ],
    ['cut behind a table', 'dump.sql', `-- PostgreSQL database dump\n${dumpHead}\\.\n`, /after line 3/u, 'convert.cut'],
    [
      'of INSERTs without names',
      'dump.sql',
      "INSERT INTO public.messages VALUES (1, 'x');\n",
      /dump\.sql#1 does not name its columns, .* write columns:/u,
      'convert.mapping',
    ],
    ['cut and of MySQL', 'dump.sql', '-- MySQL dump 10.13  Distrib 8.0\n', /after line 1/u, 'convert.cut'],
    [
      'cut in a row',
      'dump.sql',
      `INSERT INTO messages (id, room, user, time, text)\nVALUES ('1','r1','u1','${time}','x'),\n('2`,
      /after line 3/u,
      'convert.cut',
    ],
    ['of queries', 'dump.sql', '\nINSERT INTO messages SELECT * FROM old;\n', /not literals, at line 2/u],
    [
      'in another encoding',
      'dump.sql',
      "\nSET NAMES 'sjis';\n",
      /its encoding is sjis, at line 2\. Make the dump in UTF-8/u,
    ],
    [
      'of a damaged database',
      'dump.sql',
      'BEGIN TRANSACTION;\nROLLBACK; -- due to errors\n',
      /after line 2/u,
      'convert.cut',
    ],
    ['a database', 'dump.sql', 'SQLite format 3\0', /sqlite3 FILE \.dump/u],
    ['of SQL Server', 'dump.sql', "INSERT [dbo].[messages] ([id]) VALUES (N'1')\nGO\n", /script of SQL Server/u],
    ['in the custom format', 'dump.sql', 'PGDMP\u0001', /custom format of pg_dump\. Convert it .*pg_restore/u],
    [
      'of COPY with CSV',
      'dump.sql',
      'COPY messages (id) FROM stdin WITH CSV;\n1\n\\.\n',
      /another form .*WITH CSV.*at line 1/u,
    ],
    [
      'of a function',
      'dump.sql',
      `-- MySQL dump 10.13\nINSERT INTO messages (id, room, user, time, text) VALUES (CONCAT('a' SEPARATOR '${'b'.repeat(100)}'));\n-- Dump completed\n`,
      /not literals, at line 2/u,
    ],
    ['in the tar format', 'dump.sql', 'toc.dat\0\0', /tar format of pg_dump\. Convert it .*pg_restore/u],
    [
      'of COPY with options',
      'dump.sql',
      "COPY messages (id) FROM stdin WITH (FORMAT csv, DELIMITER ';');\n1\n\\.\n",
      /another form .*FORMAT csv.*at line 1/u,
    ],
    ['cut', 'm.json', `{"data":{"rows":[{"id":"m1"},{"id":`, /ends before the JSON does, after data\/rows\/1/u],
    ['nested 100,000 deep', 'm.json', deep, /its values are nested more than 1000 deep, after/u],
    ['not JSON', 'm.json', `{"data":{"rows":[{"id":"m1"},{x}`, /m\.json is not what the source writes/u],
  ];
  const all: readonly Row[] = [
    ...ofMapping,
    {
      what: 'a list in place of an object on each line',
      files: { 'm.ndjson': '[\n{"id":"m1"},\n{"id":"m2"}\n]\n' },
      yaml: mapping.replace('messages.csv', 'm.ndjson'),
      code: 'convert.broken-file',
      reason: /one list in JSON, not an object on each line\. Write format: json/u,
    },
    {
      what: 'CSV whose lines end with CR alone',
      files: { 'messages.csv': `id,room,user,time,text\rm1,r1,u1,${time},hi\r` },
      reason: /lines of messages\.csv#1 end with CR alone/u,
    },
    {
      what: 'CSV with a delimiter at the end of each line, twice',
      files: { 'messages.csv': `id,room,user,time,text,,\nm1,r1,u1,${time},hi,,\n` },
      reason: /several columns without a name/u,
    },
    ...ofFiles.map(([what, file, text, reason, code = 'convert.broken-file']) => {
      const yaml =
        file === 'dump.sql' ? inDump : text === deep ? inJson.replace('data.rows.*', 'data.*.rows.*') : inJson;
      return { what: `${file} that is ${what}`, files: { [file]: text }, yaml, code, reason };
    }),
  ];
  test.for(all)('$what', async ({ files = {}, yaml = mapping, code = 'convert.mapping', reason, place }) => {
    const folder = await temporaryFolder({ 'mapping.yaml': yaml });
    await writeFiles(join(folder, 'data'), { ...tables, ...files });
    const error = await refusalIn(folder);
    expect(error).toMatchObject({ code, exitCode: 65 });
    const [first] = error.diagnostics;
    expect(first?.detail ?? `${error.message} ${error.advice}`).toMatch(reason);
    if (code === 'convert.mapping') expect(first?.source).toMatchObject({ file: 'mapping.yaml' });
    if (place !== undefined) expect([first?.source?.line, first?.source?.column]).toEqual(place);
    expect(await readdir(folder)).toEqual(['data', 'mapping.yaml']);
  });
});

test('refuses two parts of one name, of which only one would be read', async () => {
  const folder = await temporaryFolder({ 'mapping.yaml': mapping });
  const parts = ['data', 'more/data'];
  for (const part of parts) await writeFiles(join(folder, part), tables);
  expect(await refusalIn(folder, parts)).toMatchObject({
    code: 'convert.bad-path',
    exitCode: 65,
    advice: expect.stringContaining('Rename one of the two.'),
  });
  expect(await readdir(folder)).toEqual(['data', 'mapping.yaml', 'more']);
});

test('reports all problems of a mapping, each at its line and column', async () => {
  const wrong = `version: 1
name: acme
tables:
  users: { files: users.csv }
users: { from: users, id: "\${id}", nickname: x }
channels: { from: rooms, id: { cel: row.id == } }
messages: { from: users, id: "\${}", channel: { in: users, key: "\${id}", get: "\${id}" }, time: { of: "\${t}", zone: Mars } }
`;
  const misspelt = wrong.replace('zone: Mars', 'unit: second');
  const folder = await temporaryFolder({ 'mapping.yaml': misspelt, 'data/users.csv': 'id\n' });
  const problemsOf = async () => {
    const error = await refusalIn(folder);
    return error.diagnostics.map(({ code, source, detail }) => `${source?.line}:${source?.column} ${code} ${detail}`);
  };
  expect(await problemsOf()).toEqual([
    expect.stringMatching(/^5:36 manifest\.unknown-key .*"?nickname/u),
    expect.stringMatching(/^7:115 manifest\.wrong-value .*Did you mean "seconds"/u),
  ]);
  await writeFiles(folder, { 'mapping.yaml': wrong.replace(', nickname: x', '') });
  expect(await problemsOf()).toEqual([
    expect.stringMatching(/^6:19 convert\.mapping There is no table rooms\. The tables are users\./u),
    expect.stringMatching(/^6:37 convert\.mapping The expression is not valid CEL: /u),
    expect.stringMatching(/^7:30 convert\.mapping \$\{\} is not a column/u),
    expect.stringMatching(/^7:52 convert\.mapping There is no table users with a key/u),
    expect.stringMatching(/^7:89 convert\.mapping Mars is not a time zone/u),
  ]);
});

test('names the faulty columns and tables of all files at once', async () => {
  const dump = 'COPY public.people (id) FROM stdin;\n\\.\nCOPY public.texts (no) FROM stdin;\n\\.\n';
  const yaml = mapping
    .replace('files: users.csv', 'files: dump.sql, table: people')
    .replace('  rooms:', '  texts: { files: dump.sql }\n  rooms:')
    .replace('files: members.csv', 'files: nowhere.csv');
  const folder = await temporaryFolder({
    'mapping.yaml': `${yaml}files: { from: texts, message: "\${of}", url: "\${no}" }\n`,
  });
  const { 'users.csv': _users, 'members.csv': _members, ...others } = tables;
  const files = { ...others, 'dump.sql': dump, 'rooms.csv': 'number\nr1\n', 'messages.csv': 'id,room,user,at,text\n' };
  await writeFiles(join(folder, 'data'), files);
  const details = (await refusalIn(folder)).diagnostics.map(({ detail }) => detail);
  for (const problem of [
    /^No file is named nowhere\.csv/u,
    /^dump\.sql#1 has no column name/u,
    /^dump\.sql#3 has no column of/u,
    /^rooms\.csv#1 has no column id/u,
    /^messages\.csv#1 has no column time/u,
  ])
    expect(details).toContainEqual(expect.stringMatching(problem));
  expect(details).toHaveLength(5);
});

describe('leaves out with a reason, at its line,', () => {
  const good = `m1,r1,u1,${time},hi`;
  test.for<readonly [string, Readonly<Record<string, string>>, string, string]>([
    ['a row without an id', rows(good, `,r1,u1,${time},hi`), 'messages.csv#3', 'row.required'],
    ['two users of one id', { 'users.csv': 'id,name\nu1,Ann\nu1,Bob\n' }, 'users.csv#3', 'row.repeated'],
    ['two channels of one id', { 'rooms.csv': 'id\nr1\nr1\n' }, 'rooms.csv#3', 'row.repeated'],
    ['two messages of one id', rows(good, 'm1,r1,u1,2024-01-02T00:00:00Z,other'), 'messages.csv#3', 'message.conflict'],
    ['a member of no channel', { 'members.csv': 'room,user\nr1,u1\nr9,u1\n' }, 'members.csv#3', 'part.orphan'],
    ['a message of no channel', rows(good, `m2,r9,u1,${time},hi`), 'messages.csv#3', 'message.unknown-channel'],
    ['a time that is none', rows(good, 'm2,r1,u1,soon,hi'), 'messages.csv#3', 'time.unreadable'],
    ['a row with another number of cells', rows(good, 'm2,r1'), 'messages.csv#3', 'object.broken'],
    [
      'a quote that is never closed',
      rows(good, `m2,r1,u1,${time},"open`, `m3,r1,u1,${time},hi`),
      'messages.csv#3',
      'object.broken',
    ],
    ['a file that no table has', { 'notes.txt': 'x' }, 'notes.txt', 'file.unknown'],
  ])('%s', async ([, files, at, reason]) => {
    const { ledger, result } = await convertTables({ ...tables, ...files }, mapping);
    expect(ledger.filter(({ outcome }) => outcome === 'left_out')).toMatchObject([{ at, reason }]);
    expect(result.undecided).toEqual([{ code: reason, count: 1 }]);
    expect(result.messages).toBeGreaterThan(0);
  });
});

test('declares an unknown sender as deactivated, or leaves the messages out as decided', async () => {
  const files = { ...tables, 'messages.csv': `id,room,user,time,text\nm1,r1,u9,${time},hi\n` };
  const { ledger } = await convertTables(files, mapping);
  expect(ledger.at(-3)).toMatchObject({ at: 'messages.csv#2', reason: 'sender.unknown', to: 'messages.acme_r1' });
  const decisions = 'format_version: 1\nsource: acme\nusers: { unknown: leave_out }\n';
  const { result } = await convertTables(files, mapping, { decisions });
  expect(result).toMatchObject({ messages: 0, outcomes: { left_out: 1 } });
});

test('finds the channel of a message and the message of a reaction in any order', async () => {
  const yaml = `${mapping.replace('  rooms:', '  all: { files: a.sql, table: reactions }\n  rooms:').replace(/files: (?:rooms|messages)\.csv/gu, 'files: a.sql')}reactions: { from: all, message: "\${message}", name: "\${emoji}", user: "\${user}" }\n`;
  const dump = `COPY reactions (message, emoji, user) FROM stdin;
m1\t+1\tu1
m9\t+1\tu1
\\.
COPY messages (id, room, "user", time, text) FROM stdin;
m1\tr1\tu1\t${time}\ta\\tb\\\\c\\x41\\101
\\.
COPY rooms (id) FROM stdin;
r1
\\.
`;
  const { 'rooms.csv': _rooms, 'messages.csv': _messages, ...others } = tables;
  const { ledger, facts } = await convertTables({ ...others, 'a.sql': dump }, yaml);
  expect(facts).toEqual([
    {
      id: 'acme:r1:m1',
      time: Date.parse(time),
      sender: 'u1',
      text: 'a\tb\\cAA',
      reactions: [{ name: '+1', users: ['u1'] }],
    },
  ]);
  const parts = ledger.filter(({ at }) => at === 'a.sql#2' || at === 'a.sql#3');
  expect(parts).toMatchObject([{ line: 1, to: 'messages.acme_r1' }, { reason: 'part.orphan' }]);
});

describe('a row for which an expression needs too much work', () => {
  const doubled = `["aaaaaaaaaaaaaaaa"]${'.map(x, x + x)'.repeat(40)}[0]`;
  const costly = mapping.replace(
    `name: "\${name}"`,
    () => `name: { cel: 'row.name == "long" ? ${doubled} : row.name' }`,
  );
  const users = (count: number) =>
    `id,name\n${Array.from({ length: count }, (_, at) => `c${at},long\n`).join('')}u1,Ann\n`;

  test('is left out, and the others are converted', async () => {
    const { ledger, result } = await convertTables({ ...tables, 'users.csv': users(2) }, costly);
    const lines = ledger.filter(({ at }) => at.startsWith('users.csv'));
    expect(lines.map(({ at, outcome, reason }) => [at, outcome, reason])).toEqual([
      ['users.csv#2', 'left_out', 'row.costly'],
      ['users.csv#3', 'left_out', 'row.costly'],
      ['users.csv#4', 'carried', undefined],
    ]);
    expect(result.undecided).toEqual([{ code: 'row.costly', count: 2 }]);
  });

  test('stops the conversion at its place in the mapping when there are many', async () => {
    const folder = await temporaryFolder();
    await writeFiles(folder, { 'mapping.yaml': costly });
    await writeFiles(join(folder, 'data'), { ...tables, 'users.csv': users(20) });
    const refusal = await refusalIn(folder);
    expect(refusal.code).toBe('convert.mapping');
    expect(refusal.diagnostics).toMatchObject([
      { detail: expect.stringContaining('20 rows, the last at users.csv#21'), source: { line: 8 } },
    ]);
    expect(await readdir(folder)).not.toContain('out');
  });
});

describe('a condition that cannot be evaluated', () => {
  const conditions = (where: string) => `version: 1
name: acme
tables: { rows: { files: rows.ndjson } }
users: { from: rows, where: "has(row.who)", repeats: true, id: "\${who}" }
channels: { from: rows, id: r1, repeats: true }
messages: { from: rows, where: '${where}', id: "\${id}", channel: r1, sender: "\${who}", time: { of: "\${at}", unit: milliseconds }, text: hi }
`;
  const rows = (...flags: readonly unknown[]) => ({
    'rows.ndjson': flags.map((gone, id) => JSON.stringify({ id, who: 'u1', at: 1_700_000_000_000, gone })).join('\n'),
  });

  test.for([
    ['!row.gone', 'f', '`!` of text', 'gone = "f"'],
    ['row.gone > 1', 'f', '`>` of text and an integer', 'gone = "f"'],
    ['row.gone && true', 'f', '`&&` or `||` of text', 'gone = "f"'],
    ['row.gone.size() > 1', 1, 'size', 'gone = 1'],
    ['row.gone', 't', 'its result is text, not true or false', 'gone = "t"'],
    ['row.gone', null, 'its result is a missing value', 'gone = null'],
    ['row.?left.orValue(row.gone.x) == 1', 'f', 'there is no x', 'gone = "f"'],
  ] as const)('ends the conversion if it is so for all rows: %s', async ([where, value, reason, example]) => {
    const error = await convertTables(rows(value, value), conditions(where)).catch((cause: unknown) => cause);
    const details =
      error instanceof Refusal ? error.diagnostics.map(({ detail, source }) => [detail, source?.line]) : [];
    expect(details).toEqual([[expect.stringContaining('in 2 of 2 rows, for example rows.ndjson#1'), 6]]);
    expect(details[0]?.[0]).toContain(reason);
    expect(details[0]?.[0]).toContain(example);
  });

  test('leaves out one row, which needs a decision', async () => {
    const { ledger, result } = await convertTables(rows(false, 'f', true), conditions('!row.gone'));
    expect(ledger.filter(({ reason }) => reason === 'row.condition')).toMatchObject([{ at: 'rows.ndjson#2' }]);
    expect(result.undecided).toContainEqual({ code: 'row.condition', count: 1 });
  });

  test.for([
    [
      'pg_dump',
      'CREATE TABLE public.rows (id int, gone boolean);\nCOPY public.rows (id, gone) FROM stdin;\n1\tf\n2\tt\n\\.\n',
    ],
    ['mysqldump', 'CREATE TABLE `rows` (`id` int, `gone` tinyint(1));\nINSERT INTO `rows` VALUES (1,0),(2,1);\n'],
    [
      'sqlite_dump',
      'CREATE TABLE rows (id int, gone BOOLEAN);\nINSERT INTO rows VALUES(1,0);\nINSERT INTO rows VALUES(2,1);\n',
    ],
  ])('has booleans where %s creates the table with such a column', async ([format, dump = '']) => {
    const yaml = conditions('!row.gone')
      .replace('files: rows.ndjson', `files: rows.sql, format: ${format}`)
      .replace('"has(row.who)"', 'row.gone')
      .replaceAll('{who}', '{id}')
      .replace(`"\${at}"`, '{ cel: "1700000000000" }');
    const { facts } = await convertTables({ 'rows.sql': dump }, yaml);
    expect(facts.map(({ id }) => id)).toEqual(['acme:r1:1']);
  });
});

test('values that do not fit their fields are counted by field, with the first place', async () => {
  const { folder, ledger } = await convertTables(
    {
      'users.csv': 'id,name\n1,Ann\n',
      'rooms.csv': 'id,name,members\n7,Desk,1\n',
      'messages.csv': `id,room,user,time,text,kind\n1,7,1,${time},hi,message\n2,7,1,${time},hi,shout\n3,7,1,${time},hi,roar\n`,
    },
    `version: 1
name: own
tables: { users: { files: users.csv }, rooms: { files: rooms.csv }, messages: { files: messages.csv } }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${name}", members: "\${members}" }
messages: { from: messages, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${time}", text: "\${text}", kind: "\${kind}" }
`,
  );
  expect(ledger.filter(({ reason }) => reason === 'row.value-dropped')).toHaveLength(2);
  expect(readFileSync(join(folder, 'conversion/report.md'), 'utf8')).toContain(
    '2 values of messages.kind were left out, because they cannot be computed or have the wrong type: the first is at messages.csv#3.',
  );
});
