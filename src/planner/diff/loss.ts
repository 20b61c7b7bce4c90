// Drafts objects that are in state and gone from the platform, and children whose parents are.
import type { Address } from '../../model/address.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import type { KindDefinition } from '../../resources/definition/kind.ts';
import type { DraftedStep, ObjectDraft } from '../draft/draft.ts';
import { missing } from '../live/drift.ts';
import { draftCreation, type RelatedObjects } from './creation.ts';
import { draftStanding } from './retirement.ts';

/** In state and gone: created again as declared, or forgotten when it is not declared (semantics §5.3). */
export function draftGone(
  kind: KindDefinition,
  resource: Resource | undefined,
  record: StateRecord,
  related?: RelatedObjects,
): ObjectDraft {
  const drift = [missing(record, resource)];
  if (resource !== undefined) {
    return { ...draftCreation(kind, resource, related), record, found: null, drift, reason: 'gone from the platform' };
  }
  return {
    kind,
    address: record.address,
    record,
    resource,
    attributes: [],
    steps: [{ action: 'forget', phase: 'record', edits: [], deletes: true }],
    opens: false,
    closes: false,
    staysClosed: false,
    completesCreation: false,
    problems: [],
    notes: [],
    reason: 'gone from the platform, and removed from the manifest',
    found: null,
    drift,
  };
}

/**
 * A child whose parents are gone from the platform. State forgets it before they are created again: after an interruption
 * in between, the next run must not take it for a child of the new ones.
 */
export function draftLost(
  kind: KindDefinition,
  resource: Resource | undefined,
  record: StateRecord,
  parents: readonly Address[],
  related?: RelatedObjects,
): ObjectDraft {
  const { steps, drift: _replaced, ...draft } = draftGone(kind, resource, record, related);
  const forget: DraftedStep = { action: 'forget', phase: 'revoke', edits: [], deletes: true, between: parents };
  return {
    ...draft,
    steps: resource === undefined ? [forget] : [forget, ...steps],
    reason: `gone from the platform with ${parents.join(', ')}`,
    drift: [missing(record, resource, parents)],
  };
}

/** State knows a child and not its parent. A parent that is created would come without it; one that exists may have it. */
export function draftUnknown(kind: KindDefinition, resource: Resource, record: StateRecord): ObjectDraft {
  return {
    ...draftStanding(kind, record),
    resource,
    problems: [
      {
        severity: 'error',
        code: 'plan.part-in-doubt',
        summary: 'State contains a part of an object but not the object',
        detail: `${resource.address} was applied, but the object that it belongs to is not in state. Plan with --refresh to find out whether that object exists. If it does not, chatform sends this again.`,
        path: [],
      },
    ],
  };
}
