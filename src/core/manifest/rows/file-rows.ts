// Reads the rows of `for_each: { file: rooms.csv }`. Rows are kept as text and parsed when a block is made.

import { isObject, isUnusableText } from '../../../lib/json.ts';
import type { FileLine } from '../../../lib/line-reader.ts';
import { cellsOf, faultOfCells, type RawRow } from '../../../lib/tables/csv-records.ts';
import type { FileAccess } from '../files/access.ts';
import type { ManifestFile } from '../files/discover.ts';
import { treeOf } from '../files/made-trees.ts';
import type { Tree } from '../files/tree.ts';
import type { Problems, Spot } from '../problems/problems.ts';
import { quoted } from '../problems/wording.ts';
import { recordsBelowHeader } from './csv.ts';
import { ndjson } from './ndjson.ts';
import { linesOf, RowText } from './row.ts';
import { addNames, type ManifestRow, type ManifestRows, maxRows, partOf } from './rows.ts';

/** Returns undefined and reports a problem if the file or one of its rows cannot be read. `spot` is where the manifest names it. */
export async function fileRows(
  file: ManifestFile,
  files: FileAccess,
  problems: Problems,
  spot: Spot,
): Promise<ManifestRows | undefined> {
  const before = problems.errors;
  const lines = linesOf(file, files, problems);
  const rows = /\.csv(?:\.gz)?$/u.test(file.path)
    ? await csvRows(lines, file.name, problems)
    : await ndjsonRows(lines, file.name, problems);
  if (rows.length > maxRows) reportTooMany(file.name, spot, problems);
  return problems.errors > before ? undefined : rows;
}

type Lines = AsyncIterable<readonly FileLine[]>;

function reportTooMany(name: string, spot: Spot, problems: Problems): void {
  const most = maxRows.toLocaleString('en');
  const detail = `${name} has more than ${most} rows, but a block with for_each makes at most ${most} objects. Declare them under sources instead.`;
  problems.add('manifest.too-many', detail, spot);
}

async function csvRows(lines: Lines, name: string, problems: Problems): Promise<ManifestRows> {
  const rows: RawRow[] = [];
  let columns: readonly string[] = [];
  const readHeader = (row: RawRow): boolean => {
    columns = headerOf(row, name, problems);
    return true;
  };
  for await (const batch of recordsBelowHeader(lines, name, problems, readHeader)) {
    for (const row of batch) if (isWhole(row, columns, name, problems)) rows.push(row);
    if (rows.length > maxRows) break;
  }
  return {
    length: rows.length,
    names: new Set(columns),
    areTexts: true,
    at: (index) => rowOf(rows[index], name, (row) => csvPart(row, columns)),
  };
}

function headerOf(row: RawRow, name: string, problems: Problems): readonly string[] {
  const names = (cellsOf(row.text) ?? []).map((cell) => cell.trim());
  const spot = { source: new RowText(name, row), offset: 0 };
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (names.length === 0) problems.add('manifest.bad-row', 'The quotes of the header are not valid CSV.', spot);
  if (twice !== undefined) {
    problems.add('manifest.duplicate-key', `The column ${quoted(twice)} appears twice. Keep one of them.`, spot);
  }
  return names;
}

function isWhole(row: RawRow, header: readonly string[], name: string, problems: Problems): boolean {
  const cells = cellsOf(row.text);
  const spot = { source: new RowText(name, row), offset: 0 };
  const fault = faultOfCells(cells, header.length);
  if (fault !== undefined) {
    problems.add('manifest.bad-row', fault, spot);
    return false;
  }
  if (!isUnusableText(row.text)) return true;
  problems.add(
    'manifest.bad-character',
    'The row contains a NUL character, which the platform cannot store. Remove it.',
    spot,
  );
  return false;
}

function csvPart(row: RawRow, columns: readonly string[]): (name: string) => Tree | undefined {
  const cells = cellsOf(row.text) ?? [];
  return (name) => {
    const cell = cells[columns.indexOf(name)];
    // An empty cell means that there is no value.
    return cell === undefined || cell === '' ? undefined : { type: 'scalar', offset: 0, value: cell, text: cell };
  };
}

async function ndjsonRows(lines: Lines, name: string, problems: Problems): Promise<ManifestRows> {
  const rows: RawRow[] = [];
  const names = new Set<string>();
  for await (const batch of ndjson.rows(lines, name, problems)) {
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
      rowOf(rows[index], name, (row) => {
        const tree = treeOf(ndjson.value(row) ?? null);
        return (part) => partOf(tree, part);
      }),
  };
}

/** Reports why a line is not a row. */
function reportRow(row: RawRow, name: string, problems: Problems): void {
  const source = new RowText(name, row);
  const tree = ndjson.tree(row, source, problems);
  if (tree === undefined || tree.type === 'map') return;
  problems.add('manifest.wrong-type', 'A row must be a map, such as { "city": "berlin" }.', {
    source,
    offset: tree.offset,
  });
}

function rowOf(
  row: RawRow | undefined,
  name: string,
  partsOf: (row: RawRow) => (part: string) => Tree | undefined,
): ManifestRow | undefined {
  return row === undefined ? undefined : { place: `${name}:${row.line}`, part: partsOf(row) };
}
