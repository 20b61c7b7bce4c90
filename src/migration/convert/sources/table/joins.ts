// Rows of tables that are joined to the rows of other tables by key. They are kept on disk, since there may be as many as messages.
import { equalJson, type JsonObject } from '../../../../lib/json.ts';
import type { Collect, Collector, Series } from '../../../../lib/series.ts';
import { NameTable } from '../../../../lib/typed-arrays.ts';
import { keyText } from './lookups.ts';
import type { Mapping, Table } from './mapping.ts';
import type { TableRow } from './reading.ts';

/** Needs about twenty bytes of memory for each row. */
class JoinedTable {
  /** A row has the number of its key. */
  readonly #keys = new NameTable();
  readonly #collector: Collector<JsonObject>;
  #rows: Series<JsonObject> = [];

  constructor(collect: Collect) {
    this.#collector = collect<JsonObject>();
  }

  /** Of rows with the same key, the first one counts. */
  add(key: string, row: JsonObject): void {
    const { size } = this.#keys;
    if (this.#keys.add(key) === size) this.#collector.push(row);
  }

  end(): void {
    this.#rows = this.#collector.end();
  }

  of(key: string): JsonObject | undefined {
    const number = this.#keys.find(key);
    return number === undefined ? undefined : this.#rows.at(number);
  }
}

export class JoinedRows {
  readonly #tables: ReadonlyMap<string, JoinedTable>;

  constructor({ tables }: Mapping, collect: Collect) {
    const names = new Set(tables.flatMap(({ joins }) => joins.map(({ table }) => table)));
    this.#tables = new Map(Array.from(names, (name) => [name, new JoinedTable(collect)]));
  }

  has({ name }: Table): boolean {
    return this.#tables.has(name);
  }

  add({ name, key }: Table, row: JsonObject): void {
    const text = keyText(key?.(row));
    if (text !== undefined) this.#tables.get(name)?.add(text, row);
  }

  /** No rows can be added after this call. */
  end(): void {
    for (const table of this.#tables.values()) table.end();
  }

  /** Whether the row is the one that is joined to others, and not an earlier one with the same key. */
  isJoined({ name, key }: Table, row: JsonObject): boolean {
    const text = keyText(key?.(row));
    return text === undefined || equalJson(this.#tables.get(name)?.of(text), row);
  }

  /** The row with those of the joined tables as columns. */
  joined(tableRow: TableRow): TableRow {
    const { table, row } = tableRow;
    if (row === undefined || table.joins.length === 0) return tableRow;
    const columns: Record<string, JsonObject> = {};
    for (const { table: name, key } of table.joins) {
      const text = keyText(key(row));
      const found = text === undefined ? undefined : this.#tables.get(name)?.of(text);
      if (found !== undefined) columns[name] = found;
    }
    return { ...tableRow, row: { ...row, ...columns } };
  }
}
