// Keeps the values of a plan by kind, and puts them in the order of addresses at the end.

import { type Collect, type Collector, JoinedSeries, type Series } from '../lib/series.ts';
import { compareAddresses } from '../model/address.ts';

/** The objects of a kind come in the order of their addresses, and the kinds in any order. */
export class KindGroups<T> {
  readonly #collect: Collect;
  readonly #byKind = new Map<string, Collector<T>>();

  constructor(collect: Collect) {
    this.#collect = collect;
  }

  /** `text`: the value as JSON, if the caller has it. */
  push(kind: string, value: T, text?: string): void {
    let group = this.#byKind.get(kind);
    if (group === undefined) {
      group = this.#collect<T>();
      this.#byKind.set(kind, group);
    }
    group.push(value, text);
  }

  /** In the order of addresses, which begin with the kind. */
  kinds(): string[] {
    return [...this.#byKind.keys()].sort((left, right) => compareAddresses(`${left}.`, `${right}.`));
  }

  /** Nothing may be pushed afterwards. */
  end(): Series<T> {
    return joined(this.kinds().map((kind) => this.#byKind.get(kind)?.end() ?? []));
  }
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
