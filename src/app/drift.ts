// Reads what others changed on the platform since the last apply.

import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
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

/**
 * A plan with the drift but without pending changes of the manifests. Changes nothing. Refused (3) without a valid token, and
 * (1) when state has no objects: a nightly job with a mistyped --state would otherwise never report drift.
 */
export async function readDrift(options: ReadDriftOptions, ports: Ports): Promise<Plan> {
  const { targets } = options;
  const { manifest, application, backend } = await openDeclaredEstate(options, ports);
  const state = await backend.read(application.identity);
  if (objectRecords(state.records()).next().done === true) throw emptyState(backend.name, application.identity);
  const live = await refresh(manifest, application, state, { targets, onlyKnown: true }, ports);
  const { plan } = planManifests(manifest, application, state, {
    now: nowOf(ports),
    targets,
    isComparison: true,
    live,
  });
  return observationsOf(plan);
}

function emptyState(place: string, application: string): Refusal {
  return new Refusal(
    'state.empty',
    exitCode.unexpected,
    `The state ${place} contains no object of ${application}, so there is nothing to compare.`,
    'Check --state (CHATFORM_STATE) and the application. Before the first apply there is no state; if it was lost, run chatform state rebuild.',
  );
}
