// Reads what others changed on the platform since the last apply.

import type { Plan } from '../model/plan.ts';
import { objectRecords } from '../model/run-metadata.ts';
import { observationsOf } from '../planner/drift-plan.ts';
import type { Ports } from './context/ports.ts';
import { type EstateOptions, openDeclaredEstate } from './plans/declared-estate.ts';
import { nowOf, planManifests } from './plans/plan-manifests.ts';
import { refresh } from './plans/refresh.ts';

export interface ReadDriftOptions extends EstateOptions {
  readonly targets?: readonly string[] | undefined;
}

export interface FoundDrift {
  /** With drift, and without the changes of the manifests that wait for an apply. */
  readonly plan: Plan;
  /** State knows no object of this application, so that nothing can have changed. */
  readonly isStateEmpty: boolean;
}

/** Changes nothing. Refused (3) without a good token. */
export async function readDrift(options: ReadDriftOptions, ports: Ports): Promise<FoundDrift> {
  const { targets } = options;
  const { manifest, application, backend } = await openDeclaredEstate(options, ports);
  const state = await backend.read(application.identity);
  const live = await refresh(manifest, application, state, { targets, onlyKnown: true }, ports);
  const { plan } = planManifests(manifest, application, state, {
    now: nowOf(ports),
    targets,
    isComparison: true,
    live,
  });
  return { plan: observationsOf(plan), isStateEmpty: objectRecords(state.records()).next().done === true };
}
