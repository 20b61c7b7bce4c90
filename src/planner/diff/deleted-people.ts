// Takes out of state what people lose who are deleted, in channels that are declared no more (semantics §1.10).
//
// Who is deleted loses every membership, role, ban and mute. A declared channel that named them is edited too; one that is
// retired is not, and state would believe them when both are declared again.
import type { Address } from '../../model/address.ts';
import type { RecordEdit } from '../../model/record.ts';
import { addressesOf } from '../../resources/define.ts';
import type { ObjectPlan } from './draft.ts';

/** The plan with one more draft, if it is of a retired object that names somebody among `deleted`. */
export function withoutDeletedPeople(plan: ObjectPlan, deleted: ReadonlySet<Address>): ObjectPlan {
  const { kind, record, resource, drafts, removal } = plan;
  const stays = resource === undefined && removal !== 'delete' && removal !== 'forget';
  if (record === undefined || !stays || deleted.size === 0) return plan;
  const gone = kind.references(record.attributes).flatMap((reference) => {
    const addresses = addressesOf(reference).filter((address) => deleted.has(address));
    const [name = '', id = ''] = reference.path;
    const shape = kind.attributes[name]?.shape;
    if (addresses.length === 0 || shape === undefined) return [];
    const edit: RecordEdit =
      shape === 'map' ? { op: 'unset', path: [name, id] } : { op: 'remove', path: [name], values: [id] };
    return [{ addresses, edit }];
  });
  if (gone.length === 0) return plan;
  return {
    ...plan,
    drafts: [
      {
        action: 'update',
        phase: 'leave',
        edits: gone.map(({ edit }) => edit),
        names: gone.flatMap(({ addresses }) => addresses),
      },
      ...drafts,
    ],
    ...(drafts.length === 0 && !plan.closes ? { reason: 'names people who are deleted' } : {}),
  };
}
