// Which keys of one kind are declared, and where was each first? Small enough for millions of them.
//
// Keys are known by their hash (name-table.ts), and read again from their places where that is not enough: to say that two
// blocks have the same key, to sort them, to suggest one.
import { compareText } from '../../lib/json.ts';
import { NameTable } from '../../lib/name-table.ts';
import { NumberColumn } from '../../lib/number-column.ts';

/** The number of a place, which the loader gives and understands. */
export type Place = number;

/** Some places in an order. */
export interface Places {
  readonly length: number;
  at(index: number): Place;
}

/** So many keys are read again at once. */
const keysAtOnce = 512;

export class KeyIndex {
  readonly #keysAt: (places: readonly Place[]) => readonly string[];
  /** By the number of a key, its hash and its place. */
  readonly #names = new NameTable();
  readonly #places = new NumberColumn();
  #last: string | undefined;
  #isSorted = true;

  constructor(keysAt: (places: readonly Place[]) => readonly string[]) {
    this.#keysAt = keysAt;
  }

  /** The place of the first declaration, when there was one: then this one is not taken. */
  add(key: string, place: Place): Place | undefined {
    // Keys that come in order need not be compared with all the others.
    this.#isSorted &&= this.#last === undefined || this.#last < key;
    if (!this.#isSorted) {
      const known = this.placeOf(key);
      if (known !== undefined && this.#keysAt([known])[0] === key) return known;
    }
    this.#last = key;
    this.#names.addNew(key);
    this.#places.push(place);
    return undefined;
  }

  has(key: string): boolean {
    return this.#names.find(key) !== undefined;
  }

  placeOf(key: string): Place | undefined {
    const number = this.#names.find(key);
    return number === undefined ? undefined : this.#places.at(number);
  }

  *keys(): Generator<string> {
    for (let start = 0; start < this.#places.length; start += keysAtOnce) {
      const end = Math.min(this.#places.length, start + keysAtOnce);
      yield* this.#keysAt(Array.from({ length: end - start }, (_, index) => this.#places.at(start + index)));
    }
  }

  /** The places in the order of their keys, by code unit. */
  inOrder(): Places {
    if (this.#isSorted) return this.#places;
    const order = orderOf([...this.keys()]);
    return { length: order.length, at: (index) => this.#places.at(order[index] ?? 0) };
  }
}

/** Apart, so that the keys are forgotten: functions of one scope keep what any of them needs. */
function orderOf(keys: readonly string[]): Uint32Array {
  const order = Uint32Array.from(keys.keys());
  return order.sort((left, right) => compareText(keys[left] ?? '', keys[right] ?? ''));
}
