// Records sorted by address: the interface of a snapshot, and an implementation for records in memory.
import { lastWhere } from '../../lib/binary-search.ts';
import { LazySeries, type Series } from '../../lib/series.ts';
import type { Address } from '../../model/address.ts';
import type { StateRecord } from '../../model/record.ts';
import { recordLine } from './record-text.ts';

/** The index of a record, or the index that it would have. */
export interface SearchResult {
  readonly index: number;
  readonly isFound: boolean;
}

/** Records sorted by the code units of their address. */
export interface SortedRecords extends Series<StateRecord> {
  /** Yields the canonical lines, several in each piece. */
  lines(): Iterable<Uint8Array>;
}

/** Records that never change. A RecordTable applies changes to them. */
export interface StoredRecords extends SortedRecords {
  seek(address: Address): SearchResult;
  /** Yields the lines of the records from index `from` to before `to`. */
  lines(from?: number, to?: number): Iterable<Uint8Array>;
}

export class ListedRecords extends LazySeries<StateRecord> implements StoredRecords {
  readonly #records: readonly StateRecord[];

  constructor(records: readonly StateRecord[]) {
    super();
    this.#records = records;
  }

  get length(): number {
    return this.#records.length;
  }

  at(index: number): StateRecord | undefined {
    return index < 0 ? undefined : this.#records[index];
  }

  seek(address: Address): SearchResult {
    const index = 1 + lastWhere(this.length, (index) => (this.#records[index]?.address ?? '') < address);
    return { index, isFound: this.#records[index]?.address === address };
  }

  [Symbol.iterator](): Iterator<StateRecord> {
    return this.#records[Symbol.iterator]();
  }

  *lines(from = 0, to = this.length): Generator<Uint8Array> {
    for (const record of this.#records.slice(from, to)) yield Buffer.from(recordLine(record));
  }
}

export const noRecords: StoredRecords = new ListedRecords([]);
