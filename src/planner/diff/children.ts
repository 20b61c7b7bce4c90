// Tells parents and children, such as a channel and its messages, what they have to know about each other's plans.

import type { JsonObject } from '../../lib/json.ts';
import type { Series } from '../../lib/series.ts';
import { type Address, addressOf, keyOf, kindOf } from '../../model/address.ts';
import type { Observations } from '../../model/live.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateRecord } from '../../model/record.ts';
import type { RemovedEntry, Resource } from '../../model/resource.ts';
import type { KindDefinition } from '../../resources/define.ts';
import type { Scope } from '../targets.ts';
import { type ChildStatus, planCreation, planUpdate, type RelatedObjects } from './declared-plan.ts';
import { removalOf } from './retirement.ts';

interface Sides {
  readonly kinds: readonly KindDefinition[];
  /** Both sorted by address. */
  readonly resources: Series<Resource>;
  readonly records: Series<StateRecord>;
  readonly removed: readonly RemovedEntry[];
  readonly policy: Policy;
  readonly scope?: Scope;
  readonly live?: { readonly observations: Observations };
}

/** To be asked in the order of addresses, so that no search starts from the beginning. */
export class Children {
  readonly #sides: Sides;
  readonly #resources: Finder<Resource>;
  readonly #records: Finder<StateRecord>;
  readonly #removed: ReadonlyMap<Address, RemovedEntry>;

  constructor(sides: Sides) {
    this.#sides = sides;
    this.#removed = new Map(sides.removed.map((entry) => [entry.address, entry]));
    this.#resources = new Finder(sides.resources);
    this.#records = new Finder(sides.records);
  }

  declared(address: Address): Resource | undefined {
    return this.#resources.find(address);
  }

  /** What state remembers. */
  known(address: Address): StateRecord | undefined {
    return this.#records.find(address);
  }

  relatedObjectsOf(kind: KindDefinition, key: string): RelatedObjects {
    return kind.isChild === true
      ? {
          parent: () => this.#parentOf(kind, key),
          status: () => this.#statusOf(kind, key),
          ...this.#policy(),
        }
      : {
          hasChildrenToSend: (needing) => this.#hasChildrenToSend(kind, key, needing),
          isKnown: (address) => this.#isKnown(address),
        };
  }

  #isKnown(address: Address): boolean {
    const { kinds, policy } = this.#sides;
    if (this.#resources.find(address) !== undefined || this.#records.find(address) !== undefined) return true;
    const section = kinds.find(({ kind }) => kind === kindOf(address))?.section ?? '';
    const patterns = policy.external[section] ?? [];
    return patterns.some((pattern) => new RegExp(pattern, 'u').test(keyOf(address)));
  }

  /**
   * The object that has the same key on the platform and is of another kind, as state knows it: the platform cannot turn
   * one into the other.
   */
  rivalOf({ kind, keyName, isChild }: KindDefinition, key: string): KindDefinition | undefined {
    if (isChild === true || this.#sides.records.length === 0) return undefined;
    return this.#sides.kinds.find(
      (other) =>
        other.kind !== kind &&
        other.keyName === keyName &&
        other.isChild !== true &&
        this.#records.find(addressOf(other.kind, key)) !== undefined,
    );
  }

  #policy(): Pick<RelatedObjects, 'policy'> {
    const { messages } = this.#sides.policy;
    return messages === undefined ? {} : { policy: messages };
  }

  /** Plans the children to find out; few objects ask. */
  #hasChildrenToSend(parent: KindDefinition, key: string, needing: Address | undefined): boolean {
    const { kinds, scope } = this.#sides;
    return kinds.some((child) => {
      if (!isChildOf(child, parent)) return false;
      const address = addressOf(child.kind, key);
      const resource = scope === undefined || scope.has(address) ? this.#resources.find(address) : undefined;
      if (resource === undefined) return false;
      const record = this.#records.find(address);
      const isNew = record === undefined || this.#statusOf(child, key).type === 'lost';
      const { drafts } = isNew
        ? planCreation(child, resource)
        : planUpdate(child, resource, record, undefined, this.#policy());
      return drafts.some(
        ({ request, active }) => request !== undefined && (needing === undefined || active?.includes(needing) === true),
      );
    });
  }

  /** Only the declared parent counts: state may know a parent of another kind with the same key, which is gone. */
  #parentOf(child: KindDefinition, key: string): JsonObject | undefined {
    const address = this.#declaredParent(child, key);
    if (address === undefined) return undefined;
    const seen = this.#sides.live?.observations.get(address);
    const record = this.#records.find(address);
    return seen?.exists === true ? { ...record?.attributes, ...seen.attributes } : record?.attributes;
  }

  /** A child is lost with its parent: a parent that is created again comes without it. Only a refresh knows of a loss. */
  #statusOf(child: KindDefinition, key: string): ChildStatus {
    const { live, scope } = this.#sides;
    const isKnown = (address: Address) => this.#records.find(address) !== undefined;
    const declared = this.#declaredParent(child, key);
    const parents = declared === undefined ? this.#parents(child, key).filter(isKnown) : [declared];
    if (live === undefined) {
      const isCreated = (address: Address) => !isKnown(address) && (scope === undefined || scope.has(address));
      return parents.some(isCreated) ? { type: 'unknown', with: parents } : this.#keptOrLeaving(declared, parents);
    }
    const isGone = (address: Address): boolean => {
      const observation = live.observations.get(address);
      if (observation !== undefined) return !observation.exists;
      // No observation is kept of an object that is neither in state nor on the platform.
      return !isKnown(address) && (scope === undefined || scope.has(address));
    };
    if (parents.length > 0 && parents.every(isGone)) return { type: 'lost', with: parents };
    return this.#keptOrLeaving(declared, parents);
  }

  #keptOrLeaving(declared: Address | undefined, parents: readonly Address[]): ChildStatus {
    const isLeaving = declared === undefined && parents.length > 0 && parents.every((one) => this.#isDeleted(one));
    return isLeaving ? { type: 'leaving', with: parents } : { type: 'kept' };
  }

  /** Does this plan delete the object, which is no longer declared? */
  #isDeleted(address: Address): boolean {
    const { kinds, policy, scope } = this.#sides;
    const record = this.#records.find(address);
    const kind = kinds.find((one) => one.kind === kindOf(address));
    if (record === undefined || kind === undefined || (scope !== undefined && !scope.has(address))) return false;
    return removalOf(kind, record, this.#removed.get(address), policy) === 'delete';
  }

  #declaredParent(child: KindDefinition, key: string): Address | undefined {
    return this.#parents(child, key).find((address) => this.#resources.find(address) !== undefined);
  }

  #parents(child: KindDefinition, key: string): Address[] {
    return this.#sides.kinds.filter((parent) => isChildOf(child, parent)).map(({ kind }) => addressOf(kind, key));
  }
}

function isChildOf(child: KindDefinition, parent: KindDefinition): boolean {
  return child.isChild === true && Object.hasOwn(parent.children ?? {}, child.section);
}

interface Addressed {
  readonly address: Address;
}

/**
 * Finds values of a sorted series that may lie on disk. Within a kind each search continues from the previous one, in
 * steps that double, so that searches in order read only neighbouring values.
 */
class Finder<T extends Addressed> {
  readonly #series: Series<T>;
  readonly #last = new Map<
    string,
    { readonly address: Address; readonly place: number; readonly value: T | undefined }
  >();

  constructor(series: Series<T>) {
    this.#series = series;
  }

  find(address: Address): T | undefined {
    const kind = kindOf(address);
    const last = this.#last.get(kind);
    if (last?.address === address) return last.value;
    const place = this.#placeOf(address, last !== undefined && last.address < address ? last.place : 0);
    const found = this.#series.at(place);
    const value = found?.address === address ? found : undefined;
    this.#last.set(kind, { address, place, value });
    return value;
  }

  /** The place of the first value at or after the address; the search starts at `from`. */
  #placeOf(address: Address, from: number): number {
    const isBefore = (place: number) => (this.#series.at(place)?.address ?? '') < address;
    let [low, high] = [from, from];
    for (let step = 1; high < this.#series.length && isBefore(high); step *= 2) {
      low = high + 1;
      high += step;
    }
    high = Math.min(high, this.#series.length);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
