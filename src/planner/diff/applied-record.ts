// Makes the record that state would have if everything declared of an object had just been applied.
import { keyOf } from '../../model/address.ts';
import { applyEntry, type StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import type { KindDefinition } from '../../resources/definition/kind.ts';
import { declaredAttributes } from '../live/observed-state.ts';

/** For objects that are known to be on the platform as declared: no call is made. */
export function recordAsApplied(kind: KindDefinition, resource: Resource): StateRecord {
  const { address, attributes: after, lifecycle } = resource;
  const declared: StateRecord = {
    address,
    attributes: declaredAttributes(kind, resource),
    ...(Object.keys(lifecycle).length === 0 ? {} : { lifecycle }),
  };
  // For most kinds state keeps what is declared; for an archive it also keeps what each call has sent.
  if (kind.isChild !== true) return declared;
  const steps = kind.steps({ type: 'create', address, key: keyOf(address), before: {}, after, attributes: [] });
  const attributes = Object.assign({}, declared.attributes, ...steps.map(({ creates }) => creates));
  const edits = steps.flatMap((step) => step.edits);
  return applyEntry({ ...declared, attributes }, { type: 'patch', address, edits }) ?? declared;
}
