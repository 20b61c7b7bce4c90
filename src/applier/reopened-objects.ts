// The objects that a run has reopened, and the steps that close them again (semantics §3).
import type { Address } from '../model/address.ts';

export class ReopenedObjects {
  /** The objects that are open, by the index of the step that closes them. */
  readonly #open = new Map<number, Address>();
  /** Those of these steps that are not over. */
  readonly #closers = new Set<number>();
  #isGivenUp = false;

  opened(address: Address, closer: number): void {
    this.#open.set(closer, address);
    if (!this.#isGivenUp) this.#closers.add(closer);
  }

  /** A step is over. If it closes an object, that object is closed now or stays open. */
  ended(index: number, hasSucceeded: boolean): void {
    this.#closers.delete(index);
    if (hasSucceeded) this.#open.delete(index);
  }

  get closers(): ReadonlySet<number> {
    return this.#closers;
  }

  /** The run ends without closing anything more, including what calls under way still open. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.#closers.clear();
  }

  get leftOpen(): Address[] {
    return [...new Set(this.#open.values())].sort();
  }
}
