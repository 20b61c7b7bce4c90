// A state at one moment: its records, which are a sorted base that never changes and the changes since, and the begins without an end.
import { lastWhere } from '../../lib/binary-search.ts';
import { LazySeries } from '../../lib/series.ts';
import type { Address } from '../../model/address.ts';
import type { PendingBegin, StateHeader, StateSnapshot } from '../../model/ports.ts';
import { applyEntry, entryAddress, type StateEntry, type StateRecord } from '../../model/record.ts';
import { Changes, type SortedChanges } from './changes.ts';
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

const endOfLine = Buffer.from('\n');

/** The base with the changes applied. */
class MergedRecords extends LazySeries<StateRecord> implements SortedRecords {
  readonly length: number;
  readonly #base: StoredRecords;
  readonly #changes: SortedChanges;
  /** By change, the index of its record in this series, or the index that a deleted record would have. */
  readonly #places: Float64Array;
  /** The same indexes in the base. */
  readonly #basePlaces: Float64Array;
  readonly #isHere: Uint8Array;
  readonly #isInBase: Uint8Array;

  constructor(base: StoredRecords, changes: SortedChanges) {
    super();
    this.#base = base;
    this.#changes = changes;
    const count = changes.addresses.length;
    this.#places = new Float64Array(count);
    this.#basePlaces = new Float64Array(count);
    this.#isHere = new Uint8Array(count);
    this.#isInBase = new Uint8Array(count);
    // The number of records so far that the base does not have, minus the deleted ones.
    let more = 0;
    for (const [change, address] of changes.addresses.entries()) {
      const { index, isFound } = base.seek(address);
      const isHere = !changes.isDeleted(change);
      this.#places[change] = index + more;
      this.#basePlaces[change] = index;
      this.#isHere[change] = Number(isHere);
      this.#isInBase[change] = Number(isFound);
      more += Number(isHere) - Number(isFound);
    }
    this.length = base.length + more;
  }

  at(index: number): StateRecord | undefined {
    if (index < 0 || index >= this.length) return undefined;
    const { change, place } = this.#find(index);
    return change === undefined ? this.#base.at(place) : this.#changes.record(change);
  }

  addressAt(index: number): Address | undefined {
    if (index < 0 || index >= this.length) return undefined;
    const { change, place } = this.#find(index);
    return change === undefined ? this.#base.addressAt(place) : this.#changes.addresses[change];
  }

  /** Returns the number of the change, or the index in the base for an unchanged record. */
  #find(index: number): { readonly change: number | undefined; readonly place: number } {
    const change = lastWhere(this.#places.length, (other) => (this.#places[other] ?? 0) <= index);
    if (change < 0) return { change: undefined, place: index };
    const behind = index - (this.#places[change] ?? 0);
    const isHere = this.#isHere[change] ?? 0;
    const place = this.#nextInBase(change) + behind - isHere;
    return { change: behind < isHere ? change : undefined, place };
  }

  *[Symbol.iterator](): Generator<StateRecord> {
    const base = this.#base[Symbol.iterator]();
    let next = 0;
    for (let change = 0; change < this.#places.length; change += 1) {
      const place = this.#basePlaces[change] ?? 0;
      const end = this.#nextInBase(change);
      for (; next < end; next += 1) {
        const { value, done } = base.next();
        if (done !== true && next < place) yield value;
      }
      const record = this.#changes.record(change);
      if (record !== undefined) yield record;
    }
    for (let rest = base.next(); rest.done !== true; rest = base.next()) yield rest.value;
  }

  *lines(): Generator<Uint8Array> {
    let next = 0;
    for (let change = 0; change < this.#places.length; change += 1) {
      yield* this.#base.lines(next, this.#basePlaces[change]);
      next = this.#nextInBase(change);
      const text = this.#changes.text(change);
      if (text === undefined) continue;
      yield text;
      yield endOfLine;
    }
    yield* this.#base.lines(next);
  }

  /** Returns the index of the first record of the base after a changed address. */
  #nextInBase(change: number): number {
    return (this.#basePlaces[change] ?? 0) + (this.#isInBase[change] ?? 0);
  }
}

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
