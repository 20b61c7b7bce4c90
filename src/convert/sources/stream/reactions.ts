// The reactions of an export, which stand behind all messages: kept on disk, since there may be more of them than messages.
import { NameTable } from '../../../lib/name-table.ts';
import { IntColumn } from '../../../lib/number-column.ts';
import type { Collect, Collector, Series } from '../../../lib/series.ts';
import type { SourceReaction } from '../../export/items.ts';

interface Kept {
  readonly reaction: SourceReaction;
  /** The place of the reaction before it to the same message; -1 for the first. */
  readonly before: number;
}

/** Some thirty bytes in memory for each message with reactions. */
export class Reactions {
  readonly #collector: Collector<Kept>;
  /** Ids of messages, and by their numbers the place of the last reaction. */
  readonly #messages = new NameTable();
  readonly #last = new IntColumn();
  #count = 0;
  #series: Series<Kept> = [];

  constructor(collect: Collect) {
    this.#collector = collect<Kept>();
  }

  add(message: string, reaction: SourceReaction): void {
    const number = this.#messages.add(message);
    this.#collector.push({ reaction, before: this.#last.at(number) ?? -1 });
    this.#last.set(number, this.#count++);
  }

  /** Nothing may be added afterwards. */
  end(): void {
    this.#series = this.#collector.end();
  }

  /** In the order of the export; undefined when the message has none. */
  of(message: string): readonly SourceReaction[] | undefined {
    const number = this.#messages.find(message);
    if (number === undefined) return undefined;
    const found: SourceReaction[] = [];
    for (let place = this.#last.at(number) ?? -1; place >= 0; ) {
      const kept = this.#series.at(place);
      if (kept === undefined) break;
      found.push(kept.reaction);
      place = kept.before;
    }
    return found.reverse();
  }
}
