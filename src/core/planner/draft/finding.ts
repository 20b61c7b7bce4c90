// What the planner and its judges find about a plan, before it has words.

import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { RemovedEntry } from '../../model/resource.ts';
import type { PlanProblem, PlanWords } from '../../model/statements/problems.ts';
import type { DraftProblem, ObjectDraft } from './draft.ts';

export interface Finding extends Omit<Diagnostic, 'code' | 'summary' | 'detail'> {
  readonly problem: PlanProblem;
}

export function diagnosticOf({ severity, problem, ...place }: Finding, words: PlanWords): Diagnostic {
  return { severity, code: problem.code, ...words.problem(problem), ...place };
}

export function noteOf(problem: PlanProblem): Finding {
  return { severity: 'note', problem };
}

export function unknownRemoval({ address, source }: RemovedEntry): Finding {
  return { ...noteOf({ code: 'plan.removed-unknown', address }), address, source };
}

/** Attributes that were not read because they cost too many requests (semantics §11.7). */
export function unreadAttributes(unread: Readonly<Record<string, number>> = {}): PlanProblem[] {
  const total = Object.values(unread).reduce((sum, count) => sum + count, 0);
  return Object.entries(unread).map(([attribute, count]) => ({
    code: 'plan.not-compared',
    of: 'costly',
    attribute,
    count,
    total,
  }));
}

/** Kinds and attributes whose reads the platform does not offer. */
export function lackedReads(lacked: Readonly<Record<string, number>> = {}): PlanProblem[] {
  return Object.entries(lacked).map(([what, count]) => ({ code: 'plan.not-compared', of: 'not_offered', what, count }));
}

/** Objects about which a refresh only learnt that they exist and are disabled. */
export function hiddenObjects(hidden: readonly Address[] = []): Finding[] {
  return hidden.map((address) => ({ ...noteOf({ code: 'plan.not-shown', address }), address }));
}

export function diagnosticOfObject(
  { address, resource }: ObjectDraft,
  problem: DraftProblem,
  words: PlanWords,
): Diagnostic {
  const source = resource?.attributeSources?.[problem.path[0] ?? ''] ?? resource?.source;
  return {
    severity: problem.severity,
    ...wordsOf(problem, words),
    address,
    ...(source === undefined ? {} : { source }),
  };
}

/** The code and the words of a problem of a draft. */
export function wordsOf(draftProblem: DraftProblem, words: PlanWords): Pick<Diagnostic, 'code' | 'summary' | 'detail'> {
  if ('detail' in draftProblem)
    return { code: draftProblem.code, summary: draftProblem.summary, detail: draftProblem.detail };
  return { code: draftProblem.problem.code, ...words.problem(draftProblem.problem) };
}
