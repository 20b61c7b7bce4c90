// Makes a plan: a pure function from values to a plan, without file, clock, network or randomness (semantics §11).
//
// declared resources + state records → object plans → ordered steps → changes, costs, refusals, hash.

import { type Collect, collectInMemory, type Series } from '../lib/series.ts';
import { type Address, keyOf } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LimitsOf } from '../model/limits.ts';
import type { Observations } from '../model/live.ts';
import { type Plan, type PlanSettings, planFormatVersion, type Refreshed } from '../model/plan.ts';
import type { Policy } from '../model/policy.ts';
import type { StateRecord } from '../model/record.ts';
import type { RemovedEntry, Resource } from '../model/resource.ts';
import type { FileCounts } from '../model/run-metadata.ts';
import type { Step } from '../model/step.ts';
import type { DisablePolicy, KindDefinition, Problem } from '../resources/define.ts';
import { changeOf, renameNotes } from './diff/changes.ts';
import { Children } from './diff/children.ts';
import { markDeletedPeople } from './diff/deleted-people.ts';
import { hasError, type ObjectPlan } from './diff/draft.ts';
import { planObject } from './diff/object-plan.ts';
import { refusedFor } from './diff/other-kind.ts';
import { planStanding } from './diff/retirement.ts';
import { inWalkOrder, type Pair, pairsOfKind } from './diff/walk.ts';
import { ExclusiveLists } from './live/exclusive-lists.ts';
import { firstConflicts } from './live/existing-or-missing.ts';
import type { LiveContext } from './live/observe.ts';
import { Coupling } from './order/coupling.ts';
import { CreatedTable } from './order/created-objects.ts';
import { OrderedGroups } from './order/groups.ts';
import { inFull, type OrderedObject, order, orderAlone } from './order/order.ts';
import { summaryOf } from './order/step-summary.ts';
import { PlanContent } from './plan-content.ts';
import { hashOf } from './plan-file/hash.ts';
import { issuedTokensNote, unknownRemovalNotes, unreadNotes } from './plan-notes.ts';
import { type Safety, SafetyCheck } from './safety/safety.ts';
import { loadedEntry } from './safety/shrink-guard.ts';
import { partialNote, pulledInNote, type Scope } from './targets.ts';
import { CreationTemplates } from './templates/creation-templates.ts';

export interface PlanInput {
  readonly kinds: readonly KindDefinition[];
  /** Sorted by address. */
  readonly resources: Series<Resource>;
  readonly removed: readonly RemovedEntry[];
  /** Sorted by address. */
  readonly records: Series<StateRecord>;
  readonly policy: Policy;
  readonly application: string;
  /** What a later apply of the saved plan needs; `existing` and `trust_dedup` come from the policy. */
  readonly settings: Omit<PlanSettings, 'existing' | 'trust_dedup'>;
  readonly lineage?: string;
  readonly limitsOf: LimitsOf;
  /** `2026-12-01`, in UTC: acknowledgements expire. */
  readonly today: string;
  /** `2026-12-01T10:00:00.000Z`: bans and mutes end. Absent: the beginning of today. */
  readonly now?: string;
  /** The objects to plan; all when absent. */
  readonly scope?: Scope;
  /** What state keeps about acknowledgements in use (semantics §4.2). */
  readonly acknowledged?: StateRecord;
  /** What was loaded now, and what state keeps of the last load; absent when state is not to remember it. */
  readonly loaded?: { readonly now: readonly FileCounts[]; readonly before: StateRecord | undefined };
  /** A person named the application to be emptied: no number has to be acknowledged. */
  readonly isConfirmed?: boolean;
  /** What a refresh found; absent without one. */
  readonly live?: {
    readonly observations: Observations;
    readonly refreshed: Refreshed;
    /** By attribute, how many objects declare one whose read would have cost too much. */
    readonly unread?: Readonly<Record<string, number>>;
  };
  /** Keeps changes, steps and other long lists; in memory by default. */
  readonly collect?: Collect;
  /** The plan is to be saved: it gets the digests by which an apply knows done steps and changes of others. */
  readonly isToBeSaved?: boolean;
}

export interface PlanResult {
  readonly plan: Plan;
  /** Edits that the platform cannot make: nothing may be applied (exit code 65). */
  readonly problems: readonly Diagnostic[];
  /** What a safety rule refuses: the plan may be shown, not applied (exit code 5). */
  readonly refusals: readonly Diagnostic[];
}

export function makePlan(input: PlanInput): PlanResult {
  return new PlanMaker(input).make();
}

/**
 * Walks over all objects once. An object that depends on no other is finished when it is met: what it adds to the plan is
 * collected, and the object is forgotten. Objects that are coupled with others are late: they are ordered together at
 * the end.
 */
class PlanMaker {
  readonly #input: PlanInput;
  readonly #nowMs: number;
  readonly #disablePolicy: DisablePolicy;
  readonly #live: LiveContext | undefined;
  readonly #removed: ReadonlyMap<Address, RemovedEntry>;
  readonly #children: Children;
  readonly #coupling: Coupling;
  readonly #created = new CreatedTable();
  readonly #templates: CreationTemplates;
  readonly #content: PlanContent;
  readonly #safety: SafetyCheck;
  readonly #exclusiveLists = new ExclusiveLists();
  readonly #problems: OrderedGroups<Diagnostic>;
  /** Entries under `removed` that have been met neither in the manifests nor in state. */
  readonly #unknownRemovals: Map<Address, RemovedEntry>;

  constructor(input: PlanInput) {
    const { collect = collectInMemory, policy, records, removed } = input;
    this.#input = input;
    this.#nowMs = Date.parse(input.now ?? input.today);
    this.#disablePolicy = { leaveChannels: policy.leave_channels_on_deactivation };
    this.#live = liveContext(input);
    this.#removed = new Map(removed.map((entry) => [entry.address, entry]));
    this.#unknownRemovals = new Map(this.#removed);
    this.#children = new Children(input);
    this.#coupling = new Coupling(records.length > 0);
    this.#templates = new CreationTemplates({ ...input, disablePolicy: this.#disablePolicy });
    this.#content = new PlanContent(collect, { ...input, templates: this.#templates, created: this.#created });
    this.#safety = new SafetyCheck(input, collect);
    this.#problems = new OrderedGroups(collectInMemory, ({ address }) => address ?? 'a.');
  }

  make(): PlanResult {
    this.#addCoupled(this.#walk());
    const { application, policy, settings, lineage, live, isToBeSaved = false } = this.#input;
    const safety = this.#safety.judge();
    const content = this.#content.end();
    const problems = [...this.#problems.end()];
    const plan: Plan = {
      format_version: planFormatVersion,
      application,
      settings: {
        ...settings,
        existing: policy.existing,
        ...(policy.trust_dedup === true ? { trust_dedup: true } : {}),
      },
      ...(lineage === undefined ? {} : { lineage }),
      changes: content.changes,
      steps: content.steps,
      preconditions: content.preconditions,
      ...(content.needed.length === 0 ? {} : { needed: content.needed }),
      summary: content.summary,
      requests: content.requests,
      duration: content.duration,
      warnings: [
        ...firstConflicts(problems.filter(({ severity }) => severity !== 'error')),
        ...issuedTokensNote(content.tokens),
        ...this.#notes(safety, content.changes),
      ],
      ...(isToBeSaved && this.#templates.templates.length > 0 ? { templates: this.#templates.templates } : {}),
      hash: hashOf(application, policy.existing, content.digests),
      ...runMetadata(this.#input, safety, content.steps),
      ...(live === undefined ? {} : { refreshed: live.refreshed, drift: content.drift, live: content.live }),
    };
    return {
      plan,
      problems: problems.filter(({ severity }) => severity === 'error'),
      refusals: safety.refusals,
    };
  }

  /** Finishes the objects that depend on no other, and returns the plans of those that are coupled. */
  #walk(): ObjectPlan[] {
    const { kinds, resources, records } = this.#input;
    const coupled: ObjectPlan[] = [];
    for (const kind of inWalkOrder(kinds)) {
      for (const pair of pairsOfKind(kind.kind, resources, records)) {
        const plan = this.#meet(kind, pair);
        if (plan !== undefined) coupled.push(plan);
      }
      this.#coupling.endKind(kind.kind);
    }
    return coupled;
  }

  /** Plans one object and finishes it, unless it is coupled with others: then its plan is returned. */
  #meet(kind: KindDefinition, { address, resource, record }: Pair): ObjectPlan | undefined {
    if (this.#unknownRemovals.size > 0) this.#unknownRemovals.delete(address);
    if (record !== undefined) this.#safety.addRecord(kind, record);
    if (record !== undefined && kind.isChild !== true) this.#content.addKnown(address);
    if (resource !== undefined) this.#exclusiveLists.add(kind, resource);
    const rival =
      record === undefined && resource !== undefined ? this.#children.rivalOf(kind, keyOf(address)) : undefined;
    const isNew = record === undefined && resource !== undefined && rival === undefined;
    if (isNew && this.#addTemplated(kind, resource)) return undefined;
    const planned = this.#planObject(kind, address, resource, record);
    const plan = planned === undefined || rival === undefined ? planned : refusedFor(rival, planned);
    if (plan === undefined || !isOfInterest(plan)) return undefined;
    for (const problem of plan.problems) this.#problems.of(kind.kind).push(diagnosticOf(plan, problem), false);
    this.#content.addDrift(plan);
    if (hasError(plan.problems) || !hasWork(plan)) return undefined;
    if (this.#coupling.isCoupled(plan)) {
      const children = this.#children;
      return summaryOf(plan, () =>
        this.#planObject(kind, address, children.declared(address), children.known(address)),
      );
    }
    this.#add(orderAlone(plan, this.#disablePolicy, this.#created), false);
    return undefined;
  }

  #planObject(
    kind: KindDefinition,
    address: Address,
    resource: Resource | undefined,
    record: StateRecord | undefined,
  ): ObjectPlan | undefined {
    const related = this.#children.relatedObjectsOf(kind, keyOf(address));
    const removed = this.#removed.get(address);
    const { scope, policy } = this.#input;
    const context = { policy, live: this.#live, related, nowMs: this.#nowMs };
    if (scope === undefined || scope.has(address)) return planObject(kind, { resource, record, removed }, context);
    if (record === undefined) return undefined;
    // A child is forgotten with its object, although it was not named itself.
    const status = related.status?.().type;
    if (status === 'lost') return planObject(kind, { resource: undefined, record, removed }, context);
    return status === 'unknown' ? planObject(kind, { resource, record, removed }, context) : planStanding(kind, record);
  }

  /** Finishes a creation that differs from others only in its texts. False when it has to be planned by itself. */
  #addTemplated(kind: KindDefinition, resource: Resource): boolean {
    const { address } = resource;
    if (this.#input.scope !== undefined || this.#live?.observations.get(address) !== undefined) return false;
    const creation = this.#templates.find(kind, resource);
    if (creation === undefined || this.#coupling.isCoupledWithoutReferences(address)) return false;
    this.#content.addTemplated(creation);
    this.#created.add(address);
    return true;
  }

  #addCoupled(plans: readonly ObjectPlan[]): void {
    const ordered = order(markDeletedPeople(plans), this.#disablePolicy, this.#created).filter(
      ({ steps }) => steps.length > 0,
    );
    const notes = renameNotes(ordered);
    for (const object of ordered) this.#add(inFull(object), true, notes.get(object.plan.address));
  }

  #add(object: OrderedObject, isLate: boolean, note?: string): void {
    const { address } = object.plan;
    this.#safety.addObject(object);
    const notes = [...(note === undefined ? [] : [note]), ...pulledInNote(this.#input.scope, address)];
    this.#content.addObject(object, changeOf(object, notes), isLate);
    if (isLate) return;
    const creation = object.steps.find(({ action }) => action === 'create');
    if (creation !== undefined) this.#created.add(address, creation.id);
  }

  #notes({ notes }: Safety, changes: Series<Change>): Diagnostic[] {
    const { scope, live } = this.#input;
    if (scope !== undefined) return [partialNote(scope, addressesOf(changes))];
    const unchecked = live === undefined ? this.#exclusiveLists.uncheckedNote() : unreadNotes(live.unread);
    return [...unknownRemovalNotes(this.#unknownRemovals.values()), ...notes, ...unchecked];
  }
}

function liveContext({ live }: PlanInput): LiveContext | undefined {
  if (live === undefined) return undefined;
  const { observations } = live;
  return { observations, isGone: (address) => observations.get(address)?.exists === false };
}

/** What a run writes to state about itself; nothing when it has no steps. */
function runMetadata({ loaded }: PlanInput, { entries }: Safety, steps: Series<Step>): Pick<Plan, 'bookkeeping'> {
  if (steps.length === 0) return {};
  const entry = loaded === undefined ? undefined : loadedEntry(loaded.now, loaded.before);
  const all = entry === undefined ? entries : [...entries, entry];
  return all.length === 0 ? {} : { bookkeeping: all };
}

function isOfInterest({ drafts, opens, closes, staysClosed, problems, drift = [] }: ObjectPlan): boolean {
  return drafts.length > 0 || opens || closes || staysClosed || problems.length > 0 || drift.length > 0;
}

/** A disabled object may have no work of its own, while others need it enabled. */
function hasWork({ drafts, opens, closes, staysClosed, leftOpen = false }: ObjectPlan): boolean {
  return drafts.length > 0 || opens || closes || staysClosed || leftOpen;
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
