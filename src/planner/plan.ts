// What will happen? Values in, a plan out: no file, clock, network or randomness (semantics §11).
//
// declared resources + state records → object plans → ordered steps → changes, costs, refusals, hash.

import { type Collect, collectInMemory, type Series } from '../lib/series.ts';
import { type Address, keyOf } from '../model/address.ts';
import type { FileCounts } from '../model/bookkeeping.ts';
import type { Change } from '../model/change.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { LimitsOf } from '../model/limits.ts';
import type { Observations } from '../model/live.ts';
import { type Plan, type PlanSettings, planFormatVersion, type Refreshed } from '../model/plan.ts';
import type { Policy } from '../model/policy.ts';
import type { StateRecord } from '../model/record.ts';
import type { RemovedEntry, Resource } from '../model/resource.ts';
import type { Step } from '../model/step.ts';
import type { DisablePolicy, KindDefinition, Problem } from '../resources/define.ts';
import { changeOf, renameNotes } from './diff/changes.ts';
import { Children } from './diff/children.ts';
import { hasError, type ObjectPlan } from './diff/draft.ts';
import { planObject } from './diff/object-plan.ts';
import { planStanding } from './diff/retirement.ts';
import { inWalkOrder, pairsOfKind } from './diff/walk.ts';
import { issuedTokensNote } from './issued-tokens.ts';
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
  readonly live?: { readonly observations: Observations; readonly refreshed: Refreshed };
  /** Where what may be many goes; into memory by default. */
  readonly collect?: Collect;
  /** The plan is to be saved: what tells done steps and changes of others from planned ones is worked out, too. */
  readonly isToBeSaved?: boolean;
}

export interface Planned {
  readonly plan: Plan;
  /** Edits that the platform cannot make: nothing may be applied (65). */
  readonly problems: readonly Diagnostic[];
  /** What a safety rule refuses: the plan may be shown, not applied (5). */
  readonly refusals: readonly Diagnostic[];
}

export function makePlan(input: PlanInput): Planned {
  return new PlanMaker(input).make();
}

/** One walk over all objects; of each that has something to do, what it adds to the plan. */
class PlanMaker {
  readonly #input: PlanInput;
  readonly #closing: DisablePolicy;
  readonly #ties: Coupling;
  readonly #created = new CreatedTable();
  readonly #patterns: CreationTemplates;
  readonly #content: PlanContent;
  readonly #safety: SafetyCheck;
  readonly #exclusive = new ExclusiveLists();
  readonly #problems: OrderedGroups<Diagnostic>;
  /** Entries under `removed` that are neither declared nor in state. */
  readonly #unknown: Map<Address, RemovedEntry>;

  constructor(input: PlanInput) {
    const { collect = collectInMemory, policy, records, removed } = input;
    this.#input = input;
    this.#closing = { leaveChannels: policy.leave_channels_on_deactivation };
    this.#ties = new Coupling(records.length > 0);
    this.#patterns = new CreationTemplates({ policy, closing: this.#closing, limitsOf: input.limitsOf });
    this.#content = new PlanContent(collect, { ...input, patterns: this.#patterns, created: this.#created });
    this.#safety = new SafetyCheck(input, collect);
    this.#problems = new OrderedGroups(collectInMemory, ({ address }) => address ?? 'a.');
    this.#unknown = new Map(removed.map((entry) => [entry.address, entry]));
  }

  make(): Planned {
    const { application, policy, settings, lineage, live } = this.#input;
    const tied = this.#walk();
    const ordered = order(tied, this.#closing, this.#created).filter(({ steps }) => steps.length > 0);
    const notes = renameNotes(ordered);
    for (const object of ordered) this.#take(inFull(object), true, notes.get(object.plan.address));
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
      summary: content.summary,
      requests: content.requests,
      duration: content.duration,
      warnings: [
        ...firstConflicts(problems.filter(({ severity }) => severity !== 'error')),
        ...issuedTokensNote(content.tokens),
        ...this.#remarks(safety, content.changes),
      ],
      hash: hashOf(application, policy.existing, content.digests),
      ...bookkeeping(this.#input, safety, content.steps),
      ...(live === undefined ? {} : { refreshed: live.refreshed, drift: content.drift, live: content.live }),
    };
    return {
      plan,
      problems: problems.filter(({ severity }) => severity === 'error'),
      refusals: safety.refusals,
    };
  }

  /** Gives those that have to do with each other; the others are finished as they are met. */
  #walk(): ObjectPlan[] {
    const { kinds, resources, records, removed, scope, policy } = this.#input;
    const live = liveContext(this.#input);
    const removals = new Map(removed.map((entry) => [entry.address, entry]));
    const parts = new Children(this.#input);
    const tied: ObjectPlan[] = [];
    for (const kind of inWalkOrder(kinds)) {
      for (const { address, resource, record } of pairsOfKind(kind.kind, resources, records)) {
        if (this.#unknown.size > 0) this.#unknown.delete(address);
        if (record !== undefined) this.#safety.addRecord(kind, record);
        if (resource !== undefined) this.#exclusive.add(kind, resource);
        const isMeant = scope === undefined || scope.has(address);
        if (!isMeant && record === undefined) continue;
        if (record === undefined && resource !== undefined && this.#isAlike(kind, resource)) continue;
        const kin = parts.relatedObjectsOf(kind, keyOf(address));
        // What goes with an object that is meant is forgotten with it.
        const isLost = !isMeant && kin.status?.().type === 'lost';
        const planned = (declared: Resource | undefined, known: StateRecord | undefined) =>
          isMeant || isLost
            ? planObject(kind, isMeant ? declared : undefined, known, removals.get(address), policy, live, kin)
            : known === undefined
              ? undefined
              : planStanding(kind, known);
        const plan = planned(resource, record);
        if (plan === undefined || !isOfInterest(plan)) continue;
        for (const problem of plan.problems) this.#problems.of(kind.kind).push(diagnosticOf(plan, problem), false);
        this.#content.addDrift(plan);
        if (hasError(plan.problems) || !hasWork(plan)) continue;
        if (this.#ties.isCoupled(plan))
          tied.push(summaryOf(plan, () => planned(parts.declared(address), parts.known(address))));
        else this.#take(orderAlone(plan, this.#closing, this.#created), false);
      }
      this.#ties.endKind(kind.kind);
    }
    return tied;
  }

  /** A creation that is like others is finished here. */
  #isAlike(kind: KindDefinition, resource: Resource): boolean {
    const { scope, live } = this.#input;
    const { address } = resource;
    if (scope !== undefined || live?.observations.get(address) !== undefined) return false;
    const creation = this.#patterns.find(kind, resource);
    if (creation === undefined || this.#ties.isCoupledWithoutReferences(address)) return false;
    this.#content.addAlike(creation);
    this.#created.add(address);
    return true;
  }

  #take(object: OrderedObject, isLate: boolean, note?: string): void {
    const { address } = object.plan;
    this.#safety.addObject(object);
    const notes = [...(note === undefined ? [] : [note]), ...pulledInNote(this.#input.scope, address)];
    this.#content.addObject(object, changeOf(object, notes), isLate);
    if (isLate) return;
    const creation = object.steps.find(({ action }) => action === 'create');
    if (creation !== undefined) this.#created.add(address, creation.id);
  }

  #remarks({ notes }: Safety, changes: Series<Change>): Diagnostic[] {
    const { scope, live } = this.#input;
    if (scope !== undefined) return [partialNote(scope, addressesOf(changes))];
    const unknown = Array.from(
      this.#unknown.values(),
      ({ address, source }): Diagnostic => ({
        severity: 'note',
        code: 'plan.removed-unknown',
        summary: 'A removed object is not in state',
        detail: `${address} is listed under removed, but state does not know it: nothing will be called. The entry may be deleted.`,
        address,
        source,
      }),
    );
    return [...unknown, ...notes, ...(live === undefined ? this.#exclusive.uncheckedNote() : [])];
  }
}

function liveContext({ live }: PlanInput): LiveContext | undefined {
  if (live === undefined) return undefined;
  const { observations } = live;
  return { observations, isGone: (address) => observations.get(address)?.exists === false };
}

/** What a run writes to state about itself; nothing when it has nothing to do. */
function bookkeeping({ loaded }: PlanInput, { entries }: Safety, steps: Series<Step>): Pick<Plan, 'bookkeeping'> {
  if (steps.length === 0) return {};
  const entry = loaded === undefined ? undefined : loadedEntry(loaded.now, loaded.before);
  const all = entry === undefined ? entries : [...entries, entry];
  return all.length === 0 ? {} : { bookkeeping: all };
}

function isOfInterest({ drafts, opens, closes, staysClosed, problems, drift = [] }: ObjectPlan): boolean {
  return drafts.length > 0 || opens || closes || staysClosed || problems.length > 0 || drift.length > 0;
}

/** Others may have work for what has none of its own. */
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
