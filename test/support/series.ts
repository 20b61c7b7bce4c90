// Support: a series whose values are created on read, like those of a plan on disk.
import { LazySeries } from '../../src/lib/series.ts';

export class MadeSeries<T> extends LazySeries<T> {
  readonly length: number;
  readonly #made: (index: number) => T | undefined;
  readonly #iterate: () => Iterator<T>;

  /** By default, `iterate` calls `made` for each position. */
  constructor(length: number, made: (index: number) => T | undefined, iterate?: () => Iterator<T>) {
    super();
    this.length = length;
    this.#made = made;
    this.#iterate = iterate ?? (() => this.#inTurn());
  }

  at(index: number): T | undefined {
    return index >= 0 && index < this.length ? this.#made(index) : undefined;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#iterate();
  }

  *#inTurn(): Generator<T> {
    for (let index = 0; index < this.length; index += 1) yield this.#made(index) as T;
  }
}
