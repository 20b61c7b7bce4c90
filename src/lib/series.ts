// Series: a million values that are passed on without all of them in memory.
import { InternalError } from './errors.ts';

/** Values in a fixed order that can be read any number of times. Arrays are series, and so are values spooled to disk. */
export interface Series<T> extends Iterable<T> {
  readonly length: number;
  /** Counts from 0; undefined beyond the end. */
  at(index: number): T | undefined;
  /** `made` may be called at once, as for an array, or each time that a value is read, so that nothing is kept in memory. */
  map<To>(made: (value: T) => To): Series<To>;
  /** The values from `start` up to, and without, `end`, in memory. Counts as arrays do: negative places are from the end. */
  slice(start?: number, end?: number): readonly T[];
}

/** A short text begins with it. No JSON does. */
export const shortMark = '@';

/** One line for each value: its JSON, or the short text that its collector was given. */
export function* textsOf(series: Series<unknown>): Generator<string> {
  if (series instanceof LazySeries) yield* series.texts();
  else for (const value of series) yield JSON.stringify(value);
}

/** A series that is no array: its values are made or read when they are asked for. */
export abstract class LazySeries<T> implements Series<T> {
  abstract readonly length: number;
  abstract at(index: number): T | undefined;
  abstract [Symbol.iterator](): Iterator<T>;

  *texts(): Iterable<string> {
    for (const value of this) yield JSON.stringify(value);
  }

  map<To>(made: (value: T) => To): Series<To> {
    return new MappedSeries(this, made);
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

/** Takes values one by one and returns them as a series. Implementations decide where to keep them. */
export interface Collector<T> {
  /** `text`: the JSON of the value, when the caller has it. */
  push(value: T, text?: string): void;
  /** Takes a text from which the `read` of this collector makes a value. It begins with `shortMark` and is one line. */
  pushShort(text: string): void;
  /** The values so far. Nothing may be pushed afterwards. */
  end(): Series<T>;
}

/** Makes a value of a short text. */
export type ReadShort<T> = (text: string) => T;

/** Makes collectors of JSON values: in memory, or on disk when they become many. */
export type Collect = <T>(read?: ReadShort<T>) => Collector<T>;

export const collectInMemory: Collect = <T>(read: ReadShort<T> = noShort) => {
  const values: T[] = [];
  return {
    push: (value: T) => void values.push(value),
    pushShort: (text: string) => void values.push(read(text)),
    end: () => values,
  };
};

export function noShort(): never {
  throw new InternalError('a collector without a reader was given a short text');
}

/** One series after the other. */
export class JoinedSeries<T> extends LazySeries<T> {
  readonly length: number;
  readonly #parts: readonly Series<T>[];

  constructor(parts: readonly Series<T>[]) {
    super();
    this.#parts = parts;
    this.length = parts.reduce((sum, part) => sum + part.length, 0);
  }

  at(index: number): T | undefined {
    let left = index;
    for (const part of this.#parts) {
      if (left < part.length) return left < 0 ? undefined : part.at(left);
      left -= part.length;
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

/** Maps each value when it is read. */
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
