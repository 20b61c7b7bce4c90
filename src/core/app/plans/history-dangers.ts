// The dangers of a plan that sends messages: people may not see them, or the platform may delete them (semantics §7).

import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Selection } from '../../planner/targets.ts';
import type { Application } from '../context/application.ts';
import type { Ports } from '../context/ports.ts';
import { plannedHistories } from '../visibility/histories.ts';
import {
  type Ask,
  checkHistories,
  checkVisibility,
  dangersOf,
  notKnown,
  notKnownOf,
  plannedSwitches,
  type Reach,
  type VisibilityCheck,
  type VisibilityContext,
  warningsOf,
} from '../visibility/visibility.ts';
import { scopeFor } from './plan-manifests.ts';

/** What a plan of manifests is made from. */
export interface PlannedFrom {
  readonly manifest: LoadedManifest;
  readonly application: Application;
  readonly state: StateSnapshot;
  /** Absent: everything. */
  readonly selection?: Selection | undefined;
}

function contextOf({ decided }: Pick<Application, 'decided'>, { clock }: Pick<Ports, 'clock'>): VisibilityContext {
  return { now: clock.date(), behaviours: decided };
}

function checkOf({ manifest, application, state, selection }: PlannedFrom, ports: Ports): VisibilityCheck {
  const scope = scopeFor(selection, manifest, state);
  const { resources } = manifest;
  const isWanted: VisibilityCheck['isWanted'] = (address) => scope?.has(address) !== false;
  return { resources, state, isWanted, ...contextOf(application, ports) };
}

/** For a plan that reads the platform anyway, over the connection of that refresh. */
export async function refreshedHistory(from: PlannedFrom, ports: Ports, ask: Ask): Promise<Diagnostic[]> {
  const findings = await checkVisibility({ ...checkOf(from, ports), isRefreshed: true }, ask);
  return dangersOf(findings, from.manifest.policy.history);
}

/** For a plan that sends messages and is made without the platform. Not a danger, since an apply reads before it asks. */
export function unreadHistory(from: PlannedFrom, ports: Ports): Diagnostic[] {
  const { history } = from.manifest.policy;
  if (history?.unknown === 'accept') return [];
  const advice = 'A plan with --refresh reads both settings, and an apply does before it asks';
  return warningsOf(notKnown(checkOf(from, ports), 'the platform was not read', advice), history);
}

/** For a plan that sends messages, by its steps: nothing else knows which messages are sent again. */
export async function readSavedHistory(
  plan: Plan,
  application: Pick<Application, 'decided'>,
  state: StateSnapshot,
  reach: Reach,
  ports: Pick<Ports, 'clock'>,
): Promise<Diagnostic[]> {
  const histories = plannedHistories(plan.steps, state);
  if (histories.length === 0) return [];
  const findings = await reach(
    (ask) => checkHistories(histories, plannedSwitches(plan.steps), contextOf(application, ports), ask),
    (reason) => notKnownOf(histories, reason),
  );
  return dangersOf(findings, plan.settings.history);
}
