// Puts a million changes and steps in order, although objects are finished in another order.
//
// Values are grouped by kind, steps also by phase. A group keeps two rows, each sorted by address: one of objects that
// were finished as they were met, and one of late objects, which had to wait for all the others.

import {
  type Collect,
  type Collector,
  JoinedSeries,
  LazySeries,
  type ReadShort,
  type Series,
  textsOf,
} from '../../lib/series.ts';
import { type Address, compareAddresses } from '../../model/address.ts';

/** The values of one kind. */
export class Group<T> {
  readonly #collect: Collect;
  readonly #addressOf: (value: T) => Address;
  readonly #read: ReadShort<T> | undefined;
  #early: Collector<T> | undefined;
  #late: Collector<T> | undefined;
  #lateSeries: Series<T> = [];
  #ended: Series<T> | undefined;

  constructor(collect: Collect, addressOf: (value: T) => Address, read?: ReadShort<T>) {
    this.#collect = collect;
    this.#addressOf = addressOf;
    this.#read = read;
  }

  /** `text`: the value as JSON, if the caller has it. */
  push(value: T, isLate: boolean, text?: string): void {
    if (isLate) {
      this.#late ??= this.#collect(this.#read);
      this.#late.push(value, text);
    } else {
      this.#early ??= this.#collect(this.#read);
      this.#early.push(value, text);
    }
  }

  /** The values of late objects; known after `end`. */
  get late(): Series<T> {
    return this.#lateSeries;
  }

  /** Takes a value of an object that is not late as a text, from which `read` makes the value. */
  pushShort(text: string): void {
    this.#early ??= this.#collect(this.#read);
    this.#early.pushShort(text);
  }

  get isMixed(): boolean {
    return this.#early !== undefined && this.#late !== undefined;
  }

  /** Sorted by address. Nothing may be pushed afterwards. */
  end(): Series<T> {
    if (this.#ended !== undefined) return this.#ended;
    this.#lateSeries = this.#late?.end() ?? [];
    this.#ended = merged(this.#early?.end() ?? [], this.#lateSeries, this.#addressOf);
    return this.#ended;
  }
}

export class OrderedGroups<T> {
  readonly #collect: Collect;
  readonly #addressOf: (value: T) => Address;
  readonly #read: ReadShort<T> | undefined;
  readonly #byKind = new Map<string, Group<T>>();

  constructor(collect: Collect, addressOf: (value: T) => Address, read?: ReadShort<T>) {
    this.#collect = collect;
    this.#addressOf = addressOf;
    this.#read = read;
  }

  of(kind: string): Group<T> {
    let group = this.#byKind.get(kind);
    if (group === undefined) {
      group = new Group(this.#collect, this.#addressOf, this.#read);
      this.#byKind.set(kind, group);
    }
    return group;
  }

  /** In the order of addresses, which begin with the kind. */
  *inOrder(): Generator<[kind: string, group: Group<T>]> {
    yield* [...this.#byKind].sort(([left], [right]) => compareAddresses(`${left}.`, `${right}.`));
  }

  end(): Series<T> {
    return joined(Array.from(this.inOrder(), ([, group]) => group.end()));
  }
}

export function ownAddress({ address }: { readonly address: Address }): Address {
  return address;
}

/** One series after the other; an array when all of them are arrays. */
export function joined<T>(parts: readonly Series<T>[]): Series<T> {
  const full = parts.filter(({ length }) => length > 0);
  const [first, ...others] = full;
  if (first === undefined) return [];
  if (others.length === 0) return first;
  const arrays = full.filter((part): part is T[] & Series<T> => Array.isArray(part));
  return arrays.length === full.length ? (arrays.flat(1) as T[]) : new JoinedSeries(full);
}

/** Merges two series that are sorted by address and have no address in common. */
function merged<T>(left: Series<T>, right: Series<T>, addressOf: (value: T) => Address): Series<T> {
  if (right.length === 0) return left;
  if (left.length === 0) return right;
  const series = new MergedSeries(left, right, addressOf);
  return Array.isArray(left) && Array.isArray(right) ? [...series] : series;
}

class MergedSeries<T> extends LazySeries<T> {
  readonly length: number;
  readonly #left: Series<T>;
  readonly #right: Series<T>;
  /** The place on the left, or the bitwise complement of the place on the right. */
  readonly #places: Int32Array;

  constructor(left: Series<T>, right: Series<T>, addressOf: (value: T) => Address) {
    super();
    this.#left = left;
    this.#right = right;
    this.length = left.length + right.length;
    this.#places = new Int32Array(this.length);
    const others = right[Symbol.iterator]();
    let other = others.next();
    let [place, leftPlace, rightPlace] = [0, 0, 0];
    for (const value of left) {
      const address = addressOf(value);
      while (other.done !== true && addressOf(other.value) < address) {
        this.#places[place++] = ~rightPlace++;
        other = others.next();
      }
      this.#places[place++] = leftPlace++;
    }
    while (place < this.length) this.#places[place++] = ~rightPlace++;
  }

  at(index: number): T | undefined {
    const place = this.#places[index];
    if (place === undefined) return undefined;
    return place < 0 ? this.#right.at(~place) : this.#left.at(place);
  }

  *[Symbol.iterator](): Generator<T> {
    yield* this.#inOrder(this.#left, this.#right);
  }

  override *texts(): Generator<string> {
    yield* this.#inOrder(textsOf(this.#left), textsOf(this.#right));
  }

  /** `left` and `right` have an item for each value. */
  *#inOrder<Item>(left: Iterable<Item>, right: Iterable<Item>): Generator<Item> {
    const [lefts, rights] = [left[Symbol.iterator](), right[Symbol.iterator]()];
    for (const place of this.#places) {
      const next = (place < 0 ? rights : lefts).next();
      if (next.done !== true) yield next.value;
    }
  }
}
