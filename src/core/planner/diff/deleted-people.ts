// Keeps the records of retired channels correct when users in them are deleted, which ends their memberships.
//
// Before a user is deleted, each record marks the user's entries as unknown. If the channel is declared again, declared users
// are added again, with their statuses, and others are removed. All calls are harmless if already in effect, so a run may be
// interrupted anywhere (semantics §1.7).

import { equalJson, type JsonObject } from '../../../lib/json.ts';
import { addressesOf, type KindDefinition, type Reference } from '../../kinds/definition/kind.ts';
import type { Address } from '../../model/address.ts';
import type { DraftedStep, ObjectDraft } from '../draft/draft.ts';

/** Adds to the draft of a retired object a step that notes in state which of its people are deleted. */
export function withDeletedPeople(draft: ObjectDraft, deleted: ReadonlySet<Address>): ObjectDraft {
  const { kind, record, resource, removal, steps, notes } = draft;
  const stays = removal === undefined || removal === kind.disabledState.disable;
  const isForgotten = steps.some(({ deletes }) => deletes === true);
  if (resource !== undefined || record === undefined || !stays || isForgotten) return draft;
  const { unknown = [] } = record;
  const entries = entriesOf(kind, record.attributes).filter(
    (reference) =>
      addressesOf(reference).some((address) => deleted.has(address)) &&
      !unknown.some((other) => equalJson([...other], [...reference.path])),
  );
  if (entries.length === 0) return draft;
  const people = [...new Set(entries.flatMap(addressesOf))].filter((address) => deleted.has(address));
  const step: DraftedStep = {
    action: 'update',
    phase: 'leave',
    edits: [],
    flags: { unknown: [...unknown, ...entries.map(({ path }) => path)] },
    names: people,
  };
  return {
    ...draft,
    steps: [step, ...steps],
    notes: [...notes, { code: 'users_deleted', users: people }],
    reason: removal === undefined ? { code: 'users_deleted' } : draft.reason,
  };
}

/** Returns the users in the object's maps and lists. The inviter is left out, because a creation alone needs it. */
function entriesOf(kind: KindDefinition, attributes: JsonObject): Reference[] {
  return (kind.references?.(attributes) ?? []).filter(({ path }) => path.length > 1);
}
