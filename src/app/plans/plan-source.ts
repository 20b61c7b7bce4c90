// What apply and rehearse carry out: the plan of the manifests, or a saved one.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { LoadedManifest } from '../../manifest/load.ts';
import type { Plan } from '../../model/plan.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Resource } from '../../model/resource.ts';
import type { Step } from '../../model/step.ts';
import { type Application, resolveApplication } from '../context/application.ts';
import type { ApplicationOptions, Ports } from '../context/ports.ts';
import { planOvertaken, refusedBySafety } from '../context/refusals.ts';
import { invalidManifests, loadValid } from './load-declared.ts';
import { isToRefresh, nowOf, planManifests } from './plan-manifests.ts';
import type { Live } from './refresh.ts';
import { SavedPlanSource } from './saved-plan.ts';

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
  ports: Ports,
  missingVariables: 'warn' | 'error',
): Promise<PlanSource> {
  const file = await savedPlanAmong(options.paths, ports.cwd);
  if (file === undefined) {
    const manifest = await loadValid(options.paths, ports, { missingVariables });
    const application = resolveApplication(options, ports, manifest.application);
    return new ManifestSource(manifest, application, options, ports);
  }
  return SavedPlanSource.open(file, options, ports);
}

/** The one path that is given, when it is a file and no YAML. */
async function savedPlanAmong(paths: readonly string[], cwd: string): Promise<string | undefined> {
  const [path, ...more] = paths;
  if (path === undefined || more.length > 0 || /\.ya?ml$/iu.test(path)) return undefined;
  const found = await stat(resolve(cwd, path)).catch(() => undefined);
  return found?.isFile() === true ? path : undefined;
}

/** The plan of manifests. */
class ManifestSource implements PlanSource {
  readonly isSaved = false;
  readonly application: Application;
  readonly existing: Policy['existing'];
  readonly declared: Iterable<Resource>;
  readonly #manifest: LoadedManifest;
  readonly #options: PlanSourceOptions;
  readonly #ports: Ports;
  readonly #now: string;
  #live: Live | undefined;
  /** The hash of the first plan that was made with the live objects. */
  #hash: string | undefined;

  constructor(manifest: LoadedManifest, application: Application, options: PlanSourceOptions, ports: Ports) {
    this.application = application;
    this.existing = manifest.policy.existing;
    this.declared = manifest.resources;
    this.#manifest = manifest;
    this.#options = options;
    this.#ports = ports;
    this.#now = nowOf(ports);
  }

  async observe(state: StateSnapshot): Promise<void> {
    const { refresh: asked, targets } = this.#options;
    if (!isToRefresh(asked, this.#manifest.policy, 'apply')) return;
    const { refresh } = await import('../plans/refresh.ts');
    this.#live = await refresh(this.#manifest, this.application, state, { targets }, this.#ports);
  }

  /** Refused when the plan is not possible (65), by a safety rule (5), or when state changed since it was observed (6). */
  planFor(state: StateSnapshot): Plan {
    const { plan, problems, refusals } = planManifests(this.#manifest, this.application, state, {
      now: this.#now,
      targets: this.#options.targets,
      live: this.#live,
    });
    if (problems.length > 0) throw invalidManifests(problems);
    if (refusals.length > 0) throw refusedBySafety(refusals);
    // The live objects fit the state that they were read with, and no other.
    if (this.#live !== undefined && this.#hash !== undefined && this.#hash !== plan.hash) throw planOvertaken();
    this.#hash = plan.hash;
    return plan;
  }
}
