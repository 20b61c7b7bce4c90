// Prices the lists of whole kinds. The platform has no counts, so the price is that of the objects that are known, and of more.
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { type Address, kindOf } from '../../model/address.ts';
import { lowerBoundOf } from '../../model/calls/loads.ts';
import type { ListPrice } from '../../model/event.ts';
import type { LimitsOf } from '../../model/limits.ts';
import { pageSize } from '../../refresh/pages.ts';

/** The number of further objects that the price names. */
const pricedObjects = 100_000;

/** The cost of listing the objects that are known, and of listing more. */
export function listPrice(
  kinds: readonly KindDefinition[],
  managed: Iterable<{ readonly address: Address }>,
  limits: LimitsOf,
): ListPrice {
  const managedByKind = new Map<string, number>();
  for (const { address } of managed) managedByKind.set(kindOf(address), (managedByKind.get(kindOf(address)) ?? 0) + 1);
  const callsFor = (objects: number) => Math.max(1, Math.ceil(objects / Number(pageSize)));
  const reads = kinds.map(({ name, live }) => {
    const objects = managedByKind.get(name) ?? 0;
    return { method: 'GET' as const, route: live?.list?.route ?? '', objects, calls: callsFor(objects) };
  });
  const moreCalls = callsFor(pricedObjects);
  return {
    titles: kinds.map(({ title }) => title),
    known: reads.reduce((sum, { objects }) => sum + objects, 0),
    requests: reads.reduce((sum, { calls }) => sum + calls, 0),
    atLeastS: lowerBoundOf(reads, limits),
    more: {
      objects: pricedObjects,
      requests: moreCalls,
      atLeastS: Math.max(...reads.map((read) => lowerBoundOf([{ ...read, calls: moreCalls }], limits))),
    },
  };
}
