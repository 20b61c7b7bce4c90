// Computes the hash of a plan from its steps.

import type { Series } from '../../lib/series.ts';
import { type Address, kindOf } from '../../model/address.ts';
import type { Policy } from '../../model/policy.ts';
import { comparePlaces, type Step, type StepPlace } from '../../model/step.ts';
import { hashOf, StepsDigest } from './hash.ts';

/** Returns the hash of a plan. Steps may come in any order. */
export function hashPlan(application: string, steps: Series<Step>, existing: Policy['existing'] = 'refuse'): string {
  const digests = inOrder(steps) ?? inOrder([...steps].sort(comparePlaces)) ?? [];
  return hashOf(application, existing, digests);
}

function inOrder(steps: Iterable<Step>): readonly string[] | undefined {
  const digests = new StepDigests();
  for (const step of steps) digests.add(step, JSON.stringify(step));
  return digests.end();
}

/** Computes the digests of all phases and kinds from steps that arrive one by one. */
export class StepDigests {
  readonly #digests: string[] = [];
  #group = '';
  #digest = new StepsDigest();
  #previous: StepPlace | undefined;
  #isInOrder = true;

  /** `text`: the step as JSON. */
  add(step: StepPlace, text: string): void {
    this.#isInOrder &&= this.#previous === undefined || comparePlaces(this.#previous, step) <= 0;
    this.#previous = step;
    const group = `${step.phase} ${kindOf(String(step.address) as Address)}`;
    if (group !== this.#group) this.#begin(group);
    this.#digest.add(text);
  }

  /** Returns undefined if the steps did not come in the order of a plan. */
  end(): readonly string[] | undefined {
    this.#begin('');
    return this.#isInOrder ? this.#digests : undefined;
  }

  #begin(group: string): void {
    if (this.#group !== '') this.#digests.push(this.#digest.end());
    this.#digest = new StepsDigest();
    this.#group = group;
  }
}
