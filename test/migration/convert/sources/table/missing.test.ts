// Tests that marks of a missing value, zero dates and unknown words never say yes: the mapping is asked what they mean.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../../../src/core/model/errors.ts';
import { flagOf } from '../../../../../src/migration/convert/sources/table/fields.ts';
import { type Converted, convertTables } from '../../support/converted.ts';

test.for([
  [undefined, false],
  ...[true, 't', 'TRUE', 'yes', 'y', 'on', 1, '1', '1700000000', -1].map((value) => [value, true] as const),
  ...[false, 'f', 'False', 'no', 'N', 'off', 0, '0', '0.0', '', ' '].map((value) => [value, false] as const),
  ...['2024-01-31', '2024-01-31 10:00:00.5+02', '2024-01-31T10:00:00Z', '31.1.2024 10:00'].map(
    (date) => [date, true] as const,
  ),
  ...['NULL', 'null', '\\N', 'None', 'active', 'deleted', '-', 'N/A', "b'1'"].map((text) => [text, undefined] as const),
  ...['0000-00-00', '0000-00-00 00:00:00', '0001-01-01T00:00:00Z', '1970-01-01 00:00:00'].map(
    (text) => [text, undefined] as const,
  ),
  [{ seconds: 1 }, undefined],
  [[], undefined],
])('reads %j as the flag %j', ([value, flag]) => {
  expect(flagOf(value as never)).toBe(flag);
});

const at = '2024-01-01T00:00:00Z';
/** A column for each field in which a missing value matters. */
const rows = {
  users: [{ id: 'u1', name: 'Ann', gone: '' }],
  rooms: [{ id: 'r1', old: '' }],
  members: [{ room: 'r1', user: 'u1', boss: '', asked: '', quiet: '' }],
  messages: [{ id: 'm1', room: 'r1', user: 'u1', at, edited: '', text: 'hi', gone: '', thread: '' }],
};
type Rows = typeof rows;

const mappingOf = (ending: string, nulls: string) => `version: 1
name: acme
${nulls}
tables:
${Object.keys(rows)
  .map((name) => `  ${name}: { files: ${ending === 'sql' ? 'all' : name}.${ending} }\n`)
  .join('')}
users: { from: users, id: "\${id}", name: "\${name}", deleted: "\${gone}" }
channels: { from: rooms, id: "\${id}", archived: "\${old}" }
members: { from: members, channel: "\${room}", user: "\${user}", operator: "\${boss}", invited: "\${asked}", muted: "\${quiet}" }
messages: { from: messages, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${at}", edited: "\${edited}", text: "\${text}", thread: "\${thread}", deleted: "\${gone}" }
`;

/** By ending, the files of the tables. A mark is without quotes in csv, and all cells have quotes in the second form. */
const formats: Readonly<Record<string, (tables: Rows) => Readonly<Record<string, string>>>> = {
  csv: (tables) => csvOf(tables, (cell) => cell),
  'quoted csv': (tables) => csvOf(tables, (cell) => `"${cell}"`),
  ndjson: (tables) =>
    Object.fromEntries(
      Object.entries(tables).map(([name, list]) => [
        `${name}.ndjson`,
        list.map((row) => `${JSON.stringify(row)}\n`).join(''),
      ]),
    ),
  sql: (tables) => ({
    'all.sql': Object.entries(tables)
      .map(([name, list]) => {
        const lines = list.map((row) => Object.values(row).join('\t').replaceAll('\\', '\\\\'));
        return `COPY ${name} (${Object.keys(list[0] ?? {}).join(', ')}) FROM stdin;\n${lines.join('\n')}\n\\.\n`;
      })
      .join(''),
  }),
};

function csvOf(tables: Rows, cellOf: (cell: string) => string) {
  return Object.fromEntries(
    Object.entries(tables).map(([name, list]) => {
      const lines = [Object.keys(list[0] ?? {}), ...list.map((row) => Object.values(row))];
      return [`${name}.csv`, lines.map((cells) => `${cells.map(cellOf).join(',')}\n`).join('')];
    }),
  );
}

const fields: readonly (readonly [table: keyof Rows, column: string])[] = [
  ['users', 'gone'],
  ['rooms', 'old'],
  ['members', 'boss'],
  ['members', 'asked'],
  ['members', 'quiet'],
  ['messages', 'edited'],
  ['messages', 'gone'],
  ['messages', 'user'],
  ['messages', 'thread'],
];

const withValue = (table: keyof Rows, column: string, value: string) =>
  ({ ...rows, [table]: rows[table].map((row) => ({ ...row, [column]: value })) }) as Rows;

const nulls = `null: [NULL, "\\\\N", "0000-00-00 00:00:00"]`;

const marks = ['NULL', '\\N', '0000-00-00 00:00:00'] as const;

const isId = (column: string): boolean => column === 'user' || column === 'thread';

/** Each format and each field meets every mark that it can have, not every mark in every field of every format. */
function markOf(format: string, table: keyof Rows, column: string): string {
  const place =
    Object.keys(formats).indexOf(format) + fields.findIndex(([of, name]) => of === table && name === column);
  return marks[place % (isId(column) ? marks.length - 1 : marks.length)] ?? marks[0];
}

describe.for(Object.keys(formats))('%s', (format) => {
  const files = formats[format] ?? (() => ({}));
  const ending = format.split(' ').at(-1) ?? '';
  let withoutValues: Promise<Converted> | undefined;

  test.for(fields)('asks about marks in %s.%s, and takes the answer', async ([table, column]) => {
    const mark = markOf(format, table, column);
    const exported = files(withValue(table, column, mark));
    const error = await convertTables(exported, mappingOf(ending, '')).catch((cause: unknown) => cause);
    if (!(error instanceof Refusal)) throw new Error(`${mark} was taken for a value`);
    expect(error).toMatchObject({ code: 'convert.mapping', exitCode: 65 });
    expect(error.diagnostics).toHaveLength(1);
    expect(error.diagnostics[0]?.detail).toMatch(/#\d+ has .+ (?:here|in the column)/u);
    expect(error.diagnostics[0]?.detail).toContain(`Write null: [${mark === 'NULL' ? mark : JSON.stringify(mark)}]`);
    const { historyFiles, ledger } = await convertTables(exported, mappingOf(ending, nulls));
    const empty = () => convertTables(files(withValue(table, column, '')), mappingOf(ending, nulls));
    if (!isId(column)) withoutValues ??= empty();
    const expected = await (isId(column) ? empty() : withoutValues);
    expect({ historyFiles, ledger }).toEqual({ historyFiles: expected?.historyFiles, ledger: expected?.ledger });
  });
});

test.for([
  ['asked', 'invitation_status: invited_by_friend'],
  ['quiet', 'muted:'],
  ['boss', 'operators:'],
] as const)('declares a member with a yes in %s, and only then, with %s', async ([column, declared]) => {
  for (const isSet of [true, false]) {
    const files = csvOf(withValue('members', column, String(isSet)), (cell) => cell);
    const { folder } = await convertTables(files, mappingOf('csv', nulls));
    expect((await readFile(join(folder, 'group_channels.yaml'), 'utf8')).includes(declared)).toBe(isSet);
  }
});

test('takes NULL for a text where its cell alone is in quotes, or where the mapping says so', async () => {
  const text = (cell: string) => ({
    ...csvOf(rows, (one) => one),
    'messages.csv': csvOf(rows, (one) => one)['messages.csv']?.replace('hi', cell) ?? '',
  });
  for (const [files, setting] of [
    [text('"NULL"'), ''],
    [text('NULL'), 'null: []'],
  ] as const) {
    const { historyFiles } = await convertTables(files, mappingOf('csv', setting));
    expect(historyFiles.acme_r1).toMatchObject([{ message: 'NULL' }]);
  }
});

test('leaves out single rows whose flag or time cannot be read, and refuses a column of them', async () => {
  const message = (id: number, more: object = {}) => ({
    id: `m${id}`,
    room: 'r1',
    user: 'u1',
    at,
    text: 'hi',
    ...more,
  });
  const filesOf = (wrong: number, field: string) => ({
    ...formats.ndjson?.(rows),
    'messages.ndjson': Array.from(
      { length: 40 },
      (_none, id) =>
        `${JSON.stringify(message(id, id < wrong ? { [field]: 'maybe' } : { [field]: field === 'at' ? at : 'no' }))}\n`,
    ).join(''),
  });
  for (const field of ['gone', 'at']) {
    const { result, folder } = await convertTables(filesOf(2, field), mappingOf('ndjson', ''));
    const code = field === 'at' ? 'time.unreadable' : 'row.unreadable';
    expect(result).toMatchObject({ messages: 38, undecided: [{ code, count: 2 }] });
    const report = await readFile(join(folder, 'conversion/report.md'), 'utf8');
    expect(report).toContain('2 of 40 values of messages.');
    expect(report).toContain('the first is "maybe" at messages.ndjson#1.');
    await expect(convertTables(filesOf(10, field), mappingOf('ndjson', ''))).rejects.toMatchObject({
      diagnostics: [{ detail: expect.stringContaining('messages.ndjson#1 has "maybe" here') }],
    });
  }
});
