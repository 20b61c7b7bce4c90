// A pass over the files of tables: its input and its rows.

import type { TableFormat, TextEncoding } from '../../../../core/model/tables/mapping.ts';
import type { FileTree } from '../../../../lib/file-tree.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import type { CsvForm } from '../../../../lib/tables/csv-records.ts';
import { type Doubts, nullMark } from './doubts.ts';
import type { Mapping, Table } from './mapping.ts';
import type { MeantTables } from './table-names.ts';
import type { UnreadTables } from './unread.ts';

export interface TableRow {
  readonly table: Table;
  /** `rooms.csv#3`: the file and the line, or the keys in JSON. */
  readonly at: string;
  /** Undefined when the row cannot be read. */
  readonly row: JsonObject | undefined;
  /** Another row of the table has the same key and counts. */
  readonly isEarlier?: true;
}

export interface RowBatch {
  /** Read one by one, so that few rows are in memory. */
  readonly rows: Iterable<TableRow>;
  readonly bytes: number;
}

/** `dump`: the dialect is found by looking. */
export type FileFormat = TableFormat | 'dump';

/** A file and the tables that are in it. */
export interface TableFile {
  readonly path: string;
  readonly tables: readonly Table[];
  /** `database`: the path is the name of a table of a database. */
  readonly format: FileFormat | 'database';
}

/** Reads the rows of tables of a database. */
export interface DatabaseRows {
  rows(table: Table): AsyncIterable<RowBatch>;
}

/** How a CSV file is written. */
export interface CsvFile extends CsvForm {
  readonly encoding: TextEncoding;
  /** Whether the first line is `sep=;`, as Excel writes it. */
  readonly hasSeparatorLine: boolean;
}

/** The input of a pass over the files. */
export interface TablePass {
  readonly tree: FileTree;
  readonly mapping: Mapping;
  /** Tables that were found, even without rows. */
  readonly met: Set<Table>;
  readonly meant: MeantTables;
  readonly doubts: Doubts;
  readonly unread: UnreadTables;
  /** How each CSV file is written, by path. */
  readonly csvFiles: Map<string, CsvFile>;
  /** Undefined if all tables are in files. */
  readonly database: DatabaseRows | undefined;
}

/** The place of a row in a table of the mapping. Each row has its own place in each table, so that each has a line in the ledger. */
export function placeIn({ name }: Table, at: string, isFirst: boolean): string {
  return isFirst ? at : `${at}/${name}`;
}

const booleans: Readonly<Record<string, boolean>> = { t: true, true: true, 1: true, f: false, false: false, 0: false };
const noColumns: ReadonlySet<string> = new Set();

/** Undefined when the row has another number of cells than columns. `flags`: the columns whose type is boolean, which databases write in several ways. */
export function rowOf(
  columns: readonly string[],
  cells: readonly (string | null)[] | undefined,
  flags = noColumns,
): JsonObject | undefined {
  if (cells?.length !== columns.length) return undefined;
  const row: Record<string, string | boolean | null> = {};
  for (let place = 0; place < columns.length; place += 1) {
    const column = columns[place] ?? '';
    const text = cells[place] ?? null;
    const cell = text !== null && flags.has(column) ? (booleans[text.toLowerCase()] ?? text) : text;
    // An assignment to this name sets no property.
    if (column === '__proto__') Object.defineProperty(row, column, { value: cell, enumerable: true });
    else row[column] = cell;
  }
  return row;
}

/** The row without the values that are missing: texts that the mapping names, and marks in ids, about which the mapping is asked. */
export function withoutNulls(tableRow: TableRow, doubts: Doubts): TableRow {
  const { table, at, row } = tableRow;
  const { nulls, ids } = table;
  if (row === undefined || (nulls === undefined ? ids.size : nulls.size) === 0) return tableRow;
  const missing: string[] = [];
  for (const column of nulls === undefined ? ids : Object.keys(row)) {
    const value = row[column];
    if (typeof value !== 'string') continue;
    if (nulls === undefined ? nullMark.test(value) : nulls.has(value)) missing.push(column);
    else continue;
    if (nulls === undefined) doubts.noteMark(table, column, value, at);
  }
  if (missing.length === 0) return tableRow;
  return { ...tableRow, row: { ...row, ...Object.fromEntries(missing.map((column) => [column, null])) } };
}
