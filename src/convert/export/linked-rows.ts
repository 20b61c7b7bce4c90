// Rows that belong to messages and may stand behind them, such as reactions: kept on disk, since there may be more of them than
// messages.
import { NameTable } from '../../lib/name-table.ts';
import { IntColumn } from '../../lib/number-column.ts';
import type { Collect, Collector, Series } from '../../lib/series.ts';

interface Kept<T> {
  readonly row: T;
  /** The place of the row before it of the same message; -1 for the first. */
  readonly before: number;
}

/** Some thirty bytes in memory for each message with such rows. */
export class LinkedRows<T> {
  readonly #collector: Collector<Kept<T>>;
  /** Ids of messages, and by their numbers the place of the last row. */
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

  /** Nothing may be added afterwards. */
  end(): void {
    this.#series = this.#collector.end();
  }

  /** In the order of the export; undefined when the message has none. */
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
