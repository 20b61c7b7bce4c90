// Puts the steps of one object in the order of their phases, with those that enable and disable it.
//
// An object that ends enabled is enabled early (`open`) when a later step needs it so, else late (`reopen`). An object that
// is disabled now and stays so, but has work waiting, gets a temporary reopen (a bracket): it is enabled early, disabled
// again in its place however the work ended, and flagged in state in between, so that no interruption leaves it open.

import type { RecordFlags } from '../../model/record.ts';
import { type Phase, phaseRank } from '../../model/step.ts';
import type { DisablePolicy } from '../../resources/definition/kind.ts';
import { disableDraft, enableDraft } from '../draft/disabled-state.ts';
import type { DraftedStep, ObjectDraft } from '../draft/draft.ts';

/** How the work of the whole plan bears on one object. */
export interface Bearing {
  /** A step needs the object enabled. */
  readonly isWorkedOn: boolean;
  /** It is reopened for work and closed again. */
  readonly isBracket: boolean;
}

export function chainOf(draft: ObjectDraft, { isWorkedOn, isBracket }: Bearing, policy: DisablePolicy): DraftedStep[] {
  const steps: DraftedStep[] = [...draft.steps];
  if (isBracket) {
    steps.push(enableDraft(draft, 'open', { bracket: true }), disableDraft(draft, { bracket: null }, policy));
  } else if (draft.leftOpen === true && !steps.some(({ action }) => action === 'delete')) {
    steps.push(disableDraft(draft, { bracket: null }, policy));
  }
  if (draft.opens) {
    const flags: RecordFlags = draft.record?.bracket === true ? { bracket: null } : {};
    steps.push(enableDraft(draft, isWorkedOn ? 'open' : 'reopen', flags));
  }
  if (draft.closes) steps.push(disableDraft(draft, draft.closingFlags ?? {}, policy));
  const chain = inPhases(steps);
  const [last, beforeLast] = [chain.at(-1), chain.at(-2)];
  // Which of several parallel steps ends last is not known, so the end of the creation is recorded by a step of its own.
  if (draft.completesCreation && last !== undefined && beforeLast !== undefined && runSideBySide(beforeLast, last)) {
    chain.push({ action: last.action, phase: 'record', edits: [] });
  }
  return chain;
}

/** In the order of a run; the sort is stable. */
export function inPhases(steps: readonly DraftedStep[]): DraftedStep[] {
  return [...steps].sort((left, right) => phaseRank[left.phase] - phaseRank[right.phase]);
}

/**
 * Phases in which one object's steps are independent: each names other members, and their entries commute. So a
 * supergroup's invitations fill their lane instead of waiting for one another.
 */
const parallel: ReadonlySet<Phase> = new Set(['leave', 'invite', 'hide']);

export function runSideBySide(left: DraftedStep, right: DraftedStep): boolean {
  return left.phase === right.phase && parallel.has(left.phase);
}
