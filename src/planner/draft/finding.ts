// What the planner and its judges find about a plan, before it has words.

import type { Diagnostic } from '../../model/diagnostic.ts';
import type { PlanProblem, PlanWords } from '../../model/statements/problems.ts';

export interface Finding extends Omit<Diagnostic, 'code' | 'summary' | 'detail'> {
  readonly problem: PlanProblem;
}

export function diagnosticOf({ severity, problem, ...place }: Finding, words: PlanWords): Diagnostic {
  return { severity, code: problem.code, ...words.problem(problem), ...place };
}
