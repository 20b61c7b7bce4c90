// How are a million values handed on without all of them in memory?

import { InternalError } from './errors.ts';

/** Values in a fixed order that can be gone through as often as wanted. An array is one; what is spooled to disk another. */
export interface Series<T> extends Iterable<T> {
  readonly length: number;
  /** Counts from 0; undefined beyond the end. */
  at(index: number): T | undefined;
}

/** Takes values one by one and gives them back as a series. Where it keeps them is its own affair. */
export interface Collector<T> {
  /** `text`: the value as JSON, when it is at hand. */
  push(value: T, text?: string): void;
  /** What the `read` of this collector makes a value of. It has no line end, and begins as no JSON does, with `@`. */
  pushShort(text: string): void;
  /** What was pushed so far. Nothing may be pushed afterwards. */
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

/** What is made of each value, when it is asked for. */
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
