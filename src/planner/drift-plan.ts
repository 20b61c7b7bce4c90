// Reduces a plan to its drift, for a command that changes nothing.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import type { PlanWords } from '../model/statements/problems.ts';
import { hashOf } from './plan-file/hash.ts';

/** Returns the plan reduced to its drift, with a hash of its own. */
export function observationsOf(plan: Plan, words: PlanWords): Plan {
  const { live: _conditions, needed: _needed, bookkeeping: _metadata, lineage, refreshed, drift, ...rest } = plan;
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
    warnings: plan.warnings.flatMap((warning) => partialDrift(warning, words)),
    hash: hashOf(plan.application, plan.settings.existing, []),
  };
}

/** The note on --target stays, so that no view takes the drift of some objects for that of all. */
function partialDrift(warning: Diagnostic, words: PlanWords): Diagnostic[] {
  // "No drift" must not be claimed for what was not read.
  if (warning.code === 'plan.not-compared') return [warning];
  if (warning.code !== 'plan.partial') return [];
  return [{ ...warning, ...words.problem({ code: 'plan.partial', of: 'drift' }) }];
}
