// What happens next in a soak run? Choices from one seed, so that a run can be played again.
import { type Random, seededRandom } from '../../../src/emulator/random.ts';

export class Draw {
  readonly random: Random;

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

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
