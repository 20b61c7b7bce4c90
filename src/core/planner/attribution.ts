// Determines which changes the request under review causes and which were pending before it.
//
// The manifests of the base and those under review are planned against the same state. Work on an object that is the same
// in both plans is pending. The request causes all other work. A change with both counts as caused by the request, and a
// note lists the attributes that were pending.

import { digestText } from '../../lib/digest.ts';
import { canonicalJson, equalJson, type JsonValue } from '../../lib/json.ts';
import { MappedSeries } from '../../lib/series.ts';
import type { Address } from '../model/address.ts';
import { type AttributeChange, type Change, printPath } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import type { ChangeNote } from '../model/reasons.ts';
import type { PlanWords } from '../model/statements/problems.ts';
import type { Step } from '../model/step.ts';
import { withNotes } from './plan-builder.ts';

/** Returns `plan` with a cause for every change. `base` is the plan of the base's manifests against the same state. */
export function attribute(plan: Plan, base: Pick<Plan, 'changes' | 'steps'>, words: PlanWords): Plan {
  const waiting = workByAddress(base.steps);
  // The base seldom waits for much, so only that is compared: the request may add a million objects.
  const work = workByAddress(plan.steps, (address) => waiting.has(address));
  const changesOfBase = new Map<Address, Change>();
  for (const change of base.changes) {
    if (work.get(change.address) !== waiting.get(change.address)) changesOfBase.set(change.address, change);
  }
  const changes = new MappedSeries(plan.changes, (change): Change => {
    const { address } = change;
    if (waiting.has(address) && work.get(address) === waiting.get(address)) return { ...change, cause: 'pending' };
    return { ...withNotes(change, pendingPart(change, changesOfBase.get(address)), words), cause: 'request' };
  });
  return { ...plan, changes };
}

/** Digests the work on each meant object without its needs, which depend on the work on other objects. */
function workByAddress(steps: Iterable<Step>, isMeant?: (address: Address) => boolean): ReadonlyMap<Address, string> {
  const work = new Map<Address, string>();
  for (const { id: _id, needs: _needs, after: _after, ...step } of steps) {
    if (isMeant?.(step.address) === false) continue;
    const text = canonicalJson(step as unknown as JsonValue);
    work.set(step.address, digestText(`${work.get(step.address) ?? ''}${text}`));
  }
  return work;
}

const maxNamed = 5;

function pendingPart({ attributes: planned }: Change, base: Change | undefined): ChangeNote[] {
  const waiting = planned.filter((attribute) => base?.attributes.some((other) => isSame(attribute, other)));
  if (waiting.length === 0) return [];
  const attributes = waiting.slice(0, maxNamed).map(({ path }) => printPath(path));
  return [{ code: 'partly_pending', attributes, more: waiting.length - attributes.length }];
}

function isSame(left: AttributeChange, right: AttributeChange): boolean {
  return (
    equalJson([...left.path], [...right.path]) &&
    left.how === right.how &&
    equalJson(left.before, right.before) &&
    equalJson(left.after, right.after)
  );
}
