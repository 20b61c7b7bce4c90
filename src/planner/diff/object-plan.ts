// What has to happen to one object? Pairs what is declared with what state remembers, and drafts the steps.
//
//   declared   in state            becomes
//   yes        no                  creation
//   yes        yes                 update, if anything differs
//   yes        retired             update that opens it again
//   no         yes                 retirement: closed, deleted or forgotten, by its on_remove
//   no         retired             nothing, unless `removed` says more, or it was left open
//
// After a refresh, what was found on the platform takes the place of what state remembers (observe.ts), and two more
// cases come: an object that is declared and there, but not ours, and one that is ours and gone (unexpected.ts). A part is
// gone with its object.
//
// Opening and closing are the planner's, because whether an open object must be opened early, late or for a while
// depends on what all the other objects need (order.ts).
import { inKeyOrder } from '../../lib/json.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateRecord } from '../../model/record.ts';
import type { RemovedEntry, Resource } from '../../model/resource.ts';
import type { KindDefinition } from '../../resources/define.ts';
import { driftOf } from '../live/drift.ts';
import { planExisting, planGone, planLost, planUnknown } from '../live/existing-or-missing.ts';
import { type LiveContext, observe } from '../live/observe.ts';
import { planCreation, planUpdate, type RelatedObjects } from './declared-plan.ts';
import type { ObjectPlan } from './draft.ts';
import { planRetirement } from './retirement.ts';
import { isUnchanged } from './unchanged.ts';

export function planObject(
  kind: KindDefinition,
  declared: Resource | undefined,
  record: StateRecord | undefined,
  removed: RemovedEntry | undefined,
  policy: Policy,
  live?: LiveContext,
  kin?: RelatedObjects,
): ObjectPlan | undefined {
  const address = declared?.address ?? record?.address;
  const fate = record === undefined ? undefined : kin?.status?.();
  const isRead = live !== undefined && kind.live !== undefined;
  const observation = isRead && address !== undefined ? live.observations.get(address) : undefined;
  const isKnown = declared !== undefined && record !== undefined && observation === undefined;
  if (isKnown && (fate?.type ?? 'kept') === 'kept' && isUnchanged(kind, declared, record)) return undefined;
  // So that the same declaration gives the same steps, to the letter.
  const resource = declared === undefined ? undefined : sortedWithin(declared);
  if (record === undefined) {
    if (resource === undefined) return undefined;
    if (observation === undefined) return { ...planCreation(kind, resource, kin), ...(isRead ? { found: null } : {}) };
    return planExisting(kind, resource, observation, policy, kin);
  }
  if (observation?.exists === false) return planGone(kind, resource, record, kin);
  if (fate?.type === 'lost') return planLost(kind, resource, record, fate.with, kin);
  if (fate?.type === 'unknown' && resource !== undefined) return planUnknown(kind, resource, record);
  const seen = observation === undefined ? undefined : observe(kind, record, resource, observation, policy, live);
  const plan =
    resource === undefined
      ? planRetirement(kind, record, removed, policy, seen)
      : planUpdate(kind, resource, record, seen, kin);
  const notes = record.retired === true && resource !== undefined ? [noteOfReturn(isRead)] : [];
  return {
    ...plan,
    notes: [...plan.notes, ...notes],
    ...(isRead ? { found: seen?.found ?? record.attributes } : {}),
    ...(seen === undefined ? {} : { drift: driftOf(kind, record, resource, seen) }),
    ...(observation === undefined ? {} : { facts: observation.facts }),
  };
}

function noteOfReturn(isRead: boolean): string {
  return isRead
    ? 'was retired; its memberships were read, and who is missing is invited again'
    : 'was retired; memberships may have changed meanwhile';
}

function sortedWithin(resource: Resource): Resource {
  const attributes = inKeyOrder(resource.attributes);
  const lifecycle = inKeyOrder(resource.lifecycle);
  const isSorted = attributes === resource.attributes && lifecycle === resource.lifecycle;
  if (isSorted) return resource;
  const { address, source, attributeSources } = resource;
  return { address, attributes, lifecycle, source, ...(attributeSources === undefined ? {} : { attributeSources }) };
}
