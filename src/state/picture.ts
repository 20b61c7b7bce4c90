// What does a state hold at one moment: its records, and the requests that were begun and are not over?
import type { Address } from '../model/address.ts';
import type { PendingBegin, StateHeader } from '../model/ports.ts';
import type { StateEntry, StateRecord } from '../model/record.ts';
import type { SortedRecords, StoredRecords } from './record-lines.ts';
import { RecordTable } from './table.ts';
import type { NumberedSnapshot } from './upkeep.ts';

/** One change of a picture: what a line of a journal says. */
export type PictureEntry =
  | ({ readonly type: 'begin' } & PendingBegin)
  | { readonly type: 'done'; readonly step: string; readonly entry: StateEntry }
  | { readonly type: 'undone'; readonly step: string };

export class Picture implements NumberedSnapshot {
  readonly header: StateHeader | undefined;
  readonly serial: number;
  readonly #table: RecordTable;
  readonly #pending = new Map<string, PendingBegin>();

  constructor(header: StateHeader | undefined, base?: StoredRecords, serial = 0) {
    this.header = header;
    this.serial = serial;
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

  records(): SortedRecords {
    return this.#table.records();
  }

  /** `text`: of the record that is put, when it is at hand. */
  apply(change: PictureEntry, text?: string): void {
    switch (change.type) {
      case 'begin': {
        const { type: _type, ...begin } = change;
        this.#pending.set(begin.step, begin);
        return;
      }
      case 'done':
        this.#table.apply(change.entry, text);
        this.#pending.delete(change.step);
        return;
      case 'undone':
        this.#pending.delete(change.step);
    }
  }
}
