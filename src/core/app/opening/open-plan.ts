// Opens the source of a plan for apply, rehearse and cutover: the manifests, or a saved plan.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { usage } from '../../model/errors.ts';
import type { Plan } from '../../model/plan.ts';
import { flagsOf } from '../../planner/targets.ts';
import type { Ports } from '../context/ports.ts';
import type { ManifestSourceOptions } from './manifest-source.ts';
import type { PlanSource } from './plan-source.ts';
import { openSavedPlan, type SavedPlanOptions } from './saved-plan.ts';

/** The paths are manifests, or one saved plan. */
export interface PlanSourceOptions extends ManifestSourceOptions, SavedPlanOptions {
  /** A plan that the library returned, in place of paths. */
  readonly plan?: Plan | undefined;
}

/** `missingVariables` is the severity of a variable that the environment lacks. */
export async function openPlanSource(
  options: PlanSourceOptions,
  ports: Ports,
  missingVariables: 'warn' | 'error',
): Promise<PlanSource> {
  const saved = options.plan ?? (await savedPlanAmong(options.paths, ports.cwd));
  if (saved === undefined) {
    // A saved plan needs nothing that reads and compares manifests, so that code is loaded on demand.
    const { openManifests } = await import('./manifest-source.ts');
    return openManifests(options, ports, missingVariables);
  }
  const [flag] = flagsOf(options);
  if (flag !== undefined)
    throw usage(
      `A saved plan runs as it is, so --${flag} cannot be combined with it.`,
      `Nothing was done. Plan again with --${flag}, and apply that plan.`,
    );
  return openSavedPlan(saved, options, ports);
}

/** The only path, if it is a file and not YAML. */
async function savedPlanAmong(paths: readonly string[], cwd: string): Promise<string | undefined> {
  const [path, ...more] = paths;
  if (path === undefined || more.length > 0 || /\.ya?ml$/iu.test(path)) return undefined;
  const fileInfo = await stat(resolve(cwd, path)).catch(() => undefined);
  return fileInfo?.isFile() === true ? path : undefined;
}
