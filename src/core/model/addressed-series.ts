// Series sorted by address: some have an index of their addresses, and those of a plan are collected by kind.
import { type Collect, type Collector, JoinedSeries, LazySeries, lastWhere, type Series } from '../../lib/series.ts';
import { type Address, compareAddresses, isRunMetadata, metadataKind } from './address.ts';

interface Addressed {
  readonly address: Address;
}

/** A series that returns an address without reading its value, which may be large. */
export interface AddressedSeries<T extends Addressed> extends Series<T> {
  /** Returns undefined beyond the end. */
  addressAt(index: number): Address | undefined;
}

/** Reads the value only if the series has no index. */
export function addressAt(series: Series<Addressed> | AddressedSeries<Addressed>, index: number): Address | undefined {
  return 'addressAt' in series ? series.addressAt(index) : series.at(index)?.address;
}

/** Yields all addresses. Reads the values only if the series has no index. */
export function* addressesIn(series: Series<Addressed>): Generator<Address> {
  for (let place = 0; place < series.length; place += 1) {
    const address = addressAt(series, place);
    if (address !== undefined) yield address;
  }
}

/** Returns the index of the first address that is not before the text. */
export function firstPlace(series: Series<Addressed>, text: string): number {
  return 1 + lastWhere(series.length, (place) => (addressAt(series, place) ?? '') < text);
}

/** Yields the records of platform objects, without run metadata. */
export function* objectRecords<T extends Addressed>(records: Iterable<T>): Generator<T> {
  for (const record of records) if (!isRunMetadata(record.address)) yield record;
}

/** The same as a series. `records` is sorted by address. */
export function objectSeries<T extends Addressed>(records: Series<T>): Series<T> {
  return withoutKind(records, metadataKind);
}

/** `records` is sorted by address. */
export function countObjects(records: Series<Addressed>): number {
  return objectSeries(records).length;
}

/** Leaves one kind out of a series that is sorted by address. */
function withoutKind<T extends Addressed>(series: Series<T>, kind: string): Series<T> {
  // A slash is the code unit after the dot.
  const [start, end] = [firstPlace(series, `${kind}.`), firstPlace(series, `${kind}/`)];
  return start === end ? series : new SeriesWithGap(series, start, end);
}

class SeriesWithGap<T extends Addressed> extends LazySeries<T> implements AddressedSeries<T> {
  readonly #series: Series<T>;
  readonly #start: number;
  readonly #end: number;

  constructor(series: Series<T>, start: number, end: number) {
    super();
    this.#series = series;
    this.#start = start;
    this.#end = end;
  }

  get length(): number {
    return this.#series.length - (this.#end - this.#start);
  }

  at(index: number): T | undefined {
    return this.#series.at(this.#placeOf(index));
  }

  addressAt(index: number): Address | undefined {
    return addressAt(this.#series, this.#placeOf(index));
  }

  *[Symbol.iterator](): Iterator<T> {
    let place = 0;
    for (const value of this.#series) {
      if (place < this.#start || place >= this.#end) yield value;
      place += 1;
    }
  }

  #placeOf(index: number): number {
    return index < this.#start ? index : index + this.#end - this.#start;
  }
}

/** Objects of one kind must be pushed in the order of their addresses. Kinds may come in any order. */
export class KindGroups<T> {
  readonly #collect: Collect;
  readonly #byKind = new Map<string, Collector<T>>();

  constructor(collect: Collect) {
    this.#collect = collect;
  }

  /** `text` is the value as JSON, if the caller has it. */
  push(kind: string, value: T, text?: string): void {
    let group = this.#byKind.get(kind);
    if (group === undefined) {
      group = this.#collect<T>();
      this.#byKind.set(kind, group);
    }
    group.push(value, text);
  }

  /** Sorted by address, which begins with the kind. */
  kinds(): string[] {
    return [...this.#byKind.keys()].sort((left, right) => compareAddresses(`${left}.`, `${right}.`));
  }

  /** Nothing may be pushed afterwards. */
  end(): Series<T> {
    return joined(this.kinds().map((kind) => this.#byKind.get(kind)?.end() ?? []));
  }
}

/** Concatenates series. Returns an array if all of them are arrays. */
export function joined<T>(parts: readonly Series<T>[]): Series<T> {
  const full = parts.filter(({ length }) => length > 0);
  const [first, ...others] = full;
  if (first === undefined) return [];
  if (others.length === 0) return first;
  const arrays = full.filter((part): part is T[] & Series<T> => Array.isArray(part));
  return arrays.length === full.length ? (arrays.flat(1) as T[]) : new JoinedSeries(full);
}
