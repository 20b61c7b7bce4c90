// Merges sorted runs of one series (a k-way merge), with one batch of each run in memory.
import { Heap } from './heap.ts';
import { compareText } from './json.ts';
import type { Series } from './series.ts';

export type KeyOf<T> = (value: T) => string;

/** Objects of a run that are read at once, as many as in a page of a spool. */
const batchLength = 64;

/** `starts` are the indexes of the first object of each run. Of objects with the same key, the last one counts. */
export function* merged<T>(sorted: Series<T>, starts: readonly number[], keyOf: KeyOf<T>): Generator<T> {
  const runs = new Heap<Run<T>>(isBefore);
  const next = (run: Run<T>): void => {
    if (run.next()) runs.push(run);
  };
  for (const [run, start] of starts.entries()) next(new Run(sorted, start, starts[run + 1] ?? sorted.length, keyOf));
  let last: T | undefined;
  for (let run = runs.pop(); run?.value !== undefined; run = runs.pop()) {
    if (last !== undefined && keyOf(last) !== run.key) yield last;
    last = run.value;
    next(run);
  }
  if (last !== undefined) yield last;
}

/** Compares by key, then by the position of the run, because sorting is stable within a run. */
function isBefore<T>(left: Run<T>, right: Run<T>): boolean {
  const order = compareText(left.key, right.key);
  return order < 0 || (order === 0 && left.start < right.start);
}

class Run<T> {
  readonly start: number;
  readonly #sorted: Series<T>;
  readonly #keyOf: KeyOf<T>;
  readonly #end: number;
  #place: number;
  #batch: T[] = [];
  /** The object read last. */
  value: T | undefined;
  key = '';

  constructor(sorted: Series<T>, start: number, end: number, keyOf: KeyOf<T>) {
    this.start = start;
    this.#sorted = sorted;
    this.#keyOf = keyOf;
    this.#place = start;
    this.#end = end;
  }

  /** Returns false at the end of the run. */
  next(): boolean {
    if (this.#batch.length === 0) this.#read();
    this.value = this.#batch.pop();
    if (this.value !== undefined) this.key = this.#keyOf(this.value);
    return this.value !== undefined;
  }

  #read(): void {
    const end = Math.min(this.#place + batchLength, this.#end);
    for (; this.#place < end; this.#place += 1) {
      const value = this.#sorted.at(this.#place);
      if (value !== undefined) this.#batch.push(value);
    }
    this.#batch.reverse();
  }
}
