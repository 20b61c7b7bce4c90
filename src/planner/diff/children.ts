// What do an object and its parts, such as a channel and its messages, have to know of each other while each is planned?

import type { Series } from '../../lib/series.ts';
import { type Address, addressOf, kindOf } from '../../model/address.ts';
import type { Observations } from '../../model/live.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import type { KindDefinition } from '../../resources/define.ts';
import type { Scope } from '../targets.ts';
import { type ChildStatus, planCreation, planUpdate, type RelatedObjects } from './declared-plan.ts';

interface Sides {
  readonly kinds: readonly KindDefinition[];
  /** Both sorted by address. */
  readonly resources: Series<Resource>;
  readonly records: Series<StateRecord>;
  readonly scope?: Scope;
  readonly live?: { readonly observations: Observations };
}

/** To be asked in the order of addresses, so that nothing has to be searched from the start. */
export class Children {
  readonly #sides: Sides;
  readonly #resources: Finder<Resource>;
  readonly #records: Finder<StateRecord>;

  constructor(sides: Sides) {
    this.#sides = sides;
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
      ? { parent: () => this.#recordOfHolder(kind, key)?.attributes, status: () => this.#fateOf(kind, key) }
      : { hasChildrenToSend: () => this.#hasPartsToCome(kind, key) };
  }

  /** Plans the parts to know it: few objects ask. */
  #hasPartsToCome(holder: KindDefinition, key: string): boolean {
    const { kinds, scope } = this.#sides;
    return kinds.some((part) => {
      if (!isPartOf(part, holder)) return false;
      const address = addressOf(part.kind, key);
      const resource = scope === undefined || scope.has(address) ? this.#resources.find(address) : undefined;
      if (resource === undefined) return false;
      const record = this.#records.find(address);
      const isNew = record === undefined || this.#fateOf(part, key).type === 'lost';
      const { drafts } = isNew ? planCreation(part, resource) : planUpdate(part, resource, record);
      return drafts.some(({ request }) => request !== undefined);
    });
  }

  /** Of the declared one: under the key of another kind, state may know an object that is gone. */
  #recordOfHolder(part: KindDefinition, key: string): StateRecord | undefined {
    const address = this.#declaredHolder(part, key);
    return address === undefined ? undefined : this.#records.find(address);
  }

  /** A part goes with its object: when that is made anew, it comes without it. Only a refresh knows that it is gone. */
  #fateOf(part: KindDefinition, key: string): ChildStatus {
    const { live, scope } = this.#sides;
    const isKnown = (address: Address) => this.#records.find(address) !== undefined;
    const declared = this.#declaredHolder(part, key);
    const holders = declared === undefined ? this.#holders(part, key).filter(isKnown) : [declared];
    if (live === undefined) return { type: holders.every(isKnown) ? 'kept' : 'unknown' };
    const isGone = (address: Address): boolean => {
      const observation = live.observations.get(address);
      if (observation !== undefined) return !observation.exists;
      // Nothing is kept of what is neither in state nor there.
      return !isKnown(address) && (scope === undefined || scope.has(address));
    };
    return holders.length > 0 && holders.every(isGone) ? { type: 'lost', with: holders } : { type: 'kept' };
  }

  #declaredHolder(part: KindDefinition, key: string): Address | undefined {
    return this.#holders(part, key).find((address) => this.#resources.find(address) !== undefined);
  }

  #holders(part: KindDefinition, key: string): Address[] {
    return this.#sides.kinds.filter((holder) => isPartOf(part, holder)).map(({ kind }) => addressOf(kind, key));
  }
}

function isPartOf(part: KindDefinition, holder: KindDefinition): boolean {
  return part.isChild === true && Object.hasOwn(holder.children ?? {}, part.section);
}

interface Addressed {
  readonly address: Address;
}

/**
 * Finds values of a sorted series that may lie on a disk. Within a kind each search goes on from the one before it, in
 * steps that double, so that whoever asks in order reads what is near.
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

  /** Of the first that does not stand before it; it is not before `from`. */
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
