// How are a million values handed on without all of them in memory?

/** Values in a fixed order that can be gone through as often as wanted. An array is one; what is spooled to disk another. */
export interface Series<T> extends Iterable<T> {
  readonly length: number;
  /** Undefined outside of the series. */
  at(index: number): T | undefined;
}
