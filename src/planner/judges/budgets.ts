// Refuses plans that remove or restore more than the budget allows (semantics §4.1).
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Policy } from '../../model/policy.ts';
import type { Acknowledged, Acknowledgements } from './acknowledgements.ts';
import type { EffectTally, Population, TakenAway } from './effects.ts';

/** Returns the refusals. `acknowledgements` records which acknowledgements the plan uses. */
export function overBudget(
  tally: EffectTally,
  policy: Policy,
  acknowledgements: Acknowledgements,
  isUndo: boolean,
): Diagnostic[] {
  const { population, counts: effects } = tally;
  const problems: Diagnostic[] = [];
  const needed = new Map<string, Acknowledged>();
  const ask = (effect: string, things: Iterable<string>): Acknowledged => {
    const answer = needed.get(effect) ?? acknowledgements.ask(effect, things);
    needed.set(effect, answer);
    return answer;
  };
  for (const [effect, count] of effects) {
    if (!isOver(effect, count, population, policy)) continue;
    const answer = ask(effect, tally.thingsOf(effect));
    if (answer.isMeant) continue;
    problems.push(isLockout(effect) ? lockout(effect, answer) : tooMuch(effect, count, population, policy, answer));
  }
  for (const { kind, effect, count, things } of tally.wholeKinds()) {
    const answer = ask(effect, effects.has(effect) ? tally.thingsOf(effect) : things);
    if (!answer.isMeant) problems.push(wholeKind(kind, effect, count, answer, isUndo));
  }
  for (const taken of tally.takenAway()) {
    if (!isLargePart(taken, policy)) continue;
    for (const effect of taken.effects.keys()) {
      if (needed.has(effect)) continue;
      const answer = ask(effect, tally.thingsOf(effect));
      if (!answer.isMeant) problems.push(largePart(taken, effect, policy, answer));
    }
  }
  for (const effect of acknowledgements.inUse) {
    if (!needed.has(effect)) acknowledgements.keep(effect, tally.thingsOf(effect));
  }
  return problems;
}

/** Whether the effect may lock out callers of the API. Any number of such effects needs an acknowledgement. */
function isLockout(effect: string): boolean {
  return effect.endsWith('.lockout');
}

/** Whether the count exceeds both the number and the share. Forgetting an object has no budget. */
function isOver(effect: string, count: number, population: Population, policy: Policy): boolean {
  if (isLockout(effect)) return true;
  const { max_share: share, min_count: minimum } = policy.removals;
  return !/\.(?:forget|retire)$/u.test(effect) && count > minimum && count > share * managed(effect, population);
}

/** Whether a large part of a kind is removed. It is refused even below the minimum number, which small estates never reach. */
function isLargePart({ count, managed }: TakenAway, { removals: { max_share: share } }: Policy): boolean {
  const { half, third } = largeParts(share);
  return count > half * managed || (count > 3 && count > third * managed);
}

/** A policy that allows a larger share also allows it here. */
function largeParts(share: number): { half: number; third: number } {
  return { half: Math.max(1 / 2, share), third: Math.max(1 / 3, share) };
}

function largePart(
  { kind, count, managed }: TakenAway,
  effect: string,
  policy: Policy,
  { total, said }: Acknowledged,
): Diagnostic {
  const { half, third } = largeParts(policy.removals.max_share);
  const rule =
    half === third
      ? `More than ${percent(half)} of a kind's objects`
      : `More than ${half === 1 / 2 ? 'half' : percent(half)} of a kind's objects, or more than three that are more than ${third === 1 / 3 ? 'a third' : percent(third)},`;
  return {
    severity: 'error',
    code: 'safety.over-budget',
    summary: 'A large part of a kind would be taken away',
    detail: `${kind}: the plan takes away ${count} of ${managed} that state manages. ${rule} need an acknowledgement. ${said}If it is meant, say so in the reviewed diff: ${advice(effect, total)}.`,
    acknowledge: { effect, count: total },
  };
}

function tooMuch(
  effect: string,
  count: number,
  population: Population,
  policy: Policy,
  { done, total, said }: Acknowledged,
): Diagnostic {
  const { max_share: share, min_count: minimum } = policy.removals;
  const before = done === 0 ? '' : `, in addition to ${done} already done under an acknowledgement`;
  return {
    severity: 'error',
    code: 'safety.over-budget',
    summary: 'The plan removes or restores more than the budget allows',
    detail: `${effect} would happen ${count} times${before}, of ${managed(effect, population)} in state. The budget is ${minimum} or ${percent(share)}, whichever is larger. ${said}If this is intended, acknowledge it in the reviewed diff: ${advice(effect, total)}.`,
    acknowledge: { effect, count: total },
  };
}

function lockout(effect: string, { total, said }: Acknowledged): Diagnostic {
  return {
    severity: 'error',
    code: 'safety.lockout',
    summary: 'Callers of the API could be locked out',
    detail: `The plan begins or shortens the list of addresses from which the API can be called (${total} ${total === 1 ? 'entry' : 'entries'}). The platform then refuses everybody else: servers, CI, and chatform itself, which could not take the change back. Check that the list contains the address from which the platform sees this machine and each of your servers. ${said}If it does, acknowledge the change in the reviewed diff: ${advice(effect, total)}.`,
    acknowledge: { effect, count: total },
  };
}

function wholeKind(
  kind: string,
  effect: string,
  count: number,
  { total, said }: Acknowledged,
  isUndo: boolean,
): Diagnostic {
  const all = count === 1 ? `The only ${kind}` : `All ${count} objects of kind ${kind}`;
  const more =
    total > count
      ? `Including those already done or disabled again after temporary work, ${effect} happens ${total} times. `
      : '';
  const [why, advised] = isUndo
    ? [
        'would be removed by the undo, because the run created them',
        'If this is intended, acknowledge it in the policy',
      ]
    : [
        `${count === 1 ? 'is' : 'are'} removed from the manifest`,
        'If a file or folder is missing, restore it. If this is intended, acknowledge it in the reviewed diff',
      ];
  return {
    severity: 'error',
    code: 'safety.whole-kind',
    summary: 'Every object of one kind would be removed',
    detail: `${all} in state ${why}. ${more}${said}${advised}: ${advice(effect, total)}.`,
    acknowledge: { effect, count: total },
  };
}

function managed(effect: string, population: Population): number {
  const [kind = '', action] = effect.split('.');
  const of = action === 'leave' ? 'memberships' : action === 'erase' ? 'contents' : 'objects';
  return population[of].get(kind) ?? 0;
}

function advice(effect: string, count: number): string {
  return `policy: {acknowledge: [{effect: ${effect}, count: ${count}}]}`;
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
