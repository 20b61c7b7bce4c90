// How is a step had when it is needed? Read from the series, which may be on disk; those read last are kept.

import { InternalError } from '../../lib/errors.ts';
import type { Series } from '../../lib/series.ts';
import type { Step } from '../../model/step.ts';

/** More than are under way at once, with the heads of all lanes, so that a step is seldom read twice. */
const kept = 2048;

export class StepReader {
  readonly #steps: Series<Step>;
  /** The oldest first. */
  readonly #read = new Map<number, Step>();

  constructor(steps: Series<Step>) {
    this.#steps = steps;
  }

  at(index: number): Step {
    const known = this.#read.get(index);
    if (known !== undefined) return known;
    const step = this.#steps.at(index);
    if (step === undefined) throw new InternalError(`the plan has no step at ${index}`);
    this.#read.set(index, step);
    if (this.#read.size > kept) for (const oldest of this.#read.keys()) return this.#without(oldest, step);
    return step;
  }

  #without(oldest: number, step: Step): Step {
    this.#read.delete(oldest);
    return step;
  }
}
