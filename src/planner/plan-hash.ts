// What is the fingerprint of a plan? Of what runs, on what, and whether it may take over what it meets: not of positions,
// times or reasons (semantics §6.3). The steps count in the order of a plan, a digest for those of each phase and kind.
import { type Address, compareAddresses, kindOf } from '../model/address.ts';
import { digestOfAll, RunningDigest } from '../model/digest.ts';
import { planFormatVersion } from '../model/plan.ts';
import type { Policy } from '../model/policy.ts';
import type { Series } from '../model/series.ts';
import { phaseRank, type Step } from '../model/step.ts';

/** Steps of one phase and kind, in their order. */
export class StepsDigest {
  readonly #digest = new RunningDigest();
  #waiting = '';

  /** `text`: the step as JSON. */
  add(text: string): void {
    this.#waiting += `${text}\n`;
    // Many short texts cost more than a long one.
    if (this.#waiting.length < 1 << 16) return;
    this.#digest.add(this.#waiting);
    this.#waiting = '';
  }

  end(): string {
    this.#digest.add(this.#waiting);
    this.#waiting = '';
    return this.#digest.soFar();
  }
}

export function digestOfSteps(steps: Iterable<Step>): string {
  const digest = new StepsDigest();
  for (const step of steps) digest.add(JSON.stringify(step));
  return digest.end();
}

/** `digests` are those of its steps, a phase after the other, in each a kind after the other. */
export function hashOf(application: string, existing: Policy['existing'], digests: readonly string[]): string {
  const takesOver = existing === 'refuse' ? [] : [existing];
  return digestOfAll([planFormatVersion, application, ...takesOver, ...digests]);
}

/** The same of steps that are all there, in whatever order. */
export function hashPlan(application: string, steps: Series<Step>, existing: Policy['existing'] = 'refuse'): string {
  const digests = inOrder(steps) ?? inOrder([...steps].sort(compareSteps)) ?? [];
  return hashOf(application, existing, digests);
}

/** Undefined when the steps are not in the order of a plan. */
function inOrder(steps: Iterable<Step>): string[] | undefined {
  const digests: string[] = [];
  let group = '';
  let digest = new StepsDigest();
  let previous: Step | undefined;
  for (const step of steps) {
    if (previous !== undefined && compareSteps(previous, step) > 0) return undefined;
    previous = step;
    const own = `${step.phase} ${kindOf(addressOf(step))}`;
    if (own !== group) {
      if (group !== '') digests.push(digest.end());
      digest = new StepsDigest();
      group = own;
    }
    digest.add(JSON.stringify(step));
  }
  if (group !== '') digests.push(digest.end());
  return digests;
}

/** Total: a plan file may say anything. */
function compareSteps(left: Step, right: Step): number {
  return (
    rankOf(left) - rankOf(right) ||
    compareAddresses(addressOf(left), addressOf(right)) ||
    positionOf(left) - positionOf(right)
  );
}

function rankOf({ phase }: Step): number {
  return phaseRank[phase] ?? -1;
}

function addressOf({ address }: Step): Address {
  return String(address) as Address;
}

function positionOf({ id }: Step): number {
  return Number(id.slice(id.lastIndexOf('#') + 1)) || 0;
}
