// What does one object after the other add to a plan: a change, steps, counts, and what a saved plan needs to know?
import { type Action, actions } from '../model/action.ts';
import type { Address } from '../model/address.ts';
import type { Change, Drift, RequestCount } from '../model/change.ts';
import type { LimitsOf } from '../model/limits.ts';
import type { LiveCondition, Plan } from '../model/plan.ts';
import { applyEntry, digestOfRecord } from '../model/record.ts';
import type { Collect, Series } from '../model/series.ts';
import { type Phase, phaseRank, type Step } from '../model/step.ts';
import { conditionsOf } from './conditions.ts';
import type { ObjectPlan } from './draft.ts';
import { DurationTally, RequestTally } from './estimate.ts';
import { addressIn, joined, Lots } from './lots.ts';
import type { OrderedObject } from './order.ts';
import { digestOfSteps, StepsDigest } from './plan-hash.ts';

export interface ContentOptions {
  readonly limitsOf: LimitsOf;
  readonly isToBeSaved?: boolean;
}

interface EndedContent extends Pick<Plan, 'changes' | 'steps' | 'preconditions' | 'summary' | 'duration'> {
  readonly requests: readonly RequestCount[];
  readonly drift: Series<Drift>;
  readonly live: Series<readonly [Address, readonly LiveCondition[]]>;
  /** Of the steps of each phase and kind. */
  readonly digests: readonly string[];
}

const phases = Object.keys(phaseRank) as Phase[];

export class PlanContent {
  readonly #isToBeSaved: boolean;
  readonly #changes: Lots<Change>;
  readonly #drift: Lots<Drift>;
  readonly #preconditions: Lots<readonly [Address, readonly string[]]>;
  readonly #live: Lots<readonly [Address, readonly LiveCondition[]]>;
  readonly #steps: ReadonlyMap<Phase, Lots<Step>>;
  readonly #digests: ReadonlyMap<Phase, Map<string, StepsDigest>>;
  readonly #summary = new Map<Action, number>();
  readonly #requests = new RequestTally();
  readonly #duration: DurationTally;
  /** Of objects that are finished last, steps that have to be told in the order of a plan. */
  readonly #late: Step[] = [];

  constructor(collect: Collect, { limitsOf, isToBeSaved = false }: ContentOptions) {
    this.#isToBeSaved = isToBeSaved;
    this.#changes = new Lots<Change>(collect, addressIn);
    this.#drift = new Lots<Drift>(collect, addressIn);
    this.#preconditions = new Lots(collect, ([address]) => address);
    this.#live = new Lots(collect, ([address]) => address);
    this.#steps = new Map(phases.map((phase) => [phase, new Lots<Step>(collect, addressIn)]));
    this.#digests = new Map(phases.map((phase) => [phase, new Map<string, StepsDigest>()]));
    this.#duration = new DurationTally(limitsOf);
  }

  addDrift({ kind, drift = [] }: ObjectPlan): void {
    for (const one of drift) this.#drift.of(kind.kind).push(one, false);
  }

  /** In the order of addresses, those of a kind that are late, and those that are not. */
  addObject(object: OrderedObject, change: Change, isLate: boolean): void {
    const { kind } = object.plan.kind;
    this.#changes.of(kind).push(change, isLate);
    for (const action of change.actions) this.#summary.set(action, (this.#summary.get(action) ?? 0) + 1);
    for (const step of object.steps) this.#addStep(kind, step, isLate);
    if (!this.#isToBeSaved) return;
    const { address } = object.plan;
    this.#preconditions.of(kind).push([address, recordDigests(object)], isLate);
    const conditions = conditionsOf(object);
    if (conditions !== undefined) this.#live.of(kind).push([address, conditions], isLate);
  }

  /** Nothing may be added afterwards. */
  end(): EndedContent {
    const steps: Series<Step>[] = [];
    const digests: string[] = [];
    for (const phase of phases) {
      for (const [kind, lot] of this.#steps.get(phase)?.inOrder() ?? []) {
        const own = lot.end();
        steps.push(own);
        const digest = this.#digests.get(phase)?.get(kind);
        digests.push(lot.isMixed || digest === undefined ? digestOfSteps(own) : digest.end());
      }
    }
    this.#late.sort((left, right) => phaseRank[left.phase] - phaseRank[right.phase]);
    for (const step of this.#late) this.#duration.add(step);
    return {
      changes: this.#changes.end(),
      steps: joined(steps),
      preconditions: this.#preconditions.end(),
      live: this.#live.end(),
      drift: this.#drift.end(),
      digests,
      summary: Object.fromEntries(
        actions.flatMap((action) => {
          const count = this.#summary.get(action);
          return count === undefined ? [] : [[action, count]];
        }),
      ),
      requests: this.#requests.counts(),
      duration: this.#duration.duration(),
    };
  }

  #addStep(kind: string, step: Step, isLate: boolean): void {
    const text = JSON.stringify(step);
    this.#steps.get(step.phase)?.of(kind).push(step, isLate, text);
    const digests = this.#digests.get(step.phase);
    const digest = digests?.get(kind) ?? new StepsDigest();
    digests?.set(kind, digest);
    digest.add(text);
    this.#requests.add(step);
    if (isLate) this.#late.push(step);
    else this.#duration.add(step);
  }
}

function recordDigests({ plan, steps }: OrderedObject): string[] {
  let record = plan.record;
  const digests = [digestOfRecord(record)];
  for (const step of steps) {
    record = applyEntry(record, step.entry);
    digests.push(digestOfRecord(record));
  }
  return digests;
}
