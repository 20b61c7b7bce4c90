// Which records are there now? A sorted base as it was stored, and over it what has changed since.

import { lastWhere } from '../../lib/search.ts';
import type { Address } from '../../model/address.ts';
import { applyEntry, entryAddress, type StateEntry, type StateRecord } from '../../model/record.ts';
import { type Changes, Overlay } from './changes.ts';
import type { StoredText } from './paged-buffer.ts';
import { noRecords, type SortedRecords, type StoredRecords } from './record-lines.ts';

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

  /** `text`: of the record that is put, when it stands somewhere. */
  apply(entry: StateEntry, text?: StoredText): void {
    this.#merged = undefined;
    if (text !== undefined) {
      this.#changed.put(text);
      return;
    }
    const address = entryAddress(entry);
    // Only an edit needs to know what was there: looking it up may mean to read a file.
    const before = entry.type === 'patch' ? this.get(address) : undefined;
    const after = applyEntry(before, entry);
    if (entry.type === 'patch' && after === undefined) return;
    this.#changed.set(address, after);
  }

  /** What is applied while this is read may or may not be seen; places are those of the records that are there now. */
  records(): SortedRecords {
    this.#merged ??= new MergedRecords(this.#base, this.#changed.changes());
    return this.#merged;
  }
}

const endOfLine = Buffer.from('\n');

class MergedRecords implements SortedRecords {
  readonly length: number;
  readonly #base: StoredRecords;
  readonly #changed: Changes;
  /** Of each changed address: its place here, or where it would be. */
  readonly #places: Float64Array;
  /** The same in the base. */
  readonly #basePlaces: Float64Array;
  readonly #isHere: Uint8Array;
  readonly #isInBase: Uint8Array;

  constructor(base: StoredRecords, changed: Changes) {
    this.#base = base;
    this.#changed = changed;
    const count = changed.addresses.length;
    this.#places = new Float64Array(count);
    this.#basePlaces = new Float64Array(count);
    this.#isHere = new Uint8Array(count);
    this.#isInBase = new Uint8Array(count);
    // By how many records more or fewer there are here than in the base so far.
    let more = 0;
    for (const [number, address] of changed.addresses.entries()) {
      const { index, isThere } = base.seek(address);
      const isHere = changed.isThere(number);
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
    const { changed, place } = this.#find(index);
    return changed === undefined ? this.#base.at(place) : this.#changed.record(changed);
  }

  /** The number of one that has changed; of others the place in the base. */
  #find(index: number): { readonly changed: number | undefined; readonly place: number } {
    const number = lastWhere(this.#places.length, (other) => (this.#places[other] ?? 0) <= index);
    if (number < 0) return { changed: undefined, place: index };
    const behind = index - (this.#places[number] ?? 0);
    const isHere = this.#isHere[number] ?? 0;
    const place = this.#nextInBase(number) + behind - isHere;
    return { changed: behind < isHere ? number : undefined, place };
  }

  *[Symbol.iterator](): Generator<StateRecord> {
    const base = this.#base[Symbol.iterator]();
    let next = 0;
    for (let number = 0; number < this.#places.length; number += 1) {
      const place = this.#basePlaces[number] ?? 0;
      const end = this.#nextInBase(number);
      for (; next < end; next += 1) {
        const { value, done } = base.next();
        if (done !== true && next < place) yield value;
      }
      const record = this.#changed.record(number);
      if (record !== undefined) yield record;
    }
    for (let rest = base.next(); rest.done !== true; rest = base.next()) yield rest.value;
  }

  *lines(): Generator<Uint8Array> {
    let next = 0;
    for (let number = 0; number < this.#places.length; number += 1) {
      yield* this.#base.lines(next, this.#basePlaces[number]);
      next = this.#nextInBase(number);
      const text = this.#changed.text(number);
      if (text === undefined) continue;
      yield text;
      yield endOfLine;
    }
    yield* this.#base.lines(next);
  }

  /** The first record of the base behind a changed address. */
  #nextInBase(number: number): number {
    return (this.#basePlaces[number] ?? 0) + (this.#isInBase[number] ?? 0);
  }
}
