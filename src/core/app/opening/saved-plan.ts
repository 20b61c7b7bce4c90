// The remaining part of a saved plan for apply and rehearse (semantics §6).
import { resolve } from 'node:path';
import { RunningDigest } from '../../../lib/digest.ts';
import { isDanger } from '../../model/change.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Plan } from '../../model/plan.ts';
import type { ApprovalsPolicy } from '../../model/policy.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { acknowledgedAddress } from '../../model/run-metadata.ts';
import { type DeclaredPlace, faultOfPlace } from '../../model/stores/declared-place.ts';
import { storeOf } from '../../model/stores/places.ts';
import { expiredSince } from '../../planner/judges/acknowledgements.ts';
import { estimateDuration } from '../../planner/order/estimate.ts';
import { limitsOf } from '../../platform/limits.ts';
import { type Application, type DeclaredApplication, resolveApplication } from '../context/application.ts';
import { behavioursBeside } from '../context/behaviours-beside.ts';
import { withBehaviours } from '../context/open-application.ts';
import type { ApplicationOverrides, Ports, StateOptions } from '../context/ports.ts';
import { acknowledgementExpired } from '../context/refusals.ts';
import { repositoryAround } from '../context/repository.ts';
import { temporarySpool } from '../context/this-process.ts';
import { findLiveConflicts } from '../plans/live-conditions.ts';
import { blockedObjects } from '../plans/needed-objects.ts';
import { copyOfPlan, readPlan } from '../plans/plan-file.ts';
import {
  checkPlanFits,
  planConflict,
  type RemainingWork,
  remainingWork,
  withoutObjects,
} from '../plans/remaining-work.ts';
import { dangersOfSteps } from '../plans/saved-dangers.ts';
import type { DeclaredRules, JudgingOptions } from './judging-policy.ts';
import { mayJudge } from './judging-words.ts';
import type { PlanSource, SavedPlan, SeenEstate } from './plan-source.ts';

export interface SavedPlanOptions extends ApplicationOverrides, Pick<StateOptions, 'state'>, JudgingOptions {
  /** Whether to skip objects that changed since the plan was saved. */
  readonly skipConflicts?: boolean | undefined;
}

/**
 * `saved` is the path of a plan file, or a plan that the library returned. Refused (6) when the plan has no application, or names
 * an emulator outside the working folder.
 */
export async function openSavedPlan(
  saved: string | Plan,
  options: SavedPlanOptions,
  ports: Ports,
): Promise<PlanSource> {
  const { collect } = temporarySpool();
  const isFile = typeof saved === 'string';
  const digest = new RunningDigest();
  const plan = isFile ? await readPlan(saved, ports, collect, digest) : copyOfPlan(saved, collect);
  const savedPlan: SavedPlan = isFile ? { plan, file: { name: saved, sha256: digest.soFar('hex') } } : { plan };
  const name = isFile ? saved : 'The plan';
  if (plan.settings.base_url === '') throw madeWithoutApplication(name);
  const { identity } = resolveApplication(options, ports, plan.settings);
  const rules = await rulesFor(plan, identity, options, ports);
  const { declared, behaviours = behavioursBeside(isFile ? [saved] : [], ports) } = rules ?? {};
  const application = await withBehaviours(
    resolveApplication(options, ports, await limitsFor(plan, declared)),
    behaviours,
  );
  if (options.baseUrl === undefined) await demandInside(application, name, ports);
  const savedPlace = options.state === undefined ? await placeOfSaved(plan, name, ports) : undefined;
  const isPlacedByRef = options.approvalsRef !== undefined && declared?.application !== undefined;
  const statePlace = isPlacedByRef && options.state === undefined ? declared.statePlace : savedPlace;
  const now = ports.clock.date().toISOString();
  const refusals = declared && (await import('./saved-refusals.ts'));
  const withSteps = (steps: Plan['steps']): Plan => {
    const { people: _people, notices: _notices, ...recomputable } = plan;
    return { ...recomputable, steps, duration: estimateDuration(steps, limitsOf(application.rates)) };
  };
  const look = async (state: StateSnapshot, mayRead: boolean): Promise<SeenEstate> => {
    checkPlanFits(plan, application.identity, state);
    const work = remainingWork(plan, state, collect);
    const planned = withoutObjects(work.steps, work.conflicts, collect);
    const changedElsewhere = mayRead ? await findLiveConflicts(plan, planned, state, application, ports) : [];
    let hasNotified = false;
    /** Found once for the state that was looked at, because it visits all steps. It is the same for all states without records. */
    const workFor = (current: StateSnapshot): RemainingWork =>
      current === state || (current.size === 0 && state.size === 0) ? work : remainingWork(plan, current, collect);
    return {
      dangers: (current, remaining) => {
        const reach = async () => (await import('../context/connect.ts')).reachOf(application, ports);
        return dangersOfSteps(remaining, { state: current, application, reach }, ports);
      },
      /**
       * Refused when an acknowledgement has expired or the policy forbids the plan (5), and (6) when the plan does not fit the
       * state, or objects changed since it was made and are not to be skipped.
       */
      planFor: (current) => {
        checkPlanFits(plan, application.identity, current);
        const expired = expiredSince(plan.bookkeeping, current.get(acknowledgedAddress), now.slice(0, 10));
        if (expired.length > 0) throw acknowledgementExpired(expired);
        const { steps, conflicts } = workFor(current);
        const blocked = blockedObjects(steps, plan, current);
        const changed = [...conflicts, ...[...blocked, ...changedElsewhere].map(({ address }) => address)];
        if (changed.length > 0 && options.skipConflicts !== true)
          throw planConflict(conflicts, blocked, changedElsewhere);
        const remainingSteps = withoutObjects(steps, changed, collect);
        if (changed.length > 0 && !hasNotified) {
          const addresses = [...new Set(changed)];
          ports.notify({ type: 'plan-left-out', addresses, steps: steps.length - remainingSteps.length });
          hasNotified = true;
        }
        const remaining = remainingSteps.length === plan.steps.length ? plan : withSteps(remainingSteps);
        if (declared !== undefined && remainingSteps.length > 0)
          refusals?.demandAllowed(remaining, current, declared, application, now);
        return remaining;
      },
    };
  };
  return {
    type: 'saved',
    application,
    statePlace,
    existing: plan.settings.existing,
    savedPlan,
    request: () => plan.hash,
    approvals: stricterApprovals(declared?.policy.approvals, plan.settings.approvals),
    look,
  };
}

/** Undefined if no option names rules, the plan has no dangers, and no file of the working folder can have some. */
async function rulesFor(plan: Plan, application: string, options: JudgingOptions, ports: Ports) {
  const isNamed = options.approvalsFrom !== undefined || options.approvalsRef !== undefined;
  if (!isNamed && !isDangerous(plan) && !(await mayJudge(ports.cwd, plan.settings))) return undefined;
  const { judgingRules } = await import('./judging-policy.ts');
  return judgingRules(options, { application }, ports);
}

/** Without the dangers that the plan names itself, because whoever writes the file can leave some out. */
function isDangerous({ changes }: Plan): boolean {
  for (const change of changes) if (isDanger(change)) return true;
  return false;
}

/** The settings of the plan, with the stricter limits. Manifests without an application, such as a lone policy, have none. */
async function limitsFor({ settings }: Plan, declared: DeclaredRules | undefined): Promise<DeclaredApplication> {
  if (declared?.application === undefined) return settings;
  const { stricterLimits } = await import('./judging-rules.ts');
  return { ...settings, ...stricterLimits(settings, declared.application) };
}

/** Only manifests name signers, because a plan could name its own. The smaller limit of dangers applies. */
function stricterApprovals(
  declared: ApprovalsPolicy | undefined,
  planned: Plan['settings']['approvals'],
): Partial<ApprovalsPolicy> | undefined {
  const limits = [declared?.dangers, planned?.dangers].filter((limit) => limit !== undefined);
  return limits.length === 0 ? declared : { ...declared, dangers: Math.min(...limits) };
}

/** A plan may come from an unmerged request. Like manifests, it must not write outside the working folder. */
async function demandInside({ target }: Application, file: string, { cwd }: Ports): Promise<void> {
  if (target.type !== 'emulator') return;
  const { disk, staysInside } = await import('../../manifest/files/access.ts');
  if (await staysInside(resolve(cwd, target.file), cwd, disk)) return;
  throw new Refusal(
    'plan.emulator-elsewhere',
    exitCode.conflict,
    `${file} is for emulator:${target.file}, which is outside the working folder.`,
    'If you want that emulator, confirm it with --base-url.',
  );
}

function madeWithoutApplication(file: string): Refusal {
  return new Refusal(
    'plan.no-application',
    exitCode.conflict,
    `${file} was made without the variable that names its application.`,
    'Such a plan is for reading only. Set the variable and re-plan.',
  );
}

/** The place in a saved plan, which may come from an unmerged request. Refused (6) if no manifest could declare it. */
async function placeOfSaved(
  { settings: { state: place } }: Plan,
  file: string,
  { cwd }: Pick<Ports, 'cwd'>,
): Promise<DeclaredPlace | undefined> {
  if (place === undefined) return undefined;
  if (faultOfPlace(place) === undefined && (await isInRepository(place, cwd))) return { place };
  throw new Refusal(
    'plan.state-elsewhere',
    exitCode.conflict,
    `${file} names a place of the state that a manifest could not declare here.`,
    'Nothing was done. Apply it in the working folder of the plan, or pass the place with --state.',
  );
}

async function isInRepository(place: string, cwd: string): Promise<boolean> {
  if (storeOf(place)?.scheme !== 'file') return true;
  const [{ isPlaceInside }, { disk }] = await Promise.all([
    import('../../manifest/checks/state-place.ts'),
    import('../../manifest/files/access.ts'),
  ]);
  const folder = resolve(cwd, place.slice('file:'.length));
  return isPlaceInside(folder, [cwd, await repositoryAround(cwd, false)], disk);
}
