// What has a run opened, and by which steps is it closed again? (semantics §3)
import type { Address } from '../../model/address.ts';

export class ReopenedObjects {
  /** The objects that stay open until their step has succeeded, by its index. */
  readonly #open = new Map<number, Address>();
  /** Of those, the steps that are not over. */
  readonly #closers = new Set<number>();
  #isGivenUp = false;

  opened(address: Address, closer: number): void {
    this.#open.set(closer, address);
    if (!this.#isGivenUp) this.#closers.add(closer);
  }

  /** A step is over: when it closes something, that is closed now or stays open. */
  ended(index: number, hasSucceeded: boolean): void {
    this.#closers.delete(index);
    if (hasSucceeded) this.#open.delete(index);
  }

  get closers(): ReadonlySet<number> {
    return this.#closers;
  }

  /** The run ends without closing anything more, of what calls under way still open either. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.#closers.clear();
  }

  get leftOpen(): Address[] {
    return [...new Set(this.#open.values())].sort();
  }
}
