// Collects the content of a plan, object by object: changes, steps, counts, and what a saved plan needs to know.

import type { Collect, Series } from '../lib/series.ts';
import { type Action, actions } from '../model/action.ts';
import type { Address } from '../model/address.ts';
import type { Change, Drift, RequestCount } from '../model/change.ts';
import type { LimitsOf } from '../model/limits.ts';
import type { LiveCondition, Plan } from '../model/plan.ts';
import { applyEntry, digestOfRecord } from '../model/record.ts';
import { type Phase, phaseRank, type Step } from '../model/step.ts';
import type { ObjectPlan } from './diff/draft.ts';
import { conditionsOf } from './live/conditions.ts';
import type { CreatedObjects } from './order/created-objects.ts';
import { DurationTally, RequestTally } from './order/estimate.ts';
import { type Group, joined, OrderedGroups, ownAddress } from './order/groups.ts';
import type { OrderedObject } from './order/order.ts';
import { digestOfSteps, StepsDigest } from './plan-file/hash.ts';
import { NeededObjects } from './plan-file/needed-objects.ts';
import type { CreationTemplate, CreationTemplates, TemplatedCreation } from './templates/creation-templates.ts';
import { shortText } from './templates/short-creations.ts';

export interface ContentOptions {
  readonly limitsOf: LimitsOf;
  readonly isToBeSaved?: boolean;
  readonly templates: CreationTemplates;
  readonly created: CreatedObjects;
}

interface EndedContent extends Pick<Plan, 'changes' | 'steps' | 'preconditions' | 'summary' | 'duration'> {
  readonly requests: readonly RequestCount[];
  readonly drift: Series<Drift>;
  readonly live: Series<readonly [Address, readonly LiveCondition[]]>;
  /** Digests of the steps of each phase and kind. */
  readonly digests: readonly string[];
  readonly needed: Series<readonly [Address, readonly Address[]]>;
  /** The number of steps that issue a token. */
  readonly tokens: number;
}

const phases = Object.keys(phaseRank) as Phase[];

/** The creations of one template: where their steps and changes go, and how many they are. */
interface TemplateGroup {
  readonly steps: Group<Step> | undefined;
  readonly changes: Group<Change>;
  readonly preconditions: Group<readonly [Address, readonly string[]]>;
  readonly digest: StepsDigest;
  count: number;
}

export class PlanContent {
  readonly #isToBeSaved: boolean;
  readonly #changes: OrderedGroups<Change>;
  readonly #drift: OrderedGroups<Drift>;
  readonly #preconditions: OrderedGroups<readonly [Address, readonly string[]]>;
  readonly #needed: OrderedGroups<readonly [Address, readonly Address[]]>;
  readonly #live: OrderedGroups<readonly [Address, readonly LiveCondition[]]>;
  readonly #steps: ReadonlyMap<Phase, OrderedGroups<Step>>;
  readonly #digests: ReadonlyMap<Phase, Map<string, StepsDigest>>;
  readonly #summary = new Map<Action, number>();
  readonly #requests = new RequestTally();
  readonly #duration: DurationTally;
  readonly #neededObjects = new NeededObjects();
  #tokens = 0;

  readonly #templateGroups = new Map<CreationTemplate, TemplateGroup>();

  constructor(collect: Collect, { limitsOf, isToBeSaved = false, templates, created }: ContentOptions) {
    const { creations } = templates;
    this.#isToBeSaved = isToBeSaved;
    this.#changes = new OrderedGroups<Change>(collect, ownAddress, creations.changeOf);
    this.#drift = new OrderedGroups<Drift>(collect, ownAddress);
    this.#preconditions = new OrderedGroups(collect, ([address]) => address, creations.preconditionOf);
    this.#needed = new OrderedGroups(collect, ([address]) => address);
    this.#live = new OrderedGroups(collect, ([address]) => address);
    this.#steps = new Map(
      phases.map((phase) => [phase, new OrderedGroups<Step>(collect, ownAddress, creations.stepOf)]),
    );
    this.#digests = new Map(phases.map((phase) => [phase, new Map<string, StepsDigest>()]));
    this.#duration = new DurationTally(limitsOf, created);
  }

  /** To be called for each object of state before those that need it are added. */
  addKnown(address: Address): void {
    if (this.#isToBeSaved) this.#neededObjects.addKnown(address);
  }

  addDrift({ kind, drift = [] }: ObjectPlan): void {
    for (const one of drift) this.#drift.of(kind.kind).push(one, false);
  }

  /** Within a kind, late objects come in the order of addresses, and so do the others. */
  addObject(object: OrderedObject, change: Change, isLate: boolean): void {
    const { kind } = object.plan.kind;
    this.#changes.of(kind).push(change, isLate);
    this.#count(change);
    for (const step of object.steps) this.#addStep(kind, step, isLate);
    if (!this.#isToBeSaved) return;
    const { address } = object.plan;
    this.#preconditions.of(kind).push([address, recordDigests(object)], isLate);
    const needed = this.#neededObjects.of(object.plan);
    if (needed.length > 0) this.#needed.of(kind).push([address, needed], isLate);
    const conditions = conditionsOf(object);
    if (conditions !== undefined) this.#live.of(kind).push([address, conditions], isLate);
  }

  /** Its one step waits for nothing. The address stands behind those that were added before, apart from late objects. */
  addTemplated(creation: TemplatedCreation): void {
    const { template, values } = creation;
    const group = this.#groupOf(template);
    const short = shortText(template.number, values.texts);
    group.changes.pushShort(short);
    group.steps?.pushShort(short);
    const { stepText } = template;
    group.digest.add(stepText.filled(values.texts), stepText.isAscii && values.isAscii);
    group.count += 1;
    if (this.#isToBeSaved) group.preconditions.pushShort(short);
  }

  /** Nothing may be added afterwards. */
  end(): EndedContent {
    for (const [{ step, change }, { count }] of this.#templateGroups) {
      this.#count(change, count);
      this.#requests.add(step, count);
      if (issuesToken(step)) this.#tokens += count;
      this.#duration.addRepeated(step, count - 1);
    }
    const steps: Series<Step>[] = [];
    const digests: string[] = [];
    for (const phase of phases) {
      for (const [kind, group] of this.#steps.get(phase)?.inOrder() ?? []) {
        const own = group.end();
        steps.push(own);
        for (const step of group.late) this.#duration.add(step);
        const digest = this.#digests.get(phase)?.get(kind);
        digests.push(group.isMixed || digest === undefined ? digestOfSteps(own) : digest.end());
      }
    }
    return {
      changes: this.#changes.end(),
      steps: joined(steps),
      preconditions: this.#preconditions.end(),
      needed: this.#needed.end(),
      live: this.#live.end(),
      drift: this.#drift.end(),
      digests,
      tokens: this.#tokens,
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

  #groupOf(template: CreationTemplate): TemplateGroup {
    const known = this.#templateGroups.get(template);
    if (known !== undefined) return known;
    const { kind, step } = template;
    const steps = this.#steps.get(step.phase)?.of(kind.kind);
    const changes = this.#changes.of(kind.kind);
    const preconditions = this.#preconditions.of(kind.kind);
    const digest = this.#digestOf(step.phase, kind.kind);
    const group: TemplateGroup = { steps, changes, preconditions, digest, count: 0 };
    this.#templateGroups.set(template, group);
    // The template was made from its first creation, which is also the first in the plan.
    this.#duration.add(step);
    return group;
  }

  #count({ actions: done }: Change, times = 1): void {
    for (const action of done) this.#summary.set(action, (this.#summary.get(action) ?? 0) + times);
  }

  #digestOf(phase: Phase, kind: string): StepsDigest {
    const digests = this.#digests.get(phase);
    const digest = digests?.get(kind) ?? new StepsDigest();
    digests?.set(kind, digest);
    return digest;
  }

  #addStep(kind: string, step: Step, isLate: boolean): void {
    const text = JSON.stringify(step);
    this.#steps.get(step.phase)?.of(kind).push(step, isLate, text);
    this.#digestOf(step.phase, kind).add(text);
    this.#requests.add(step);
    if (issuesToken(step)) this.#tokens += 1;
    // The steps of late objects are counted at the end, in the order of the plan.
    if (!isLate) this.#duration.add(step);
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

/** The call is made for a token, which needs a place to go to. */
function issuesToken({ sink }: Step): boolean {
  return sink !== undefined && sink.isOptional !== true;
}
