// The remaining part of a saved plan for apply and rehearse (semantics §6).
import { resolve } from 'node:path';
import { RunningDigest } from '../../../lib/digest.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { acknowledgedAddress } from '../../model/run-metadata.ts';
import { type DeclaredPlace, faultOfPlace } from '../../model/stores/declared-place.ts';
import { storeOf } from '../../model/stores/places.ts';
import { expiredSince } from '../../planner/judges/acknowledgements.ts';
import { estimateDuration } from '../../planner/order/estimate.ts';
import { limitsOf } from '../../platform/limits.ts';
import { type Application, resolveApplication } from '../context/application.ts';
import { openApplication, withReadings } from '../context/open-application.ts';
import type { ApplicationOverrides, Ports, StateOptions } from '../context/ports.ts';
import { acknowledgementExpired } from '../context/refusals.ts';
import { repositoryAround } from '../context/repository.ts';
import { temporarySpool } from '../context/this-process.ts';
import { findLiveConflicts, type LiveConflict } from '../plans/live-conditions.ts';
import { blockedObjects } from '../plans/needed-objects.ts';
import { copyOfPlan, readPlan } from '../plans/plan-file.ts';
import {
  checkPlanFits,
  planConflict,
  type RemainingWork,
  remainingWork,
  withoutObjects,
} from '../plans/remaining-work.ts';
import { savedDangers } from '../plans/saved-dangers.ts';

export interface SavedPlanOptions extends ApplicationOverrides, Pick<StateOptions, 'state'> {
  /** Whether to skip objects that changed since the plan was saved. */
  readonly skipConflicts?: boolean | undefined;
  /** The git reference whose limits, readings and place of the state count. Absent: the plan, and the readings on disk. */
  readonly approvalsRef?: string | undefined;
  /** The manifests that are read there. Default: those of the working folder. */
  readonly approvalsFrom?: string | undefined;
}

export interface SavedPlan {
  readonly plan: Plan;
  /** Absent for a plan that the library returned. */
  readonly file?: { readonly name: string; readonly sha256: string };
}

/**
 * `saved` is the path of a plan file, or a plan that the library returned. Refused (6) when the plan has no application, or names
 * an emulator outside the working folder.
 */
export async function openSavedPlan(saved: string | Plan, options: SavedPlanOptions, ports: Ports) {
  const { collect } = temporarySpool();
  const isFile = typeof saved === 'string';
  const digest = new RunningDigest();
  const plan = isFile ? await readPlan(saved, ports, collect, digest) : copyOfPlan(saved, collect);
  const savedPlan: SavedPlan = isFile ? { plan, file: { name: saved, sha256: digest.soFar('hex') } } : { plan };
  const name = isFile ? saved : 'The plan';
  if (plan.settings.base_url === '') throw madeWithoutApplication(name);
  const { approvalsRef } = options;
  const rules = approvalsRef === undefined ? undefined : await rulesFor(plan, approvalsRef, options, ports);
  const application =
    rules === undefined
      ? await openApplication(options, ports, plan.settings, isFile ? [saved] : [])
      : await withReadings(resolveApplication(options, ports, rules.settings), rules.readings);
  if (options.baseUrl === undefined) await demandInside(application, name, ports);
  const savedPlace = options.state === undefined ? await placeOfSaved(plan, name, ports) : undefined;
  const statePlace = rules?.placed === undefined ? savedPlace : rules.placed.at;
  const today = ports.clock.date().toISOString().slice(0, 10);
  let changedElsewhere: readonly LiveConflict[] = [];
  /** Cached for the observed state, because finding the remaining work visits all steps. */
  let observed: { readonly state: StateSnapshot; readonly work: RemainingWork } | undefined;
  let hasNotified = false;
  /** The remaining work is the same for all states without records. */
  const workFor = (state: StateSnapshot): RemainingWork => {
    const isSame = observed?.state === state || (observed?.state.size === 0 && state.size === 0);
    return isSame && observed !== undefined ? observed.work : remainingWork(plan, state, collect);
  };
  return {
    isSaved: true,
    application,
    statePlace,
    existing: plan.settings.existing,
    savedPlan,
    request: () => plan.hash,
    approvals: plan.settings.approvals,
    observe: async (state: StateSnapshot): Promise<void> => {
      checkPlanFits(plan, application.identity, state);
      const work = remainingWork(plan, state, collect);
      observed = { state, work };
      const planned = withoutObjects(work.steps, work.conflicts, collect);
      changedElsewhere = await findLiveConflicts(plan, planned, state, application, ports);
    },
    dangers: (state: StateSnapshot, remaining: Plan) => {
      const reach = async () => (await import('../context/connect.ts')).reachOf(application, ports);
      return savedDangers(remaining, { state, application, reach }, ports);
    },
    /**
     * Refused when an acknowledgement has expired (5), and (6) when the plan does not fit the state, or objects changed
     * since it was made and are not to be skipped.
     */
    planFor: (state: StateSnapshot): Plan => {
      checkPlanFits(plan, application.identity, state);
      const expired = expiredSince(plan.bookkeeping, state.get(acknowledgedAddress), today);
      if (expired.length > 0) throw acknowledgementExpired(expired);
      const { steps, conflicts } = workFor(state);
      const blocked = blockedObjects(steps, plan, state);
      const changed = [...conflicts, ...[...blocked, ...changedElsewhere].map(({ address }) => address)];
      if (changed.length > 0 && options.skipConflicts !== true)
        throw planConflict(conflicts, blocked, changedElsewhere);
      const kept = withoutObjects(steps, changed, collect);
      if (changed.length > 0 && !hasNotified) {
        const addresses = [...new Set(changed)];
        ports.notify({ type: 'plan-left-out', addresses, steps: steps.length - kept.length });
        hasNotified = true;
      }
      if (kept.length === plan.steps.length) return plan;
      const { people: _people, notices: _notices, ...rest } = plan;
      return { ...rest, steps: kept, duration: estimateDuration(kept, limitsOf(application.rates)) };
    },
  };
}

/** The rules at the commit. Manifests there without an application, such as a lone policy, say nothing about limits or the state. */
async function rulesFor(
  { settings, application: planned }: Plan,
  ref: string,
  { approvalsFrom, state }: SavedPlanOptions,
  ports: Ports,
) {
  const [{ rulesAbout, rulesAt, stricterLimits }, { approvalsRef }] = await Promise.all([
    import('./judging-rules.ts'),
    import('../git/commit.ts'),
  ]);
  const read = (paths: readonly string[]) => rulesAt(ref, approvalsRef, paths, ports, { isForSettings: true });
  const { manifest, readings } =
    approvalsFrom === undefined ? await rulesAbout(planned, read) : await read([approvalsFrom]);
  const { application, statePlace } = manifest;
  if (application === undefined) return { settings, readings };
  const placed = { at: state === undefined ? statePlace : undefined };
  return { settings: { ...settings, ...stricterLimits(settings, application) }, readings, placed };
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
