// Takes out of state the memberships of people who are deleted, in channels that are declared no more (semantics §1.7).
//
// Who is deleted loses every membership. A declared channel that named them is edited too; one that is retired is not, and
// state would take them for members when both are declared again.
import type { Address } from '../../model/address.ts';
import { addressesOf } from '../../resources/define.ts';
import type { ObjectPlan } from './draft.ts';

/** The plan with one more draft, if it is of a retired object that names somebody among `deleted`. */
export function withoutDeletedMembers(plan: ObjectPlan, deleted: ReadonlySet<Address>): ObjectPlan {
  const { kind, record, resource, drafts, removal } = plan;
  const name = kind.memberships;
  const stays = resource === undefined && removal !== 'delete' && removal !== 'forget';
  if (name === undefined || record === undefined || !stays || deleted.size === 0) return plan;
  const gone = kind.references(record.attributes).flatMap((reference) => {
    const addresses = addressesOf(reference).filter((address) => deleted.has(address));
    return reference.path[0] === name && addresses.length > 0 ? [{ id: reference.key, addresses }] : [];
  });
  if (gone.length === 0) return plan;
  return {
    ...plan,
    drafts: [
      {
        action: 'update',
        phase: 'leave',
        edits: gone.map(({ id }) => ({ op: 'unset', path: [name, id] })),
        names: gone.flatMap(({ addresses }) => addresses),
      },
      ...drafts,
    ],
    ...(drafts.length === 0 && !plan.closes ? { reason: 'loses members who are deleted' } : {}),
  };
}
