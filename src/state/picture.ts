// What does a state hold at one moment: its records, and the requests that were begun and are not over?
import type { Address } from '../model/address.ts';
import type { PendingBegin, StateHeader, StateSnapshot } from '../model/ports.ts';
import type { StateEntry, StateRecord } from '../model/record.ts';
import { RecordTable } from './table.ts';

export const stateFormat = 'chatform-state/1';

/** One change of a picture: what a line of a journal says. */
export type PictureEntry =
  | ({ readonly type: 'begin' } & PendingBegin)
  | { readonly type: 'done'; readonly step: string; readonly entry: StateEntry }
  | { readonly type: 'undone'; readonly step: string };

export class Picture implements StateSnapshot {
  readonly header: StateHeader | undefined;
  readonly #table: RecordTable;
  readonly #pending = new Map<string, PendingBegin>();

  constructor(header: StateHeader | undefined, base?: ReadonlyMap<Address, StateRecord>) {
    this.header = header;
    this.#table = new RecordTable(base);
  }

  get size(): number {
    return this.#table.size;
  }

  get pending(): readonly PendingBegin[] {
    return [...this.#pending.values()];
  }

  get(address: Address): StateRecord | undefined {
    return this.#table.get(address);
  }

  records(): Iterable<StateRecord> {
    return { [Symbol.iterator]: () => this.#table.records() };
  }

  apply(change: PictureEntry): void {
    switch (change.type) {
      case 'begin': {
        const { step, address, request, at } = change;
        this.#pending.set(step, { step, address, request, at });
        return;
      }
      case 'done':
        this.#table.apply(change.entry);
        this.#pending.delete(change.step);
        return;
      case 'undone':
        this.#pending.delete(change.step);
    }
  }
}
