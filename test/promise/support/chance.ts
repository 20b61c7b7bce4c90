// Support: random choices from one seed, so that a scenario can be repeated.
import { seededRandom } from '../../../src/emulator/random.ts';

export class Chance {
  readonly random: () => number;

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  /** True with this probability. */
  is(probability: number): boolean {
    return this.random() < probability;
  }

  /** A whole number of at least `from` and below `to`. */
  int(from: number, to: number): number {
    return from + Math.floor(this.random() * (to - from));
  }

  /** The list has at least one item. */
  one<T>(items: readonly T[]): T {
    return items[this.int(0, items.length)] as T;
  }

  some<T>(items: readonly T[], probability: number): T[] {
    return items.filter(() => this.is(probability));
  }

  /** Returns 1, 2, 3 … up to `most`, where small numbers are as likely as large ones. */
  magnitude(most: number): number {
    return Math.max(1, Math.floor(Math.exp(this.random() * Math.log(most + 1))));
  }
}
