// Tests that one chat reads the same from every way to write its tables, and that no table or list is passed over in silence.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Converted, convertFiles, convertTables } from '../../support/converted.ts';
import { dumpers, type Written } from './support-dumps.ts';

const at = '2024-01-01T00:00:00Z';
const tables: readonly Written[] = [
  { name: 'users', columns: ['id', 'name'], rows: [['1', 'Ann; "the" Ä']] },
  { name: 'rooms', columns: ['id', 'name', 'members'], rows: [['r', 'Raum, großer', '1']] },
  {
    name: 'messages',
    columns: ['id', 'room', 'user', 'at', 'text', 'note'],
    rows: [['7', 'r', '1', at, "it's\n\\N\té", null]],
  },
];
const old: Written = { name: 'old_messages', columns: ['id'], rows: [['1'], ['2']] };

const mappingOf = (fileOf: (table: string) => string) => `version: 1
name: acme
tables:
${tables.map(({ name }) => `  ${name}: { files: "${fileOf(name)}"${/csv|txt/u.test(fileOf(name)) ? ', null: ["\\\\N"]' : ''} }\n`).join('')}
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${name}", members: "\${members}" }
messages: { from: messages, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${at}", text: "\${text}", type: "\${note}" }
`;

const inOneDump = mappingOf(() => 'dump.sql');

/** The dump of several tables. Only a dump of one table is a whole one. */
function dumpOf(dumper: string, list: readonly Written[]): string {
  const oneByOne = list.map((table) => dumpers[dumper]?.(table) ?? '');
  const bounds = /^(?:PRAGMA .*|BEGIN TRANSACTION;|COMMIT;|CREATE TRIGGER .*|-- Dump completed.*)$/gmu;
  const inside = oneByOne.map((text) => text.replaceAll(bounds, '')).join('\n');
  if (dumper.startsWith('mysqldump')) return `${inside}-- Dump completed\n`;
  const isOfSqlite = dumper.startsWith('sqlite') || dumper === 'iterdump';
  return isOfSqlite ? `BEGIN TRANSACTION;\n${inside}COMMIT;\n` : inside;
}

function isWhole({ historyFiles, facts, result, ledger }: Converted): void {
  expect(facts).toEqual([{ id: 'acme:r:7', sender: '1', time: Date.parse(at), text: "it's\n\\N\té" }]);
  expect(Object.keys(historyFiles)).toEqual(['acme_r']);
  expect(result).toMatchObject({ users: 1, channels: 1, messages: 1 });
  expect(
    ledger.filter(
      ({ outcome, reason }) => outcome === 'left_out' && reason !== 'file.empty' && reason !== 'table.unmapped',
    ),
  ).toEqual([]);
}

describe.for(Object.keys(dumpers))('%s', (dumper) => {
  test('is read, with a line for the table that the mapping does not name', async () => {
    const converted = await convertTables({ 'dump.sql': dumpOf(dumper, [...tables, old]) }, inOneDump);
    isWhole(converted);
    expect(converted.ledger.at(-1)).toMatchObject({
      at: expect.stringMatching(/^dump\.sql#(?:public\.)?old_messages$/u),
      outcome: 'left_out',
      reason: 'table.unmapped',
      rows: 2,
    });
    expect(converted.result.undecided).toEqual([{ code: 'table.unmapped', count: 1 }]);
  });
});

const cellOf = (delimiter: string, quote: string, missing: string) => (cell: string | null) => {
  if (cell === null) return missing;
  const isSafe =
    quote === '' || (!cell.includes(delimiter) && !cell.includes(quote) && !cell.includes('\n') && cell !== '\\N');
  return isSafe ? cell : `${quote}${cell.replaceAll(quote, quote + quote)}${quote}`;
};
const csvOf = ({ columns, rows }: Written, delimiter: string, quote = '"', missing = '') =>
  [columns, ...rows].map((row) => `${row.map(cellOf(delimiter, quote, missing)).join(delimiter)}\r\n`).join('');
const filesOf = (printed: (table: Written) => string | Buffer, ending = 'csv') =>
  Object.fromEntries(tables.map((table) => [`${table.name}.${ending}`, printed(table)]));
const utf16 = (text: string, isBig: boolean) => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};
const latin = (text: string) => Buffer.from(text, 'latin1');
const mark = '\uFEFF';

describe('CSV', () => {
  const csv = mappingOf((name) => `${name}.csv`);
  test.for<readonly [what: string, (table: Written) => string | Buffer, note: string | undefined]>([
    ['with commas', (table) => csvOf(table, ','), undefined],
    ['with semicolons', (table) => csvOf(table, ';'), 'the delimiter ";"'],
    ['with tabs', (table) => csvOf(table, '\t'), String.raw`the delimiter "\t"`],
    ['with bars', (table) => csvOf(table, '|'), 'the delimiter "|"'],
    ['with sep=', (table) => `sep=;\r\n${csvOf(table, ';')}`, 'the delimiter ";"'],
    ['with a byte order mark', (table) => mark + csvOf(table, ','), undefined],
    ['in UTF-16 with a mark', (table) => utf16(mark + csvOf(table, '\t'), false), 'the encoding utf-16le'],
    ['in UTF-16 in the other order', (table) => utf16(mark + csvOf(table, ';'), true), 'the encoding utf-16be'],
    ['in UTF-16 without a mark', (table) => utf16(csvOf(table, ','), false), 'the encoding utf-16le'],
    ['in Windows-1252', (table) => latin(csvOf(table, ';')), 'the encoding windows-1252'],
  ])('%s is read, and the report says what was found', async ([, printed, note]) => {
    const converted = await convertFiles('table', filesOf(printed), undefined, { mapping: csv });
    isWhole(converted);
    const report = await readFile(join(converted.folder, 'conversion/report.md'), 'utf8');
    if (note === undefined) expect(report).not.toContain('Found by looking');
    else expect(report).toMatch(/Found by looking at messages\.csv: /u);
    if (note !== undefined) expect(report).toContain(note);
  });

  test('is read as the mapping declares, also without a header', async () => {
    const declared = csv.replaceAll(/files: "(\w+)\.csv"/gu, (_whole, name: string) => {
      const { columns = [] } = tables.find((table) => table.name === name) ?? {};
      return `files: "${name}.csv", delimiter: "~", quote: "'", encoding: windows-1252, columns: [${columns.join(', ')}]`;
    });
    const printed = (table: Written) => latin(csvOf(table, '~', "'").replace(/^.*\r\n/u, ''));
    const converted = await convertFiles('table', filesOf(printed), undefined, { mapping: declared });
    isWhole(converted);
  });
});

test('mysqldump --tab is read with the columns of the .sql files, which have no rows', async () => {
  const tabbed = ({ rows }: Written) =>
    rows
      .map(
        (row) => `${row.map((cell) => (cell === null ? '\\N' : cell.replaceAll(/[\\\t\n]/gu, '\\$&'))).join('\t')}\n`,
      )
      .join('');
  const schemas = filesOf(
    ({ name, columns }) =>
      `CREATE TABLE \`${name}\` (\n${columns.map((column) => `  \`${column}\` text`).join(',\n')},\n  KEY \`x\` (\`id\`)\n);\n`,
    'sql',
  );
  const files = { ...filesOf(tabbed, 'txt'), ...schemas };
  const converted = await convertFiles('table', files, undefined, { mapping: mappingOf((name) => `${name}.txt`) });
  isWhole(converted);
  expect(converted.ledger.filter(({ reason }) => reason === 'file.empty').map((line) => line.at)).toEqual([
    'messages.sql',
    'rooms.sql',
    'users.sql',
  ]);
  expect(converted.result.undecided).toEqual([]);
});

test('reads files whose names have a hyphen, or letters that macOS decomposes', async () => {
  for (const [pattern, name] of [
    ['messages-*.csv', 'messages-000001.csv'],
    ['nachrichten-für-*.csv', 'nachrichten-für-alle.csv'.normalize('NFD')],
  ] as const) {
    const { 'messages.csv': text = '', ...others } = filesOf((table) => csvOf(table, ','));
    const mapping = mappingOf((table) => (table === 'messages' ? pattern : `${table}.csv`));
    isWhole(await convertFiles('table', { ...others, [name]: text }, undefined, { mapping }));
  }
});

test('a format that one table of a dump declares counts for all of them', async () => {
  const mapping = inOneDump.replace(/(rooms: \{ files: "dump\.sql")/u, '$1, format: mysqldump');
  isWhole(await convertTables({ 'dump.sql': dumpOf('mysqldump', tables) }, mapping));
});

test('bytes of COPY in octal are letters of UTF-8, and bit fields of MySQL are numbers', async () => {
  const copied = dumpOf('pg_dump', tables).replace('é', String.raw`\303\251`);
  isWhole(await convertTables({ 'dump.sql': copied }, inOneDump));
  const flags = `CREATE TABLE \`users\` (\`id\` int, \`name\` text, \`gone\` bit(1) DEFAULT b'0');
INSERT INTO \`users\` VALUES (1,'Ann',_binary '\\0'),(2,'Ben',_binary '\u0001'),(3,'Cem',b'1'),(4,'Dee',0x00);\n`;
  const { folder, ledger } = await convertTables(
    { 'u.sql': flags },
    `version: 1
name: acme
tables: { users: { files: u.sql } }
users: { from: users, id: "\${id}", name: "\${name}", deleted: "\${gone}" }
`,
  );
  expect(ledger.map((line) => line.at)).toEqual(['u.sql#2', 'u.sql#2.2', 'u.sql#2.3', 'u.sql#2.4']);
  expect((await readFile(join(folder, 'users.yaml'), 'utf8')).match(/nickname: \w+|deactivated/gu)).toEqual([
    'nickname: Ann',
    'nickname: Ben',
    'deactivated',
    'nickname: Cem',
    'deactivated',
    'nickname: Dee',
  ]);
});

describe('a file of which not everything is read', () => {
  const optional = inOneDump.replaceAll('.sql" }', '.sql", optional: true }');
  const leftOut = ({ ledger }: Converted) => ledger.filter(({ outcome }) => outcome === 'left_out');

  test('is not called empty when nobody understood it', async () => {
    const converted = await convertTables({ 'dump.sql': 'Warning: a password on the command line\n' }, optional);
    expect(leftOut(converted)).toMatchObject([{ at: 'dump.sql', reason: 'file.unknown' }]);
    expect(converted.result.undecided).toEqual([{ code: 'file.unknown', count: 1 }]);
  });

  test('is called empty when its tables are', async () => {
    const converted = await convertTables(
      {
        'dump.sql': dumpOf(
          'mysqldump',
          tables.map((table) => ({ ...table, rows: [] })),
        ),
      },
      inOneDump,
    );
    expect(leftOut(converted)).toMatchObject([{ at: 'dump.sql', reason: 'file.empty' }]);
  });

  test('has a line for each list in JSON that no table reads', async () => {
    const json = {
      version: 3,
      meta: { page: 1, url: 'x' },
      tags: ['a', 'b'],
      rooms: {
        r: { messages: [{ id: '7', at, text: 'hi', parts: [{ inner: [{}] }] }], drafts: [{ id: '8' }, { id: '9' }] },
        s: { messages: [], drafts: [{ id: '10' }] },
      },
      archive: [{ id: 1, deep: [{}, {}] }, { id: 2 }],
      byId: { a: { id: 1 }, b: { id: 2 }, c: { id: 3 } },
    };
    const converted = await convertTables(
      { 'all.json': JSON.stringify(json) },
      `version: 1
name: acme
tables: { messages: { files: all.json, path: "rooms.{room}.messages.*" } }
messages: { from: messages, id: "\${id}", channel: "\${room}", time: "\${at}", text: "\${text}" }
`,
    );
    const unread = converted.ledger.filter(({ reason }) => reason === 'table.unmapped');
    expect(unread).toMatchObject([
      { at: 'all.json#rooms/*/drafts', rows: 3 },
      { at: 'all.json#archive', rows: 2 },
      { at: 'all.json#byId', rows: 3 },
    ]);
  });
});

test.for<readonly [expression: string, kept: readonly string[]]>([
  ['has(row.files) ? row.files[0].ref : ""', ['files', 'meta']],
  ['row.?files[0].ref.orValue("")', ['files', 'meta']],
  ['size(row.files.filter(f, f.ref == "5")) > 0 ? "5" : ""', ['files', 'meta']],
  ['string(row.files.map(f, f.ref).size())', ['files', 'meta']],
  // The whole value has been read.
  ['json(row.meta).ref', ['files']],
  ['has(row.files) ? "5" : ""', ['meta']],
  ['string(size(row.files)) + row.meta', []],
  ['row.files[0].ref + string(size(row.files))', ['files', 'meta']],
])('%s keeps the columns of which it reads a part: %j', async ([expression, kept]) => {
  const row = { id: '1', room: 'r', user: 'u', at, meta: '{"ref":"5"}', files: [{ ref: '5', title: 'Build 7' }] };
  const { facts } = await convertTables(
    { 'm.ndjson': JSON.stringify(row) },
    `version: 1
name: acme
tables: { messages: { files: m.ndjson } }
channels: { from: messages, id: "\${room}", repeats: true }
messages: { from: messages, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${at}", reply_to: { cel: '${expression}' } }
`,
    { isAccepted: true },
  );
  expect(facts.map(({ more = {} }) => Object.keys(more).sort())).toEqual([kept]);
});

test('the bytes that Windows-1252 has beyond Latin-1 are read as its characters', async () => {
  const csv = 'id,name\n1,\u0080 \u0093a\u0094 \u0096 \u0099 \u00fc\n';
  const mapping = `version: 1\nname: acme\ntables: { users: { files: u.csv } }\nusers: { from: users, id: "\${id}", name: "\${name}" }\n`;
  const { folder } = await convertFiles('table', { 'u.csv': latin(csv) }, undefined, { mapping });
  expect(await readFile(join(folder, 'users.yaml'), 'utf8')).toContain('€ “a” – ™ ü');
});
