// How are a million values handed on without all of them in memory?

/** Values in a fixed order that can be gone through as often as wanted. An array is one; what is spooled to disk another. */
export interface Series<T> extends Iterable<T> {
  readonly length: number;
  /** Counts from 0; undefined beyond the end. */
  at(index: number): T | undefined;
}

/** Takes values one by one and gives them back as a series. Where it keeps them is its own affair. */
export interface Collector<T> {
  push(value: T): void;
  /** What was pushed so far. Nothing may be pushed afterwards. */
  end(): Series<T>;
}

/** Makes collectors of JSON values: in memory, or on disk when they become many. */
export type Collect = <T>() => Collector<T>;

export const collectInMemory: Collect = <T>() => {
  const values: T[] = [];
  return { push: (value: T) => void values.push(value), end: () => values };
};
