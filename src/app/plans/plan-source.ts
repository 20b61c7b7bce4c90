// The source of the plan for apply and rehearse: the manifests, or a saved plan.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Refusal, usage } from '../../model/errors.ts';
import type { Plan } from '../../model/plan.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Resource } from '../../model/resource.ts';
import type { Step } from '../../model/step.ts';
import type { Application } from '../context/application.ts';
import type { ApplicationOptions, Ports } from '../context/ports.ts';
import { planOvertaken } from '../context/refusals.ts';
import { type Declared, openDeclared } from './declared-estate.ts';
import { demandPossible, isToRefresh, nowOf, planManifests, planRepair } from './plan-manifests.ts';
import type { Live } from './refresh.ts';
import { openSavedPlan } from './saved-plan.ts';

export interface PlanSource {
  readonly application: Application;
  readonly existing: Policy['existing'];
  /** Whether the plan was saved, and thus reviewed before. */
  readonly isSaved: boolean;
  /** All steps of a saved plan, including those that are done. */
  readonly savedSteps?: Iterable<Step>;
  /** The manifests. Absent for a saved plan. */
  readonly declared?: Iterable<Resource>;
  /** For an undo, the number of the undone run. */
  readonly undoes?: number | undefined;
  /** Reads the platform if the plan requires it. Call it once, before anything is written. */
  observe(state: StateSnapshot): Promise<void>;
  /** The plan against this state. For a saved plan, its remaining part. */
  planFor(state: StateSnapshot): Plan;
}

export interface PlanSourceOptions extends ApplicationOptions {
  /** Manifests, or one saved plan. */
  readonly paths: readonly string[];
  /** A plan that the library returned, in place of paths. */
  readonly plan?: Plan | undefined;
  readonly targets?: readonly string[] | undefined;
  /** If undefined, the policy decides. */
  readonly refresh?: boolean | undefined;
  /** Whether to skip objects that changed since the plan was saved. */
  readonly skipConflicts?: boolean | undefined;
  /** Whether to plan only the repair of drift without danger. Implies `refresh`. */
  readonly isRepair?: boolean | undefined;
}

/** `missingVariables` is the severity of a variable that the environment lacks. */
export async function openPlanSource(
  options: PlanSourceOptions,
  ports: Ports,
  missingVariables: 'warn' | 'error',
): Promise<PlanSource> {
  const saved = options.plan ?? (await savedPlanAmong(options.paths, ports.cwd));
  if (saved === undefined) {
    return manifestSource(await openDeclared(options, ports, { missingVariables }), options, ports);
  }
  if ((options.targets ?? []).length > 0) throw wholePlan();
  return openSavedPlan(saved, options, ports);
}

function wholePlan(): Refusal {
  return usage(
    'A saved plan runs as it is, so --target cannot be combined with it.',
    'Nothing was done. Plan again with --target, and apply that plan.',
  );
}

/** The only path, if it is a file and not YAML. */
async function savedPlanAmong(paths: readonly string[], cwd: string): Promise<string | undefined> {
  const [path, ...more] = paths;
  if (path === undefined || more.length > 0 || /\.ya?ml$/iu.test(path)) return undefined;
  const found = await stat(resolve(cwd, path)).catch(() => undefined);
  return found?.isFile() === true ? path : undefined;
}

function manifestSource(
  { manifest, application }: Declared,
  { refresh: asked, targets, isRepair = false }: PlanSourceOptions,
  ports: Ports,
): PlanSource {
  const now = nowOf(ports);
  const plans = isRepair ? planRepair : planManifests;
  let live: Live | undefined;
  /** The hash of the first plan that was made with the live objects. */
  let hash: string | undefined;
  return {
    application,
    existing: manifest.policy.existing,
    isSaved: false,
    declared: manifest.resources,
    observe: async (state) => {
      if (!isRepair && !isToRefresh(asked, manifest.policy, 'apply')) return;
      const { refresh } = await import('../plans/refresh.ts');
      live = await refresh(manifest, application, state, { targets, onlyKnown: isRepair }, ports);
    },
    /** Refused when the plan is not possible (65), by a safety rule (5), or when state changed since it was observed (6). */
    planFor: (state) => {
      const plan = demandPossible(plans(manifest, application, state, { now, targets, live }));
      // The live objects are valid only for the state that they were read with.
      if (live !== undefined && hash !== undefined && hash !== plan.hash) throw planOvertaken();
      hash = plan.hash;
      return plan;
    },
  };
}
