// Support: a series whose values are made when they are read, as those of a plan on disk are.
import { LazySeries } from '../../src/lib/series.ts';

export class MadeSeries<T> extends LazySeries<T> {
  readonly length: number;
  readonly #made: (index: number) => T | undefined;
  readonly #iterate: () => Iterator<T>;

  /** `iterate`: default: by `made`, one after the other. */
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
