// How is one object's plan told to people? From drafts and steps to a change.

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

/** What is at stake where something is closed or deleted. */
function liveFacts({ facts = {} }: ObjectPlan, done: readonly Action[]): Pick<Change, 'live'> {
  const ends = done.some((action) => action === 'freeze' || action === 'deactivate' || action === 'delete');
  return ends && Object.keys(facts).length > 0 ? { live: facts } : {};
}

/** What happens to an object, in the order of the vocabulary. The second call of a creation is no update. */
function actionsOf({ steps }: Pick<OrderedObject, 'steps'>): Action[] {
  const done = new Set(steps.map(({ action }) => action));
  const isNew = done.has('create');
  return actions.filter((action) => done.has(action) && !(isNew && (action === 'update' || action === 'invite')));
}

/**
 * A removed object and a new one that are declared alike, and no others alike: somebody edited a key, which is the
 * platform's identity (semantics §1.4). Notes by address, for both.
 */
export function renameNotes(objects: readonly OrderedObject[]): Map<string, string> {
  const notes = new Map<string, string>();
  const retired = alike(objects, ({ kind, removal, record }) =>
    removal === undefined || record === undefined ? undefined : `${kind.kind} ${digestOf(record.attributes)}`,
  );
  if (retired.size === 0) return notes;
  const created = alike(objects, ({ kind, record, resource }) =>
    record !== undefined || resource === undefined
      ? undefined
      : `${kind.kind} ${digestOf(rememberAll(kind.attributes, resource.attributes))}`,
  );
  for (const [shape, [old, ...others]] of retired) {
    const [twin, ...twins] = created.get(shape) ?? [];
    if (old === undefined || twin === undefined || others.length + twins.length > 0) continue;
    const advice = 'members and history do not follow';
    notes.set(old, `looks like a rename to ${twin}: ${advice}`);
    notes.set(twin, `looks like a rename of ${old}: ${advice}`);
  }
  return notes;
}

/** Addresses by what `shapeOf` says of them; those of which it says nothing are left out. */
function alike(
  objects: readonly OrderedObject[],
  shapeOf: (plan: ObjectPlan) => string | undefined,
): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { plan } of objects) {
    const shape = shapeOf(plan);
    if (shape === undefined) continue;
    const group = groups.get(shape);
    if (group === undefined) groups.set(shape, [plan.address]);
    else group.push(plan.address);
  }
  return groups;
}
