// Reads the rows of the tables of a file, as a stream: CSV, lines of JSON, JSON and dumps of PostgreSQL.

import { type JsonObject, parsedObject } from '../../../lib/json.ts';
import { type Line, maxLineBytes } from '../../../lib/line-reader.ts';
import { cellsOf, RecordReader } from '../../../lib/tables/csv-records.ts';
import { countedLines } from '../../export/lines.ts';
import { isTooDeep } from '../../export/values.ts';
import { dumpRows } from './dump.ts';
import { jsonRows } from './json-rows.ts';
import type { Mapping, Table } from './mapping.ts';
import { demandColumns, wrongTable } from './problems.ts';
import { type Reading, type RowBatch, rowOf, type TableFile, type TableRow } from './reading.ts';

const readers = { csv: csvRows, ndjson: ndjsonRows, json: jsonRows, pg_dump: dumpRows } as const;

export function rowsOf(reading: Reading, file: TableFile): AsyncGenerator<RowBatch> {
  return readers[file.format](reading, file);
}

async function* ndjsonRows({ tree, met }: Reading, { path, tables }: TableFile): AsyncGenerator<RowBatch> {
  const [table] = tables;
  if (table === undefined) return;
  met.add(table);
  for await (const { lines, bytes } of countedLines(await tree.stream(path)))
    yield { rows: parsedRows(lines, path, table), bytes };
}

function* parsedRows(lines: readonly Line[], path: string, table: Table): Generator<TableRow> {
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

async function* csvRows({ tree, mapping, met }: Reading, { path, tables }: TableFile): AsyncGenerator<RowBatch> {
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
      else rows.push({ table, at, row: rowOf(columns, cells) });
    }
    return rows;
  };
  for await (const { lines, bytes } of countedLines(await tree.stream(path), maxLineBytes))
    yield { rows: take(lines), bytes };
  yield { rows: take(undefined), bytes: 0 };
}

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
