// What shall be done: the plan of the manifests, or a saved one? The same answer for `apply` and for `rehearse`.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Plan } from '../model/plan.ts';
import type { Policy } from '../model/policy.ts';
import type { StateSnapshot } from '../model/ports.ts';
import { type Application, resolveApplication } from './application.ts';
import type { CommandInput } from './command.ts';
import { demandValid, invalidManifests, loadDeclared } from './declared.ts';
import { planManifests } from './prepare.ts';
import { readPlan } from './read-plan.ts';
import { refusedBySafety } from './refused.ts';
import { checkPlanFits, planConflict, remainingWork, withoutObjects } from './saved-plan.ts';
import type { World } from './world.ts';

export interface Intent {
  readonly application: Application;
  readonly existing: Policy['existing'];
  /** A saved plan: it was reviewed before it was saved. */
  readonly isSaved: boolean;
  /** The plan as it stands against this state: of a saved plan, the part that is left. */
  against(state: StateSnapshot): Plan;
}

/** `variables`: what a missing one is where the manifests are read. */
export async function intentOf(input: CommandInput, world: World, variables: 'warn' | 'error'): Promise<Intent> {
  const saved = await savedPlanAmong(input.args, world);
  return saved === undefined ? intentOfManifests(input, world, variables) : intentOfPlan(saved, input, world);
}

async function intentOfManifests(input: CommandInput, world: World, variables: 'warn' | 'error'): Promise<Intent> {
  const manifest = await loadDeclared(input.args, world, variables);
  await demandValid(manifest.diagnostics, input, world);
  const application = resolveApplication(input, world, manifest.application);
  return {
    application,
    existing: manifest.policy.existing,
    isSaved: false,
    against: (state) => {
      const { plan, problems, refusals } = planManifests(manifest, application, state, input, world);
      if (problems.length > 0) throw invalidManifests(problems);
      if (refusals.length > 0) throw refusedBySafety(refusals);
      return plan;
    },
  };
}

async function intentOfPlan(file: string, input: CommandInput, world: World): Promise<Intent> {
  const plan = await readPlan(file, world.cwd);
  const application = resolveApplication(input, world, plan.settings);
  return {
    application,
    existing: plan.settings.existing,
    isSaved: true,
    against: (state) => {
      checkPlanFits(plan, application.identity, state);
      const { steps, conflicts } = remainingWork(plan, state);
      if (conflicts.length > 0 && !input.flag('skip-conflicts')) throw planConflict(conflicts);
      return { ...plan, steps: withoutObjects(steps, conflicts) };
    },
  };
}

/** One path that is a file and no YAML. */
async function savedPlanAmong(paths: readonly string[], world: World): Promise<string | undefined> {
  const [path, ...more] = paths;
  if (path === undefined || more.length > 0 || /\.ya?ml$/iu.test(path)) return undefined;
  const found = await stat(resolve(world.cwd, path)).catch(() => undefined);
  return found?.isFile() === true ? path : undefined;
}
