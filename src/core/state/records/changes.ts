// The records that have changed since a state was opened, as text, which needs less memory than objects, and all records with them.

import { compareText } from '../../../lib/json.ts';
import { LazySeries, lastWhere } from '../../../lib/series.ts';
import type { Address } from '../../model/address.ts';
import type { StateRecord } from '../../model/record.ts';
import { PagedBuffer } from './paged-buffer.ts';
import { addressInLine, parseStored, recordText } from './record-text.ts';
import type { SortedRecords, StoredRecords } from './sorted-records.ts';

/** Fewer outdated bytes are not worth copying all other texts. */
const minOutdatedBytes = 16 << 20;
const deleted = -1;

/** By changed address, the number of the text of its record, or `deleted`. */
type Entries = Map<Address, number>;

export class Changes {
  readonly #entries: Entries = new Map();
  #texts = new StringTable();
  #outdatedBytes = 0;
  /** The number of texts that are in `#entries`. */
  #indexed = 0;

  has(address: Address): boolean {
    this.#index();
    return this.#entries.has(address);
  }

  /** Returns undefined if the record is deleted or never changed. */
  get(address: Address): StateRecord | undefined {
    this.#index();
    return recordOf(this.#entries.get(address), this.#texts);
  }

  set(address: Address, record: StateRecord | undefined): void {
    this.#index();
    if (record !== undefined) this.put(Buffer.from(recordText(record)));
    else this.#replace(address, deleted);
  }

  /**
   * Like `set`, with the canonical text of the record (`recordText`). The address is read from the text only when needed, so a run
   * that creates a million objects needs no map of them until it ends.
   */
  put(text: Uint8Array): void {
    this.#texts.add(text);
  }

  /** Returns the changes so far. Later ones do not affect the result. */
  sorted(): SortedChanges {
    this.#index();
    return new SortedChanges(this.#entries, this.#texts);
  }

  /** Adds the texts that were put since the last call. */
  #index(): void {
    if (this.#indexed === this.#texts.count) return;
    for (; this.#indexed < this.#texts.count; this.#indexed += 1)
      this.#replace(addressInLine(this.#texts.read(this.#indexed), 0), this.#indexed);
    this.#dropOutdated();
  }

  #replace(address: Address, entry: number): void {
    const before = this.#entries.get(address) ?? deleted;
    if (before !== deleted) this.#outdatedBytes += this.#texts.lengthOf(before);
    this.#entries.set(address, entry);
  }

  /** Drops outdated texts once they are more than half of all texts. */
  #dropOutdated(): void {
    if (this.#outdatedBytes < minOutdatedBytes || this.#outdatedBytes * 2 < this.#texts.bytes) return;
    const texts = new StringTable();
    for (const [address, entry] of this.#entries) {
      if (entry !== deleted) this.#entries.set(address, texts.add(this.#texts.read(entry)));
    }
    this.#texts = texts;
    this.#indexed = texts.count;
    this.#outdatedBytes = 0;
  }
}

/** A fixed copy of the changes, sorted by address. */
export class SortedChanges {
  /** In the order of code units. */
  readonly addresses: readonly Address[];
  readonly #entries: readonly number[];
  readonly #texts: StringTable;

  constructor(entries: Entries, texts: StringTable) {
    this.addresses = [...entries.keys()].sort(compareText);
    this.#entries = this.addresses.map((address) => entries.get(address) ?? deleted);
    this.#texts = texts;
  }

  isDeleted(index: number): boolean {
    return (this.#entries[index] ?? deleted) === deleted;
  }

  /** Returns undefined if the record is deleted. */
  record(index: number): StateRecord | undefined {
    return recordOf(this.#entries[index], this.#texts);
  }

  /** Returns the canonical text of the record, or undefined if it is deleted. */
  text(index: number): Buffer | undefined {
    const entry = this.#entries[index] ?? deleted;
    return entry === deleted ? undefined : this.#texts.read(entry);
  }
}

function recordOf(entry = deleted, texts: StringTable): StateRecord | undefined {
  return entry === deleted ? undefined : parseStored(texts.read(entry));
}

// A table of texts by number. A PagedBuffer contains the bytes, so a million texts need little memory.

class StringTable {
  readonly #bytes = new PagedBuffer();
  /** By number, the offset of the text. It ends where the next one begins. */
  readonly #starts: number[] = [];

  get count(): number {
    return this.#starts.length;
  }

  /** The size of all texts together. */
  get bytes(): number {
    return this.#bytes.length;
  }

  /** `text` is in UTF-8. Returns its number. */
  add(text: Uint8Array): number {
    return this.#starts.push(this.#bytes.append(text)) - 1;
  }

  /** Returns the length in bytes. */
  lengthOf(text: number): number {
    return (this.#starts[text + 1] ?? this.#bytes.length) - (this.#starts[text] ?? 0);
  }

  /** Callers must not write to the result. */
  read(text: number): Buffer {
    return this.#bytes.slice(this.#starts[text] ?? 0, this.lengthOf(text));
  }
}

const endOfLine = Buffer.from('\n');

/** The base with the changes applied. */
export class MergedRecords extends LazySeries<StateRecord> implements SortedRecords {
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
