// Which keys of one kind are declared, and where was each first? Small enough for millions of them.
import { compareText } from '../model/json.ts';
import { NumberColumn } from './number-column.ts';

/** The number of a place, which the loader gives and understands. */
export type Place = number;

/** Some places in an order. */
export interface Places {
  readonly length: number;
  at(index: number): Place;
}

export class Catalogue {
  readonly #keys: string[] = [];
  readonly #places = new NumberColumn();
  #last: string | undefined;
  #isSorted = true;
  /** By key, the index. Made when it is needed: keys that come in order need none to be told from each other. */
  #byKey: Map<string, number> | undefined;

  get size(): number {
    return this.#keys.length;
  }

  /** The place of the first declaration, when there was one: then this one is not taken. */
  add(key: string, place: Place): Place | undefined {
    if (this.#isSorted && (this.#last === undefined || this.#last < key)) {
      this.#byKey?.set(key, this.#keys.length);
    } else {
      const known = this.#index().get(key);
      if (known !== undefined) return this.#places.at(known);
      this.#isSorted = false;
      this.#index().set(key, this.#keys.length);
    }
    this.#last = key;
    this.#keys.push(key);
    this.#places.push(place);
    return undefined;
  }

  has(key: string): boolean {
    return this.#index().has(key);
  }

  placeOf(key: string): Place | undefined {
    const index = this.#index().get(key);
    return index === undefined ? undefined : this.#places.at(index);
  }

  keys(): Iterable<string> {
    return this.#keys;
  }

  /** The places in the order of their keys, by code unit. */
  inOrder(): Places {
    if (this.#isSorted) return this.#places;
    const order = Uint32Array.from(this.#keys.keys());
    order.sort((left, right) => compareText(this.#keys[left] ?? '', this.#keys[right] ?? ''));
    return { length: order.length, at: (index) => this.#places.at(order[index] ?? 0) };
  }

  #index(): Map<string, number> {
    if (this.#byKey === undefined) {
      this.#byKey = new Map();
      for (const [index, key] of this.#keys.entries()) this.#byKey.set(key, index);
    }
    return this.#byKey;
  }
}
