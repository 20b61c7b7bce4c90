// What will happen? Values in, a plan out: no file, clock, network or randomness (design §5).
//
// declared resources + state records → object plans → ordered steps → changes, costs, refusals, hash.

import { type Action, actions } from '../model/action.ts';
import { type Address, compareAddresses, kindOf } from '../model/address.ts';
import type { FileCounts } from '../model/bookkeeping.ts';
import type { Change } from '../model/change.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { digestOfAll } from '../model/digest.ts';
import type { JsonValue } from '../model/json.ts';
import type { LimitsOf } from '../model/limits.ts';
import type { Sightings } from '../model/live.ts';
import { type LiveCondition, type Plan, type PlanSettings, planFormatVersion, type Refreshed } from '../model/plan.ts';
import type { Policy } from '../model/policy.ts';
import { applyEntry, digestOfRecord, type StateRecord } from '../model/record.ts';
import type { RemovedEntry, Resource } from '../model/resource.ts';
import type { Series } from '../model/series.ts';
import type { Step } from '../model/step.ts';
import type { KindDefinition, Problem } from '../resources/define.ts';
import { actionsOf, changeOf, renameNotes } from './changes.ts';
import { conditionsOf } from './conditions.ts';
import { hasError, type ObjectPlan } from './draft.ts';
import { countRequests, estimateDuration } from './estimate.ts';
import { uncheckedNote } from './exclusive.ts';
import { planObject } from './object-plan.ts';
import type { LiveContext } from './observe.ts';
import { inRunOrder, type OrderedObject, order } from './order.ts';
import { planStanding } from './retirement.ts';
import { judgeSafety, type Safety } from './safety.ts';
import { loadedEntry } from './shrink-guard.ts';
import { partialNote, pulledInNote, type Scope } from './targets.ts';
import { firstConflicts } from './unexpected.ts';

export interface PlanInput {
  readonly kinds: readonly KindDefinition[];
  /** Sorted by address. */
  readonly resources: Series<Resource>;
  readonly removed: readonly RemovedEntry[];
  /** Sorted by address. */
  readonly records: readonly StateRecord[];
  readonly policy: Policy;
  readonly application: string;
  /** What stands in the plan for a later apply; `existing` is the policy's. */
  readonly settings: Omit<PlanSettings, 'existing' | 'trust_dedup'>;
  readonly lineage?: string;
  readonly limitsOf: LimitsOf;
  /** `2026-12-01`, in UTC: acknowledgements expire. */
  readonly today: string;
  /** Only what is in it; all when absent. */
  readonly scope?: Scope;
  /** What state keeps of acknowledgements in use (semantics §4.2). */
  readonly acknowledged?: StateRecord;
  /** What was loaded, and what state keeps of the last time; absent when that is not to be remembered. */
  readonly loaded?: { readonly now: readonly FileCounts[]; readonly before: StateRecord | undefined };
  /** The whole estate is to go, and a person named it: no number has to be acknowledged. */
  readonly isConfirmed?: boolean;
  /** What a refresh found; absent without one. */
  readonly live?: { readonly sightings: Sightings; readonly refreshed: Refreshed };
}

export interface Planned {
  readonly plan: Plan;
  /** Edits that the platform cannot make: nothing may be applied (65). */
  readonly problems: readonly Diagnostic[];
  /** What a safety rule refuses: the plan may be shown, not applied (5). */
  readonly refusals: readonly Diagnostic[];
}

export function makePlan(input: PlanInput): Planned {
  const plans = planObjects(input);
  const problems = plans.flatMap((plan) => plan.problems.map((problem) => diagnosticOf(plan, problem)));
  const working = plans.filter(({ problems: own }) => !hasError(own));
  const ordered = order(working, { leaveChannels: input.policy.leave_channels_on_deactivation }).filter(
    ({ steps }) => steps.length > 0,
  );
  const steps = inRunOrder(ordered);
  const notes = renameNotes(ordered);
  const changes = ordered.map((object) => {
    const note = notes.get(object.plan.address);
    return changeOf(object, [...(note === undefined ? [] : [note]), ...pulledInNote(input.scope, object.plan.address)]);
  });
  const safety = judgeSafety(ordered, input);
  const plan: Plan = {
    format_version: planFormatVersion,
    application: input.application,
    settings: {
      ...input.settings,
      existing: input.policy.existing,
      ...(input.policy.trust_dedup === true ? { trust_dedup: true } : {}),
    },
    ...(input.lineage === undefined ? {} : { lineage: input.lineage }),
    changes,
    steps,
    preconditions: Object.fromEntries(ordered.map((object) => [object.plan.address, recordDigests(object)])),
    summary: summarise(ordered),
    requests: countRequests(steps),
    duration: estimateDuration(steps, input.limitsOf),
    warnings: [
      ...firstConflicts(problems.filter(({ severity }) => severity !== 'error')),
      ...remarks(input, safety, changes),
    ],
    hash: hashPlan(input.application, steps, input.policy.existing),
    ...bookkeeping(input, safety, steps),
    ...refreshedParts(input, plans, ordered),
  };
  return {
    plan,
    problems: problems.filter(({ severity }) => severity === 'error'),
    refusals: safety.refusals,
  };
}

/** Walks both sorted sides at once; keeps only objects that have something to do, or are closed while others may. */
function planObjects(input: PlanInput): ObjectPlan[] {
  const kinds = new Map(input.kinds.map((kind) => [kind.kind, kind]));
  const removed = new Map(input.removed.map((entry) => [entry.address, entry]));
  const { scope } = input;
  const live = liveContext(input);
  const plans: ObjectPlan[] = [];
  let left = 0;
  let right = 0;
  while (left < input.resources.length || right < input.records.length) {
    const resource = input.resources.at(left);
    const record = input.records[right];
    const side = compareSides(resource?.address, record?.address);
    if (side <= 0) left += 1;
    if (side >= 0) right += 1;
    const address = side <= 0 ? resource?.address : record?.address;
    const kind = address === undefined ? undefined : kinds.get(kindOf(address));
    if (address === undefined || kind === undefined) continue;
    if (scope !== undefined && !scope.has(address)) {
      if (record !== undefined && side >= 0) plans.push(...[planStanding(kind, record)].filter(isOfInterest));
      continue;
    }
    const plan = planObject(
      kind,
      side <= 0 ? resource : undefined,
      side >= 0 ? record : undefined,
      removed.get(address),
      input.policy,
      live,
    );
    if (plan !== undefined && isOfInterest(plan)) plans.push(plan);
  }
  return plans;
}

function liveContext({ live }: PlanInput): LiveContext | undefined {
  if (live === undefined) return undefined;
  const { sightings } = live;
  return { sightings, isGone: (address) => sightings.get(address)?.exists === false };
}

/** What the refresh found, and what has to be so still when the plan is applied. */
function refreshedParts(
  { live }: PlanInput,
  plans: readonly ObjectPlan[],
  ordered: readonly OrderedObject[],
): Pick<Plan, 'refreshed' | 'drift' | 'live'> {
  if (live === undefined) return {};
  const conditions = ordered.flatMap((object): [Address, readonly LiveCondition[]][] => {
    const own = conditionsOf(object);
    return own === undefined ? [] : [[object.plan.address, own]];
  });
  return {
    refreshed: live.refreshed,
    drift: plans.flatMap(({ drift }) => drift ?? []),
    live: Object.fromEntries(conditions),
  };
}

/** What a run writes to state about itself; nothing when it has nothing to do. */
function bookkeeping({ loaded }: PlanInput, { entries }: Safety, steps: readonly Step[]): Pick<Plan, 'bookkeeping'> {
  if (steps.length === 0) return {};
  const entry = loaded === undefined ? undefined : loadedEntry(loaded.now, loaded.before);
  const all = entry === undefined ? entries : [...entries, entry];
  return all.length === 0 ? {} : { bookkeeping: all };
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

function compareSides(resource: Address | undefined, record: Address | undefined): number {
  if (resource === undefined) return 1;
  return record === undefined ? -1 : compareAddresses(resource, record);
}

function isOfInterest({ drafts, opens, closes, staysClosed, problems, drift = [] }: ObjectPlan): boolean {
  return drafts.length > 0 || opens || closes || staysClosed || problems.length > 0 || drift.length > 0;
}

/** Objects by action: an object that is created and frozen counts under both. */
function summarise(objects: readonly OrderedObject[]): Partial<Record<Action, number>> {
  const counts = new Map<Action, number>();
  for (const object of objects) {
    for (const action of actionsOf(object)) counts.set(action, (counts.get(action) ?? 0) + 1);
  }
  const summary = Object.fromEntries(
    actions.flatMap((action) => {
      const count = counts.get(action);
      return count === undefined ? [] : [[action, count]];
    }),
  );
  return summary;
}

function remarks(
  { removed, records, resources, scope, live }: PlanInput,
  { notes }: Safety,
  changes: Series<Change>,
): Diagnostic[] {
  if (scope !== undefined) return [partialNote(scope, addressesOf(changes))];
  const known = new Set<Address>([...records, ...resources].map(({ address }) => address));
  const unknown = removed
    .filter(({ address }) => !known.has(address))
    .map(
      ({ address, source }): Diagnostic => ({
        severity: 'note',
        code: 'plan.removed-unknown',
        summary: 'A removed object is not in state',
        detail: `${address} is listed under removed, but state does not know it: nothing will be called. The entry may be deleted.`,
        address,
        source,
      }),
    );
  return [...unknown, ...notes, ...(live === undefined ? uncheckedNote(resources) : [])];
}

function* addressesOf(changes: Iterable<Change>): Generator<Address> {
  for (const { address } of changes) yield address;
}

function diagnosticOf({ address, resource }: ObjectPlan, problem: Problem): Diagnostic {
  const source = resource?.attributeSources?.[problem.path[0] ?? ''] ?? resource?.source;
  return {
    severity: problem.severity,
    code: problem.code,
    summary: problem.summary,
    detail: problem.detail,
    address,
    ...(source === undefined ? {} : { source }),
  };
}

/** Of what runs, on what, and whether it may take over what it meets: not of positions, times or reasons (semantics §6.3). */
export function hashPlan(application: string, steps: readonly Step[], existing: Policy['existing'] = 'refuse'): string {
  const sorted = [...steps].sort((left, right) => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0));
  const takesOver = existing === 'refuse' ? [] : [existing];
  return digestOfAll([planFormatVersion, application, ...takesOver, ...(sorted as unknown as JsonValue[])]);
}
