// Refuses plans that remove or restore more than the budget allows (semantics §4.1), or that more people notice (semantics §15.6).

import type { Series } from '../../../lib/series.ts';
import { notifyEffect } from '../../model/people/effects.ts';
import type { NoticeSection } from '../../model/people/notices.ts';
import type { Policy } from '../../model/policy.ts';
import type { NeededAcknowledgement, PlanProblem } from '../../model/statements/problems.ts';
import type { Finding } from '../draft/finding.ts';
import { type Acknowledged, Acknowledgements } from './acknowledgements.ts';
import type { EffectTally, Population, TakenAway } from './effects.ts';
import type { JudgeInput, Judgement, UnjudgedPlan } from './judge.ts';

/** Judges the numbers of effects, and of people who notice something, with the acknowledgements of both. */
export function judgeBudgets(
  { policy, today, acknowledged, isConfirmed = false, isUndo = false, isPartial = false }: JudgeInput,
  { plan, evidence }: Pick<UnjudgedPlan, 'plan' | 'evidence'>,
): Judgement {
  const { notified } = evidence;
  const acknowledgements = new Acknowledgements(policy, acknowledged, today);
  const { effects } = evidence;
  const refusals = isConfirmed
    ? []
    : [
        ...overBudget(effects, policy, acknowledgements, isUndo),
        ...overNotifyLimit(plan.notices, notified, policy, acknowledgements),
      ];
  const { counts } = effects;
  const entry = acknowledgements.entry();
  return {
    refusals,
    notes: isPartial
      ? []
      : acknowledgements.spent((effect) => counts.has(effect) || (effect === notifyEffect && notified.length > 0)),
    entries: entry === undefined ? [] : [entry],
  };
}

/** Returns the refusals. `acknowledgements` records which acknowledgements the plan uses. */
function overBudget(
  tally: EffectTally,
  policy: Policy,
  acknowledgements: Acknowledgements,
  isUndo: boolean,
): Finding[] {
  const { population, counts: effects } = tally;
  const problems: Finding[] = [];
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
  const { max_share: share, free_count: minimum } = policy.removals;
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
  { total, faults }: Acknowledged,
): Finding {
  const shares = largeParts(policy.removals.max_share);
  return needing({ code: 'safety.over-budget', of: 'kind', kind, count, managed, ...shares, effect, total, faults });
}

function tooMuch(
  effect: string,
  count: number,
  population: Population,
  policy: Policy,
  { done, total, faults }: Acknowledged,
): Finding {
  const { max_share: maxShare, free_count: minCount } = policy.removals;
  return needing({
    code: 'safety.over-budget',
    of: 'effect',
    count,
    done,
    managed: managed(effect, population),
    minCount,
    maxShare,
    effect,
    total,
    faults,
  });
}

function lockout(effect: string, { total, faults }: Acknowledged): Finding {
  return needing({ code: 'safety.lockout', effect, total, faults });
}

function wholeKind(
  kind: string,
  effect: string,
  count: number,
  { total, faults }: Acknowledged,
  isUndo: boolean,
): Finding {
  return needing({ code: 'safety.whole-kind', kind, count, isUndo, effect, total, faults });
}

function needing(problem: PlanProblem & NeededAcknowledgement): Finding {
  return { severity: 'error', problem, acknowledge: { effect: problem.effect, count: problem.total } };
}

function managed(effect: string, population: Population): number {
  const [kind = '', action] = effect.split('.');
  const of =
    action === 'leave' ? 'memberships' : action === 'erase' && population.contents.has(kind) ? 'contents' : 'objects';
  return population[of].get(kind) ?? 0;
}

/** `people`: the ids of those who notice something. */
function overNotifyLimit(
  notices: NoticeSection | undefined,
  people: Series<string>,
  { notify }: Pick<Policy, 'notify'>,
  acknowledgements: Acknowledgements,
): Finding[] {
  if (notify === undefined) return [];
  if (people.length <= notify.at_most) {
    // A resumed run meets fewer people than were acknowledged.
    acknowledgements.keep(notifyEffect, people);
    return [];
  }
  const { isMeant, total, faults } = acknowledgements.ask(notifyEffect, people);
  if (isMeant) return [];
  return [
    {
      severity: 'error',
      problem: {
        code: 'safety.notify',
        effect: notifyEffect,
        people: people.length,
        atMost: notify.at_most,
        unknownCalls: notices?.not_known.reduce((sum, { calls }) => sum + calls, 0) ?? 0,
        total,
        faults,
      },
      acknowledge: { effect: notifyEffect, count: total },
    },
  ];
}
