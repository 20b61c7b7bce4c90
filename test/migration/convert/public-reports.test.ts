// Tests what people reported publicly of converters of chat exports, each with a small invented input: order, dumps of mydumper, tables of
// several schemas, times and texts in other forms, two posts of one author, and rows or columns that restrict.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of mappings
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { convertFiles, convertTables } from './support/converted.ts';

const tables = ['users', 'rooms', 'messages'];
const mappingOf = (file: (table: string) => string, time = '"${at}"', text = '"${body}"', more = '') => `version: 1
name: own
tables: { ${tables.map((table) => `${table}: { files: ${file(table)} }`).join(', ')}${more} }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${name}", members: "\${members}" }
messages: { from: messages, id: "\${id}", channel: "\${room}", sender: "\${user}", time: ${time}, text: ${text} }
`;
const csv = (table: string) => `${table}.csv`;
const common = { 'users.csv': 'id,name\n1,Ann\n2,Bob\n', 'rooms.csv': 'id,name,members\n7,Desk,"1,2"\n' };
const head = 'id,room,user,at,body';
const linesOf = ({ historyFiles }: { readonly historyFiles: Readonly<Record<string, readonly object[]>> }) =>
  Object.values(historyFiles).flat() as { readonly message: string; readonly timestamp: number }[];
const textsOf = (converted: Parameters<typeof linesOf>[0]) => linesOf(converted).map(({ message }) => message);

test('question and answer of one second, listed from new to old, keep their order', async () => {
  const converted = await convertTables(
    {
      ...common,
      'messages.csv': `${head}\n12,7,2,1704103201,later\n11,7,2,1704103200,answer\n10,7,1,1704103200,question\n`,
    },
    mappingOf(csv, '{ of: "${at}", unit: seconds }'),
  );
  expect(textsOf(converted)).toEqual(['question', 'answer', 'later']);
  expect(converted.result.unordered).toBe(0);
});

test('a dump of mydumper has texts in double quotes and CONVERT', async () => {
  const dump = `/*!40101 SET NAMES utf8mb4*/;
INSERT INTO \`users\`(\`id\`,\`name\`) VALUES(1,"Ann ""A"" Lee"),(2,'Bob');
INSERT INTO \`rooms\`(\`id\`,\`name\`,\`members\`) VALUES(7,"The desk",CONVERT("[1, 2]" USING UTF8MB4));
INSERT INTO \`messages\`(\`id\`,\`room\`,\`user\`,\`at\`,\`body\`) VALUES(1,7,1,"2024-01-01T10:00:00Z","It\\'s here");
`;
  const converted = await convertTables(
    { 'dump.sql': dump },
    mappingOf(() => 'dump.sql'),
  );
  expect(textsOf(converted)).toEqual(["It's here"]);
  expect(converted.ledger.map(({ outcome }) => outcome)).not.toContain('left_out');
});

describe('tables of the same name in two schemas', () => {
  const of = (schema: string) =>
    [
      `COPY ${schema}.users (id, name) FROM stdin;\n1\tBoss of ${schema}\n\\.`,
      `COPY ${schema}.rooms (id, name, members) FROM stdin;\n7\tBoard\t{1}\n\\.`,
      `COPY ${schema}.messages (id, room, "user", at, body) FROM stdin;\n1\t7\t1\t2024-01-01 10:00:00+00\tsecret of ${schema}\n\\.`,
    ].join('\n');
  const dump = `--\n-- PostgreSQL database dump\n--\n${of('acme')}\n${of('rival')}\n--\n-- PostgreSQL database dump complete\n--\n`;

  test('are never mixed', async () => {
    await expect(
      convertTables(
        { 'dump.sql': dump },
        mappingOf(() => 'dump.sql'),
      ),
    ).rejects.toThrow('mapping');
    const converted = await convertTables(
      { 'dump.sql': dump },
      mappingOf((table) => `dump.sql, table: acme.${table}`),
      { decisions: 'format_version: 1\nsource: own\naccepted: { table.unmapped: yes }\n' },
    );
    expect(textsOf(converted)).toEqual(['secret of acme']);
  });
});

test('a dump made with -o is read', async () => {
  const dump = `--\n-- PostgreSQL database dump\n--\nCOPY public.users (id, name) WITH OIDS FROM stdin;\n16401\t1\tAnn\n\\.
COPY public.rooms (id, name, members) FROM stdin;\n7\tDesk\t{1}\n\\.
COPY public.messages (id, room, "user", at, body) FROM stdin WITH (FORMAT text);\n1\t7\t1\t2024-01-01 10:00:00+00\thi\n\\.
--\n-- PostgreSQL database dump complete\n--\n`;
  expect(
    textsOf(
      await convertTables(
        { 'dump.sql': dump },
        mappingOf(() => 'dump.sql'),
      ),
    ),
  ).toEqual(['hi']);
});

describe('times as programs write them', () => {
  test.for<readonly [name: string, at: string, form: string, iso: string]>([
    [
      'with the name of the day, as in Google Chat',
      'Tuesday, September 10, 2019 at 8:44:40\u202fPM UTC',
      `format: "EEEE, MMMM d, yyyy 'at' h:mm:ss a Z"`,
      '2019-09-10T20:44:40Z',
    ],
    [
      'with two digits of the year, as in WhatsApp',
      '03/01/24, 20:15',
      'format: "dd/MM/yy, HH:mm", zone: UTC',
      '2024-01-03T20:15:00Z',
    ],
    [
      'with p. m. in Spanish',
      '3/1/24, 8:15 p. m.',
      'format: "d/M/yy, h:mm a", zone: UTC, language: es',
      '2024-01-03T20:15:00Z',
    ],
    [
      'with a narrow space before PM',
      '1/3/24, 8:15\u202fPM',
      'format: "M/d/yy, h:mm a", zone: UTC',
      '2024-01-03T20:15:00Z',
    ],
  ])('%s', async ([, at, form, iso]) => {
    const converted = await convertTables(
      { ...common, 'messages.csv': `${head}\n1,7,1,"${at}",hi\n` },
      mappingOf(csv, `{ of: "\${at}", ${form} }`),
    );
    expect(linesOf(converted).map(({ timestamp }) => timestamp)).toEqual([Date.parse(iso)]);
  });
});

describe('texts that need mending', () => {
  test.for<readonly [name: string, body: string, cel: string, text: string]>([
    ['HTML', '<div>Hi <b>Bob</b>&nbsp;&amp; all</div>', 'row.body.html()', 'Hi Bob\u00a0& all'],
    ['UTF-8 read as Latin-1, as in exports of Meta', 'fa\u00c3\u00a7on', 'row.body.mojibake()', 'fa\u00e7on'],
  ])('are counted, and mended by the mapping: %s', async ([, body, cel, text]) => {
    const files = { ...common, 'messages.csv': `${head}\n1,7,1,2024-01-01T10:00:00Z,${body}\n` };
    const asWritten = await convertTables(files, mappingOf(csv));
    expect(textsOf(asWritten)).toEqual([body]);
    expect(readFileSync(join(asWritten.folder, 'conversion/report.md'), 'utf8')).toContain(
      '1 of 1 values of messages.text',
    );
    expect(textsOf(await convertTables(files, mappingOf(csv, undefined, `{ cel: "${cel}" }`)))).toEqual([text]);
  });
});

test('two posts of one bot in one millisecond are both kept', async () => {
  const post = (message: string) => ({
    type: 'post',
    post: { team: 'a', channel: 't', user: 'ci', message, create_at: 1_704_103_200_000 },
  });
  const rows = [
    { type: 'version', version: 1 },
    { type: 'channel', channel: { team: 'a', name: 't', display_name: 'T', type: 'O' } },
    { type: 'user', user: { username: 'ci', teams: [{ name: 'a', channels: [{ name: 't' }] }] } },
    post('build 7 failed'),
    post('deploy stopped'),
  ];
  const converted = await convertFiles('mattermost', {
    'e.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  });
  expect(textsOf(converted)).toEqual(['build 7 failed', 'deploy stopped']);
});

test('internal notes and people who left are asked about, and nothing of the columns is published', async () => {
  const files = {
    ...common,
    'messages.csv': `${head},is_internal,ip\n1,7,1,2024-01-01T10:00:00Z,for staff,t,203.0.113.7\n`,
    'seats.csv': 'room,user,left_at\n7,1,\n7,2,2020-01-01\n',
  };
  const mapping = `${mappingOf(csv, undefined, undefined, ', seats: { files: seats.csv }')}members: { from: seats, channel: "\${room}", user: "\${user}" }\n`;
  const converted = await convertTables(files, mapping);
  const asked = converted.ledger.filter(({ reason }) => reason === 'field.unknown').map(({ at }) => at);
  expect(asked.sort()).toEqual(['member.left_at', 'message.ip', 'message.is_internal']);
  expect(converted.result.undecided).not.toEqual([]);
  expect(JSON.stringify(converted.historyFiles)).not.toMatch(/is_internal|203\.0/u);
  const decided = await convertTables(files, mapping, {
    decisions: `format_version: 1\nsource: own\nfields: { member.left_at: restricts, message.is_internal: restricts, message.ip: leave_out }\n`,
  });
  expect(textsOf(decided)).toEqual([]);
});
