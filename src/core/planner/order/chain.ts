// Sorts the steps of one object by phase, with those that enable and disable it.

import type { DisablePolicy } from '../../kinds/definition/kind.ts';
import type { Address } from '../../model/address.ts';
import type { RecordFlags } from '../../model/record.ts';
import { endsObject } from '../../model/resource.ts';
import { type Phase, phaseRank } from '../../model/step.ts';
import { disableDraft, enableDraft } from '../draft/disabled-state.ts';
import type { DraftedStep, ObjectDraft } from '../draft/draft.ts';

/** How the whole plan affects the enabling of one object. */
export interface Bearing {
  /** Whether a step needs the object enabled. */
  readonly isWorkedOn: boolean;
  /** Whether it is reopened for work and disabled again. */
  readonly isBracket: boolean;
}

/**
 * Returns all steps of an object by phase, with those that enable and disable it.
 *
 * An object that ends enabled is enabled early (`open`) if a later step needs that, otherwise late (`reopen`). An object
 * that is and stays disabled but has work gets a temporary reopen (a bracket). It is enabled early, disabled again however
 * the work ends, and flagged in state in between, so that a later run can disable it after an interruption.
 */
export function chainOf(draft: ObjectDraft, { isWorkedOn, isBracket }: Bearing, policy: DisablePolicy): DraftedStep[] {
  const steps: DraftedStep[] = [...draft.steps];
  if (isBracket) {
    steps.push(enableDraft(draft, 'open', { bracket: true }), disableDraft(draft, { bracket: null }, policy));
  } else if (draft.leftOpen === true && !endsObject(draft.removal)) {
    steps.push(disableDraft(draft, { bracket: null }, policy));
  }
  if (draft.opens) {
    const flags: RecordFlags = draft.record?.bracket === true ? { bracket: null } : {};
    steps.push(enableDraft(draft, isWorkedOn ? 'open' : 'reopen', flags));
  }
  if (draft.closes) steps.push(disableDraft(draft, draft.closingFlags ?? {}, policy));
  const chain = inPhases(steps);
  const [last, beforeLast] = [chain.at(-1), chain.at(-2)];
  // Several steps run in parallel, and any of them may end last, so a separate step records the end of the creation.
  if (draft.completesCreation && last !== undefined && beforeLast !== undefined && runSideBySide(beforeLast, last)) {
    chain.push({ action: last.action, phase: 'record', edits: [] });
  }
  return chain;
}

/** Sorts steps by phase. The sort is stable. */
export function inPhases(steps: readonly DraftedStep[]): DraftedStep[] {
  return [...steps].sort((left, right) => phaseRank[left.phase] - phaseRank[right.phase]);
}

/**
 * Phases in which one object's steps are independent, because they concern different members or reactions and their entries
 * commute. A supergroup's invitations fill their lane instead of waiting for one another.
 */
const parallel: ReadonlySet<Phase> = new Set(['leave', 'invite', 'reactions', 'hide']);

/** Whether the steps of one object need not wait for each other. */
export function runSideBySide(left: DraftedStep, right: DraftedStep): boolean {
  return left.phase === right.phase && parallel.has(left.phase);
}

/** A step with its position in one object's chain. */
export interface PlacedStep {
  readonly id: string;
  readonly phase: Phase;
}

/** Returns the id of the step at this position in the chain of the object, counted as in `Step.id`. */
export function idAt(address: Address, place: number): string {
  return `${address}#${place + 1}`;
}
