// Undoes what a run did.
import { type Applied, type ApplyListeners, applySource } from './apply.ts';
import { demandNamedState, openStateAt } from './context/open-state.ts';
import type { LockOptions, Ports, RunLimits, StateOptions } from './context/ports.ts';
import type { PlannedChanges } from './plan.ts';
import { withFacts } from './plans/facts.ts';
import { openUndo, type UndoSourceOptions } from './undo/undo-source.ts';

/** Takes no lock and sends only reads. Refused as `undoRun` is before its first step. */
export async function planUndo(options: UndoSourceOptions & StateOptions, ports: Ports): Promise<PlannedChanges> {
  const source = await openUndo(options, ports);
  const { application, statePlace, approvals } = source;
  const { placed, backend } = await openStateAt(statePlace, options, ports);
  const state = await backend.read(application.identity);
  demandNamedState(placed, ports, state);
  const { plan: undoPlan, refusals } = (await source.look(state, true)).judged(state);
  const plan = await withFacts(undoPlan, 'shown', { application, backend, state, options, statePlace, approvals });
  return { plan, refusals, remarks: [], isRefreshed: plan.refreshed !== undefined };
}

export interface UndoRunOptions extends UndoSourceOptions, LockOptions, RunLimits {
  /** Runs only the plan with this hash. */
  readonly approvedHash?: string | undefined;
  /** See `ApplyChangesOptions`. */
  readonly settleMs?: number | undefined;
}

/**
 * Resolves to a report once a run has begun. Refused (66) for an unknown run and without before-values, and by
 * every rule that refuses an apply.
 */
export function undoRun(options: UndoRunOptions, ports: Ports, listeners: ApplyListeners = {}): Promise<Applied> {
  return applySource(options, ports, listeners, (reading) => openUndo(options, reading));
}
