// Collects the values of a plan by kind and returns them sorted by address.

import { type Collect, type Collector, JoinedSeries, type Series } from '../lib/series.ts';
import { compareAddresses } from '../model/address.ts';

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
