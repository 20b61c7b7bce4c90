// Which object is declared, and what does state say of it? Goes through both sides at once, a kind after the other.
//
// Both are sorted by address, so that each kind stands in one piece. Kinds come in the order of the registry, in which
// objects come before those that name them. Parts of other objects come first of all: their objects have to know of them.
import { type Address, compareAddresses } from '../model/address.ts';
import type { StateRecord } from '../model/record.ts';
import type { Resource } from '../model/resource.ts';
import type { Series } from '../model/series.ts';
import type { KindDefinition } from '../resources/define.ts';

/** One of both is there at least. */
export interface Pair {
  readonly address: Address;
  readonly resource: Resource | undefined;
  readonly record: StateRecord | undefined;
}

export function inWalkOrder(kinds: readonly KindDefinition[]): KindDefinition[] {
  return [...kinds.filter(({ isPart }) => isPart === true), ...kinds.filter(({ isPart }) => isPart !== true)];
}

/** Those of one kind, sorted by address. */
export function* pairsOfKind(
  { kind }: KindDefinition,
  resources: Series<Resource>,
  records: Series<StateRecord>,
): Generator<Pair> {
  let [left, right] = [firstOfKind(kind, resources), firstOfKind(kind, records)];
  const prefix = `${kind}.`;
  const next = <T extends { readonly address: Address }>(series: Series<T>, place: number): T | undefined => {
    const value = series.at(place);
    return value?.address.startsWith(prefix) === true ? value : undefined;
  };
  let [resource, record] = [next(resources, left), next(records, right)];
  while (resource !== undefined || record !== undefined) {
    const side =
      resource === undefined ? 1 : record === undefined ? -1 : compareAddresses(resource.address, record.address);
    const address = side <= 0 ? resource?.address : record?.address;
    if (address !== undefined) {
      yield { address, resource: side <= 0 ? resource : undefined, record: side >= 0 ? record : undefined };
    }
    if (side <= 0) resource = next(resources, ++left);
    if (side >= 0) record = next(records, ++right);
  }
}

/** The place of the first one that does not stand before the kind. */
function firstOfKind(kind: string, series: Series<{ readonly address: Address }>): number {
  let [low, high] = [0, series.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((series.at(middle)?.address ?? '') < `${kind}.`) low = middle + 1;
    else high = middle;
  }
  return low;
}
