// Marks a plan of the drift alone, for a command that changes nothing.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import type { PlanWords } from '../model/statements/problems.ts';

/** `plan` is planned with `isDriftAlone`. Its conditions are for an apply. */
export function observationsOf({ live: _conditions, ...plan }: Plan, words: PlanWords): Plan {
  return {
    ...plan,
    isDriftAlone: true,
    warnings: plan.warnings.flatMap((warning) => noteOnReading(warning, words)),
  };
}

const notesOnReading: readonly string[] = [
  'plan.not-compared',
  'plan.not-shown',
  'plan.undeclared',
  'plan.unhidden',
  'plan.history-changed',
];

/** The notes on what was not read stay, so that no view takes the drift of some values for the drift of all. */
function noteOnReading(warning: Diagnostic, words: PlanWords): Diagnostic[] {
  if (notesOnReading.includes(warning.code)) return [warning];
  if (warning.code !== 'plan.partial') return [];
  return [{ ...warning, ...words.problem({ code: 'plan.partial', of: 'drift' }) }];
}
