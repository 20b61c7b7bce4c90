// What does a plan come to, in one line, and how long does it take?
import { type Action, actions } from '../../model/action.ts';
import type { Change } from '../../model/change.ts';
import type { Plan, PlanDuration } from '../../model/plan.ts';
import { safe } from '../text.ts';
import { plural, printDuration, printNumber } from '../words.ts';

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
  if (plan.isDriftAlone === true) {
    return drifted === 0
      ? 'No drift. Nothing that is managed was changed on the platform since the last apply.'
      : `${plural(drifted, 'object')} changed on the platform since the last apply.`;
  }
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
  return isMoment(plan) ? 'a moment' : `at least ${printDuration(plan.duration.lower_bound_s)}`;
}

/** So short that the figure would be `0 s`. */
export function isMoment({ duration }: Plan): boolean {
  return duration.lower_bound_s < 0.05;
}

/** A chain of fewer calls is over soon. */
const longChain = 10;
/** Seconds. Hardly a call takes longer. */
const slowCall = 0.5;

/** ` Where a call takes longer than 0.2 s, it decides.`, of the longest chain; empty where the busiest limit decides. */
export function chainDecides({ chain, lower_bound_s }: PlanDuration): string {
  if (chain === undefined || chain.calls < longChain) return '';
  const seconds = Math.round((lower_bound_s / chain.calls) * 1000) / 1000;
  return seconds > slowCall ? '' : ` Where a call takes longer than ${printDuration(seconds)}, it decides.`;
}

/** The same with the chain it is about, for those who are shown nothing else of it. */
export function chainInWords(duration: PlanDuration): string {
  const decides = chainDecides(duration);
  if (decides === '' || duration.chain === undefined) return '';
  const { calls, from, to } = duration.chain;
  return ` The longest chain is ${printNumber(calls)} calls, from ${safe(from)} to ${safe(to)}.${decides}`;
}

/** With a base to compare with, what was waiting before this request is told apart; else everything counts as its own. */
export function isPending(change: Change): boolean {
  return change.cause === 'pending';
}
