// Makes state records of objects that match their declaration without a call.

import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { keyOf } from '../../model/address.ts';
import { applyEntry, type StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import { declaredAttributes } from '../live/observed-state.ts';

/** Returns the record of an object that is on the platform as declared, as if it had just been applied. */
export function recordAsApplied(kind: KindDefinition, resource: Resource): StateRecord {
  const { address, attributes: after, lifecycle } = resource;
  const declared: StateRecord = {
    address,
    attributes: declaredAttributes(kind, resource),
    ...(Object.keys(lifecycle).length === 0 ? {} : { lifecycle }),
  };
  // State keeps the declared attributes. For a history file it also keeps the lines of each call.
  if (kind.isChild !== true) return declared;
  const steps = kind.steps({ type: 'create', address, key: keyOf(address), before: {}, after, attributes: [] });
  const attributes = Object.assign({}, declared.attributes, ...steps.map(({ creates }) => creates));
  const edits = steps.flatMap((step) => step.edits);
  return applyEntry({ ...declared, attributes }, { type: 'patch', address, edits }) ?? declared;
}
