// Collects for a saved plan which objects its calls need that state knows, so that an apply can tell whether one of them
// was deleted since (semantics §6.2). Those that the plan creates, and those that others manage, are in no state.
import { NameTable } from '../../lib/name-table.ts';
import type { Address } from '../../model/address.ts';
import type { ObjectDraft } from '../draft/draft.ts';

export class NeededObjects {
  readonly #known = new NameTable();

  /** To be called once for each object of state, before the needs of others are asked for. */
  addKnown(address: Address): void {
    this.#known.addNew(address);
  }

  /** In the order of their first mention. A member who leaves need not be there. */
  of({ address, steps }: ObjectDraft): Address[] {
    if (this.#known.size === 0) return [];
    const needed = new Set<Address>();
    for (const { exists = [], active = [], phase } of steps) {
      for (const one of exists) needed.add(one);
      if (phase !== 'leave') for (const one of active) needed.add(one);
    }
    needed.delete(address);
    return [...needed].filter((one) => this.#known.find(one) !== undefined);
  }
}
