// Reads what others changed on the platform since the last apply.

import type { LoadedManifest } from '../manifest/load.ts';
import type { Plan } from '../model/plan.ts';
import { observationsOf } from '../planner/drift-plan.ts';
import type { JudgedPlan } from '../planner/judges/judges.ts';
import type { Ports } from './context/ports.ts';
import { demandObjects } from './context/state-contents.ts';
import { type EstateOptions, openDeclaredEstate } from './plans/declared-estate.ts';
import { invalidManifests } from './plans/load-declared.ts';
import { nowOf, planManifests, planRepair } from './plans/plan-manifests.ts';
import { refresh } from './plans/refresh.ts';

export interface ReadDriftOptions extends EstateOptions {
  readonly targets?: readonly string[] | undefined;
}

/**
 * A plan with the drift but without pending changes of the manifests. Changes nothing. Refused (3) without a valid token, and
 * (1) when state has no objects: a nightly job with a mistyped --state would otherwise never report drift.
 */
export async function readDrift(options: ReadDriftOptions, ports: Ports): Promise<Plan> {
  return (await readDeclaredDrift(options, ports)).plan;
}

/** `readDrift`, with the manifests that it was compared with. */
export async function readDeclaredDrift(
  options: ReadDriftOptions,
  ports: Ports,
): Promise<{ readonly plan: Plan; readonly manifest: LoadedManifest }> {
  const { manifest, application, state, live } = await readEstate(options, ports);
  const { targets } = options;
  const now = nowOf(ports);
  const { plan } = planManifests(manifest, application, state, { now, targets, isComparison: true, live });
  return { plan: observationsOf(plan), manifest };
}

/**
 * A plan, to be saved, that only undoes drift without danger. `refusals` are the reasons against applying it. Refused as
 * `readDrift`, and (65) when an edit is not possible.
 */
export async function planDriftRepair(
  options: ReadDriftOptions,
  ports: Ports,
): Promise<Pick<JudgedPlan, 'plan' | 'refusals'>> {
  const { manifest, application, state, live } = await readEstate(options, ports);
  const { targets } = options;
  const planned = planRepair(manifest, application, state, { now: nowOf(ports), targets, live, isToBeSaved: true });
  if (planned.problems.length > 0) throw invalidManifests(planned.problems);
  return planned;
}

async function readEstate(options: ReadDriftOptions, ports: Ports) {
  const { manifest, application, backend } = await openDeclaredEstate(options, ports);
  const state = await backend.read(application.identity);
  demandObjects(state, backend.name, application.identity);
  const live = await refresh(manifest, application, state, { targets: options.targets, onlyKnown: true }, ports);
  return { manifest, application, state, live };
}
