// Keeps the records of retired channels correct when users in them are deleted, which ends their memberships.
//
// Before a user is deleted, each record is marked as unsure of the user. If the channel is declared again, declared users
// are added again and others are removed. Both calls are harmless if they are already in effect, so a run may be
// interrupted anywhere (semantics §1.7).

import { addressesOf, type KindDefinition, type Reference } from '../../kinds/definition/kind.ts';
import { isList, type JsonObject } from '../../lib/json.ts';
import { type Address, compareAddresses } from '../../model/address.ts';
import { applyEntry, type RecordEdit, type StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import type { DraftedStep, ObjectDraft } from '../draft/draft.ts';

/** Adds to the draft of a retired object a step that notes in state which of its people are deleted. */
export function withDeletedPeople(draft: ObjectDraft, deleted: ReadonlySet<Address>): ObjectDraft {
  const { kind, record, resource, removal, steps, notes } = draft;
  const stays = removal === undefined || removal === kind.disabledState.disable;
  const isForgotten = steps.some(({ deletes }) => deletes === true);
  if (resource !== undefined || record === undefined || !stays || isForgotten) return draft;
  const { unsure_of: before = [] } = record;
  const named = entriesOf(kind, record.attributes).flatMap(addressesOf);
  const people = [...new Set(named)].filter((address) => deleted.has(address) && !before.includes(address));
  if (people.length === 0) return draft;
  const step: DraftedStep = {
    action: 'update',
    phase: 'leave',
    edits: [],
    flags: { unsure_of: [...before, ...people].sort(compareAddresses) },
    names: people,
  };
  return {
    ...draft,
    steps: [step, ...steps],
    notes: [...notes, { code: 'users_deleted', users: people }],
    reason: removal === undefined ? { code: 'users_deleted' } : draft.reason,
  };
}

/** Returns the attributes of the record that are certain for an object that is declared again. */
export function sureAttributes(kind: KindDefinition, record: StateRecord, resource: Resource): JsonObject {
  const { address, attributes, unsure_of: unsure = [] } = record;
  if (unsure.length === 0) return attributes;
  const declared = new Set(entriesOf(kind, resource.attributes).map(({ path }) => JSON.stringify(path)));
  const edits = entriesOf(kind, attributes)
    .filter((entry) => declared.has(JSON.stringify(entry.path)))
    .filter((entry) => addressesOf(entry).some((user) => unsure.includes(user)))
    .map(({ key, path }): RecordEdit => {
      const list = path.slice(0, -1);
      return isList(attributes[list[0] ?? '']) ? { op: 'remove', path: list, values: [key] } : { op: 'unset', path };
    });
  return applyEntry({ address, attributes }, { type: 'patch', address, edits })?.attributes ?? attributes;
}

/** Returns the users in the object's maps and lists. The inviter is left out, because a creation alone needs it. */
function entriesOf(kind: KindDefinition, attributes: JsonObject): Reference[] {
  return (kind.references?.(attributes) ?? []).filter(({ path }) => path.length > 1);
}
