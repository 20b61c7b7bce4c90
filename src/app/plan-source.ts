// What shall be done: the plan of the manifests, or a saved one? The same answer for `apply` and for `rehearse`.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Environment } from '../cli/environment.ts';
import type { CommandInput } from '../cli/flags/command.ts';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import type { Plan } from '../model/plan.ts';
import type { Policy } from '../model/policy.ts';
import type { StateSnapshot } from '../model/ports.ts';
import type { Resource } from '../model/resource.ts';
import { acknowledgedAddress } from '../model/run-metadata.ts';
import { estimateDuration } from '../planner/order/estimate.ts';
import { expiredSince } from '../planner/safety/acknowledgements.ts';
import { limitsOf } from '../platform/limits.ts';
import { demandValid, invalidManifests, loadDeclared } from './load-declared.ts';
import { planManifests, todayOf } from './plan-manifests.ts';
import { planSpool } from './plan-spool.ts';
import type { Live } from './refresh.ts';
import { acknowledgementExpired, planOvertaken, refusedBySafety } from './refusals.ts';
import { findLiveConflicts, type LiveConflict } from './saved-plan/live-conditions.ts';
import { readPlan } from './saved-plan/read-plan.ts';
import {
  checkPlanFits,
  leftOutForPeople,
  planConflict,
  type RemainingWork,
  remainingWork,
  withoutObjects,
} from './saved-plan/remaining-work.ts';
import { type Application, resolveApplication } from './session/application.ts';

export interface PlanSource {
  readonly application: Application;
  readonly existing: Policy['existing'];
  /** A saved plan: it was reviewed before it was saved. */
  readonly isSaved: boolean;
  /** What is declared, for `--verify`; a saved plan does not say. */
  readonly declared?: Iterable<Resource>;
  /** To be called once, before anything is written: looks at the platform, where the plan asks for that. */
  look(state: StateSnapshot): Promise<void>;
  /** The plan as it stands against this state: of a saved plan, the part that is left. */
  against(state: StateSnapshot): Plan;
}

/** `variables`: what a missing one is where the manifests are read. */
export async function planSourceOf(
  input: CommandInput,
  world: Environment,
  variables: 'warn' | 'error',
): Promise<PlanSource> {
  const saved = await savedPlanAmong(input.args, world);
  return saved === undefined ? intentOfManifests(input, world, variables) : intentOfPlan(saved, input, world);
}

async function intentOfManifests(
  input: CommandInput,
  world: Environment,
  variables: 'warn' | 'error',
): Promise<PlanSource> {
  const manifest = await loadDeclared(input.args, world, variables);
  await demandValid(manifest.diagnostics, input, world);
  const application = resolveApplication(input, world, manifest.application);
  const today = todayOf(world);
  let live: Live | undefined;
  let seen: string | undefined;
  return {
    application,
    existing: manifest.policy.existing,
    isSaved: false,
    declared: manifest.resources,
    look: async (state) => {
      if (!input.flag('refresh')) return;
      const { refresh } = await import('./refresh.ts');
      live = await refresh(manifest, application, state, input, world);
    },
    against: (state) => {
      const made = planManifests(manifest, application, state, input, world, today, false, live);
      const { plan, problems, refusals } = made;
      if (problems.length > 0) throw invalidManifests(problems);
      if (refusals.length > 0) throw refusedBySafety(refusals);
      // What was read fits the state that it was read with, and no other.
      if (live !== undefined && seen !== undefined && seen !== plan.hash) throw planOvertaken();
      seen = plan.hash;
      return plan;
    },
  };
}

async function intentOfPlan(file: string, input: CommandInput, world: Environment): Promise<PlanSource> {
  const { collect } = planSpool();
  const plan = await readPlan(file, world.cwd, collect);
  if (plan.settings.base_url === '') throw planForNobody(file);
  const application = resolveApplication(input, world, plan.settings);
  const today = todayOf(world);
  let elsewhere: readonly LiveConflict[] = [];
  /** Kept, since finding it goes through all steps. */
  let looked: { readonly state: StateSnapshot; readonly work: RemainingWork } | undefined;
  let isTold = false;
  return {
    application,
    existing: plan.settings.existing,
    isSaved: true,
    look: async (state) => {
      checkPlanFits(plan, application.identity, state);
      looked = { state, work: remainingWork(plan, state, collect) };
      const { steps, conflicts } = looked.work;
      const left = withoutObjects(steps, conflicts, collect);
      elsewhere = await findLiveConflicts(plan, left, state, application, input, world);
    },
    against: (state) => {
      checkPlanFits(plan, application.identity, state);
      const expired = expiredSince(plan.bookkeeping, state.get(acknowledgedAddress), today);
      if (expired.length > 0) throw acknowledgementExpired(expired);
      const { steps, conflicts } = looked?.state === state ? looked.work : remainingWork(plan, state, collect);
      const all = [...conflicts, ...elsewhere.map(({ address }) => address)];
      if (all.length > 0 && !input.flag('skip-conflicts')) throw planConflict(conflicts, elsewhere);
      const kept = withoutObjects(steps, all, collect);
      if (all.length > 0 && !isTold) world.stderr.write(leftOutForPeople(all, steps.length - kept.length));
      isTold = true;
      if (kept.length === plan.steps.length) return plan;
      return { ...plan, steps: kept, duration: estimateDuration(kept, limitsOf(application.rates)) };
    },
  };
}

/** One path that is a file and no YAML. */
async function savedPlanAmong(paths: readonly string[], world: Environment): Promise<string | undefined> {
  const [path, ...more] = paths;
  if (path === undefined || more.length > 0 || /\.ya?ml$/iu.test(path)) return undefined;
  const found = await stat(resolve(world.cwd, path)).catch(() => undefined);
  return found?.isFile() === true ? path : undefined;
}

function planForNobody(file: string): Refusal {
  return new Refusal(
    'plan.no-application',
    exitCode.conflict,
    `${file} was made without the variable that names its application.`,
    'Such a plan is for reading. Set the variable, and make the plan again.',
  );
}
