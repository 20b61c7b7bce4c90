// How is one object's plan told to people? From drafts and steps to a change.
import { type Action, actions, isDangerous } from '../model/action.ts';
import type { Change, Reversibility } from '../model/change.ts';
import { digestOf } from '../model/digest.ts';
import type { OrderedObject } from './order.ts';

export function changeOf({ plan, steps, bracket }: OrderedObject, notes: readonly string[]): Change {
  const order = (action: Action) => actions.indexOf(action);
  const done = [...new Set(steps.map(({ action }) => action))].sort((left, right) => order(left) - order(right));
  const own = plan.completesCreation ? [] : done.filter(isDangerous);
  return {
    address: plan.address,
    actions: done,
    attributes: plan.attributes,
    ...(plan.resource === undefined ? {} : { source: plan.resource.source }),
    reason: plan.reason,
    reversibility: reversibilityOf(done),
    dangerous: own.length > 0,
    notes: [
      ...plan.notes,
      ...plan.problems.filter(({ severity }) => severity === 'note').map(({ detail }) => detail),
      ...(bracket ? [`is ${plan.kind.closable.attribute}: opened for this work and closed again after it`] : []),
      ...notes,
    ],
  };
}

/** A deleted object is gone with its history; a membership that ended loses what its user had read (api§5). */
function reversibilityOf(done: readonly Action[]): Reversibility {
  if (done.includes('delete') || done.includes('migrate')) return 'irreversible';
  return done.includes('leave') ? 'lossy' : 'reversible';
}

/**
 * A retired object and a new one that are declared alike: somebody edited a key, which is the platform's identity
 * (semantics §1.4). Notes by address, for both.
 */
export function renameNotes(objects: readonly OrderedObject[]): Map<string, string> {
  const notes = new Map<string, string>();
  const retired = objects.filter(({ plan }) => plan.removal !== undefined && plan.record !== undefined);
  if (retired.length === 0) return notes;
  const created = new Map<string, string>();
  for (const { plan } of objects) {
    if (plan.record === undefined && plan.resource !== undefined) {
      created.set(plan.kind.kind + digestOf(plan.resource.attributes), plan.address);
    }
  }
  for (const { plan } of retired) {
    const twin = created.get(plan.kind.kind + digestOf(plan.record?.attributes ?? {}));
    if (twin === undefined) continue;
    const advice = 'members and history do not follow';
    notes.set(plan.address, `looks like a rename to ${twin}: ${advice}`);
    notes.set(twin, `looks like a rename of ${plan.address}: ${advice}`);
  }
  return notes;
}
