// Which plans are too dangerous to run unasked? (semantics §3, §4)
import { kindOf } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { isObject } from '../model/json.ts';
import type { Acknowledgement, Policy } from '../model/policy.ts';
import type { StateRecord } from '../model/record.ts';
import type { Step } from '../model/step.ts';
import type { OrderedObject } from './order.ts';

/** What state manages of each effect: the population that a share is taken of. */
export interface Population {
  /** Objects in state that are not retired, by kind. */
  readonly objects: ReadonlyMap<string, number>;
  /** Members of all group channels in state. */
  readonly memberships: number;
}

export function countPopulation(records: Iterable<StateRecord>): Population {
  const objects = new Map<string, number>();
  let memberships = 0;
  for (const { address, retired, attributes } of records) {
    if (retired === true) continue;
    const kind = kindOf(address);
    objects.set(kind, (objects.get(kind) ?? 0) + 1);
    if (isObject(attributes.members)) memberships += Object.keys(attributes.members).length;
  }
  return { objects, memberships };
}

/** `today` as `2026-12-01`, in UTC. A plan with a refusal is shown, never applied (5). */
export function refusals(
  objects: readonly OrderedObject[],
  population: Population,
  policy: Policy,
  today: string,
): Diagnostic[] {
  return [
    ...objects.flatMap((object) => [...protectedRemoval(object), ...refusedBracket(object, policy)]),
    ...overBudget(objects, population, policy, today),
    ...wholeKinds(objects, population, policy, today),
  ];
}

function protectedRemoval({ plan }: OrderedObject): Diagnostic[] {
  if (plan.removal === undefined || plan.record?.lifecycle?.protect !== true) return [];
  return [
    {
      severity: 'error',
      code: 'safety.protected',
      summary: 'A protected object may not be removed',
      detail: `${plan.address} was declared with lifecycle: {protect: true}, and is declared no more. Declare it again; or first apply it with protect: false, and remove it in a second change.`,
      address: plan.address,
    },
  ];
}

function refusedBracket({ plan, bracket }: OrderedObject, policy: Policy): Diagnostic[] {
  const attribute = plan.kind.closable.attribute;
  const rule = attribute === 'frozen' ? policy.reopen.frozen : policy.reopen.deactivated;
  if (!bracket || rule === 'allow') return [];
  return [
    {
      severity: 'error',
      code: 'safety.reopen',
      summary: 'Work on a closed object needs it open for a while',
      detail: `${plan.address} is ${attribute}, and the platform refuses the planned work on it unless it is opened first and closed again afterwards. Allow that with policy: {reopen: {${attribute}: allow}}; or leave out the change that needs it.`,
      address: plan.address,
      ...(plan.resource === undefined ? {} : { source: plan.resource.source }),
    },
  ];
}

/** `user.deactivate` → how many; what completes a creation is no danger. */
function countEffects(objects: readonly OrderedObject[]): Map<string, number> {
  const effects = new Map<string, number>();
  for (const { plan, steps } of objects) {
    if (plan.completesCreation) continue;
    for (const step of steps) {
      const count = effectSize(step);
      if (count === 0) continue;
      const effect = `${plan.kind.kind}.${step.action}`;
      effects.set(effect, (effects.get(effect) ?? 0) + count);
    }
  }
  return effects;
}

const counted: ReadonlySet<string> = new Set(['deactivate', 'reactivate', 'freeze', 'unfreeze', 'delete', 'leave']);

function effectSize(step: Step): number {
  if (!counted.has(step.action)) return 0;
  const ids = step.request?.body?.user_ids;
  return step.action === 'leave' && Array.isArray(ids) ? ids.length : 1;
}

function overBudget(
  objects: readonly OrderedObject[],
  population: Population,
  policy: Policy,
  today: string,
): Diagnostic[] {
  const { max_share: share, min_count: minimum } = policy.removals;
  const problems: Diagnostic[] = [];
  for (const [effect, count] of countEffects(objects)) {
    const of = effect === 'group_channel.leave' ? population.memberships : managed(population, effect);
    if (count <= minimum || count <= share * of) continue;
    const said = acknowledged(policy.acknowledge, effect, today);
    if (said.includes(count)) continue;
    problems.push({
      severity: 'error',
      code: 'safety.over-budget',
      summary: 'More is taken away than the budget allows',
      detail: `${effect} would happen ${count} times, of ${of} that state manages; the budget is ${minimum}, or ${percent(share)} of them. ${
        said.length === 0 ? '' : `The acknowledgement says ${said.join(' and ')}, which is not that number. `
      }If it is meant, say so in the reviewed diff: policy: {acknowledge: [{effect: ${effect}, count: ${count}}]}.`,
    });
  }
  return problems;
}

/** Removing every object of a kind is asked about, however few they are. */
function wholeKinds(
  objects: readonly OrderedObject[],
  population: Population,
  policy: Policy,
  today: string,
): Diagnostic[] {
  const counts = countEffects(objects);
  const removed = new Map<string, { count: number; effects: Set<string> }>();
  for (const { plan } of objects) {
    if (plan.removal === undefined || plan.record?.retired === true) continue;
    const entry = removed.get(plan.kind.kind) ?? { count: 0, effects: new Set<string>() };
    removed.set(plan.kind.kind, { count: entry.count + 1, effects: entry.effects.add(plan.removal) });
  }
  const problems: Diagnostic[] = [];
  for (const [kind, { count, effects }] of removed) {
    if (count < (population.objects.get(kind) ?? 0)) continue;
    const unsaid = [...effects].filter((removal) => {
      const effect = `${kind}.${removal}`;
      return !acknowledged(policy.acknowledge, effect, today).includes(counts.get(effect) ?? count);
    });
    if (unsaid.length === 0) continue;
    problems.push({
      severity: 'error',
      code: 'safety.whole-kind',
      summary: 'Every object of a kind would be removed',
      detail: `All ${count} objects of the kind ${kind} that state manages are declared no more. If a file or folder is missing, give it again. If it is meant, say so in the reviewed diff: policy: {acknowledge: [{effect: ${kind}.${unsaid[0] ?? ''}, count: ${counts.get(`${kind}.${unsaid[0] ?? ''}`) ?? count}}]}.`,
    });
  }
  return problems;
}

function managed(population: Population, effect: string): number {
  return population.objects.get(effect.slice(0, effect.indexOf('.'))) ?? 0;
}

/** The numbers that were acknowledged and hold today: an old one may stand beside the one that is meant. */
function acknowledged(list: readonly Acknowledgement[], effect: string, today: string): number[] {
  return list
    .filter((entry) => entry.effect === effect && (entry.expires === undefined || today <= entry.expires))
    .map(({ count }) => count);
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
