// Sorts a million objects by key without keeping all of them in memory. Sorted runs are merged when they are read.
import { Heap } from './heap.ts';
import { compareText } from './json.ts';
import type { Collect, Collector, Series } from './series.ts';

/** The most objects and characters of JSON in a run, which is in memory while it is filled. */
const runLength = 4096;
const runCharacters = 1 << 22;

interface Pushed<T> {
  readonly value: T;
  readonly text: string;
}

export class Sorter<T> {
  readonly #collect: Collect;
  readonly #keyOf: KeyOf<T>;
  readonly #sorted: Collector<T>;
  #run: Pushed<T>[] = [];
  #characters = 0;
  /** The index of the first object of each run. */
  readonly #starts: number[] = [];
  #count = 0;
  /** The last key of the last run, and whether every run begins after the end of the run before it. */
  #last: string | undefined;
  #isInOrder = true;

  constructor(collect: Collect, keyOf: KeyOf<T>) {
    this.#collect = collect;
    this.#keyOf = keyOf;
    this.#sorted = collect<T>();
  }

  /** The number of objects so far, including duplicates. */
  get count(): number {
    return this.#count;
  }

  push(value: T): void {
    const text = JSON.stringify(value);
    this.#run.push({ value, text });
    this.#characters += text.length;
    this.#count += 1;
    if (this.#run.length === runLength || this.#characters >= runCharacters) this.#endRun();
  }

  /** Returns the sorted objects, for any number of iterations. Of objects with the same key, the last one pushed counts. */
  end(): Iterable<T> {
    this.#endRun();
    const sorted = this.#sorted.end();
    return { [Symbol.iterator]: () => merged(sorted, this.#starts, this.#keyOf) };
  }

  /** Like `end`, but for access by index. Merges the runs once, unless the objects came in order. */
  series(): Series<T> {
    this.#endRun();
    const sorted = this.#sorted.end();
    if (this.#isInOrder) return sorted;
    const whole = this.#collect<T>();
    for (const value of merged(sorted, this.#starts, this.#keyOf)) whole.push(value);
    return whole.end();
  }

  #endRun(): void {
    if (this.#run.length === 0) return;
    const keyOf = this.#keyOf;
    this.#run.sort((left, right) => compareText(keyOf(left.value), keyOf(right.value)));
    const { value: first } = this.#run[0] as Pushed<T>;
    this.#isInOrder &&= this.#last === undefined || this.#last < keyOf(first);
    this.#last = keyOf((this.#run.at(-1) as Pushed<T>).value);
    this.#starts.push(this.#count - this.#run.length);
    for (const { value, text } of this.#run) this.#sorted.push(value, text);
    this.#run = [];
    this.#characters = 0;
  }
}

type KeyOf<T> = (value: T) => string;

/** Objects of a run that are read at once, as many as in a page of a spool. */
const batchLength = 64;

/** `starts` are the indexes of the first object of each run. Of objects with the same key, the last one counts. */
function* merged<T>(sorted: Series<T>, starts: readonly number[], keyOf: KeyOf<T>): Generator<T> {
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
