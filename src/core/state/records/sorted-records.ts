// The interfaces of records that are sorted by address.
import type { Address } from '../../model/address.ts';
import type { AddressedSeries } from '../../model/addressed-series.ts';
import type { StateRecord } from '../../model/record.ts';

/** The index of a record, or the index that it would have. */
export interface RecordIndex {
  readonly index: number;
  readonly isFound: boolean;
}

/** Records sorted by the code units of their address. */
export interface SortedRecords extends AddressedSeries<StateRecord> {
  /** Yields the canonical lines, several in each piece. */
  lines(): Iterable<Uint8Array>;
}

/** Records that never change. A RecordTable applies changes to them. */
export interface StoredRecords extends SortedRecords {
  seek(address: Address): RecordIndex;
  /** Yields the lines of the records from index `from` to before `to`. */
  lines(from?: number, to?: number): Iterable<Uint8Array>;
}
