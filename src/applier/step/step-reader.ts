// Reads the steps of a plan on demand, possibly from disk, and caches those read last.

import { InternalError } from '../../lib/errors.ts';
import type { Series } from '../../lib/series.ts';
import type { Step } from '../../model/step.ts';

/** Larger than the steps in flight plus the heads of all lanes, so that a step is seldom read twice. */
const kept = 2048;

export class StepReader {
  readonly #steps: Series<Step>;
  /** Oldest first. */
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
    const oldest = this.#read.keys().next().value;
    if (this.#read.size > kept && oldest !== undefined) this.#read.delete(oldest);
    return step;
  }
}
