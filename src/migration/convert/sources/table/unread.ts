// What the mapping reads nothing of: tables and files that it does not name, and columns of tables that are only looked up.
import { isObject, type JsonObject } from '../../../../lib/json.ts';
import type { Table } from './mapping.ts';

export class UnreadTables {
  /** Files are read several times, but each row counts once. */
  isCounting = false;
  readonly #counts = new Map<string, Map<string, number>>();
  /** Files of which nothing was understood. */
  readonly #unknown = new Set<string>();

  note(path: string, table: string, count: number): void {
    if (!this.isCounting) return;
    const tables = this.#counts.get(path) ?? new Map<string, number>();
    this.#counts.set(path, tables);
    tables.set(table, (tables.get(table) ?? 0) + count);
  }

  noteUnknown(path: string): void {
    this.#unknown.add(path);
  }

  isUnknown(path: string): boolean {
    return this.#unknown.has(path);
  }

  /** The number of rows in each table of the file. */
  in(path: string): Iterable<readonly [table: string, rows: number]> {
    return this.#counts.get(path) ?? [];
  }
}

interface LostColumns {
  readonly names: Set<string>;
  rows: number;
}

/** The columns that nothing reads of tables that are only looked up. No object keeps them, unlike those of other tables. */
export class LookedUpColumns {
  /** Tables are read several times, but each row counts once. */
  isCounting = false;
  readonly #unselected: (table: Table) => readonly string[];
  readonly #lost = new Map<Table, LostColumns>();

  /** `unselected`: the columns of a table that are not in its rows, because nothing reads them. */
  constructor(unselected: (table: Table) => readonly string[]) {
    this.#unselected = unselected;
  }

  /** Counts the row if it has values that nothing reads. */
  note(table: Table, row: JsonObject): void {
    if (!this.isCounting) return;
    const names = [...namesIn(table, table.used.unusedIn(row) ?? {}), ...this.#unselected(table)];
    if (names.length === 0) return;
    const lost = this.#lost.get(table) ?? { names: new Set(), rows: 0 };
    this.#lost.set(table, lost);
    lost.rows += 1;
    for (const name of names) lost.names.add(name);
  }

  /** The number of rows with such values in each table. */
  *counts(): Generator<readonly [table: Table, rows: number]> {
    for (const [table, { rows }] of this.#lost) yield [table, rows];
  }

  /** The columns of each table, as sentences. */
  *notes(): Generator<string> {
    for (const [{ name }, { names }] of this.#lost) {
      const columns = [...names].sort().join(', ');
      yield `The table ${name} is only looked up, and the mapping reads nothing of ${columns}. List what is not needed under omit.`;
    }
  }
}

/** Columns of joined rows are named with their table. */
function* namesIn({ joins }: Table, unused: JsonObject): Generator<string> {
  for (const name in unused) {
    const value = unused[name];
    if (joins.some(({ table }) => table === name) && isObject(value))
      for (const column in value) yield `${name}.${column}`;
    else yield name;
  }
}
