// Plans manifests against state.

import type { Collect } from '../../lib/series.ts';
import { Restrictions } from '../../manifest/checks/restrictions.ts';
import type { LoadedManifest } from '../../manifest/load.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { StateRecord } from '../../model/record.ts';
import { acknowledgedAddress, loadedAddress, objectRecords, objectSeries } from '../../model/run-metadata.ts';
import { type JudgedPlan, makePlan, type PlanInput } from '../../planner/plan.ts';
import { repairOf } from '../../planner/repair.ts';
import { refuseShrunkInput, shrunkCode } from '../../planner/safety/shrink-guard.ts';
import { type Scope, scopeOf } from '../../planner/targets.ts';
import { limitsOf } from '../../platform/limits.ts';
import { registry } from '../../resources/index.ts';
import type { Application } from '../context/application.ts';
import type { Ports } from '../context/ports.ts';
import { refusedBySafety } from '../context/refusals.ts';
import { temporarySpool } from '../context/spools.ts';
import { invalidManifests } from './load-declared.ts';
import { demandMatched, readTarget } from './targets.ts';

/** The time in UTC, `2026-12-01T10:00:00.000Z`. A use case reads it once, so that a run that began in time may finish. */
export function nowOf({ clock }: Pick<Ports, 'clock'>): string {
  return clock.date().toISOString();
}

export function todayOf(ports: Pick<Ports, 'clock'>): string {
  return dayOf(nowOf(ports));
}

function dayOf(now: string): string {
  return now.slice(0, 10);
}

/**
 * Whether to read the live objects: `asked` is --refresh or --skip-refresh, and otherwise the policy decides. A plan that is
 * saved counts as an apply, which will not read again (semantics §6.1).
 */
export function isToRefresh(
  asked: boolean | undefined,
  { refresh }: Pick<Policy, 'refresh'>,
  purpose: 'look' | 'save' | 'apply',
): boolean {
  return asked ?? (refresh === 'always' || (refresh === 'on_apply' && purpose !== 'look'));
}

export interface PlanManifestsOptions {
  /** As `nowOf` gives it. */
  readonly now: string;
  /** The texts of --target. Empty selects everything. */
  readonly targets?: readonly string[] | undefined;
  /** Whether the plan is only shown, so that missing files are no reason to refuse. */
  readonly isComparison?: boolean;
  readonly live?: PlanInput['live'] | undefined;
  readonly isToBeSaved?: boolean;
  /** Whether the user has confirmed that everything may be removed. */
  readonly isConfirmed?: boolean;
  /** Whether the plan undoes a run. */
  readonly isUndo?: boolean;
  /** The objects to plan, instead of those of the targets. */
  readonly scope?: Scope;
  /** If false, the caller applies the rules when the plan is final. */
  readonly judgesRules?: boolean;
  /** Stores the long parts of the plan, by default in temporary files when there is much. */
  readonly collect?: Collect;
}

/** Refused when a target matches nothing (64). If a part of the files seems to be missing, the plan has a refusal. */
export function planManifests(
  manifest: LoadedManifest,
  application: Application,
  state: StateSnapshot,
  {
    now,
    targets = [],
    scope = scopeFor(targets, manifest, state),
    isComparison = false,
    live,
    isToBeSaved = false,
    isConfirmed = false,
    isUndo = false,
    judgesRules = !isComparison,
    collect = temporarySpool().collect,
  }: PlanManifestsOptions,
): JudgedPlan {
  const records = objectSeries(state.records());
  const before = state.get(loadedAddress);
  const shrunk = scope === undefined && !isComparison ? shrunkInput(manifest, before, records, dayOf(now)) : [];
  if (scope !== undefined && !isComparison) demandMatched(scope.unmatched, '--target', [manifest.resources, records]);
  const acknowledged = state.get(acknowledgedAddress);
  const lineage = state.header?.lineage;
  const planned = makePlan({
    kinds: registry,
    resources: manifest.resources,
    removed: manifest.removed,
    records,
    policy: manifest.policy,
    application: application.identity,
    settings: application.settings,
    ...(lineage === undefined ? {} : { lineage }),
    limitsOf: limitsOf(application.rates),
    today: dayOf(now),
    now,
    ...(scope === undefined ? { loaded: { now: manifest.files, before } } : { scope }),
    ...(acknowledged === undefined ? {} : { acknowledged }),
    ...(live === undefined ? {} : { live }),
    collect,
    isToBeSaved,
    isConfirmed,
    isUndo,
  });
  const { restrictions = [] } = manifest.policy;
  const restricted =
    restrictions.length === 0 ? [] : new Restrictions(restrictions, registry).refusals(planned.plan.changes);
  // Without the missing files, problems of the rest mean little, and no plan is possible.
  if (shrunk.length > 0 && planned.problems.length > 0) throw refusedBySafety(shrunk);
  const others = planned.refusals.filter(({ acknowledge }) => !shrunk.some((one) => asksForTheSame(one, acknowledge)));
  const restrictedPlan = { ...planned, refusals: [...shrunk, ...others, ...restricted] };
  return judgesRules ? judgedByRules(restrictedPlan, manifest, now) : restrictedPlan;
}

/** Refused when the plan is not possible (65), and by a safety rule (5). */
export function demandPossible({ plan, problems, refusals }: JudgedPlan): Plan {
  if (problems.length > 0) throw invalidManifests(problems);
  if (refusals.length > 0) throw refusedBySafety(refusals);
  return plan;
}

/** The plan that only undoes drift without danger. `live` is the result of a refresh. */
export function planRepair(
  manifest: LoadedManifest,
  application: Application,
  state: StateSnapshot,
  options: PlanManifestsOptions,
): JudgedPlan {
  const whole = planManifests(manifest, application, state, { ...options, judgesRules: false });
  const { scope, drift } = repairOf(whole.plan);
  const planned = planManifests(manifest, application, state, { ...options, scope });
  const shrunk = whole.refusals.filter(({ code }) => code === shrunkCode);
  return { ...planned, plan: { ...planned.plan, drift }, refusals: [...shrunk, ...planned.refusals] };
}

/** Adds refusals and remarks of the policy's rules. `plan` must be final, because rules may use the cause of a change. */
export function judgedByRules(
  planned: JudgedPlan,
  { planRules }: Pick<LoadedManifest, 'planRules'>,
  now: string,
): JudgedPlan {
  if (planRules === undefined) return planned;
  const { refusals, remarks } = planRules.judge(planned.plan, dayOf(now));
  const { plan } = planned;
  return {
    ...planned,
    plan: remarks.length === 0 ? plan : { ...plan, warnings: [...plan.warnings, ...remarks] },
    refusals: [...planned.refusals, ...refusals],
  };
}

/** The objects that targets select and need. Undefined selects everything. */
export function scopeFor(
  targets: readonly string[],
  manifest: LoadedManifest,
  state: StateSnapshot,
): Scope | undefined {
  if (targets.length === 0) return undefined;
  const read = targets.map((text) => readTarget(text, '--target'));
  return scopeOf(read, manifest.resources, objectRecords(state.records()), registry);
}

/** Whether the refusal of shrunk input names the same entry, so that a budget need not name it again. */
function asksForTheSame({ acknowledge }: Diagnostic, other: Diagnostic['acknowledge']): boolean {
  return other !== undefined && acknowledge?.effect === other.effect && acknowledge.count === other.count;
}

/** Missing files look like removed objects. */
function shrunkInput(
  { files, empty, removed, policy }: LoadedManifest,
  before: StateRecord | undefined,
  records: Iterable<StateRecord>,
  today: string,
): readonly Diagnostic[] {
  // Without an earlier load in state, nothing can have shrunk.
  if (before === undefined) return [];
  const loaded = { files, empty };
  return refuseShrunkInput({ kinds: registry, loaded, before, removed, records, policy, today });
}
