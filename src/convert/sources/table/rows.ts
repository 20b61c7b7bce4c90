// Reads the rows of the tables of a file, as a stream: CSV, lines of JSON, JSON and dumps of PostgreSQL.

import { type JsonObject, parsedObject } from '../../../lib/json.ts';
import { type FileLine, maxLineBytes } from '../../../lib/line-reader.ts';
import { cellOffsets, cellsOf, RecordReader } from '../../../lib/tables/csv-records.ts';
import { countedLines } from '../../export/lines.ts';
import { isTooDeep } from '../../export/values.ts';
import { type Doubts, nullMark } from './doubts.ts';
import { dumpRows } from './dump.ts';
import { jsonRows } from './json-rows.ts';
import type { Mapping, Table } from './mapping.ts';
import { demandColumns, wrongTable } from './problems.ts';
import { type RowBatch, rowOf, type TableFile, type TablePass, type TableRow, withoutNulls } from './reading.ts';

const readers = { csv: csvRows, ndjson: ndjsonRows, json: jsonRows, pg_dump: dumpRows } as const;

export async function* rowsOf(reading: TablePass, file: TableFile): AsyncGenerator<RowBatch> {
  for await (const { rows, bytes } of readers[file.format](reading, file))
    yield { rows: checkedRows(rows, reading), bytes };
}

function* checkedRows(rows: Iterable<TableRow>, { doubts }: TablePass): Generator<TableRow> {
  for (const row of rows) yield withoutNulls(row, doubts);
}

async function* ndjsonRows({ tree, met }: TablePass, { path, tables }: TableFile): AsyncGenerator<RowBatch> {
  const [table] = tables;
  if (table === undefined) return;
  met.add(table);
  for await (const { lines, bytes } of countedLines(await tree.stream(path)))
    yield { rows: parsedRows(lines, path, table), bytes };
}

function* parsedRows(lines: readonly FileLine[], path: string, table: Table): Generator<TableRow> {
  for (const { line, text } of lines) {
    if (text !== undefined && !text.startsWith('{') && text.trim() === '') continue;
    yield { table, at: `${path}#${line}`, row: text === undefined ? undefined : parsedRow(text) };
  }
}

const longNumber = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/gu;
/** The shortest text that could nest too deeply. */
const shallowLength = 1000;

function parsedRow(text: string): JsonObject | undefined {
  const plain = parsedObject(text);
  const value = plain !== undefined && mayBeInexact(plain) ? parsedObject(text.replace(longNumber, exactly)) : plain;
  return value !== undefined && text.length > shallowLength && isTooDeep(value) ? undefined : value;
}

/** Whether the value has a number that a double cannot represent, or nested values, which are not inspected. */
function mayBeInexact(row: JsonObject): boolean {
  for (const name in row) {
    const value = row[name];
    if (typeof value === 'number' ? !Number.isSafeInteger(value) : typeof value === 'object' && value !== null)
      return true;
  }
  return false;
}

/** Integers that a double cannot represent, such as database ids, become text. */
function exactly(part: string): string {
  return part.startsWith('"') || Number.isSafeInteger(Number(part)) ? part : `"${part}"`;
}

async function* csvRows(
  { tree, mapping, met, doubts }: TablePass,
  { path, tables }: TableFile,
): AsyncGenerator<RowBatch> {
  const [table] = tables;
  if (table === undefined) return;
  met.add(table);
  const reader = new RecordReader();
  let columns: readonly string[] | undefined;
  const take = (lines: Parameters<RecordReader['read']>[0]): TableRow[] => {
    const rows: TableRow[] = [];
    for (const { line, text } of reader.read(lines)) {
      const at = `${path}#${line}`;
      const cells = text === undefined ? undefined : cellsOf(text);
      if (columns === undefined) columns = headerOf(cells, at, table, mapping);
      else {
        const shown = text === undefined ? cells : withoutMarks(cells, text, columns, { table, at, doubts });
        rows.push({ table, at, row: rowOf(columns, shown) });
      }
    }
    return rows;
  };
  for await (const { lines, bytes } of countedLines(await tree.stream(path), maxLineBytes))
    yield { rows: take(lines), bytes };
  yield { rows: take(undefined), bytes: 0 };
}

/**
 * The cells of a record without those that consist of NULL or \\N, about which the mapping is asked. Quotes say that people wrote the
 * text, unless all cells of the record are in quotes.
 */
function withoutMarks(
  cells: readonly string[] | undefined,
  text: string,
  columns: readonly string[],
  { table, at, doubts }: { readonly table: Table; readonly at: string; readonly doubts: Doubts },
): readonly (string | null)[] | undefined {
  if (table.nulls !== undefined || cells === undefined || !mayHaveMark.test(text)) return cells;
  const isQuoted = cellOffsets(text).map((offset) => text[offset] === '"');
  const areAllQuoted = isQuoted.every((one) => one);
  return cells.map((cell, place) => {
    const column = columns[place] ?? '';
    const isMark = nullMark.test(cell) && table.read.has(column) && (areAllQuoted || isQuoted[place] !== true);
    if (!isMark) return cell;
    doubts.noteMark(table, column, cell, at);
    return null;
  });
}

const mayHaveMark = /null|\\N/iu;

function headerOf(cells: readonly string[] | undefined, at: string, table: Table, mapping: Mapping): readonly string[] {
  const columns = (cells ?? []).map((cell) => cell.trim());
  const repeated = columns.find((column, place) => columns.indexOf(column) < place);
  if (repeated !== undefined || columns.length === 0) {
    const what = repeated === undefined ? 'is not valid CSV' : `has the column ${repeated} twice`;
    throw wrongTable(mapping, table, 'files', `The header of ${at} ${what}.`);
  }
  demandColumns(mapping, table, columns, at);
  return columns;
}
