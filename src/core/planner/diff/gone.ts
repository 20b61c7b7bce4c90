// Drafts objects that are in state but no longer on the platform, and children of such objects.

import type { KindDefinition } from '../../kinds/definition/kind.ts';
import type { Address } from '../../model/address.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import type { DraftedStep, ObjectDraft } from '../draft/draft.ts';
import { missing } from '../live/drift.ts';
import { draftCreation, type RelatedObjects } from './creation.ts';
import { draftStanding } from './retirement.ts';

/** Creates a missing object again, or forgets it if it is not declared (semantics §5.3). */
export function draftGone(
  kind: KindDefinition,
  resource: Resource | undefined,
  record: StateRecord,
  related?: RelatedObjects,
): ObjectDraft {
  const drift = [missing(record, resource)];
  if (resource !== undefined) {
    return { ...draftCreation(kind, resource, related), record, found: null, drift, reason: { code: 'gone' } };
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
    reason: { code: 'gone_and_undeclared' },
    found: null,
    drift,
  };
}

/**
 * Drafts a child of missing parents. State forgets it before they are created again, so that after an interruption the next
 * run does not take it for a child of the new ones.
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
    reason: { code: 'gone_with_parents', parents },
    drift: [missing(record, resource, parents)],
  };
}

/** Refuses a child whose parent is not in state. A new parent would lack it, but an existing parent may have it. */
export function draftUnknown(kind: KindDefinition, resource: Resource, record: StateRecord): ObjectDraft {
  return {
    ...draftStanding(kind, record),
    resource,
    problems: [
      {
        severity: 'error',
        problem: { code: 'plan.part-in-doubt', address: resource.address },
        path: [],
      },
    ],
  };
}
