// Pairs declared objects and state records by address, one kind after the other. Both series are sorted by address, so each
// kind is contiguous. Kinds are in the order of the registry, in which objects precede those that refer to them.

import type { Series } from '../../lib/series.ts';
import { type Address, compareAddresses } from '../../model/address.ts';
import { firstPlace } from '../../model/addressed-series.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';

/** At least one of resource and record is present. */
export interface Pair {
  readonly address: Address;
  readonly resource: Resource | undefined;
  readonly record: StateRecord | undefined;
  /** Positions in the two series, counted from 1, or 0 if absent. */
  readonly places: readonly [resource: number, record: number];
}

/** Yields the pairs of one kind, sorted by address. */
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
