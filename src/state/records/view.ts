// A state at one moment: its records, and the begins without an end.
import type { Address } from '../../model/address.ts';
import type { PendingBegin, StateHeader, StateSnapshot } from '../../model/ports.ts';
import type { StateEntry, StateRecord } from '../../model/record.ts';
import type { SortedRecords, StoredRecords } from './sorted-records.ts';
import { RecordTable } from './table.ts';

export interface NumberedSnapshot extends StateSnapshot {
  /**
   * Grows with every holder of the lock. Of two snapshots of one lineage, the one with the greater serial is newer. While a
   * process has the lock, readers see the serial of the previous holder.
   */
  readonly serial: number;
}

/** The whole content of a state, which replaces another. */
export interface StateContents {
  readonly header: StateHeader;
  readonly serial: number;
  records(): Iterable<StateRecord>;
  /** Yields the records as canonical lines, if the caller has them. */
  lines?(): Iterable<Uint8Array>;
  readonly pending: readonly PendingBegin[];
}

/** One change of a state, which is one line of a journal. */
export type StateChange =
  | Begin
  | { readonly type: 'done'; readonly step: string; readonly entry: StateEntry }
  | { readonly type: 'undone'; readonly step: string };

type Begin = { readonly type: 'begin' } & PendingBegin;

export class StateView implements NumberedSnapshot {
  readonly header: StateHeader | undefined;
  readonly serial: number;
  readonly #table: RecordTable;
  readonly #pending = new Map<string, Begin>();

  constructor(header: StateHeader | undefined, base?: StoredRecords, serial = 0) {
    this.header = header;
    this.serial = serial;
    this.#table = new RecordTable(base);
  }

  get size(): number {
    return this.#table.size;
  }

  get pending(): readonly PendingBegin[] {
    return Array.from(this.#pending.values(), ({ type: _type, ...begin }) => begin);
  }

  get(address: Address): StateRecord | undefined {
    return this.#table.get(address);
  }

  records(): SortedRecords {
    return this.#table.records();
  }

  /** `text` is the canonical text of the record that the change puts, if the caller has it. */
  apply(change: StateChange, text?: Uint8Array): void {
    switch (change.type) {
      case 'begin':
        this.#pending.set(change.step, change);
        return;
      case 'done':
        this.#table.apply(change.entry, text);
        this.#pending.delete(change.step);
        return;
      case 'undone':
        this.#pending.delete(change.step);
    }
  }
}
