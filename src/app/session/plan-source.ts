// What apply and rehearse carry out: the plan of the manifests, or a saved one.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Plan } from '../../model/plan.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Resource } from '../../model/resource.ts';
import type { Step } from '../../model/step.ts';
import { loadValid } from '../manifests/load-declared.ts';
import { ManifestSource } from '../manifests/manifest-source.ts';
import type { ApplicationOptions } from '../options.ts';
import { planSpool } from '../output-files.ts';
import { readPlan } from '../saved-plan/plan-file.ts';
import { SavedPlanSource } from '../saved-plan/saved-plan-source.ts';
import { type Application, resolveApplication } from './application.ts';
import type { ReadPorts } from './connect.ts';

export interface PlanSource {
  readonly application: Application;
  readonly existing: Policy['existing'];
  /** A saved plan was reviewed before it was saved. */
  readonly isSaved: boolean;
  /** All steps of a saved plan, whether they are done or not. */
  readonly savedSteps?: Iterable<Step>;
  /** What is declared; a saved plan does not say. */
  readonly declared?: Iterable<Resource>;
  /** Reads the platform, where the plan asks for that. To be called once, before anything is written. */
  observe(state: StateSnapshot): Promise<void>;
  /** The plan against this state: of a saved plan, the part that is left. */
  planFor(state: StateSnapshot): Plan;
}

export interface PlanSourceOptions extends ApplicationOptions {
  /** Manifests, or one saved plan. */
  readonly paths: readonly string[];
  readonly targets?: readonly string[] | undefined;
  /** Undefined: as the policy says. */
  readonly refresh?: boolean | undefined;
  /** Leaves out objects that changed since the plan was saved. */
  readonly skipConflicts?: boolean | undefined;
}

/** `missingVariables`: how severe a variable is that the manifests name and the environment lacks. */
export async function openPlanSource(
  options: PlanSourceOptions,
  ports: ReadPorts,
  missingVariables: 'warn' | 'error',
): Promise<PlanSource> {
  const file = await savedPlanAmong(options.paths, ports.cwd);
  if (file === undefined) {
    const manifest = await loadValid(options.paths, ports, { missingVariables });
    const application = resolveApplication(options, ports, manifest.application);
    return new ManifestSource(manifest, application, options, ports);
  }
  const { collect } = planSpool();
  const plan = await readPlan(file, ports, collect);
  return SavedPlanSource.open({ file, plan, collect }, options, ports);
}

/** The one path that is given, when it is a file and no YAML. */
async function savedPlanAmong(paths: readonly string[], cwd: string): Promise<string | undefined> {
  const [path, ...more] = paths;
  if (path === undefined || more.length > 0 || /\.ya?ml$/iu.test(path)) return undefined;
  const found = await stat(resolve(cwd, path)).catch(() => undefined);
  return found?.isFile() === true ? path : undefined;
}
