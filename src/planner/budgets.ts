// Is more taken away, or given back, than may happen unasked? (semantics §4.1)
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Policy } from '../model/policy.ts';
import type { StateRecord } from '../model/record.ts';
import type { Acknowledgements, Answer } from './acknowledgements.ts';
import { countEffects, countPopulation, type Population, thingsOf } from './effects.ts';
import type { OrderedObject } from './order.ts';

/** Refusals; `acknowledgements` learns what the plan makes use of. */
export function overBudget(
  objects: readonly OrderedObject[],
  records: Iterable<StateRecord>,
  policy: Policy,
  acknowledgements: Acknowledgements,
): Diagnostic[] {
  const population = countPopulation(records);
  const effects = countEffects(objects);
  const problems: Diagnostic[] = [];
  const asked = new Map<string, Answer>();
  const ask = (effect: string, things: Iterable<string>): Answer => {
    const answer = asked.get(effect) ?? acknowledgements.ask(effect, things);
    asked.set(effect, answer);
    return answer;
  };
  for (const [effect, count] of effects) {
    if (!isOver(effect, count, population, policy)) continue;
    const answer = ask(effect, thingsOf(effect, objects));
    if (!answer.isMeant) problems.push(tooMuch(effect, count, population, policy, answer));
  }
  for (const { kind, effect, count, things } of wholeKinds(objects, population)) {
    const answer = ask(effect, effects.has(effect) ? thingsOf(effect, objects) : things);
    if (!answer.isMeant) problems.push(wholeKind(kind, effect, count, answer));
  }
  for (const effect of acknowledgements.inUse) {
    if (!asked.has(effect)) acknowledgements.keep(effect, thingsOf(effect, objects));
  }
  return problems;
}

/** Over both the number and the share. To forget an object takes nothing from anybody. */
function isOver(effect: string, count: number, population: Population, policy: Policy): boolean {
  const { max_share: share, min_count: minimum } = policy.removals;
  return !effect.endsWith('.forget') && count > minimum && count > share * managed(effect, population);
}

function tooMuch(
  effect: string,
  count: number,
  population: Population,
  policy: Policy,
  { done, total, said }: Answer,
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

interface WholeKind {
  readonly kind: string;
  readonly effect: string;
  /** All objects of the kind. */
  readonly count: number;
  readonly things: readonly string[];
}

/** Kinds of which every object in state is declared no more, however few they are: one entry for each way of removal. */
function wholeKinds(objects: readonly OrderedObject[], population: Population): WholeKind[] {
  const removed = new Map<string, Map<string, string[]>>();
  for (const { plan } of objects) {
    if (plan.removal === undefined || plan.record?.retired === true) continue;
    const effects = removed.get(plan.kind.kind) ?? new Map<string, string[]>();
    removed.set(plan.kind.kind, effects);
    const effect = `${plan.kind.kind}.${plan.removal}`;
    const things = effects.get(effect);
    if (things === undefined) effects.set(effect, [plan.address]);
    else things.push(plan.address);
  }
  return [...removed].flatMap(([kind, effects]) => {
    const count = [...effects.values()].reduce((sum, things) => sum + things.length, 0);
    if (count < (population.objects.get(kind) ?? 0)) return [];
    return Array.from(effects, ([effect, things]) => ({ kind, effect, count, things }));
  });
}

function wholeKind(kind: string, effect: string, count: number, { total, said }: Answer): Diagnostic {
  return {
    severity: 'error',
    code: 'safety.whole-kind',
    summary: 'Every object of a kind would be removed',
    detail: `All ${count} objects of the kind ${kind} that state manages are declared no more. ${said}If a file or folder is missing, give it again. If it is meant, say so in the reviewed diff: ${advice(effect, total)}.`,
  };
}

function managed(effect: string, population: Population): number {
  if (effect === 'group_channel.leave') return population.memberships;
  return population.objects.get(effect.slice(0, effect.indexOf('.'))) ?? 0;
}

function advice(effect: string, count: number): string {
  return `policy: {acknowledge: [{effect: ${effect}, count: ${count}}]}`;
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
