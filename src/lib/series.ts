// Series let callers pass a million values around without keeping all of them in memory, and find a place in what is sorted.

/** Values in a fixed order that can be read any number of times. Arrays and values spooled to disk are series. */
export interface Series<T> extends Iterable<T> {
  readonly length: number;
  /** Returns undefined beyond the end. */
  at(index: number): T | undefined;
  /** Returns the values from `start` to before `end`, in memory. Negative indexes count from the end, as in arrays. */
  slice(start?: number, end?: number): readonly T[];
}

/** Yields the JSON of each value. */
export function* textsOf(series: Series<unknown>): Generator<string> {
  if (series instanceof LazySeries) yield* series.texts();
  else for (const value of series) yield JSON.stringify(value);
}

/** A series whose values are made or read on demand. */
export abstract class LazySeries<T> implements Series<T> {
  abstract readonly length: number;
  abstract at(index: number): T | undefined;
  abstract [Symbol.iterator](): Iterator<T>;

  *texts(): Iterable<string> {
    for (const value of this) yield JSON.stringify(value);
  }

  /** For JSON.stringify. All values are in memory then. */
  toJSON(): readonly T[] {
    return this.slice();
  }

  slice(start = 0, end = this.length): readonly T[] {
    const place = (index: number): number => {
      const whole = Math.trunc(index) || 0;
      return whole < 0 ? Math.max(0, this.length + whole) : whole;
    };
    const values: T[] = [];
    const last = Math.min(this.length, place(end));
    for (let index = place(start); index < last; index += 1) values.push(this.at(index) as T);
    return values;
  }
}

/** Takes values one by one and returns them as a series. Implementations decide where the values are kept. */
export interface Collector<T> {
  /** `text` is the JSON of the value, if the caller already has it. */
  push(value: T, text?: string): void;
  /** Returns the values. Nothing may be pushed afterwards. */
  end(): Series<T>;
}

/** Makes collectors of JSON values, which may move to disk when there are many. */
export type Collect = <T>() => Collector<T>;

export const collectInMemory: Collect = <T>() => {
  const values: T[] = [];
  return { push: (value: T) => void values.push(value), end: () => values };
};

export class JoinedSeries<T> extends LazySeries<T> {
  readonly length: number;
  readonly #parts: readonly Series<T>[];

  constructor(parts: readonly Series<T>[]) {
    super();
    this.#parts = parts;
    this.length = parts.reduce((sum, part) => sum + part.length, 0);
  }

  at(index: number): T | undefined {
    let remaining = index;
    for (const part of this.#parts) {
      if (remaining < part.length) return remaining < 0 ? undefined : part.at(remaining);
      remaining -= part.length;
    }
    return undefined;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const part of this.#parts) yield* part;
  }

  override *texts(): Iterable<string> {
    for (const part of this.#parts) yield* textsOf(part);
  }
}

/** Maps each value every time it is read, so that nothing is kept in memory. */
export class MappedSeries<From, To> extends LazySeries<To> {
  readonly #values: Series<From>;
  readonly #made: (value: From) => To;

  constructor(values: Series<From>, made: (value: From) => To) {
    super();
    this.#values = values;
    this.#made = made;
  }

  get length(): number {
    return this.#values.length;
  }

  at(index: number): To | undefined {
    const value = this.#values.at(index);
    return value === undefined ? undefined : this.#made(value);
  }

  *[Symbol.iterator](): Iterator<To> {
    for (const value of this.#values) yield this.#made(value);
  }
}

const chunkLength = 65_536;

/** Joins lines into larger pieces, because one write per line is slow. */
export function* inChunks(pieces: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/** Returns the last index below `length` where `holds` is true, or -1. `holds` must be true up to some index and false after it. */
export function lastWhere(length: number, holds: (place: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
