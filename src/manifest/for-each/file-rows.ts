// Reads the rows of `for_each: { file: rooms.csv }`. Texts of rows are kept, and parsed when a block is made of them.

import { isObject } from '../../lib/json.ts';
import { readLines } from '../../lib/line-reader.ts';
import { isUnusableText } from '../../lib/unusable.ts';
import type { Problems, Spot } from '../checks/problems.ts';
import { quoted } from '../checks/wording.ts';
import type { ManifestFile } from '../discover.ts';
import type { FileAccess, OpenFile } from '../files.ts';
import { cellsOf, RecordReader } from '../sources/csv-records.ts';
import { ndjson } from '../sources/ndjson.ts';
import { openPlain } from '../sources/packed.ts';
import { type RawRow, RowText, reportUnreadable, reportUnusable } from '../sources/row.ts';
import { type Tree, treeOf } from '../yaml/tree.ts';
import { addNames, maxRows, partOf, type Row, type Rows } from './rows.ts';

/** Undefined, with a report, when the file or a row of it cannot be read. `spot`: where the manifest names it. */
export async function fileRows(
  file: ManifestFile,
  files: FileAccess,
  problems: Problems,
  spot: Spot,
): Promise<Rows | undefined> {
  const before = problems.errors;
  try {
    const opened = (await openPlain(file.path, files)).open(file.path);
    try {
      const rows = /\.csv(?:\.gz)?$/u.test(file.path)
        ? csvRows(opened, file.name, problems)
        : ndjsonRows(opened, file.name, problems);
      if (rows !== undefined && rows.length > maxRows) reportTooMany(file.name, spot, problems);
      return problems.errors > before ? undefined : rows;
    } finally {
      opened.close();
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    reportUnreadable(file.name, error, problems);
    return undefined;
  }
}

function reportTooMany(name: string, spot: Spot, problems: Problems): void {
  const most = maxRows.toLocaleString('en');
  const detail = `${name} has more than ${most} rows, and a block becomes at most ${most} objects. Declare so many under sources.`;
  problems.add('manifest.too-many', detail, spot);
}

function csvRows(file: OpenFile, name: string, problems: Problems): Rows | undefined {
  const reader = new RecordReader();
  const rows: RawRow[] = [];
  let header: readonly string[] | undefined;
  const take = (lines: Parameters<RecordReader['read']>[0]): boolean => {
    for (const row of reader.read(lines)) {
      if (row.text === undefined) reportUnusable(name, row, problems);
      else if (header === undefined) header = headerOf(row, name, problems);
      else if (isWhole(row, header, name, problems)) rows.push(row);
      if (rows.length > maxRows) return false;
    }
    return true;
  };
  for (const lines of readLines((into, position) => file.read(into, position))) if (!take(lines)) break;
  if (rows.length <= maxRows) take(undefined);
  if (header === undefined) {
    const spot = { source: new RowText(name, { text: '', line: 1 }), offset: 0 };
    problems.add('manifest.bad-row', 'The file is empty. Its first line names the columns.', spot);
    return undefined;
  }
  const columns = header;
  return {
    length: rows.length,
    names: new Set(columns),
    areTexts: true,
    at: (index) => withText(rows[index], name, (row) => csvPart(row, columns)),
  };
}

function headerOf(row: RawRow, name: string, problems: Problems): readonly string[] {
  const names = (cellsOf(row.text) ?? []).map((cell) => cell.trim());
  const spot = { source: new RowText(name, row), offset: 0 };
  const twice = names.find((one, at) => names.indexOf(one) < at);
  if (names.length === 0) problems.add('manifest.bad-row', 'The quotes of the header are not valid CSV.', spot);
  if (twice !== undefined) {
    problems.add('manifest.duplicate-key', `The column ${quoted(twice)} appears twice. Keep one of them.`, spot);
  }
  return names;
}

function isWhole(row: RawRow, header: readonly string[], name: string, problems: Problems): boolean {
  const cells = cellsOf(row.text);
  const spot = { source: new RowText(name, row), offset: 0 };
  if (cells === undefined || cells.length !== header.length) {
    const detail =
      cells === undefined
        ? 'The quotes of this row are not valid CSV. A cell that contains a quote, a comma or a line end must be in double quotes, and each quote in it is written twice.'
        : `The row has ${cells.length} cells, and the header names ${header.length} columns. Look for a missing or extra comma: a cell that contains a comma must be in double quotes.`;
    problems.add('manifest.bad-row', detail, spot);
    return false;
  }
  if (!isUnusableText(row.text)) return true;
  problems.add(
    'manifest.bad-character',
    'The row holds a NUL character, which the platform cannot store. Remove it.',
    spot,
  );
  return false;
}

function csvPart(row: RawRow, columns: readonly string[]): (name: string) => Tree | undefined {
  const cells = cellsOf(row.text) ?? [];
  return (name) => {
    const cell = cells[columns.indexOf(name)];
    // An empty cell leaves the value open.
    return cell === undefined || cell === '' ? undefined : { type: 'scalar', offset: 0, value: cell, text: cell };
  };
}

function ndjsonRows(file: OpenFile, name: string, problems: Problems): Rows {
  const rows: RawRow[] = [];
  const names = new Set<string>();
  for (const batch of ndjson.rows(file, name, problems)) {
    for (const row of batch) {
      const value = ndjson.value(row);
      if (isObject(value)) {
        addNames(value, names);
        rows.push(row);
      } else reportRow(row, name, problems);
    }
    if (rows.length > maxRows) break;
  }
  return {
    length: rows.length,
    names,
    areTexts: false,
    at: (index) =>
      withText(rows[index], name, (row) => {
        const tree = treeOf(ndjson.valueAgain(row.text) ?? null);
        return (part) => partOf(tree, part);
      }),
  };
}

/** Reports why a line is no row. */
function reportRow(row: RawRow, name: string, problems: Problems): void {
  const source = new RowText(name, row);
  const tree = ndjson.tree(row, source, problems);
  if (tree === undefined || tree.type === 'map') return;
  problems.add('manifest.wrong-type', 'A row is a map: { "city": "berlin" }.', { source, offset: tree.offset });
}

/** The row is parsed when its first part is asked for. */
function withText(
  row: RawRow | undefined,
  name: string,
  read: (row: RawRow) => (part: string) => Tree | undefined,
): Row | undefined {
  if (row === undefined) return undefined;
  let partsOf: ((part: string) => Tree | undefined) | undefined;
  const part = (wanted: string) => {
    partsOf ??= read(row);
    return partsOf(wanted);
  };
  return { place: `${name}:${row.line}`, part };
}
