// Makes the plan of a run once, although it is shown before the lock is taken and runs under it.
import type { Plan } from '../../model/plan.ts';
import type { NumberedSnapshot } from '../../state/records/view.ts';

interface PlanOfState {
  readonly plan: Plan;
  readonly lineage: string | undefined;
  readonly serial: number;
  readonly hasBegins: boolean;
}

/** Returns the last plan again for the same state, and makes another one for a state that has changed. */
export function planPerState(make: (state: NumberedSnapshot) => Plan): (state: NumberedSnapshot) => Plan {
  let last: PlanOfState | undefined;
  return (state) => {
    if (last === undefined || hasChanged(last, state)) {
      const { header, serial, pending } = state;
      last = { plan: make(state), lineage: header?.lineage, serial, hasBegins: pending.length > 0 };
    }
    return last.plan;
  };
}

/**
 * Whether a state may differ from the one that was planned for. Every holder of the lock takes a serial, so nobody has had it in
 * between if the serial is the same. Opening a state with begun calls resolves them, which changes it.
 */
function hasChanged({ lineage, serial, hasBegins }: PlanOfState, state: NumberedSnapshot): boolean {
  return hasBegins || serial !== state.serial || (lineage !== undefined && lineage !== state.header?.lineage);
}
