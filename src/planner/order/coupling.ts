// Decides whether an object is coupled with others, so that its steps can be ordered only when all objects are known.
//
// Most objects of a large plan are free: they wait only for creations of objects that were met before, and others wait
// only for theirs. Free objects are finished as they are met; coupled ones are ordered together (order.ts).
import { type Address, kindOf } from '../../model/address.ts';
import type { ObjectPlan } from '../diff/draft.ts';

/** The number of creations that are kept to find out whether one is the rename of a removed object (changes.ts). */
const maxCompared = 2_000;

export class Coupling {
  /** Kinds whose objects have all been met. */
  readonly #done = new Set<string>();
  readonly #coupled = new Set<Address>();
  readonly #compares: boolean;
  #compared = 0;

  /** `isUpdate`: state is not empty. */
  constructor(isUpdate: boolean) {
    this.#compares = isUpdate;
  }

  endKind(kind: string): void {
    this.#done.add(kind);
  }

  /** To be called once for every object that has work, or that others may need enabled. */
  isCoupled(plan: ObjectPlan): boolean {
    if (!this.#coupled.has(plan.address) && !this.#dependsOnOthers(plan)) return false;
    this.#coupled.add(plan.address);
    // Objects whose steps follow these steps are ordered together with them, although they are met later.
    for (const { between = [] } of plan.drafts) for (const address of between) this.#coupled.add(address);
    return true;
  }

  /** Like `isCoupled`, for creations without references. A coupled one stays coupled when `isCoupled` is called next. */
  isCoupledWithoutReferences(address: Address): boolean {
    const isNamed = this.#coupled.size > 0 && this.#coupled.has(address);
    if (!isNamed && !(this.#compares && ++this.#compared <= maxCompared)) return false;
    this.#coupled.add(address);
    return true;
  }

  #dependsOnOthers(plan: ObjectPlan): boolean {
    const { address, drafts, opens, closes, staysClosed, leftOpen, removal, record, resource } = plan;
    if (opens || closes || staysClosed || leftOpen === true || removal !== undefined) return true;
    if (this.#compares && record === undefined && resource !== undefined && ++this.#compared <= maxCompared)
      return true;
    return drafts.some(
      ({ action, between, exists, active, names }) =>
        action === 'delete' ||
        between !== undefined ||
        this.#isAnyUnfinished(exists, address) ||
        this.#isAnyUnfinished(active, address) ||
        this.#isAnyUnfinished(names, address),
    );
  }

  #isAnyUnfinished(addresses: readonly Address[] | undefined, own: Address): boolean {
    return (
      addresses?.some((other) => other !== own && (this.#coupled.has(other) || !this.#done.has(kindOf(other)))) === true
    );
  }
}
