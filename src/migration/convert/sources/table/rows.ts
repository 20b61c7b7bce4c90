// Reads the rows of the tables of a file or a database, as a stream: CSV, lines of JSON, JSON, dumps, and tables of PostgreSQL.

import { type JsonObject, parsedObject } from '../../../../lib/json.ts';
import type { FileLine } from '../../../../lib/line-reader.ts';
import { countedLines } from '../../export/lines.ts';
import { otherFile } from '../../export/refusals.ts';
import { isTooDeep } from '../../export/values.ts';
import { csvRows } from './csv.ts';
import { dumpRows } from './dump.ts';
import { jsonRows } from './json-rows.ts';
import type { Table } from './mapping.ts';
import { type RowBatch, type TableFile, type TablePass, type TableRow, withoutNulls } from './reading.ts';
import { tabRows } from './tab.ts';

const readers = {
  csv: csvRows,
  ndjson: ndjsonRows,
  json: jsonRows,
  dump: dumpRows,
  pg_dump: dumpRows,
  mysqldump: dumpRows,
  mysql_tab: tabRows,
  sqlite_dump: dumpRows,
  database: databaseRows,
} as const;

export async function* rowsOf(reading: TablePass, file: TableFile): AsyncGenerator<RowBatch> {
  for await (const { rows, bytes } of readers[file.format](reading, file))
    yield { rows: checkedRows(rows, reading), bytes };
}

async function* databaseRows({ met, database }: TablePass, { tables }: TableFile): AsyncGenerator<RowBatch> {
  for (const table of tables) {
    met.add(table);
    if (database !== undefined) yield* database.rows(table);
  }
}

function* checkedRows(rows: Iterable<TableRow>, { doubts }: TablePass): Generator<TableRow> {
  for (const row of rows) yield withoutNulls(row, doubts);
}

async function* ndjsonRows({ tree, met }: TablePass, { path, tables }: TableFile): AsyncGenerator<RowBatch> {
  const [table] = tables;
  if (table === undefined) return;
  met.add(table);
  let isFirst = true;
  for await (const { lines, bytes } of countedLines(await tree.stream(path))) {
    // A list that lies on many lines, or on one, would be as many broken rows.
    if (isFirst && lines[0]?.text?.trimStart().startsWith('[') === true)
      throw otherFile(
        path,
        'it is one list in JSON, not an object on each line',
        'Write format: json under its table.',
      );
    if (lines.length > 0) isFirst = false;
    yield { rows: parsedRows(lines, path, table), bytes };
  }
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
