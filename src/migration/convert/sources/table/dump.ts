// Reads the rows of tables from the dumps of databases.
import type { Refusal } from '../../../../core/model/errors.ts';
import { cutDump, otherFile } from '../../export/refusals.ts';
import { type DumpFormat, dumpFormatOf, foreignDump } from './dumps/dialects.ts';
import { DumpError, DumpReader, type DumpRow, type DumpTable } from './dumps/dump-reader.ts';
import { asUtf8 } from './encodings.ts';
import type { Table } from './mapping.ts';
import { demandColumns, wrongTable } from './problems.ts';
import { placeIn, type RowBatch, rowOf, type TableFile, type TablePass, type TableRow } from './reading.ts';

/** The rows of one statement, for a table of the mapping. */
interface NamedRows {
  readonly table: Table;
  readonly columns: readonly string[];
  readonly stored: readonly string[];
  readonly flags: ReadonlySet<string>;
}

/** A dump says what it is within this length. */
const startLength = 1 << 16;
/** Tables in which SQLite keeps its own numbers. */
const ofSystem = /^sqlite_/u;

/** Throws a refusal if the dump is truncated or cannot be read. */
export async function* dumpRows(pass: TablePass, file: TableFile): AsyncGenerator<RowBatch> {
  const { path } = file;
  let reader: DumpReader<readonly NamedRows[]> | undefined;
  let start = '';
  try {
    for await (const piece of asUtf8(await pass.tree.stream(path), path)) {
      const text = start + Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('latin1');
      start = '';
      if (reader === undefined && text.length < startLength) {
        start = text;
        continue;
      }
      reader ??= readerFor(pass, file, text);
      yield { rows: rowsOf(reader.push(text), path), bytes: text.length };
    }
    reader ??= readerFor(pass, file, start);
    yield { rows: rowsOf([...reader.push(start), ...reader.end()], path), bytes: start.length };
  } catch (error) {
    if (!(error instanceof DumpError)) throw error;
    throw unreadDump(path, error);
  }
  if (!reader.isUnderstood) pass.unread.noteUnknown(path);
}

/** The refusal of a dump that cannot be read. */
export function unreadDump(path: string, { line, message, advice }: DumpError): Refusal {
  return advice === undefined ? cutDump(path, line) : otherFile(path, `${message}, at line ${line}`, advice);
}

function readerFor(
  pass: TablePass,
  { path, tables, format }: TableFile,
  start: string,
): DumpReader<readonly NamedRows[]> {
  const foreign = foreignDump(start.slice(0, startLength));
  if (foreign !== undefined) throw otherFile(path, foreign.what, foreign.advice);
  return new DumpReader<readonly NamedRows[]>({
    format: format === 'dump' ? dumpFormatOf(start.slice(0, startLength)) : (format as DumpFormat),
    enter: (read) => {
      const named = pass.meant.of(pass.mapping, read.names, tables);
      return named.length === 0 ? undefined : named.map((table) => targetOf(pass, table, read, `${path}#${read.line}`));
    },
    created: (names, columns, line) => {
      for (const table of pass.meant.of(pass.mapping, names, tables)) {
        pass.met.add(table);
        demandColumns(pass.mapping, table, columns, `${path}#${line}`);
      }
    },
    skipped: ({ names }, count) => {
      if (!ofSystem.test(names.at(-1) ?? '')) pass.unread.note(path, names.join('.'), count);
    },
  });
}

function targetOf({ mapping, met }: TablePass, table: Table, read: DumpTable, at: string): NamedRows {
  const { columns = table.columns, stored, flags } = read;
  if (columns === undefined) {
    const detail = `${at} does not name its columns, and the dump does not create the table before it. Make a whole dump, or write columns: [id, …] under this table.`;
    throw wrongTable(mapping, table, 'table', detail);
  }
  met.add(table);
  demandColumns(mapping, table, columns, at);
  return { table, columns, stored, flags };
}

function* rowsOf(rows: readonly DumpRow<readonly NamedRows[]>[], path: string): Generator<TableRow> {
  for (const { target: targets, line, place, cells } of rows) {
    const at = place === 1 ? `${path}#${line}` : `${path}#${line}.${place}`;
    const isReadable = cells.every((cell) => cell !== undefined);
    for (const [number, { table, columns, stored, flags }] of targets.entries()) {
      const row = isReadable ? rowOf(cells.length === columns.length ? columns : stored, cells, flags) : undefined;
      yield { table, at: placeIn(table, at, number === 0), row };
    }
  }
}
