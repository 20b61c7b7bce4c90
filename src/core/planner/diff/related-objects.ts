// Finds related objects for the draft of one object: parents, children, and objects with the same key.

import type { JsonObject } from '../../../lib/json.ts';
import { type LinearPattern, linearPattern } from '../../../lib/patterns/linear-pattern.ts';
import type { Series } from '../../../lib/series.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { type Address, addressOf, keyOf, kindOf } from '../../model/address.ts';
import { addressAt } from '../../model/addressed-series.ts';
import type { Observations } from '../../model/live.ts';
import type { ChildStatus } from '../../model/plan.ts';
import type { Policy } from '../../model/policy.ts';
import type { StateRecord } from '../../model/record.ts';
import { endsObject, type RemovedEntry, type Resource } from '../../model/resource.ts';
import type { ObjectDraft } from '../draft/draft.ts';
import type { LeftOutObjects } from '../draft/left-out.ts';
import { isAdopted } from './adopted.ts';
import { draftCreation, type RelatedObjects } from './creation.ts';
import { removalOf } from './retirement.ts';
import { draftUpdate } from './update.ts';

interface EstateSides {
  readonly kinds: readonly KindDefinition[];
  /** Sorted by address, as are `records`. */
  readonly resources: Series<Resource>;
  readonly records: Series<StateRecord>;
  readonly removed: readonly RemovedEntry[];
  readonly policy: Policy;
  /** The objects to plan. All if absent. */
  readonly scope?: { has(address: Address): boolean };
  /** Absent: no object is left out. */
  readonly leftOut?: LeftOutObjects;
  readonly live?: { readonly observations: Observations; reads?(address: Address): boolean };
}

/** Must be called in the order of addresses, so that searches can continue from the previous position. */
export class ObjectRelations {
  readonly #sides: EstateSides;
  readonly #resources: Finder<Resource>;
  readonly #records: Finder<StateRecord>;
  readonly #removed: ReadonlyMap<Address, RemovedEntry>;
  /** `policy.external` by section. */
  readonly #external = new Map<string, readonly LinearPattern[]>();

  constructor(sides: EstateSides) {
    this.#sides = sides;
    this.#removed = new Map(sides.removed.map((entry) => [entry.address, entry]));
    this.#resources = new Finder(sides.resources);
    this.#records = new Finder(sides.records);
  }

  /** Whether a child of the object is declared or in state. */
  hasChildren(kind: KindDefinition, key: string): boolean {
    return this.#sides.kinds.some((child) => {
      if (!isChildOf(child, kind)) return false;
      const address = addressOf(child.name, key);
      return this.#resources.has(address) || this.#records.has(address);
    });
  }

  /** Drafts the children, which is affordable because few objects need this. */
  hasChildrenToSend(parent: KindDefinition, key: string, needing: Address | undefined): boolean {
    return this.#sides.kinds.some((child) => {
      if (!isChildOf(child, parent)) return false;
      const address = addressOf(child.name, key);
      const resource = this.#isPlanned(address) ? this.#resources.find(address) : undefined;
      if (resource === undefined) return false;
      const record = this.#records.find(address);
      const isNew = record === undefined || this.#statusOf(child, key).type === 'lost';
      const { steps } = isNew
        ? draftCreation(child, resource)
        : draftUpdate(child, resource, record, undefined, { policy: this.#sides.policy.messages });
      if (this.#sides.leftOut?.lackOf(steps) !== undefined) return false;
      return steps.some(
        ({ request, active }) => request !== undefined && (needing === undefined || active?.includes(needing) === true),
      );
    });
  }

  ofChild(kind: KindDefinition, key: string): RelatedObjects {
    return {
      parent: () => this.#parentOf(kind, key),
      mayHaveParent: () => this.#mayHaveParent(kind, key),
      status: () => this.#statusOf(kind, key),
      isRefreshed: this.#sides.live !== undefined && this.#sides.live.reads === undefined,
      policy: this.#sides.policy.messages,
    };
  }

  /** Whether the object is declared or in state. */
  has(address: Address): boolean {
    return this.#resources.has(address) || this.#records.has(address);
  }

  /** Whether any object of the kind is declared or in state. */
  hasKind(kind: string): boolean {
    return this.#resources.hasKind(kind) || this.#records.hasKind(kind);
  }

  /** An object in state and its declaration. */
  sidesOf(address: Address): { readonly record: StateRecord | undefined; readonly resource: Resource | undefined } {
    return { record: this.#records.find(address), resource: this.#resources.find(address) };
  }

  /** The objects of which a child with the key may be a part. */
  parentsOf(child: KindDefinition, key: string): Address[] {
    return this.#sides.kinds.filter((parent) => isChildOf(child, parent)).map(({ name: kind }) => addressOf(kind, key));
  }

  isKnown(address: Address): boolean {
    const { kinds, policy } = this.#sides;
    if (this.has(address)) return true;
    const section = kinds.find(({ name: kind }) => kind === kindOf(address))?.section ?? '';
    const patterns = this.#external.get(section) ?? (policy.external[section] ?? []).map(linearPattern);
    this.#external.set(section, patterns);
    return patterns.some((pattern) => pattern.test(keyOf(address)));
  }

  /**
   * Returns the kind of the object in state that has the same key but another kind. The platform cannot turn one into the
   * other.
   */
  rivalOf({ name: kind, keyName, isChild }: KindDefinition, key: string): KindDefinition | undefined {
    if (isChild === true || this.#sides.records.length === 0) return undefined;
    return this.#sides.kinds.find(
      (other) =>
        other.name !== kind &&
        other.keyName === keyName &&
        other.isChild !== true &&
        this.#records.has(addressOf(other.name, key)),
    );
  }

  /** Only the declared parent counts, because state may contain a parent of another kind with the same key that no longer exists. */
  #parentOf(child: KindDefinition, key: string): JsonObject | undefined {
    const address = this.#declaredParent(child, key);
    if (address === undefined) return undefined;
    const liveParent = this.#sides.live?.observations.get(address);
    const record = this.#records.find(address);
    return liveParent?.exists === true ? { ...record?.attributes, ...liveParent.attributes } : record?.attributes;
  }

  /** If the parent is not in state, its creation fails if it exists, unless the policy takes it over. */
  #mayHaveParent(child: KindDefinition, key: string): boolean {
    const { live, policy } = this.#sides;
    const address = this.#declaredParent(child, key);
    if (address === undefined) return false;
    const liveParent = live?.observations.get(address);
    if (liveParent !== undefined) return liveParent.exists;
    return this.#records.has(address) || policy.existing !== 'refuse' || isAdopted(policy, address);
  }

  /** A child is lost with its parent, because a recreated parent does not have it. Only a refresh detects a loss. */
  #statusOf(child: KindDefinition, key: string): ChildStatus {
    const { live } = this.#sides;
    const isKnown = (address: Address) => this.#records.has(address);
    const declared = this.#declaredParent(child, key);
    const parents = declared === undefined ? this.parentsOf(child, key).filter(isKnown) : [declared];
    if (live === undefined || parents.some((address) => live.reads?.(address) === false)) {
      const isCreated = (address: Address) => !isKnown(address) && this.#isPlanned(address);
      return parents.some(isCreated) ? { type: 'unknown', with: parents } : this.#keptOrLeaving(child, key, parents);
    }
    const isGone = (address: Address): boolean => {
      const observation = live.observations.get(address);
      if (observation !== undefined) return !observation.exists;
      // There is no observation of an object that is neither in state nor on the platform.
      return !isKnown(address) && this.#isPlanned(address);
    };
    if (parents.length > 0 && parents.every(isGone)) return { type: 'lost', with: parents };
    return this.#keptOrLeaving(child, key, parents);
  }

  #keptOrLeaving(child: KindDefinition, key: string, parents: readonly Address[]): ChildStatus {
    const wasLeaving = parents.length === 0 && this.#records.find(addressOf(child.name, key))?.leaving === true;
    const isLeaving = wasLeaving || (parents.length > 0 && parents.every((parent) => this.#isDeleted(parent)));
    return isLeaving ? { type: 'leaving', with: parents } : { type: 'kept' };
  }

  /** Whether this plan deletes the object because it is no longer declared. */
  #isDeleted(address: Address): boolean {
    const { kinds, policy } = this.#sides;
    if (this.#resources.has(address)) return false;
    const record = this.#records.find(address);
    const kind = kinds.find((candidate) => candidate.name === kindOf(address));
    if (record === undefined || kind === undefined || !this.#isPlanned(address)) return false;
    return endsObject(removalOf(kind, record, this.#removed.get(address), policy));
  }

  #isPlanned(address: Address): boolean {
    const { scope, leftOut } = this.#sides;
    return scope?.has(address) !== false && leftOut?.has(address) !== true;
  }

  #declaredParent(child: KindDefinition, key: string): Address | undefined {
    return this.parentsOf(child, key).find((address) => this.#resources.has(address));
  }
}

function isChildOf(child: KindDefinition, parent: KindDefinition): boolean {
  return child.isChild === true && Object.hasOwn(parent.children ?? {}, child.section);
}

/** Refuses an object whose key belongs to an object of another kind, such as a bot that is a user in state. */
export function refusedFor({ name: kind, title }: KindDefinition, draft: ObjectDraft): ObjectDraft {
  const rival = addressOf(kind, keyOf(draft.address));
  return {
    ...draft,
    problems: [
      ...draft.problems,
      {
        severity: 'error',
        problem: {
          code: 'plan.other-kind',
          address: draft.address,
          rival,
          keyName: draft.kind.keyName,
          title: draft.kind.title,
          rivalTitle: title,
        },
        path: [],
      },
    ],
  };
}

interface AddressedSide {
  readonly address: Address;
}

/** The place of the first address that is not before the one that was searched for. */
interface ObjectSearch {
  readonly address: Address;
  readonly place: number;
  /** The address at the place. Undefined at the end of the series. */
  readonly next: Address | undefined;
}

/**
 * Finds values in a sorted series that may be on disk. Within a kind, each search gallops from the previous position, so
 * that ordered searches read only neighbouring addresses, and none where no value is between two of them.
 */
class Finder<T extends AddressedSide> {
  readonly #series: Series<T>;
  readonly #last = new Map<string, ObjectSearch>();
  /** The value found last in each kind, because several questions about one object follow each other. */
  readonly #values = new Map<string, T>();

  constructor(series: Series<T>) {
    this.#series = series;
  }

  /** Reads no value if the series has an index of its addresses. */
  has(address: Address): boolean {
    return this.#search(address).next === address;
  }

  hasKind(kind: string): boolean {
    return this.#search(`${kind}.`).next?.startsWith(`${kind}.`) === true;
  }

  find(address: Address): T | undefined {
    const { place, next } = this.#search(address);
    if (next !== address) return undefined;
    const kind = kindOf(address);
    const last = this.#values.get(kind);
    if (last?.address === address) return last;
    const value = this.#series.at(place);
    if (value !== undefined) this.#values.set(kind, value);
    return value;
  }

  #search(address: Address): ObjectSearch {
    const kind = kindOf(address);
    const last = this.#last.get(kind);
    const isAfter = last !== undefined && last.address <= address;
    if (isAfter && (last.next === undefined || address <= last.next)) return last;
    const place = this.#placeOf(address, isAfter ? last.place : 0);
    const search = { address, place, next: addressAt(this.#series, place) };
    this.#last.set(kind, search);
    return search;
  }

  /** Returns the index of the first value at or after the address, searching from `from`. */
  #placeOf(address: Address, from: number): number {
    const isBefore = (place: number) => (addressAt(this.#series, place) ?? '') < address;
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
