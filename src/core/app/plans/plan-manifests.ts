// Plans manifests against state.
import type { Collect } from '../../../lib/series.ts';
import { PolicyRestrictions } from '../../manifest/checks/restrictions.ts';
import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import { objectRecords, objectSeries } from '../../model/addressed-series.ts';
import { isReplyTime } from '../../model/behaviours.ts';
import type { Plan } from '../../model/plan.ts';
import { type Policy, refreshWord, refreshWords } from '../../model/policy.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { acknowledgedAddress, loadedAddress } from '../../model/run-metadata.ts';
import type { JudgedPlan, JudgeInput, UnjudgedPlan } from '../../planner/judges/judge.ts';
import { judge } from '../../planner/judges/judges.ts';
import { shrunkCode } from '../../planner/judges/shrink-guard.ts';
import { makePlan } from '../../planner/plan.ts';
import type { PlanInput } from '../../planner/plan-input.ts';
import { repairOf } from '../../planner/repair.ts';
import { type MatchedScope, type Selection, scopeOf, type TargetScope } from '../../planner/targets.ts';
import { limitsOf } from '../../platform/limits.ts';
import { registry } from '../../resources/index.ts';
import { planWords } from '../../view/text/plan-problems.ts';
import type { Application } from '../context/application.ts';
import type { Ports } from '../context/ports.ts';
import { invalidManifests, refusedBySafety } from '../context/refusals.ts';
import { temporarySpool } from '../context/this-process.ts';
import { crowdedUsers } from './joined-channels.ts';
import { demandMatched, readSelection } from './targets.ts';

/** The time in UTC, `2026-12-01T10:00:00.000Z`. A use case reads it once, so that a run that began in time may finish. */
export function nowOf({ clock }: Pick<Ports, 'clock'>): string {
  return clock.date().toISOString();
}

/**
 * Which live objects are read before a plan: all of them, those that the plan would change or create, or those that `policy.adopt` may
 * take into state.
 */
export type RefreshReach = 'all' | 'changed' | 'adopted';

/**
 * Which live objects to read, if any: `requested` is the word of --refresh, and otherwise the policy decides. A plan that is saved
 * counts as an apply, which will not read again (semantics §6.1).
 */
export function refreshReach(
  requested: string | undefined,
  policy: Pick<Policy, 'refresh' | 'adopt'>,
  part: 'plan' | 'apply',
): RefreshReach | undefined {
  const word = refreshWords.find((name) => name === requested) ?? refreshWord(policy, part);
  if (word !== 'none') return word;
  return requested === undefined && part === 'apply' && (policy.adopt ?? []).length > 0 ? 'adopted' : undefined;
}

export interface PlanManifestsOptions {
  /** As `nowOf` gives it. */
  readonly now: string;
  /** Absent: everything. */
  readonly selection?: Selection | undefined;
  /** Whether the plan is only shown, so that missing files are no reason to refuse. */
  readonly isComparison?: boolean;
  /** Whether to plan nothing, and to tell what others changed on the platform. */
  readonly isDriftAlone?: boolean;
  readonly live?: PlanInput['live'] | undefined;
  readonly isToBeSaved?: boolean;
  /** Whether the user has confirmed that everything may be removed. */
  readonly isConfirmed?: boolean;
  /** Whether the plan undoes a run. */
  readonly isUndo?: boolean;
  /** The objects to plan, instead of the selected ones. */
  readonly scope?: TargetScope;
  /** Whether the policy's rules judge the plan, by default unless it is only shown. */
  readonly judgesRules?: boolean;
  /** Completes a possible plan before it is judged, because rules may use the cause of a change. */
  readonly complete?: ((plan: Plan) => Plan) | undefined;
  /** Stores the long parts of the plan, by default in temporary files when there is much. */
  readonly collect?: Collect;
}

/** Refused when a pattern of the selection matches nothing (64), unless the plan is a comparison. If a part of the files seems to be missing, the plan has a refusal. */
export function planManifests(
  manifest: LoadedManifest,
  application: Application,
  state: StateSnapshot,
  options: PlanManifestsOptions,
): JudgedPlan {
  const { selection, isComparison = false } = options;
  const scope = options.scope ?? (isComparison ? scopeFor : matchedScope)(selection, manifest, state);
  const planned = unjudgedPlan(manifest, application, state, options, scope);
  return judgedPlan(planned, manifest, application, state, options, scope);
}

/** The plan that only undoes drift without an effect on access. `live` is the result of a refresh. */
export function planRepair(
  manifest: LoadedManifest,
  application: Application,
  state: StateSnapshot,
  options: PlanManifestsOptions,
): JudgedPlan {
  const matched = matchedScope(options.selection, manifest, state);
  const ordinaryPlan = unjudgedPlan(manifest, application, state, options, matched);
  const { scope, drift } = repairOf(ordinaryPlan.plan, matched, registry, planWords);
  const planned = unjudgedPlan(manifest, application, state, options, scope);
  const repair = { ...planned, plan: { ...planned.plan, drift } };
  return judgedPlan(repair, manifest, application, state, options, scope, {
    scope: matched,
    problems: ordinaryPlan.problems,
  });
}

function unjudgedPlan(
  manifest: LoadedManifest,
  application: Application,
  state: StateSnapshot,
  { now, live, isToBeSaved = false, isDriftAlone = false, collect = temporarySpool().collect }: PlanManifestsOptions,
  scope: TargetScope | undefined,
): UnjudgedPlan {
  const unhides = application.decided?.get('migrationUnhides');
  return makePlan({
    kinds: registry,
    resources: manifest.resources,
    removed: manifest.removed,
    records: objectSeries(state.records()),
    policy: manifest.policy,
    application: application.identity,
    settings: application.settings,
    lineage: state.header?.lineage,
    limitsOf: limitsOf(application.rates),
    migrationUnhides: typeof unhides === 'boolean' ? unhides : undefined,
    now,
    words: planWords,
    ...(scope === undefined ? { loaded: { now: manifest.files, before: state.get(loadedAddress) } } : { scope }),
    ...(live === undefined ? {} : { live }),
    collect,
    isToBeSaved,
    isDriftAlone,
  });
}

/** `surroundingPlan` is where missing files would have shown: the plan itself, or the plan of which it is a part. */
function judgedPlan(
  unjudged: UnjudgedPlan,
  manifest: LoadedManifest,
  { decided }: Application,
  state: StateSnapshot,
  options: PlanManifestsOptions,
  scope: TargetScope | undefined,
  surroundingPlan: Pick<UnjudgedPlan, 'problems'> & { readonly scope: TargetScope | undefined } = {
    ...unjudged,
    scope,
  },
): JudgedPlan {
  const { now, isComparison = false, judgesRules = !isComparison, isConfirmed = false, isUndo = false } = options;
  const { plan, problems } = unjudged;
  const { complete = (possible) => possible } = options;
  const { restrictions = [] } = manifest.policy;
  const crowded = crowdedUsers(manifest.crowded, options.live?.crowded ?? []);
  const replyTime = decided?.get('replyTime');
  const dataRequests = decided?.get('dataRequests');
  const judged = judge(
    { ...unjudged, plan: problems.length > 0 ? plan : complete(plan) },
    {
      policy: manifest.policy,
      words: planWords,
      today: now.slice(0, 10),
      acknowledged: state.get(acknowledgedAddress),
      isConfirmed,
      isUndo,
      isPartial: scope !== undefined,
      loads: isComparison ? undefined : loadsOf(manifest, state, surroundingPlan.scope),
      crowded:
        crowded.length === 0 ? undefined : { users: crowded, isRefused: decided?.get('joinLimit') === 'refused' },
      ignoresAi: decided?.get('botAi') === 'readable',
      hasDataRequests: dataRequests === undefined ? undefined : dataRequests === 'on',
      replyTime: isReplyTime(replyTime) ? replyTime : undefined,
      restrictions: restrictions.length === 0 ? undefined : new PolicyRestrictions(restrictions, registry),
      rules: judgesRules ? manifest.planRules : undefined,
    },
  );
  const shrunk = judged.refusals.filter(({ code }) => code === shrunkCode);
  // Without the missing files, problems of the rest mean little, and no plan is possible.
  if (shrunk.length > 0 && surroundingPlan.problems.length > 0) throw refusedBySafety(shrunk);
  return judged;
}

/**
 * Missing files look like removed objects. Without an earlier load in state, nothing can have shrunk. An exclusion leaves the
 * removals of everything else in the plan.
 */
function loadsOf(
  { files, empty, removed, resources }: LoadedManifest,
  state: StateSnapshot,
  scope: TargetScope | undefined,
): JudgeInput['loads'] {
  const before = state.get(loadedAddress);
  const isOfWholeFiles = scope === undefined || (scope.flags.includes('exclude') && !scope.flags.includes('target'));
  if (before === undefined || !isOfWholeFiles) return undefined;
  const records = objectSeries(state.records());
  const excluded = scope?.isExcluded === undefined ? {} : { excluded: { resources, has: scope.isExcluded } };
  return { kinds: registry, loaded: { files, empty }, before, removed, records, ...excluded };
}

/** Refused when the plan is not possible (65), and by a safety rule (5). */
export function demandPossible({ plan, problems, refusals }: JudgedPlan): Plan {
  if (problems.length > 0) throw invalidManifests(problems);
  if (refusals.length > 0) throw refusedBySafety(refusals);
  return plan;
}

/** `scopeFor`, refused when a pattern of the selection matches nothing (64). */
export function matchedScope(...[selection, manifest, state]: Parameters<typeof scopeFor>): TargetScope | undefined {
  const scope = scopeFor(selection, manifest, state);
  const suggestionSources = [manifest.resources, objectSeries(state.records())];
  demandMatched(scope?.unmatched.targets ?? [], '--target', suggestionSources);
  demandMatched(scope?.unmatched.excluded ?? [], '--exclude', suggestionSources);
  return scope;
}

/** The objects that a selection names and needs. Undefined selects everything. Refused (64) for an invalid pattern. */
export function scopeFor(
  selection: Selection | undefined,
  manifest: LoadedManifest,
  state: StateSnapshot,
): MatchedScope | undefined {
  const patterns = readSelection(selection ?? {});
  return patterns && scopeOf(patterns, manifest.resources, objectRecords(state.records()), registry);
}
