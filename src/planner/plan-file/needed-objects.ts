// Collects for a saved plan the objects in state that its calls need, so that an apply can tell whether one of them was
// deleted since (semantics §6.2). Objects that the plan creates or that others manage are not in state.
import { NameTable } from '../../lib/name-table.ts';
import type { Address } from '../../model/address.ts';
import type { ObjectDraft } from '../draft/draft.ts';

export class NeededObjects {
  readonly #known = new NameTable();

  /** Must be called once for each object of state before `of`. */
  addKnown(address: Address): void {
    this.#known.add(address);
  }

  /** Returns the needed objects in the order of their first mention, without members who leave. */
  of({ address, steps }: ObjectDraft): Address[] {
    if (this.#known.size === 0) return [];
    const needed = new Set<Address>();
    for (const { exists = [], active = [], phase } of steps) {
      for (const address of exists) needed.add(address);
      if (phase !== 'leave') for (const address of active) needed.add(address);
    }
    needed.delete(address);
    return [...needed].filter((address) => this.#known.find(address) !== undefined);
  }
}
