// The plan of manifests, as apply and rehearse ask for it.
import type { LoadedManifest } from '../../manifest/load.ts';
import type { Plan } from '../../model/plan.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Resource } from '../../model/resource.ts';
import { isToRefresh } from '../live/habit.ts';
import type { Live } from '../live/refresh.ts';
import type { Application } from '../session/application.ts';
import type { ReadPorts } from '../session/connect.ts';
import type { PlanSource, PlanSourceOptions } from '../session/plan-source.ts';
import { planOvertaken, refusedBySafety } from '../session/refusals.ts';
import { invalidManifests } from './load-declared.ts';
import { nowOf, planManifests } from './plan-manifests.ts';

export class ManifestSource implements PlanSource {
  readonly isSaved = false;
  readonly application: Application;
  readonly existing: Policy['existing'];
  readonly declared: Iterable<Resource>;
  readonly #manifest: LoadedManifest;
  readonly #options: PlanSourceOptions;
  readonly #ports: ReadPorts;
  readonly #now: string;
  #live: Live | undefined;
  /** The hash of the first plan that was made with the live objects. */
  #hash: string | undefined;

  constructor(manifest: LoadedManifest, application: Application, options: PlanSourceOptions, ports: ReadPorts) {
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
    const { refresh } = await import('../live/refresh.ts');
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
