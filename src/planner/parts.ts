// What do an object and its parts, such as a channel and its messages, have to know of each other while each is planned?
import { type Address, addressOf, compareAddresses } from '../model/address.ts';
import type { StateRecord } from '../model/record.ts';
import type { Resource } from '../model/resource.ts';
import type { Series } from '../model/series.ts';
import type { KindDefinition } from '../resources/define.ts';
import { type Kin, planCreation, planUpdate } from './declared-plan.ts';
import type { Scope } from './targets.ts';

/** Both sorted by address. */
interface Sides {
  readonly kinds: readonly KindDefinition[];
  readonly resources: Series<Resource>;
  readonly records: Series<StateRecord>;
  readonly scope?: Scope;
}

export function kinOf(sides: Sides, kind: KindDefinition, key: string): Kin {
  return kind.isPart === true
    ? { holder: () => recordOfHolder(sides, kind, key)?.attributes }
    : { hasPartsToCome: () => hasPartsToCome(sides, kind, key) };
}

/** Plans the parts to know it: few objects ask. */
function hasPartsToCome({ kinds, resources, records, scope }: Sides, holder: KindDefinition, key: string): boolean {
  return kinds.some((part) => {
    if (!isPartOf(part, holder)) return false;
    const address = addressOf(part.kind, key);
    const resource = scope === undefined || scope.has(address) ? find(resources, address) : undefined;
    if (resource === undefined) return false;
    const record = find(records, address);
    const { drafts } = record === undefined ? planCreation(part, resource) : planUpdate(part, resource, record);
    return drafts.some(({ request }) => request !== undefined);
  });
}

/** Of the declared one: under the key of another kind, state may know an object that is gone. */
function recordOfHolder({ kinds, resources, records }: Sides, part: KindDefinition, key: string) {
  const addresses = kinds.filter((holder) => isPartOf(part, holder)).map(({ kind }) => addressOf(kind, key));
  const address = addresses.find((one) => find(resources, one) !== undefined);
  return address === undefined ? undefined : find(records, address);
}

function isPartOf(part: KindDefinition, holder: KindDefinition): boolean {
  return part.isPart === true && Object.hasOwn(holder.holds ?? {}, part.section);
}

function find<T extends { readonly address: Address }>(sorted: Series<T>, address: Address): T | undefined {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const one = sorted.at(middle);
    if (one === undefined) return undefined;
    const side = compareAddresses(one.address, address);
    if (side === 0) return one;
    if (side < 0) from = middle + 1;
    else to = middle;
  }
  return undefined;
}
