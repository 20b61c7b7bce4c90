// Of several rows with one key, such as the revisions of a message, the one that counts: that with the largest value of `latest`.
import type { JsonObject, JsonValue } from '../../../../lib/json.ts';
import { NameTable } from '../../../../lib/typed-arrays.ts';
import { timeOf } from '../../export/values.ts';
import type { Doubts } from './doubts.ts';
import { keyText } from './lookups.ts';
import type { Mapping, Table } from './mapping.ts';
import type { TableRow } from './reading.ts';

/** Needs about forty bytes of memory for each key. */
class LatestOfTable {
  readonly #keys = new NameTable();
  /** By the number of a key: the largest value, and the number of its row in the table. */
  readonly #values: number[] = [];
  readonly #rows: number[] = [];

  /** Of equal values, the later row counts. */
  note(key: string, value: number, row: number): void {
    const number = this.#keys.add(key);
    const latestOfKey = this.#values[number];
    if (latestOfKey !== undefined && latestOfKey > value) return;
    this.#values[number] = value;
    this.#rows[number] = row;
  }

  isLatest(key: string, row: number): boolean {
    const number = this.#keys.find(key);
    return number === undefined || this.#rows[number] === row;
  }
}

export class LatestRows {
  readonly #tables: ReadonlyMap<Table, LatestOfTable>;
  readonly #doubts: Doubts;

  constructor({ tables }: Mapping, doubts: Doubts) {
    const several = tables.filter(({ latest }) => latest !== undefined);
    this.#tables = new Map(several.map((table) => [table, new LatestOfTable()]));
    this.#doubts = doubts;
  }

  has(table: Table): boolean {
    return this.#tables.has(table);
  }

  /** `number` numbers the row in its table, in every pass the same. */
  note({ table, row }: TableRow, number: number): void {
    const key = row === undefined ? undefined : keyText(table.key?.(row));
    if (row === undefined || key === undefined) return;
    const value = this.#valueOf(table, row);
    const order = value === undefined ? Number.NaN : orderOf(value);
    this.#tables.get(table)?.note(key, Number.isNaN(order) ? Number.NEGATIVE_INFINITY : order, number);
  }

  /** Whether another row of the same key counts. */
  isEarlier({ table, at, row }: TableRow, number: number): boolean {
    if (row === undefined) return false;
    const [key, value] = [keyText(table.key?.(row)), this.#valueOf(table, row)];
    if (value !== undefined) {
      const path = ['tables', table.name, 'latest'];
      this.#doubts.noteValue(table.latest, !Number.isNaN(orderOf(value)), { path, table, at, value });
    }
    return key !== undefined && this.#tables.get(table)?.isLatest(key, number) === false;
  }

  #valueOf({ latest }: Table, row: JsonObject): JsonValue | undefined {
    const value = latest?.(row);
    return typeof value === 'symbol' || value === null || value === '' ? undefined : value;
  }
}

/** NaN for what is neither a number nor a time. */
function orderOf(value: JsonValue): number {
  const { time, written } = timeOf(value);
  if (!Number.isNaN(time)) return typeof written === 'string' ? time + Number(`0.${finerDigitsIn(written)}`) : time;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

function finerDigitsIn(written: string): string {
  return /\.\d{3}(\d+)Z$/u.exec(written)?.[1] ?? '0';
}
