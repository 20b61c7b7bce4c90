// Reads the steps of a plan on demand, possibly from disk, and caches those read last.

import { InternalError } from '../../lib/errors.ts';
import type { Series } from '../../lib/series.ts';
import type { Step } from '../../model/step.ts';

/** Larger than the steps in flight plus the heads of all lanes, so that a step is seldom read twice. */
const kept = 2048;
/** In JSON, of which a step takes about four times as many bytes in memory. */
const keptCharacters = 1 << 22;

export class StepReader {
  readonly #steps: Series<Step>;
  /** Oldest first. */
  readonly #read = new Map<number, { readonly step: Step; readonly characters: number }>();
  #characters = 0;

  constructor(steps: Series<Step>) {
    this.#steps = steps;
  }

  at(index: number): Step {
    const known = this.#read.get(index);
    if (known !== undefined) return known.step;
    const step = this.#steps.at(index);
    if (step === undefined) throw new InternalError(`the plan has no step at ${index}`);
    const characters = JSON.stringify(step).length;
    this.#read.set(index, { step, characters });
    this.#characters += characters;
    for (const oldest of this.#read.keys()) {
      if (this.#read.size <= kept && this.#characters <= keptCharacters) break;
      this.forget(oldest);
    }
    return step;
  }

  /** Drops a step, such as one that has ended. */
  forget(index: number): void {
    this.#characters -= this.#read.get(index)?.characters ?? 0;
    this.#read.delete(index);
  }
}
