// Goes through declared objects and records of state side by side, a kind after the other, and pairs them by address.
//
// Both are sorted by address, so each kind is contiguous. Kinds come in the order of the registry, in which objects come
// before those that name them.

import { lastWhere } from '../../lib/binary-search.ts';
import type { Series } from '../../lib/series.ts';
import { type Address, compareAddresses } from '../../model/address.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';

/** At least one of resource and record is present. */
export interface Pair {
  readonly address: Address;
  readonly resource: Resource | undefined;
  readonly record: StateRecord | undefined;
  /** Where both are in their series, counted from 1; 0 for the one that is absent. */
  readonly places: readonly [resource: number, record: number];
}

/** The pairs of one kind, sorted by address. */
export function* pairsOfKind(kind: string, resources: Series<Resource>, records: Series<StateRecord>): Generator<Pair> {
  let [left, right] = [firstOfKind(kind, resources), firstOfKind(kind, records)];
  const prefix = `${kind}.`;
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

/** The place of the first value that does not stand before the kind. */
function firstOfKind(kind: string, series: Series<{ readonly address: Address }>): number {
  return 1 + lastWhere(series.length, (place) => (series.at(place)?.address ?? '') < `${kind}.`);
}
