// Turns one object's plan and steps into the change that people read.

import { digestOf } from '../../lib/digest.ts';
import { type Action, actions, isDangerous } from '../../model/action.ts';
import type { Change } from '../../model/change.ts';
import { rememberAll } from '../../resources/attribute-table.ts';
import { countRequests } from '../order/estimate.ts';
import type { OrderedObject } from '../order/order.ts';
import type { ObjectPlan } from './draft.ts';
import { reversibilityOf } from './reversibility.ts';

export function changeOf({ plan, steps, bracket }: OrderedObject, notes: readonly string[]): Change {
  const done = actionsOf({ steps });
  const own = plan.completesCreation ? [] : done.filter(isDangerous);
  return {
    address: plan.address,
    actions: done,
    attributes: plan.attributes,
    ...(plan.resource === undefined ? {} : { source: plan.resource.source }),
    reason: plan.reason,
    reversibility: reversibilityOf({ plan, steps }),
    dangerous: own.length > 0,
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
 * Notes on likely renames, by address: exactly one removed object and exactly one new one have the same content.
 * Somebody edited the key, which is the platform's identity (semantics §1.4).
 */
export function renameNotes(objects: readonly OrderedObject[]): Map<string, string> {
  const notes = new Map<string, string>();
  const retired = byContent(objects, ({ kind, removal, record }) =>
    removal === undefined || record === undefined ? undefined : `${kind.kind} ${digestOf(record.attributes)}`,
  );
  if (retired.size === 0) return notes;
  const created = byContent(objects, ({ kind, record, resource }) =>
    record !== undefined || resource === undefined
      ? undefined
      : `${kind.kind} ${digestOf(rememberAll(kind.attributes, resource.attributes))}`,
  );
  for (const [content, [old, ...otherOld]] of retired) {
    const [renamed, ...otherNew] = created.get(content) ?? [];
    if (old === undefined || renamed === undefined || otherOld.length + otherNew.length > 0) continue;
    const advice = 'members and history do not follow';
    notes.set(old, `looks like a rename to ${renamed}: ${advice}`);
    notes.set(renamed, `looks like a rename of ${old}: ${advice}`);
  }
  return notes;
}

/** Addresses by the digest of their content; objects for which it is undefined are left out. */
function byContent(
  objects: readonly OrderedObject[],
  contentOf: (plan: ObjectPlan) => string | undefined,
): Map<string, string[]> {
  const addresses = new Map<string, string[]>();
  for (const { plan } of objects) {
    const content = contentOf(plan);
    if (content === undefined) continue;
    const known = addresses.get(content);
    if (known === undefined) addresses.set(content, [plan.address]);
    else known.push(plan.address);
  }
  return addresses;
}
