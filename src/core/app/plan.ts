// Plans what an apply would do.
import type { LoadedManifest } from '../manifest/passes/loaded-manifest.ts';
import { sendsMessages } from '../model/change.ts';
import { jobFact } from '../model/ci-systems.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import type { Policy } from '../model/policy.ts';
import type { StateSnapshot } from '../model/ports.ts';
import type { JudgedPlan } from '../planner/judges/judge.ts';
import { type Selection, selectionOf } from '../planner/targets.ts';
import { hasToken } from './context/application.ts';
import type { ApplicationOverrides, Ports, StateOptions } from './context/ports.ts';
import { invalidManifests } from './context/refusals.ts';
import { type CommitRules, commitToSave, commitWarnings } from './git/older-commit.ts';
import { applicationOf, type Declared, openDeclaredEstate } from './opening/declared-estate.ts';
import { digestOfDeclared } from './opening/manifest-source.ts';
import { withFacts } from './plans/facts.ts';
import type { PlannedFrom } from './plans/history-dangers.ts';
import { lookAt } from './plans/look.ts';
import { nowOf, type PlanManifestsOptions, planManifests, refreshReach } from './plans/plan-manifests.ts';
import type { Live } from './plans/refresh.ts';

export interface PlanChangesOptions extends ApplicationOverrides, StateOptions, CommitRules, Selection {
  readonly paths: readonly string[];
  /** Which live objects to read first: `all`, `changed` or `none`. Reading needs a token. Undefined: the policy decides. */
  readonly refresh?: string | undefined;
  /** The git reference whose pending changes are separated from those of this branch. */
  readonly baseRef?: string | undefined;
  /** The --stage of the apply, to show what each stage would have. */
  readonly stages?: readonly string[] | undefined;
  /** Whether the plan will be saved and needs the conditions that an apply of the file checks. */
  readonly isToBeSaved?: boolean | undefined;
}

export interface PlannedChanges {
  readonly plan: Plan;
  /** Why the plan may not be applied as it is. */
  readonly refusals: readonly Diagnostic[];
  /** Warnings and notes on the manifests. */
  readonly remarks: readonly Diagnostic[];
  /** Whether the live objects were read that the plan changes, or all of them. */
  readonly isRefreshed: boolean;
  /** The plan with its stages, which are shown and never saved. Absent without `stages`, and for a plan without steps. */
  readonly staged?: Plan;
}

/**
 * Takes no lock and sends only the reads of `refresh`. Refused when the manifests are invalid (65), when a part of them
 * seems to be missing (5), for another application's state (6), for an untrusted host (65), and when `refresh` has no valid
 * token (3).
 */
export async function planChanges(options: PlanChangesOptions, ports: Ports): Promise<PlannedChanges> {
  const { paths, baseRef, isToBeSaved = false, stages = [] } = options;
  const selection = selectionOf(options);
  const divide = stages.length === 0 ? undefined : (await import('./run/stages.ts')).dividing(stages);
  const base = baseRef === undefined ? undefined : await baseAt(baseRef, paths, ports);
  const reachOf = (policy: Policy) => refreshReach(options.refresh, policy, isToBeSaved ? 'apply' : 'plan');
  const sendsNothing = (policy: Policy) => reachOf(policy) === undefined;
  const loaded = base && { manifest: base.head, behaviours: base.behaviours };
  const estate = await openDeclaredEstate(options, ports, { loaded, sendsNothing });
  const { manifest, application, backend } = estate;
  const { statePlace, policy, resources: declared } = manifest;

  const reach = reachOf(policy);
  const state = await backend.read(application.identity);
  const ownRules = base?.own && {
    ...base.own,
    application: await applicationOf(base.own, options, ports, { mayBeUnknown: reach === undefined, backend }),
  };
  const { live, ownLive } = await lookAt(estate, ownRules, state, { selection, reach }, ports);
  const isRefreshed = reach === 'all' || (reach === 'changed' && live !== undefined);

  const now = nowOf(ports);
  const planOf = (of: LoadedManifest, more: Partial<PlanManifestsOptions>) =>
    planManifests(of, application, state, { now, selection, live, isToBeSaved, ...more });
  const judged = planOf(manifest, { complete: base?.comparing((of) => planOf(of, { isComparison: true }).plan) });
  if (judged.problems.length > 0) throw invalidManifests(judged.problems);
  let { plan: resultPlan } = judged;
  if (base !== undefined && ownRules !== undefined) {
    const byOwn = planManifests(ownRules.manifest, ownRules.application, state, { now, selection, live: ownLive });
    resultPlan = base.judgedByBoth(judged, byOwn);
  }
  await offerRefreshOf(estate, state, options, reach === 'all' || reach === 'changed', ports);

  const dangers = reach === 'all' ? [] : await foundDangers(resultPlan, { ...estate, state, selection }, live, ports);
  // A request is planned for review, often before it has the newest commits.
  const rules = { allowOlder: options.allowOlder === true || baseRef !== undefined };
  const older = await commitWarnings(jobFact('commit', ports.env), state, rules, ports);
  const commit = isToBeSaved ? await commitToSave(state, ports) : undefined;
  const plan = await withFacts(commit === undefined ? resultPlan : { ...resultPlan, commit }, 'shown', {
    backend,
    state,
    options,
    application,
    statePlace,
    declared,
    live,
    approvals: policy.approvals,
    warnings: [...older, ...dangers],
  });
  const planned = { plan, refusals: judged.refusals, remarks: manifest.diagnostics, isRefreshed };
  if (divide === undefined || plan.steps.length === 0) return planned;
  return { ...planned, staged: divide(plan, state, digestOfDeclared(manifest, selection), manifest.resources) };
}

/** The base of a request, with what compares it. Its code is loaded on demand. */
async function baseAt(ref: string, paths: readonly string[], ports: Ports) {
  const { comparedWith, readRules, withOwnRules } = await import('./opening/base-ref.ts');
  const base = await readRules(ref, 'plan', paths, ports);
  const { own } = base;
  return {
    ...base,
    comparing: (planOf: (of: LoadedManifest) => Plan) => (plan: Plan) => comparedWith(base, plan, planOf),
    judgedByBoth: (judged: JudgedPlan, byOwn: JudgedPlan) =>
      own === undefined ? judged.plan : withOwnRules(own, judged, byOwn),
  };
}

/** The dangers of the steps that only the platform shows, or without a read what is unknown of them. */
async function foundDangers(
  plan: Plan,
  from: PlannedFrom,
  live: Live | undefined,
  ports: Ports,
): Promise<readonly Diagnostic[]> {
  if (live === undefined)
    return sendsMessages(plan.requests) ? (await import('./plans/history-dangers.ts')).unreadHistory(from, ports) : [];
  const { dangersOfSteps } = await import('./plans/saved-dangers.ts');
  const reach = async () => (await import('./context/connect.ts')).reachOf(from.application, ports);
  return dangersOfSteps(plan, { ...from, isRead: true, reach }, ports);
}

/** Says what a refresh would cost, unless one was made or refused. */
async function offerRefreshOf(
  { manifest, application }: Declared,
  state: StateSnapshot,
  options: PlanChangesOptions,
  isRefreshed: boolean,
  ports: Ports,
): Promise<void> {
  if (isRefreshed || options.refresh !== undefined || !hasToken(application, ports)) return;
  const { offerRefresh } = await import('./plans/refresh.ts');
  offerRefresh(manifest, application, state, { selection: selectionOf(options) }, ports);
}
