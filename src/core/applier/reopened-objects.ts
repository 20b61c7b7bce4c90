// Tracks the objects that a run has reopened and the steps that disable them again (semantics §3).
import type { Address } from '../model/address.ts';

export class ReopenedObjects {
  /** The open objects, by the index of the step that disables them. */
  readonly #open = new Map<number, Address>();
  /** The indexes of these steps that have not ended. */
  readonly #closers = new Set<number>();
  #isGivenUp = false;

  opened(address: Address, closer: number): void {
    this.#open.set(closer, address);
    if (!this.#isGivenUp) this.#closers.add(closer);
  }

  /** Notes that a step has ended. If it disables an object, that object is now disabled or stays open. */
  ended(index: number, hasSucceeded: boolean): void {
    this.#closers.delete(index);
    if (hasSucceeded) this.#open.delete(index);
  }

  get closers(): ReadonlySet<number> {
    return this.#closers;
  }

  /** Ends the run without disabling anything more, including objects that calls in flight still open. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.#closers.clear();
  }

  get leftOpen(): Address[] {
    return [...new Set(this.#open.values())].sort();
  }
}
