// Which records are there now? A sorted base as it was stored, and over it what has changed since.
import type { Address } from '../model/address.ts';
import { applyEntry, entryAddress, type StateEntry, type StateRecord } from '../model/record.ts';
import { Overlay } from './overlay.ts';
import { lastWhere, noRecords, type SortedRecords, type StoredRecords } from './record-lines.ts';

export class RecordTable {
  /** Never changed. */
  readonly #base: StoredRecords;
  readonly #changed: Overlay;
  /** Undefined when something has changed since it was made. */
  #merged: SortedRecords | undefined;

  /** `changed`: nothing yet. */
  constructor(base: StoredRecords = noRecords, changed = new Overlay()) {
    this.#base = base;
    this.#changed = changed;
    this.#merged = base;
  }

  get size(): number {
    return this.records().length;
  }

  get(address: Address): StateRecord | undefined {
    if (this.#changed.has(address)) return this.#changed.get(address);
    const { index, isThere } = this.#base.seek(address);
    return isThere ? this.#base.at(index) : undefined;
  }

  /** `text`: of the record that is put, when it is at hand. */
  apply(entry: StateEntry, text?: string): void {
    const address = entryAddress(entry);
    // Only an edit needs to know what was there: looking it up may mean to read a file.
    const before = entry.type === 'patch' ? this.get(address) : undefined;
    const after = applyEntry(before, entry);
    if (entry.type === 'patch' && after === undefined) return;
    this.#changed.set(address, after, text);
    this.#merged = undefined;
  }

  /** What is applied while this is read may or may not be seen; places are those of the records that are there now. */
  records(): SortedRecords {
    this.#merged ??= new MergedRecords(this.#base, this.#changed);
    return this.#merged;
  }
}

class MergedRecords implements SortedRecords {
  readonly length: number;
  readonly #base: StoredRecords;
  readonly #changed: Overlay;
  readonly #addresses: readonly Address[];
  /** Of each changed address: its place here, or where it would be. */
  readonly #places: Float64Array;
  /** The same in the base. */
  readonly #basePlaces: Float64Array;
  readonly #isHere: Uint8Array;
  readonly #isInBase: Uint8Array;

  constructor(base: StoredRecords, changed: Overlay) {
    this.#base = base;
    this.#changed = changed;
    this.#addresses = changed.addresses();
    const count = this.#addresses.length;
    this.#places = new Float64Array(count);
    this.#basePlaces = new Float64Array(count);
    this.#isHere = new Uint8Array(count);
    this.#isInBase = new Uint8Array(count);
    // By how many records more or fewer there are here than in the base so far.
    let more = 0;
    for (const [number, address] of this.#addresses.entries()) {
      const { index, isThere } = base.seek(address);
      const isHere = changed.isThere(address);
      this.#places[number] = index + more;
      this.#basePlaces[number] = index;
      this.#isHere[number] = Number(isHere);
      this.#isInBase[number] = Number(isThere);
      more += Number(isHere) - Number(isThere);
    }
    this.length = base.length + more;
  }

  at(index: number): StateRecord | undefined {
    if (index < 0 || index >= this.length) return undefined;
    const number = lastWhere(this.#addresses.length, (other) => (this.#places[other] ?? 0) <= index);
    const address = this.#addresses[number];
    if (address === undefined) return this.#base.at(index);
    const behind = index - (this.#places[number] ?? 0);
    const isHere = this.#isHere[number] ?? 0;
    if (behind < isHere) return this.#changed.get(address);
    return this.#base.at(this.#nextInBase(number) + behind - isHere);
  }

  *[Symbol.iterator](): Generator<StateRecord> {
    const base = this.#base[Symbol.iterator]();
    let next = 0;
    for (const [number, address] of this.#addresses.entries()) {
      const place = this.#basePlaces[number] ?? 0;
      const end = this.#nextInBase(number);
      for (; next < end; next += 1) {
        const { value, done } = base.next();
        if (done !== true && next < place) yield value;
      }
      const record = this.#changed.get(address);
      if (record !== undefined) yield record;
    }
    for (let rest = base.next(); rest.done !== true; rest = base.next()) yield rest.value;
  }

  *lines(): Generator<Uint8Array> {
    let next = 0;
    for (const [number, address] of this.#addresses.entries()) {
      yield* this.#base.lines(next, this.#basePlaces[number]);
      next = this.#nextInBase(number);
      const line = this.#changed.line(address);
      if (line !== undefined) yield line;
    }
    yield* this.#base.lines(next);
  }

  /** The first record of the base behind a changed address. */
  #nextInBase(number: number): number {
    return (this.#basePlaces[number] ?? 0) + (this.#isInBase[number] ?? 0);
  }
}
