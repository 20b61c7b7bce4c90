// The objects that the plan creates, and the step that creates each: a million of them, in a few typed arrays.

import { NameTable } from '../../lib/name-table.ts';
import type { Address } from '../../model/address.ts';

export interface CreatedObjects {
  /** The id of the step that creates it; undefined when none does. */
  stepOf(address: Address): string | undefined;
}

export const nothingCreated: CreatedObjects = { stepOf: () => undefined };

/** Keeps only a hash of 64 bits of each address (name-table.ts). */
export class CreatedTable implements CreatedObjects {
  readonly #table = new NameTable();
  /** The few that are not created by their first step. */
  readonly #steps = new Map<Address, string>();

  /** To be called once for an object; `step` is its first one by default. */
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
