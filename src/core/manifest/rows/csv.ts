// Reads objects from CSV: a header row, then one object for each record.

import { type JsonValue, reservedKeys } from '../../../lib/json.ts';
import type { FileLine } from '../../../lib/line-reader.ts';
import type { Suggestions } from '../../../lib/suggestions.ts';
import { cellOffsets, cellsOf, faultOfCells, type RawRow, RecordReader } from '../../../lib/tables/csv-records.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { type Tree, type TreeEntry, toJson } from '../files/tree.ts';
import type { ProblemReporter, ProblemSource, Problems, Spot } from '../problems/problems.ts';
import { quoted } from '../problems/wording.ts';
import { type CsvColumn, cellValue, columnNames, columnOf, listItems } from './csv-columns.ts';
import { type RowFormat, RowText, reportUnusable } from './row.ts';

export function csv(kind: KindDefinition, suggestions: Suggestions): RowFormat {
  return new CsvFormat(kind, suggestions);
}

class CsvFormat implements RowFormat {
  readonly #kind: KindDefinition;
  readonly #suggestions: Suggestions;
  /** Columns by position, undefined for refused ones. Empty until a valid header is read. */
  #columns: readonly (CsvColumn | undefined)[] = [];

  constructor(kind: KindDefinition, suggestions: Suggestions) {
    this.#kind = kind;
    this.#suggestions = suggestions;
  }

  rows(batches: AsyncIterable<readonly FileLine[]>, name: string, problems: Problems) {
    const readHeader = (row: RawRow) => this.#readHeader(row, new RowText(name, row), problems);
    return recordsBelowHeader(batches, name, problems, readHeader, `, including ${this.#kind.keyName}`);
  }

  /** Returns undefined if the row has a problem, which `tree` reports. */
  value(row: RawRow): JsonValue | undefined {
    let isWhole = true;
    const refuse = (): void => {
      isWhole = false;
    };
    const tree = this.tree(row, new RowText('', row), { add: refuse });
    return isWhole && tree !== undefined ? toJson(tree) : undefined;
  }

  /** With a wrong number of cells, only the first cell certainly belongs to its column. */
  keysIn(text: string): readonly string[] {
    const [first] = cellsOf(text) ?? [];
    return first === undefined || this.#columns[0]?.path.length !== 0 ? [] : [first];
  }

  tree(row: RawRow, source: ProblemSource, problems: ProblemReporter): Tree | undefined {
    const cells = cellsOf(row.text) ?? [];
    const fault = faultOfCells(cellsOf(row.text), this.#columns.length);
    if (fault !== undefined) {
      const offset = cells.length === 0 ? Math.max(0, row.text.indexOf('"')) : 0;
      problems.add('manifest.bad-row', fault, { source, offset });
      return undefined;
    }
    const offsets = cellOffsets(row.text);
    const root = new Map<string, TreeEntry>();
    for (const [at, cell] of cells.entries()) {
      const column = this.#columns[at];
      if (cell === '' || column === undefined) continue;
      const offset = offsets[at] ?? 0;
      const isQuoted = row.text[offset] === '"';
      place(
        root,
        column.path.length === 0 ? [this.#kind.keyName] : column.path,
        offset,
        cellTree(cell, column, isQuoted ? offset + 1 : offset, source, problems),
      );
    }
    return { type: 'map', offset: 0, entries: root };
  }

  #readHeader({ text }: RawRow, source: ProblemSource, problems: Problems): boolean {
    const cells = cellsOf(text);
    const names = (cells ?? []).map((cell) => cell.trim());
    const offsets = cellOffsets(text);
    const before = problems.errors;
    if (cells === undefined) {
      problems.add('manifest.bad-row', 'The quotes of the header are not valid CSV.', { source, offset: 0 });
    } else if (!names.includes(this.#kind.keyName)) {
      problems.add('manifest.missing-key', this.#noKey(text), { source, offset: 0 });
    }
    this.#columns = names.map((name, at) => {
      const spot: Spot = { source, offset: offsets[at] ?? 0 };
      const first = names.indexOf(name);
      const column = reservedKeys.has(name.split('.').at(-1) ?? '') ? undefined : columnOf(name, this.#kind);
      if (first < at) {
        const detail = `The column ${quoted(name)} appears twice. Keep one of them.`;
        problems.add('manifest.duplicate-key', detail, spot);
      } else if (column === undefined) {
        const suggestion = this.#suggestions.sentence(name, columnNames(this.#kind, name.slice(name.indexOf('.') + 1)));
        const advice =
          suggestion === '' ? ` The columns are ${columnNames(this.#kind, 'KEY').join(', ')}.` : suggestion;
        problems.add('manifest.unknown-key', `A ${this.#kind.title} has no column ${quoted(name)}.${advice}`, spot);
      } else return column;
      return undefined;
    });
    return problems.errors === before;
  }

  #noKey(header: string): string {
    const other = header.includes(';')
      ? ' The columns seem to be separated by semicolons. Separate them with commas.'
      : '';
    return `The first line names the columns, and ${this.#kind.keyName} is not among them.${other}`;
  }
}

/**
 * Yields the records below the header in batches, and reports lines that cannot be records. Ends if `readHeader` returns false.
 * `columns` ends the message about an empty file.
 */
export async function* recordsBelowHeader(
  batches: AsyncIterable<readonly FileLine[]>,
  name: string,
  problems: Problems,
  readHeader: (row: RawRow) => boolean,
  columns = '',
): AsyncGenerator<readonly RawRow[]> {
  const reader = new RecordReader();
  let hasHeader = false;
  for await (const lines of withEnd(batches)) {
    const batch: RawRow[] = [];
    for (const piece of reader.read(lines)) {
      if (piece.text === undefined) reportUnusable(name, piece, problems);
      else if (hasHeader) batch.push(piece);
      else if (readHeader(piece)) hasHeader = true;
      else return;
    }
    yield batch;
  }
  if (hasHeader) return;
  const detail = `The file is empty. The first line must name the columns${columns}.`;
  problems.add('manifest.bad-row', detail, { source: new RowText(name, { text: '', line: 1 }), offset: 0 });
}

async function* withEnd<T>(values: AsyncIterable<T>): AsyncGenerator<T | undefined> {
  yield* values;
  yield undefined;
}

function place(root: Map<string, TreeEntry>, path: readonly string[], offset: number, value: Tree): void {
  const [first = '', ...inner] = path;
  if (inner.length === 0) {
    root.set(first, { offset, value });
    return;
  }
  const placedBefore = root.get(first)?.value;
  const entries = new Map(placedBefore?.type === 'map' ? placedBefore.entries : []);
  place(entries, inner, offset, value);
  root.set(first, { offset: root.get(first)?.offset ?? offset, value: { type: 'map', offset, entries } });
}

function cellTree(
  text: string,
  { form }: CsvColumn,
  offset: number,
  source: ProblemSource,
  problems: ProblemReporter,
): Tree {
  if (form === 'list') {
    return {
      type: 'list',
      offset,
      items: listItems(text).map((part) => ({
        type: 'scalar',
        offset: offset + part.offset,
        value: part.text,
        text: part.text,
      })),
    };
  }
  if (form === 'set') {
    const entries = new Map<string, TreeEntry>();
    for (const part of listItems(text)) {
      const at = offset + part.offset;
      if (reservedKeys.has(part.text)) {
        const detail = `${quoted(part.text)} is reserved and cannot be used as a key. Choose another key.`;
        problems.add('manifest.reserved-key', detail, { source, offset: at });
      } else entries.set(part.text, { offset: at, value: { type: 'scalar', offset: at, value: null, text: '' } });
    }
    return { type: 'map', offset, entries };
  }
  if (text.includes('\0')) {
    const detail = `${quoted(text)} contains a NUL character, which the platform cannot store. Remove it.`;
    problems.add('manifest.bad-character', detail, { source, offset });
  }
  const value = cellValue(text, form);
  return { type: 'scalar', offset, value: typeof value === 'object' ? text : value, text };
}
