// Makes the plan of a run once, although it is shown before the lock is taken and runs under it.
import type { Plan } from '../../model/plan.ts';
import type { NumberedSnapshot } from '../../state/records/view.ts';

/** Returns the last plan again for the same state, and makes another one for a state that has changed. */
export function planPerState(make: (state: NumberedSnapshot) => Plan): (state: NumberedSnapshot) => Plan {
  let last: { readonly state: NumberedSnapshot; readonly plan: Plan } | undefined;
  return (state) => {
    if (last === undefined || !isSame(last.state, state)) last = { state, plan: make(state) };
    return last.plan;
  };
}

/**
 * Whether a state that was read is the one that was opened next. Every holder of the lock takes a serial, so nobody has had it
 * in between. Opening a state with begun calls resolves them, which changes it.
 */
function isSame(read: NumberedSnapshot, opened: NumberedSnapshot): boolean {
  if (read === opened) return true;
  const isOfOneState = read.header === undefined || read.header.lineage === opened.header?.lineage;
  return isOfOneState && read.serial === opened.serial && read.pending.length === 0;
}
