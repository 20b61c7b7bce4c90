// Has an object to do with others, so that its steps are known only when all objects are?
//
// Whatever waits for one object, or it for them, is ordered together (order.ts). But most objects of a large plan are
// free: they wait for creations alone, of objects that were met before, and nobody waits for anything but theirs. Free
// ones are finished as they are met, and forgotten.
import { type Address, kindOf } from '../../model/address.ts';
import type { ObjectPlan } from '../diff/draft.ts';

/** So many creations are kept to see whether one is another name of an object that goes (changes.ts). */
const maxCompared = 2_000;

export class Coupling {
  /** Kinds that were gone through. */
  readonly #done = new Set<string>();
  readonly #tied = new Set<Address>();
  readonly #compares: boolean;
  #compared = 0;

  /** `isUpdate`: there is something in state. */
  constructor(isUpdate: boolean) {
    this.#compares = isUpdate;
  }

  endKind(kind: string): void {
    this.#done.add(kind);
  }

  /** To be asked of every object that has something to do, or that others may need open, once. */
  isCoupled(plan: ObjectPlan): boolean {
    const isTied = this.#tied.has(plan.address) || this.#isBound(plan);
    if (!isTied) return false;
    this.#tied.add(plan.address);
    // What follows on its own steps has to be ordered with it, though it be met later.
    for (const { between = [] } of plan.drafts) for (const address of between) this.#tied.add(address);
    return true;
  }

  /** The same of a creation that names nobody. Asked again like every other object, it is still tied. */
  isCoupledWithoutReferences(address: Address): boolean {
    const isNamed = this.#tied.size > 0 && this.#tied.has(address);
    if (!isNamed && !(this.#compares && ++this.#compared <= maxCompared)) return false;
    this.#tied.add(address);
    return true;
  }

  #isBound(plan: ObjectPlan): boolean {
    const { address, drafts, opens, closes, staysClosed, leftOpen, removal, record, resource } = plan;
    if (opens || closes || staysClosed || leftOpen === true || removal !== undefined) return true;
    if (this.#compares && record === undefined && resource !== undefined && ++this.#compared <= maxCompared)
      return true;
    return drafts.some(
      ({ action, between, exists, active, names }) =>
        action === 'delete' ||
        between !== undefined ||
        this.#bindsAny(exists, address) ||
        this.#bindsAny(active, address) ||
        this.#bindsAny(names, address),
    );
  }

  #bindsAny(addresses: readonly Address[] | undefined, own: Address): boolean {
    return (
      addresses?.some((other) => other !== own && (this.#tied.has(other) || !this.#done.has(kindOf(other)))) === true
    );
  }
}
