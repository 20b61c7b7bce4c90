// What happens next in a soak run? Choices from one seed, so that a run can be played again.

export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** mulberry32: in [0, 1). */
  readonly random = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  index(length: number): number {
    return Math.floor(this.random() * length);
  }

  one<T>(values: readonly T[]): T {
    if (values.length === 0) throw new Error('there is nothing to draw from');
    return values[this.index(values.length)] as T;
  }
}
