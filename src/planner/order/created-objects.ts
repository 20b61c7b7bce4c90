// Which objects does the plan create, and which step of each does it? For a million of them, in a few typed arrays.

import { NameTable } from '../../lib/name-table.ts';
import type { Address } from '../../model/address.ts';

export interface CreatedObjects {
  /** The id of the step that creates it; undefined when none does. */
  stepOf(address: Address): string | undefined;
}

export const nothingCreated: CreatedObjects = { stepOf: () => undefined };

/** Known by a hash of 64 bits alone (name-table.ts). */
export class CreatedTable implements CreatedObjects {
  readonly #table = new NameTable();
  /** Of the few that are not created by their first step. */
  readonly #steps = new Map<Address, string>();

  /** An object is created once; by its first step when no other is named. */
  add(address: Address, step?: string): void {
    this.#table.addNew(address);
    if (step !== undefined && step !== firstStepOf(address)) this.#steps.set(address, step);
  }

  stepOf(address: Address): string | undefined {
    if (this.#table.find(address) === undefined) return undefined;
    return this.#steps.get(address) ?? firstStepOf(address);
  }
}

function firstStepOf(address: Address): string {
  return `${address}#1`;
}
