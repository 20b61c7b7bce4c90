// Refuses plans that take away or give back more than may happen unasked (semantics §4.1).
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Policy } from '../../model/policy.ts';
import type { Acknowledged, Acknowledgements } from './acknowledgements.ts';
import type { EffectTally, Population } from './effects.ts';

/** The refusals. `acknowledgements` records which acknowledgements the plan uses. */
export function overBudget(tally: EffectTally, policy: Policy, acknowledgements: Acknowledgements): Diagnostic[] {
  const { population, counts: effects } = tally;
  const problems: Diagnostic[] = [];
  const asked = new Map<string, Acknowledged>();
  const ask = (effect: string, things: Iterable<string>): Acknowledged => {
    const answer = asked.get(effect) ?? acknowledgements.ask(effect, things);
    asked.set(effect, answer);
    return answer;
  };
  for (const [effect, count] of effects) {
    if (!isOver(effect, count, population, policy)) continue;
    const answer = ask(effect, tally.thingsOf(effect));
    if (!answer.isMeant) problems.push(tooMuch(effect, count, population, policy, answer));
  }
  for (const { kind, effect, count, things } of tally.wholeKinds()) {
    const answer = ask(effect, effects.has(effect) ? tally.thingsOf(effect) : things);
    if (!answer.isMeant) problems.push(wholeKind(kind, effect, count, answer));
  }
  for (const effect of acknowledgements.inUse) {
    if (!asked.has(effect)) acknowledgements.keep(effect, tally.thingsOf(effect));
  }
  return problems;
}

/** Over both the number and the share. Forgetting an object takes nothing from anybody. */
function isOver(effect: string, count: number, population: Population, policy: Policy): boolean {
  const { max_share: share, min_count: minimum } = policy.removals;
  return !effect.endsWith('.forget') && count > minimum && count > share * managed(effect, population);
}

function tooMuch(
  effect: string,
  count: number,
  population: Population,
  policy: Policy,
  { done, total, said }: Acknowledged,
): Diagnostic {
  const { max_share: share, min_count: minimum } = policy.removals;
  const before = done === 0 ? '' : `, after ${done} that are done under an acknowledgement`;
  return {
    severity: 'error',
    code: 'safety.over-budget',
    summary: 'More is taken away or given back than the budget allows',
    detail: `${effect} would happen ${count} times${before}, of ${managed(effect, population)} that state manages; the budget is ${minimum}, or ${percent(share)} of them. ${said}If it is meant, say so in the reviewed diff: ${advice(effect, total)}.`,
  };
}

function wholeKind(kind: string, effect: string, count: number, { total, said }: Acknowledged): Diagnostic {
  const all = count === 1 ? `The only object of the kind ${kind}` : `All ${count} objects of the kind ${kind}`;
  const more =
    total > count
      ? `With those that are done already, or closed again after work on them, that is ${total} times ${effect}. `
      : '';
  return {
    severity: 'error',
    code: 'safety.whole-kind',
    summary: 'Every object of a kind would be removed',
    detail: `${all} that state manages ${count === 1 ? 'is' : 'are'} removed from the manifest. ${more}${said}If a file or folder is missing, give it again. If it is meant, say so in the reviewed diff: ${advice(effect, total)}.`,
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
