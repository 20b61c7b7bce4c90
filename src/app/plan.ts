// Plans what an apply would do.
import type { LoadedManifest } from '../manifest/passes/loaded-manifest.ts';
import { sendsMessages } from '../model/change.ts';
import { jobFact } from '../model/ci-systems.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import type { UpkeepBackend } from '../state/engine/upkeep.ts';
import { type Application, hasToken, resolveApplication } from './context/application.ts';
import { withReadings } from './context/open-application.ts';
import { openState, withDeclaredState, withState } from './context/open-state.ts';
import type { ApplicationOverrides, Ports, StateOptions } from './context/ports.ts';
import { readingsBeside } from './context/readings-beside.ts';
import { invalidManifests } from './context/refusals.ts';
import { type CommitRules, commitToSave, commitWarnings } from './git/older-commit.ts';
import { loadValid } from './opening/load-declared.ts';
import { digestOfDeclared } from './opening/manifest-source.ts';
import type { PlanSource } from './opening/plan-source.ts';
import { nowOf, type PlanManifestsOptions, planManifests, refreshReach } from './plans/plan-manifests.ts';
import { noteOfDoubt, withNewState } from './plans/state-notes.ts';

export interface PlanChangesOptions extends ApplicationOverrides, StateOptions, CommitRules {
  readonly paths: readonly string[];
  readonly targets?: readonly string[] | undefined;
  /** Whether to read the live objects first, which needs a token. Undefined: the policy decides. */
  readonly refresh?: boolean | undefined;
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
  /** Whether all live objects were read for the plan. */
  readonly isRefreshed: boolean;
  /** The plan with its stages, which are shown and never saved. Absent without `stages`, and for a plan without steps. */
  readonly staged?: Plan;
}

/**
 * Takes no lock and sends only the reads of `refresh`. Refused when the manifests are invalid (65), when a part of them
 * seems to be missing (5), for another application's state or an untrusted host (6), and when `refresh` has no valid
 * token (3).
 */
export async function planChanges(options: PlanChangesOptions, ports: Ports): Promise<PlannedChanges> {
  const { paths, targets, baseRef, isToBeSaved = false, stages = [] } = options;
  const divide = stages.length === 0 ? undefined : (await import('./run/shown-stages.ts')).dividing(stages);
  const base =
    baseRef === undefined ? undefined : await (await import('./opening/base-ref.ts')).readBase(baseRef, paths, ports);
  const manifest = base?.head ?? (await loadValid(paths, ports));
  const reach = refreshReach(options.refresh, manifest.policy, isToBeSaved ? 'save' : 'look');
  const isRefreshed = reach === 'all';
  const resolve = ({ application: declared }: LoadedManifest) =>
    resolveApplication(options, ports, declared, { mayBeUnknown: reach === undefined });
  const resolved = resolve(manifest);
  const backend = await openState(withDeclaredState(options, manifest.statePlace, ports), ports);
  const application = await withReadings(
    await asStateKnows(resolved, backend),
    base?.readings ?? readingsBeside(paths, ports),
  );
  const state = await backend.read(application.identity);
  const read = async (of: LoadedManifest, by: Application) =>
    reach === undefined
      ? undefined
      : (await import('./plans/refresh.ts')).refresh(of, by, state, { targets, reach }, ports);
  const live = await read(manifest, application);
  const now = nowOf(ports);
  const planOf = (of: LoadedManifest, more: Partial<PlanManifestsOptions>) =>
    planManifests(of, application, state, { now, targets, live, isToBeSaved, ...more });
  const basePlan = (of: LoadedManifest) => planOf(of, { isComparison: true }).plan;
  const compare = base && (await import('./opening/base-ref.ts')).comparedWith.bind(undefined, base);
  const complete = compare && ((plan: Plan) => compare(plan, basePlan));
  const judged = planOf(manifest, { complete });
  const { refusals, problems } = judged;
  if (problems.length > 0) throw invalidManifests(problems);
  let { plan: made } = judged;
  if (base?.own !== undefined) {
    const { manifest: own, readings, edits } = base.own;
    const itsApplication = await withReadings(await asStateKnows(resolve(own), backend), readings);
    // Which dangers a refresh finds depends on the readings.
    const itsLive = live && edits.inputs.includes('readings') ? await read(own, itsApplication) : live;
    const byOwn = planManifests(own, itsApplication, state, { now, targets, live: itsLive });
    made = (await import('./opening/base-ref.ts')).withOwnRules(base.own, judged, byOwn);
  }
  if (!isRefreshed && options.refresh === undefined && hasToken(application, ports)) {
    (await import('./plans/refresh.ts')).offerRefresh(manifest, application, state, { targets }, ports);
  }
  const from = { manifest, application, state, targets };
  const unread =
    isRefreshed || !sendsMessages(made.requests)
      ? []
      : (await import('./plans/history-dangers.ts')).unreadHistory(from, ports);
  const known = withNewState(made, backend.name, state, manifest.resources, live);
  const named = withState(known, manifest.statePlace, options, backend.name);
  // A request is planned for review, often before it has the newest commits.
  const rules = { allowOlder: options.allowOlder === true || baseRef !== undefined };
  const older = await commitWarnings(jobFact('commit', ports.env), state, rules, ports);
  const commit = isToBeSaved ? await commitToSave(state, ports) : undefined;
  const whole = {
    ...named,
    ...(commit === undefined ? {} : { commit }),
    warnings: [...noteOfDoubt(state.pending), ...older, ...made.warnings, ...unread],
  };
  const plan = await withSignatureWarning(whole, manifest.policy);
  const planned = { plan, refusals, remarks: manifest.diagnostics, isRefreshed };
  if (divide === undefined || plan.steps.length === 0) return planned;
  return { ...planned, staged: divide(plan, state, digestOfDeclared(manifest, targets)) };
}

/** The plan with a warning if an apply of it will demand a signature. */
export async function withSignatureWarning(plan: Plan, { approvals }: Pick<PlanSource, 'approvals'>): Promise<Plan> {
  if (approvals?.dangers === undefined || plan.steps.length === 0) return plan;
  const { signatureWarning } = await import('./approvals/dangers.ts');
  return { ...plan, warnings: [...plan.warnings, ...signatureWarning(plan, approvals)] };
}

/** Without the variable of the base URL, a state with a single application determines the application. */
async function asStateKnows(application: Application, backend: UpkeepBackend): Promise<Application> {
  if (application.target.type !== 'unknown') return application;
  const [identity, ...others] = await backend.applications();
  return identity === undefined || others.length > 0 ? application : { ...application, identity };
}
