// Rows that belong to earlier messages, such as reactions. They are kept on disk, since there may be more of them than messages.

import type { Collect, Collector, Series } from '../../../lib/series.ts';
import { IntColumn, NameTable } from '../../../lib/typed-arrays.ts';

interface Kept<T> {
  readonly row: T;
  /** The place of the previous row of the same message, or -1. */
  readonly before: number;
}

/** Needs about thirty bytes of memory for each message with such rows. */
export class LinkedRows<T> {
  readonly #collector: Collector<Kept<T>>;
  /** The number of each message id, and by number the place of the last row. */
  readonly #messages = new NameTable();
  readonly #last = new IntColumn();
  #count = 0;
  #series: Series<Kept<T>> = [];

  constructor(collect: Collect) {
    this.#collector = collect<Kept<T>>();
  }

  add(message: string, row: T): void {
    const number = this.#messages.add(message);
    this.#collector.push({ row, before: this.#last.at(number) ?? -1 });
    this.#last.set(number, this.#count++);
  }

  /** No rows can be added after this call. */
  end(): void {
    this.#series = this.#collector.end();
  }

  /** The rows of a message in export order, or undefined without any. */
  of(message: string): readonly T[] | undefined {
    const number = this.#messages.find(message);
    if (number === undefined) return undefined;
    const rows: T[] = [];
    for (let place = this.#last.at(number) ?? -1; place >= 0; ) {
      const kept = this.#series.at(place);
      if (kept === undefined) break;
      rows.push(kept.row);
      place = kept.before;
    }
    return rows.reverse();
  }
}
