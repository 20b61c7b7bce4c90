// Turns one object's plan and steps into the change that people read.

import { digestOf } from '../../lib/digest.ts';
import type { JsonObject } from '../../lib/json.ts';
import { type Action, actions, isDangerous } from '../../model/action.ts';
import { type Address, keyOf } from '../../model/address.ts';
import { type Change, rotatesToken } from '../../model/change.ts';
import { namesOf, rememberAll } from '../../resources/attribute-table.ts';
import { countRequests } from '../order/estimate.ts';
import type { OrderedObject } from '../order/order.ts';
import type { ObjectPlan } from './draft.ts';
import { reversibilityOf } from './reversibility.ts';

export function changeOf({ plan, steps, bracket }: OrderedObject, notes: readonly string[]): Change {
  const done = actionsOf({ steps });
  // What an interrupted creation has sent already may be deleted before the rest is sent.
  const own = done.filter((action) => isDangerous(action) && (action === 'erase' || !plan.completesCreation));
  return {
    address: plan.address,
    actions: done,
    attributes: plan.attributes,
    ...(plan.resource === undefined ? {} : { source: plan.resource.source }),
    reason: plan.reason,
    reversibility: reversibilityOf({ plan, steps }),
    dangerous: own.length > 0 || rotatesToken(plan),
    notes: [
      ...plan.notes,
      ...plan.problems.filter(({ severity }) => severity === 'note').map(({ detail }) => detail),
      ...(bracket ? [`is ${plan.kind.disabledState.attribute}: opened for this work and closed again after it`] : []),
      ...notes,
    ],
    requests: countRequests(steps),
    ...liveFacts(plan, done),
  };
}

/** What is at stake when the object is disabled or deleted. */
function liveFacts({ facts = {} }: ObjectPlan, done: readonly Action[]): Pick<Change, 'live'> {
  const ends = done.some((action) => action === 'freeze' || action === 'deactivate' || action === 'delete');
  return ends && Object.keys(facts).length > 0 ? { live: facts } : {};
}

/** The actions on an object, in the order of the vocabulary. The second call of a creation is no update. */
function actionsOf({ steps }: Pick<OrderedObject, 'steps'>): Action[] {
  const done = new Set(steps.map(({ action }) => action));
  const isNew = done.has('create');
  return actions.filter((action) => done.has(action) && !(isNew && (action === 'update' || action === 'invite')));
}

/**
 * Notes on likely renames, by address. A key is the platform's identity, so an edited key retires one object and creates
 * another (semantics §1.4). Exactly one removed and one new object have the same content, or the same label, such as a name.
 */
export function renameNotes(objects: readonly OrderedObject[]): Map<Address, string> {
  const notes = new Map<Address, string>();
  const plans = objects.map(({ plan }) => plan);
  const retired = plans.filter(({ removal, record }) => removal !== undefined && record !== undefined);
  const created = plans.filter(({ record, resource }) => record === undefined && resource !== undefined);
  if (retired.length === 0 || created.length === 0) return notes;
  const renames = new Map<ObjectPlan, ObjectPlan>();
  for (const sameness of [contentOf, labelOf]) addPairs(renames, retired, created, sameness);
  addRelated(renames, retired, created);
  for (const [{ address: old, kind }, { address: renamed }] of renames) {
    const what = kind.onRename === undefined ? '' : `: ${kind.onRename}`;
    notes.set(old, `looks like a rename to ${renamed}${what}`);
    notes.set(renamed, `looks like a rename of ${old}${what}`);
  }
  return notes;
}

function contentOf(plan: ObjectPlan): string {
  return `${plan.kind.kind} ${digestOf(rememberedOf(plan))}`;
}

function labelOf(plan: ObjectPlan): string | undefined {
  const [name] = namesOf(plan.kind.attributes, ({ isLabel }) => isLabel === true);
  const label = name === undefined ? undefined : rememberedOf(plan)[name];
  return label === undefined || label === '' ? undefined : `${plan.kind.kind} ${digestOf(label)}`;
}

/** The attributes in the form of state: those of its record, or those that it will get. */
function rememberedOf({ kind, record, resource }: ObjectPlan): JsonObject {
  return record?.attributes ?? rememberAll(kind.attributes, resource?.attributes ?? {});
}

/** Adds the pairs among those without one that are the same, and the only ones so. */
function addPairs(
  renames: Map<ObjectPlan, ObjectPlan>,
  retired: readonly ObjectPlan[],
  created: readonly ObjectPlan[],
  sameness: (plan: ObjectPlan) => string | undefined,
): void {
  const taken = new Set(renames.values());
  const left = retired.filter((plan) => !renames.has(plan));
  const added = grouped(
    created.filter((plan) => !taken.has(plan)),
    sameness,
  );
  for (const [same, [old, ...otherOld]] of grouped(left, sameness)) {
    const [renamed, ...otherNew] = added.get(same) ?? [];
    if (old === undefined || renamed === undefined || otherOld.length + otherNew.length > 0) continue;
    renames.set(old, renamed);
  }
}

/** A channel is renamed with its archive, and an archive with its channel. */
function addRelated(
  renames: Map<ObjectPlan, ObjectPlan>,
  retired: readonly ObjectPlan[],
  created: readonly ObjectPlan[],
): void {
  const retiredByKey = grouped(retired, ({ address }) => keyOf(address));
  const createdByKey = grouped(created, ({ address }) => keyOf(address));
  for (const [old, renamed] of [...renames]) {
    for (const other of retiredByKey.get(keyOf(old.address)) ?? []) {
      const isRelated = other.kind.isChild !== old.kind.isChild && !renames.has(other);
      const match = createdByKey.get(keyOf(renamed.address))?.find(({ kind }) => kind === other.kind);
      if (isRelated && match !== undefined) renames.set(other, match);
    }
  }
}

/** Those for which the key is undefined are left out. */
function grouped(
  plans: readonly ObjectPlan[],
  keyOfPlan: (plan: ObjectPlan) => string | undefined,
): Map<string, ObjectPlan[]> {
  const groups = new Map<string, ObjectPlan[]>();
  for (const plan of plans) {
    const key = keyOfPlan(plan);
    if (key === undefined) continue;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [plan]);
    else known.push(plan);
  }
  return groups;
}
