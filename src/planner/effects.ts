// What does a plan do to people, counted by effect, whatever the cause? (semantics §4.1)
import { kindOf } from '../model/address.ts';
import { isObject } from '../model/json.ts';
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

/** `user.deactivate` → how many. What is done to an object that is created, in this run or one before, does not count. */
export function countEffects(objects: readonly OrderedObject[]): ReadonlyMap<string, number> {
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

/** Everything that an effect befalls, each once: an object, or a member who leaves one. */
export function* thingsOf(effect: string, objects: readonly OrderedObject[]): Generator<string> {
  for (const { plan, steps } of objects) {
    if (plan.completesCreation) continue;
    for (const step of steps) {
      if (effectSize(step) === 0 || `${plan.kind.kind}.${step.action}` !== effect) continue;
      const ids = leavers(step);
      if (ids === undefined) yield plan.address;
      else for (const id of ids) yield `${plan.address}\n${id}`;
    }
  }
}

const counted: ReadonlySet<string> = new Set([
  'deactivate',
  'reactivate',
  'freeze',
  'unfreeze',
  'delete',
  'leave',
  // Never over a budget, since it takes nothing from anybody, but asked about when it is a whole kind.
  'forget',
]);

function effectSize(step: Step): number {
  return counted.has(step.action) ? (leavers(step)?.length ?? 1) : 0;
}

function leavers({ action, request }: Step): readonly string[] | undefined {
  const ids = request?.body?.user_ids;
  return action === 'leave' && Array.isArray(ids) ? (ids as readonly string[]) : undefined;
}
