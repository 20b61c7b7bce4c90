// The fingerprint of a plan: of its steps, the application, and whether it may take objects over; not of positions, times
// or reasons (semantics §6.3). Steps count in the order of a plan, with one digest for each phase and kind.

import { digestOfAll, RunningDigest } from '../../lib/digest.ts';
import type { Series } from '../../lib/series.ts';
import { type Address, compareAddresses, kindOf } from '../../model/address.ts';
import { planFormatVersion } from '../../model/plan.ts';
import type { Policy } from '../../model/policy.ts';
import { phaseRank, type Step } from '../../model/step.ts';

/** Hashing many short texts is slow, and so is joining a text that is longer than this. */
const waitingCharacters = 1 << 14;

/** The digest of the steps of one phase and kind, in their order. */
export class StepsDigest {
  readonly #digest = new RunningDigest();
  /** Steps that are not hashed yet. */
  #text = '';
  #isAscii = true;

  /** `text`: the step as JSON. `isAscii`: it surely holds nothing but ASCII. */
  add(text: string, isAscii = false): void {
    this.#isAscii &&= isAscii;
    this.#text += text;
    this.#text += '\n';
    if (this.#text.length >= waitingCharacters) this.#flush();
  }

  end(): string {
    this.#flush();
    return this.#digest.soFar();
  }

  #flush(): void {
    this.#digest.add(this.#text, this.#isAscii);
    this.#text = '';
    this.#isAscii = true;
  }
}

export function digestOfSteps(steps: Iterable<Step>): string {
  const digest = new StepsDigest();
  for (const step of steps) digest.add(JSON.stringify(step));
  return digest.end();
}

/** `digests`: of the steps, by phase, within a phase by kind. */
export function hashOf(application: string, existing: Policy['existing'], digests: readonly string[]): string {
  const takesOver = existing === 'refuse' ? [] : [existing];
  return digestOfAll([planFormatVersion, application, ...takesOver, ...digests]);
}

/** Takes all steps of a plan, in any order. */
export function hashPlan(application: string, steps: Series<Step>, existing: Policy['existing'] = 'refuse'): string {
  const digests = inOrder(steps) ?? inOrder([...steps].sort(compareSteps)) ?? [];
  return hashOf(application, existing, digests);
}

function inOrder(steps: Iterable<Step>): readonly string[] | undefined {
  const digests = new PlanDigests();
  for (const step of steps) digests.add(step, JSON.stringify(step));
  return digests.end();
}

/** What decides where a step stands in a plan. */
type PlaceOfStep = Pick<Step, 'id' | 'address' | 'phase'>;

/** Makes the digests of all phases and kinds from steps that come one by one. */
export class PlanDigests {
  readonly #digests: string[] = [];
  #group = '';
  #digest = new StepsDigest();
  #previous: PlaceOfStep | undefined;
  #isInOrder = true;

  /** `text`: the step as JSON. */
  add(step: PlaceOfStep, text: string): void {
    this.#isInOrder &&= this.#previous === undefined || compareSteps(this.#previous, step) <= 0;
    this.#previous = step;
    const own = `${step.phase} ${kindOf(addressOf(step))}`;
    if (own !== this.#group) this.#begin(own);
    this.#digest.add(text);
  }

  /** Undefined when the steps did not come in the order of a plan. */
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

/** Total: a plan file may hold anything. */
function compareSteps(left: PlaceOfStep, right: PlaceOfStep): number {
  return (
    rankOf(left) - rankOf(right) ||
    compareAddresses(addressOf(left), addressOf(right)) ||
    positionOf(left) - positionOf(right)
  );
}

function rankOf({ phase }: PlaceOfStep): number {
  return phaseRank[phase] ?? -1;
}

function addressOf({ address }: PlaceOfStep): Address {
  return String(address) as Address;
}

function positionOf({ id }: PlaceOfStep): number {
  return Number(id.slice(id.lastIndexOf('#') + 1)) || 0;
}
