// Pairs declared objects with state records by address, and drafts the object of each pair.
//
//   declared   in state            becomes
//   yes        no                  creation
//   yes        yes                 update, if anything differs
//   yes        retired             update that enables it again
//   no         yes                 retirement: disabled, deleted or forgotten, by its on_remove
//   no         retired             nothing, unless `removed` says more, or it was left enabled
//
// After a refresh, live values replace those of state (live/observed-state.ts), and there are two more cases: a declared
// object that exists but is not in state (adoption.ts), and an object in state that no longer exists (gone.ts). Children
// vanish with their parents.
//
// Enabling and disabling are drafted later, because whether an object is enabled early, late or temporarily depends on
// the needs of all other objects (order/milestones.ts).

import { equalJson, inKeyOrder } from '../../../lib/json.ts';
import type { Series } from '../../../lib/series.ts';
import { rememberOne } from '../../kinds/definition/attribute-table.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { userKinds } from '../../kinds/parts/people.ts';
import { type Address, compareAddresses, keyOf } from '../../model/address.ts';
import { firstPlace } from '../../model/addressed-series.ts';
import type { Observation } from '../../model/live.ts';
import type { ChildStatus } from '../../model/plan.ts';
import type { Policy } from '../../model/policy.ts';
import type { ChangeNote } from '../../model/reasons.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Lifecycle, RemovedEntry, Resource } from '../../model/resource.ts';
import type { ObjectDraft, PlannedProblem } from '../draft/draft.ts';
import { driftOf } from '../live/drift.ts';
import { type LiveContext, observe } from '../live/observed-state.ts';
import { draftAlwaysThere, draftExisting } from './adoption.ts';
import { draftCreation, type RelatedObjects } from './creation.ts';
import { endingNames, withoutEnded } from './expiry.ts';
import { draftGone, draftLost, draftUnknown } from './gone.ts';
import { draftRetirement } from './retirement.ts';
import { draftUpdate } from './update.ts';

/** At least one of resource and record is present. */
export interface Pair {
  readonly address: Address;
  readonly resource: Resource | undefined;
  readonly record: StateRecord | undefined;
  /** Positions in the two series, counted from 1, or 0 if absent. */
  readonly places: readonly [resource: number, record: number];
}

/**
 * Yields the pairs of one kind, sorted by address. Both series are sorted by address, so each kind is contiguous. Callers take the kinds
 * in the order of the registry, in which objects precede those that refer to them.
 */
export function* pairsOfKind(kind: string, resources: Series<Resource>, records: Series<StateRecord>): Generator<Pair> {
  const prefix = `${kind}.`;
  let [left, right] = [firstPlace(resources, prefix), firstPlace(records, prefix)];
  const ofKind = <T extends { readonly address: Address }>(value: T | undefined): T | undefined =>
    value?.address.startsWith(prefix) === true ? value : undefined;
  let [resource, record] = [ofKind(resources.at(left)), ofKind(records.at(right))];
  while (resource !== undefined || record !== undefined) {
    const side =
      resource === undefined ? 1 : record === undefined ? -1 : compareAddresses(resource.address, record.address);
    const address = side <= 0 ? resource?.address : record?.address;
    if (address !== undefined) {
      yield {
        address,
        resource: side <= 0 ? resource : undefined,
        record: side >= 0 ? record : undefined,
        places: [side <= 0 ? left + 1 : 0, side >= 0 ? right + 1 : 0],
      };
    }
    if (side <= 0) resource = ofKind(resources.at(++left));
    if (side >= 0) record = ofKind(records.at(++right));
  }
}

export interface ObjectSides {
  readonly resource: Resource | undefined;
  readonly record: StateRecord | undefined;
  /** The entry of the object under `removed`. */
  readonly removed?: RemovedEntry | undefined;
}

export interface ObjectContext {
  readonly policy: Pick<Policy, 'existing' | 'adopt' | 'on_remove' | 'departed'>;
  /** Undefined without a refresh. */
  readonly live?: LiveContext | undefined;
  readonly related?: RelatedObjects;
  /** The time in Unix milliseconds at which bans and mutes are checked. Absent: none has ended. */
  readonly nowMs?: number;
}

interface CountedSides extends ObjectSides {
  readonly observation: Observation | undefined;
  readonly status: ChildStatus | undefined;
}

/** Returns undefined if the object is neither declared nor in state, or if both are equal. */
export function draftObject(
  kind: KindDefinition,
  { resource, record: remembered, removed }: ObjectSides,
  context: ObjectContext,
): ObjectDraft | undefined {
  const { live, related, nowMs = 0 } = context;
  const address = resource?.address ?? remembered?.address;
  const status = remembered === undefined ? undefined : related?.status?.();
  const isRead = live !== undefined && kind.live !== undefined;
  const seenLive = isRead && address !== undefined ? live.observations.get(address) : undefined;
  const sides = { resource, record: remembered, observation: seenLive, notes: noNotes };
  const { resource: declared, record, observation, notes } = mayEnd(kind) ? withoutEnded(kind, sides, nowMs) : sides;
  const isKnown = declared !== undefined && record !== undefined && observation === undefined && notes.length === 0;
  if (isKnown && (status?.type ?? 'kept') === 'kept' && isUnchanged(kind, declared, record)) return undefined;
  const draft = draftSides(kind, { resource: declared, record, removed, observation, status }, context);
  if (draft === undefined || (record === remembered && notes.length === 0)) return draft;
  // The steps are applied to the record as it is in state.
  return { ...draft, record: remembered, problems: [...draft.problems, ...notes] };
}

/** Drafts from the sides without expired entries, and from what a refresh has shown. */
function draftSides(
  kind: KindDefinition,
  { resource: declared, record, removed, observation, status }: CountedSides,
  { policy, live, related = {} }: Omit<ObjectContext, 'nowMs'>,
): ObjectDraft | undefined {
  const isRead = live !== undefined && kind.live !== undefined;
  // Sort keys, so that equal declarations give identical steps.
  const resource = declared === undefined ? undefined : sortedWithin(declared);
  if (record === undefined) {
    if (resource === undefined) return undefined;
    if (kind.onlyKey !== undefined) return draftAlwaysThere(kind, resource, observation, related);
    if (observation !== undefined) return draftExisting(kind, resource, observation, policy, related);
    const creation = draftCreation(kind, resource, related);
    return isRead ? { ...creation, found: null } : creation;
  }
  if (observation?.exists === false) return draftGone(kind, resource, record, related);
  if (status?.type === 'lost') return draftLost(kind, resource, record, status.with, related);
  if (status?.type === 'unknown') {
    const isDeletedByUs = record.leaving === true;
    if (resource !== undefined && !isDeletedByUs) return draftUnknown(kind, resource, record);
    return draftLost(kind, resource, record, status.with, related);
  }
  const observedState =
    observation === undefined ? undefined : observe(kind, record, resource, observation, policy, live);
  const draft =
    resource === undefined
      ? draftRetirement(kind, record, removed, policy, observedState, related)
      : draftUpdate(kind, resource, record, observedState, related);
  const notes = record.retired === true && resource !== undefined ? notesOfReturn(kind, isRead) : [];
  return {
    ...draft,
    notes: [...draft.notes, ...notes],
    ...(isRead ? { found: observedState?.found ?? record.attributes } : {}),
    ...(observedState === undefined ? {} : { drift: driftOf(kind, record, resource, observedState) }),
    ...(observation === undefined ? {} : { facts: observation.facts }),
  };
}

const noNotes: readonly PlannedProblem[] = [];
const endings = new WeakMap<KindDefinition, boolean>();

function mayEnd(kind: KindDefinition): boolean {
  let may = endings.get(kind);
  if (may === undefined) {
    may = endingNames(kind).length > 0;
    endings.set(kind, may);
  }
  return may;
}

function notesOfReturn({ isChild, name, attributes }: KindDefinition, isRead: boolean): ChangeNote[] {
  if (isChild === true) return [{ code: 'history_returns' }];
  if (!userKinds.includes(name) && attributes.members === undefined) return [];
  return [{ code: isRead ? 'members_return' : 'memberships_unknown' }];
}

function sortedWithin(resource: Resource): Resource {
  const attributes = inKeyOrder(resource.attributes);
  const lifecycle = inKeyOrder(resource.lifecycle);
  const isSorted = attributes === resource.attributes && lifecycle === resource.lifecycle;
  if (isSorted) return resource;
  const { address, source, attributeSources } = resource;
  return { address, attributes, lifecycle, source, ...(attributeSources === undefined ? {} : { attributeSources }) };
}

/**
 * Whether an object certainly equals its record, as most do, so that it needs no step. Others are compared attribute by attribute.
 */
function isUnchanged(kind: KindDefinition, resource: Resource, record: StateRecord): boolean {
  const { attributes, lifecycle } = resource;
  const remembered = record.attributes;
  if (record.retired === true || record.creating === true || record.bracket === true) return false;
  if (record.leaving === true || record.unknown !== undefined) return false;
  // A disabled object may have to be reopened for changes of others.
  if (remembered[kind.disabledState.attribute] === true) return false;
  if (!areSame(lifecycle, record.lifecycle)) return false;
  let count = 0;
  for (const name in attributes) {
    const value = attributes[name];
    const definition = kind.attributes[name];
    if (value === undefined || definition === undefined) return false;
    if (definition.change === 'mode') continue;
    if (!equalJson(remembered[name], rememberOne(definition, value))) return false;
    count += 1;
  }
  for (const _name in remembered) count -= 1;
  if (count !== 0) return false;
  const { address } = resource;
  const change = {
    type: 'update',
    address,
    key: keyOf(address),
    before: remembered,
    after: attributes,
    attributes: [],
  } as const;
  return kind.checks(change).length === 0;
}

function areSame(declared: Lifecycle, remembered: Lifecycle | undefined): boolean {
  for (const _name in declared) return equalJson({ ...declared }, { ...remembered });
  return remembered === undefined;
}
