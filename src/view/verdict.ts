// What does a plan come to, in one line, and how long does it take?
import { type Action, actions } from '../model/action.ts';
import type { Change } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import { plural, printDuration, printNumber } from './words.ts';

const verdictWords: Readonly<Record<Action, string>> = {
  create: 'to create',
  adopt: 'to adopt',
  update: 'to update',
  invite: 'to invite into',
  leave: 'to take members from',
  reactivate: 'to reactivate',
  unfreeze: 'to unfreeze',
  freeze: 'to freeze',
  deactivate: 'to deactivate',
  migrate: 'to send messages to',
  delete: 'to delete',
  forget: 'to forget',
};

/** `Plan: 3 to create, 1 to freeze.` The line that alone must suffice in most cases. */
export function verdict(plan: Plan): string {
  const drifted = plan.drift?.length ?? 0;
  if (isEmpty(plan)) {
    return drifted === 0
      ? 'No changes. Everything is as declared.'
      : `No changes. ${plural(drifted, 'object')} changed on the platform.`;
  }
  const parts = actions.flatMap((action) => {
    const amount = plan.summary[action] ?? 0;
    return amount === 0 ? [] : [`${printNumber(amount)} ${verdictWords[action]}`];
  });
  if (parts.length === 0) return `Plan: ${plural(plan.changes.length, 'change')} of the saved state alone.`;
  return `Plan: ${parts.join(', ')}.`;
}

export function isEmpty(plan: Plan): boolean {
  return plan.changes.length === 0 && plan.steps.length === 0;
}

export function totalRequests({ requests }: Plan): number {
  return requests.reduce((sum, { count }) => sum + count, 0);
}

/** `at least 33 min 20 s`; undefined when nothing is sent. */
export function durationInWords(plan: Plan): string | undefined {
  if (totalRequests(plan) === 0) return undefined;
  const { lower_bound_s } = plan.duration;
  return lower_bound_s === 0 ? 'a moment' : `at least ${printDuration(lower_bound_s)}`;
}

/** With a base to compare with, what was waiting before this request is told apart; else everything counts as its own. */
export function isPending(change: Change): boolean {
  return change.cause === 'pending';
}
