// Sorts a million objects by key without all of them in memory: in runs, which are merged each time they are read.
import { Heap } from './heap.ts';
import { compareText } from './json.ts';
import type { Collect, Collector, Series } from './series.ts';

interface Keyed {
  readonly key: string;
}

/** Objects of a run. One run is in memory while it is filled, and a batch of each while they are merged. */
const runLength = 4096;
/** Objects of a run that are read at once: as many as a page of a spool. */
const batchLength = 64;

export class Sorter<T extends Keyed> {
  readonly #sorted: Collector<T>;
  #run: T[] = [];
  #count = 0;

  constructor(collect: Collect) {
    this.#sorted = collect<T>();
  }

  /** Objects so far, with duplicates. */
  get count(): number {
    return this.#count;
  }

  push(value: T): void {
    this.#run.push(value);
    this.#count += 1;
    if (this.#run.length === runLength) this.#endRun();
  }

  /** Can be read any number of times. Of several objects with one key, the last that was pushed counts. */
  end(): Iterable<T> {
    this.#endRun();
    const sorted = this.#sorted.end();
    return { [Symbol.iterator]: () => merged(sorted) };
  }

  #endRun(): void {
    for (const value of this.#run.sort((left, right) => compareText(left.key, right.key))) this.#sorted.push(value);
    this.#run = [];
  }
}

function* merged<T extends Keyed>(sorted: Series<T>): Generator<T> {
  const runs = new Heap<Run<T>>(isBefore);
  const next = (run: Run<T>): void => {
    if (run.next()) runs.push(run);
  };
  for (let start = 0; start < sorted.length; start += runLength) next(new Run(sorted, start));
  let last: T | undefined;
  for (let run = runs.pop(); run?.value !== undefined; run = runs.pop()) {
    if (last !== undefined && last.key !== run.value.key) yield last;
    last = run.value;
    next(run);
  }
  if (last !== undefined) yield last;
}

/** Of equal keys, the one in the earlier run: sorting is stable within a run. */
function isBefore<T extends Keyed>(left: Run<T>, right: Run<T>): boolean {
  const order = compareText(left.value?.key ?? '', right.value?.key ?? '');
  return order < 0 || (order === 0 && left.start < right.start);
}

class Run<T> {
  readonly start: number;
  readonly #sorted: Series<T>;
  readonly #end: number;
  #place: number;
  #batch: T[] = [];
  /** The object that was read last. */
  value: T | undefined;

  constructor(sorted: Series<T>, start: number) {
    this.start = start;
    this.#sorted = sorted;
    this.#place = start;
    this.#end = Math.min(start + runLength, sorted.length);
  }

  /** False at the end of the run. */
  next(): boolean {
    if (this.#batch.length === 0) this.#read();
    this.value = this.#batch.pop();
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
