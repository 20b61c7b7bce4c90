// Marks a plan of the drift alone, for a command that changes nothing.
import type { Plan } from '../model/plan.ts';

/** `plan` is planned with `isDriftAlone`. Its conditions are for an apply. */
export function observationsOf({ live: _conditions, ...plan }: Plan): Plan {
  return {
    ...plan,
    isDriftAlone: true,
    warnings: plan.warnings.filter(({ code }) => notesOnReading.includes(code)),
  };
}

/** The notes on what was not read stay, so that no view takes the drift of some values for the drift of all. */
const notesOnReading: readonly string[] = [
  'plan.not-compared',
  'plan.not-shown',
  'plan.undeclared',
  'plan.unhidden',
  'plan.history-changed',
  'plan.partial',
];
