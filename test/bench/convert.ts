// Times the conversion of a Slack export, and of tables of messages in several formats, by the built program.
import { createReadStream } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readStreamLines } from '../../src/lib/line-reader.ts';
import { cellsOf, RecordReader } from '../../src/lib/tables/csv-records.ts';
import { DumpReader } from '../../src/migration/convert/sources/table/dumps/dump-reader.ts';
import { rowOf } from '../../src/migration/convert/sources/table/reading.ts';
import { columns, inInstalled, measureProgram, type Row, rounded, withCpu } from './measure.ts';

const channels = 20;
const messagesOfDay = 1000;
const users = 500;
const sizes = [10_000, 100_000, 1_000_000];

export function benchConvert(most: number): Promise<Row[]> {
  return inInstalled(async (folder, main) => {
    const rows: Row[] = [];
    for (const count of sizes.filter((size) => size <= most)) {
      const exported = join(folder, `export-${count}`);
      const bytes = await writeExport(exported, count);
      const convert = ['convert', 'slack', exported, '--out-dir', join(folder, `out-${count}`)];
      const cost = await measureProgram(folder, [main, ...convert]);
      rows.push({ messages: count, 'JSON MB': rounded(bytes / 1e6, 0), ...columns(cost) });
    }
    return rows;
  });
}

/** Tables with a mapping. `times the parse`: processor time, beside that of parsing the same file with the same reader. */
export function benchTable(most: number): Promise<Row[]> {
  return inInstalled(async (folder, main) => {
    const rows: Row[] = [];
    for (const count of sizes.filter((size) => size <= most)) {
      for (const [format, { ending, printed, parse }] of Object.entries(tableFormats)) {
        const data = join(folder, `${format}-${count}`);
        const bytes = await writeTables(data, ending, printed, count);
        await writeFile(join(folder, 'mapping.yaml'), mappingOf(ending));
        const parsed = await withCpu(() => parse(join(data, `messages.${ending}`)));
        const convert = ['convert', 'table', data, '--mapping', 'mapping.yaml', '--out-dir', `out-${format}-${count}`];
        const cost = await measureProgram(folder, [main, ...convert]);
        rows.push({
          messages: count,
          format,
          MB: rounded(bytes / 1e6, 0),
          ...columns(cost),
          'parse s': rounded(parsed.cpuS, 2),
          'times the parse': rounded(cost.cpuS / parsed.cpuS, 1),
        });
      }
    }
    return rows;
  });
}

type TableRow = Readonly<Record<string, string | null>>;
interface Parsed {
  readonly rows: number;
}

interface BenchedFormat {
  readonly ending: string;
  /** The text of rows. `isFirst`: nothing precedes them. */
  readonly printed: (rows: readonly TableRow[], table: string, isFirst: boolean) => string;
  readonly parse: (file: string) => Promise<Parsed>;
}

const tableFormats: Readonly<Record<string, BenchedFormat>> = {
  ndjson: {
    ending: 'ndjson',
    printed: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    parse: async (file) => {
      let rows = 0;
      for await (const lines of readStreamLines(piecesOf(file)))
        for (const { text = '' } of lines) if (typeof JSON.parse(text) === 'object') rows += 1;
      return { rows };
    },
  },
  csv: {
    ending: 'csv',
    printed: (rows, _table, isFirst) => {
      const header = isFirst ? `${Object.keys(rows[0] ?? {}).join(',')}\n` : '';
      return header + rows.map((row) => `${Object.values(row).map(csvCell).join(',')}\n`).join('');
    },
    parse: async (file) => {
      let rows = 0;
      const reader = new RecordReader();
      let names: readonly string[] | undefined;
      for await (const lines of readStreamLines(piecesOf(file)))
        for (const { text = '' } of reader.read(lines)) {
          const cells = cellsOf(text);
          names ??= cells;
          if (rowOf(names ?? [], cells) !== undefined) rows += 1;
        }
      return { rows };
    },
  },
  mysqldump: {
    ending: 'sql',
    printed: (rows, table, isFirst) => {
      const columnList = Object.keys(rows[0] ?? {}).map((name) => `  \`${name}\` text`);
      const created = isFirst ? `CREATE TABLE \`${table}\` (\n${columnList.join(',\n')}\n);\n` : '';
      const values = rows.map((row) => `(${Object.values(row).map(sqlCell).join(',')})`);
      return `${created}INSERT INTO \`${table}\` VALUES ${values.join(',')};\n`;
    },
    parse: async (file) => {
      const reader = new DumpReader<readonly string[]>({
        format: 'mysqldump',
        enter: ({ columns: names = [] }) => names,
        created: () => {},
        skipped: () => {},
      });
      let rows = 0;
      for await (const piece of piecesOf(file))
        for (const { target, cells } of reader.push(piece.toString('latin1')))
          if (cells.every(isRead) && rowOf(target, cells) !== undefined) rows += 1;
      return { rows: rows + reader.end().length };
    },
  },
};

function isRead(cell: string | null | undefined): cell is string | null {
  return cell !== undefined;
}

function piecesOf(file: string): AsyncIterable<Buffer> {
  return createReadStream(file, { highWaterMark: 1 << 18 });
}

function csvCell(cell: string | null): string {
  return cell === null ? '' : /[",]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function sqlCell(cell: string | null): string {
  return cell === null ? 'NULL' : `'${cell.replaceAll("'", "\\'")}'`;
}

const mappingOf = (ending: string): string => `version: 1
name: acme
tables:
  users: { files: users.${ending} }
  rooms: { files: rooms.${ending} }
  messages: { files: messages.${ending} }
users: { from: users, id: "\${id}", name: "\${name}" }
channels: { from: rooms, id: "\${id}", name: "\${title}", members: "\${members}" }
messages:
  { from: messages, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${at}", text: "\${body}", thread: "\${root}" }
`;

async function writeTables(
  folder: string,
  ending: string,
  printed: BenchedFormat['printed'],
  count: number,
): Promise<number> {
  await mkdir(folder);
  const rowsOf = (length: number, row: (number: number) => TableRow): readonly TableRow[] =>
    Array.from({ length }, (_none, number) => row(number));
  const write = (table: string, rows: readonly TableRow[]): Promise<void> =>
    writeFile(join(folder, `${table}.${ending}`), printed(rows, table, true));
  const members = Array.from({ length: 50 }, (_none, number) => `u${number}`).join(',');
  await write(
    'users',
    rowsOf(users, (number) => ({ id: `u${number}`, name: `n${number}` })),
  );
  await write(
    'rooms',
    rowsOf(channels, (number) => ({ id: `r${number}`, title: 'room', members })),
  );
  const file = await open(join(folder, `messages.${ending}`), 'w');
  let bytes = 0;
  for (let first = 0; first < count; first += messagesOfDay) {
    const rows = rowsOf(messagesOfDay, (place) => {
      const number = first + place;
      return {
        id: `m${number}`,
        room: `r${number % channels}`,
        user: `u${number % users}`,
        at: new Date(1_600_000_000_000 + number * 60_000).toISOString(),
        body: `Message ${number}: nothing to see here, go on with what you were doing before lunch, and mind the gap.`,
        root: number % 5 === 0 ? `m${number - (number % 100)}` : null,
        client: 'web',
      };
    });
    const text = printed(rows, 'messages', first === 0);
    bytes += text.length;
    await file.write(text);
  }
  await file.close();
  return bytes;
}

const plainText = 'Message #: nothing to see here, go on with what you were doing before lunch.';
const section = { type: 'rich_text_section' };

/** As Slack writes them today: with blocks that repeat the text, some in threads, with reactions and mentions. */
async function writeExport(folder: string, count: number): Promise<number> {
  const userId = (number: number): string => `U${String(number % users).padStart(8, '0')}`;
  let bytes = 0;
  const write = async (name: string, value: unknown): Promise<void> => {
    const text = JSON.stringify(value, null, 4);
    bytes += text.length;
    await writeFile(join(folder, name), text);
  };
  await mkdir(folder);
  const people = Array.from({ length: users }, (_none, number) => ({ id: userId(number), name: `n${number}` }));
  await write('users.json', people);
  const rooms = Array.from({ length: channels }, (_none, number) => {
    return { id: `C${String(number).padStart(8, '0')}`, name: `room-${number}`, members: [userId(number)] };
  });
  await write('channels.json', rooms);
  for (let number = 0; number < channels; number++) await mkdir(join(folder, `room-${number}`));
  for (let file = 0; file * messagesOfDay < count; file++) {
    const day = Math.floor(file / channels);
    const start = 1_600_000_000 + day * 86_400;
    const messages = Array.from({ length: messagesOfDay }, (_none, number) => {
      const text = `Message ${number} for <@${userId(number + 7)}>: the build of <https://example.com/b/${number}|${number}> is done &amp; green, nothing to do today.`;
      return {
        client_msg_id: `6d3f5d5e-0000-4000-8000-${String(number).padStart(12, '0')}`,
        type: 'message',
        text: number % 4 === 0 ? text : plainText.replace('#', `${number}`),
        user: userId(number),
        ts: `${start + number * 60}.${String(file % 1000).padStart(3, '0')}${String(number % 1000).padStart(3, '0')}`,
        team: 'T00000001',
        ...(number % 5 === 0 ? { thread_ts: `${start}.000100` } : {}),
        ...(number % 10 === 0 ? { reactions: [{ name: '+1', users: [userId(1), userId(2)], count: 2 }] } : {}),
        blocks: [{ type: 'rich_text', block_id: 'b1', elements: [{ ...section, elements: [{ type: 'text', text }] }] }],
      };
    });
    const date = new Date(start * 1000).toISOString().slice(0, 10);
    await write(`room-${file % channels}/${date}.json`, messages);
  }
  return bytes;
}
