// Series: a million values that are passed on without all of them in memory.
import { InternalError } from './errors.ts';

/** Values in a fixed order that can be read any number of times. Arrays are series, and so are values spooled to disk. */
export interface Series<T> extends Iterable<T> {
  readonly length: number;
  /** Counts from 0; undefined beyond the end. */
  at(index: number): T | undefined;
}

/** Takes values one by one and returns them as a series. Implementations decide where to keep them. */
export interface Collector<T> {
  /** `text`: the JSON of the value, when the caller has it. */
  push(value: T, text?: string): void;
  /** Takes a text from which the `read` of this collector makes a value. It begins with `@`, unlike any JSON, and is one line. */
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
export class JoinedSeries<T> implements Series<T> {
  readonly length: number;
  readonly #parts: readonly Series<T>[];

  constructor(parts: readonly Series<T>[]) {
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
}

/** Maps each value when it is read. */
export class MappedSeries<From, To> implements Series<To> {
  readonly #values: Series<From>;
  readonly #made: (value: From) => To;

  constructor(values: Series<From>, made: (value: From) => To) {
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
