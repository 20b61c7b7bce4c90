// A state at one moment: its records, which are a sorted base that never changes and the changes since, and the begins without an end.
import { LazySeries } from '../../../lib/series.ts';
import type { Address } from '../../model/address.ts';
import type { PendingBegin, StateHeader, StateSnapshot } from '../../model/ports.ts';
import { applyEntry, entryAddress, type StateEntry, type StateRecord } from '../../model/record.ts';
import { Changes, MergedRecords } from './changes.ts';
import type { RecordIndex, SortedRecords, StoredRecords } from './sorted-records.ts';

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

/** The base of a state that was never written. */
class NoRecords extends LazySeries<StateRecord> implements StoredRecords {
  readonly length = 0;

  at(): undefined {
    return undefined;
  }

  addressAt(): undefined {
    return undefined;
  }

  seek(): RecordIndex {
    return { index: 0, isFound: false };
  }

  *lines(): Generator<Uint8Array> {}

  *[Symbol.iterator](): Generator<StateRecord> {}
}

const noRecords = new NoRecords();

export class RecordTable {
  readonly #base: StoredRecords;
  /** Made with the first change, because most states are only read. */
  #changes: Changes | undefined;
  /** Undefined if something has changed since it was made. */
  #merged: SortedRecords | undefined;

  constructor(base: StoredRecords = noRecords) {
    this.#base = base;
    this.#merged = base;
  }

  get size(): number {
    return this.records().length;
  }

  get(address: Address): StateRecord | undefined {
    if (this.#changes?.has(address) === true) return this.#changes.get(address);
    const { index, isFound } = this.#base.seek(address);
    return isFound ? this.#base.at(index) : undefined;
  }

  /** `text` is the canonical text of the record that the entry puts, if the caller has it. */
  apply(entry: StateEntry, text?: Uint8Array): void {
    this.#merged = undefined;
    this.#changes ??= new Changes();
    if (text !== undefined) {
      this.#changes.put(text);
      return;
    }
    const address = entryAddress(entry);
    // Only a patch needs the previous record, and finding it may mean reading a file.
    const before = entry.type === 'patch' ? this.get(address) : undefined;
    const after = applyEntry(before, entry);
    if (entry.type === 'patch' && after === undefined) return;
    this.#changes.set(address, after);
  }

  /** Returns the records. Later entries do not change the result. */
  records(): SortedRecords {
    this.#merged ??= new MergedRecords(this.#base, (this.#changes ?? new Changes()).sorted());
    return this.#merged;
  }
}

/** What all writers of a state share: their view, and the three kinds of entries. */
export abstract class ViewWriter {
  readonly header: StateHeader;
  readonly serial: number;
  /** Contains everything acknowledged. */
  protected readonly view: StateView;

  constructor(view: StateView, header: StateHeader, serial: number) {
    this.header = header;
    this.serial = serial;
    this.view = view;
  }

  protected abstract append(entry: StateChange): Promise<void>;

  get size(): number {
    return this.view.size;
  }

  get pending(): readonly PendingBegin[] {
    return this.view.pending;
  }

  get(address: Address): StateRecord | undefined {
    return this.view.get(address);
  }

  records(): SortedRecords {
    return this.view.records();
  }

  begin(begin: PendingBegin): Promise<void> {
    return this.append({ type: 'begin', ...begin });
  }

  done(step: string, entry: StateEntry): Promise<void> {
    return this.append({ type: 'done', step, entry });
  }

  undone(step: string): Promise<void> {
    return this.append({ type: 'undone', step });
  }
}
