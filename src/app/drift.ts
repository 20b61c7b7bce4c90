// Reads what others changed on the platform since the last apply.

import type { Plan } from '../model/plan.ts';
import { objectRecords } from '../model/run-metadata.ts';
import { observationsOf } from '../planner/live/observations-only.ts';
import { refresh } from './live/refresh.ts';
import { loadValid } from './manifests/load-declared.ts';
import { nowOf, planManifests } from './manifests/plan-manifests.ts';
import type { ApplicationOptions, StateOptions } from './options.ts';
import { resolveApplication } from './session/application.ts';
import type { ReadPorts } from './session/connect.ts';
import { openState, type StatePorts } from './session/open-state.ts';

export interface ReadDriftOptions extends ApplicationOptions, StateOptions {
  readonly paths: readonly string[];
  readonly targets?: readonly string[] | undefined;
}

export interface FoundDrift {
  /** With drift, and without the changes of the manifests that wait for an apply. */
  readonly plan: Plan;
  /** State knows no object of this application, so that nothing can have changed. */
  readonly isStateEmpty: boolean;
}

/** Changes nothing. Refused (3) without a good token. */
export async function readDrift(options: ReadDriftOptions, ports: ReadPorts & StatePorts): Promise<FoundDrift> {
  const { paths, targets } = options;
  const manifest = await loadValid(paths, ports);
  const application = resolveApplication(options, ports, manifest.application);
  const state = await (await openState(options, ports)).read(application.identity);
  const live = await refresh(manifest, application, state, { targets, onlyKnown: true }, ports);
  const { plan } = planManifests(manifest, application, state, {
    now: nowOf(ports),
    targets,
    isComparison: true,
    live,
  });
  return { plan: observationsOf(plan), isStateEmpty: objectRecords(state.records()).next().done === true };
}
