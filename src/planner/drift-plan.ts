// Reduces a plan to its drift, for a command that changes nothing.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import type { PlanWords } from '../model/statements/problems.ts';
import { hashOf } from './plan-file/hash.ts';

/** Returns the plan reduced to its drift, with a hash of its own. */
export function observationsOf(plan: Plan, words: PlanWords): Plan {
  const {
    live: _conditions,
    needed: _needed,
    bookkeeping: _metadata,
    people: _people,
    notices: _notices,
    ...kept
  } = plan;
  // What the next apply changes for people is not what the drift changed for them.
  const { lineage, refreshed, drift, ...rest } = kept;
  return {
    ...rest,
    ...(lineage === undefined ? {} : { lineage }),
    ...(refreshed === undefined ? {} : { refreshed }),
    ...(drift === undefined ? {} : { drift }),
    isDriftAlone: true,
    changes: [],
    steps: [],
    preconditions: [],
    summary: {},
    requests: [],
    duration: { lower_bound_s: 0, buckets: [] },
    warnings: plan.warnings.flatMap((warning) => noteOnReading(warning, words)),
    hash: hashOf(plan.application, plan.settings.existing, []),
  };
}

const notesOnReading: readonly string[] = ['plan.not-compared', 'plan.not-shown', 'plan.undeclared', 'plan.unhidden'];

/** The notes on what was not read stay, so that no view takes the drift of some values for the drift of all. */
function noteOnReading(warning: Diagnostic, words: PlanWords): Diagnostic[] {
  if (notesOnReading.includes(warning.code)) return [warning];
  if (warning.code !== 'plan.partial') return [];
  return [{ ...warning, ...words.problem({ code: 'plan.partial', of: 'drift' }) }];
}
