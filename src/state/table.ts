// Which records are there now? A sorted base as it was stored, and over it what has changed since.
import type { Address } from '../model/address.ts';
import { compareText } from '../model/json.ts';
import { applyEntry, entryAddress, type StateEntry, type StateRecord } from '../model/record.ts';

export class RecordTable {
  /** In order of address; never changed, so that it may one day stay on disk and be streamed. */
  readonly #base: ReadonlyMap<Address, StateRecord>;
  /** Undefined: gone. */
  readonly #changed = new Map<Address, StateRecord | undefined>();
  #size: number;

  constructor(base: ReadonlyMap<Address, StateRecord> = new Map()) {
    this.#base = base;
    this.#size = base.size;
  }

  get size(): number {
    return this.#size;
  }

  get(address: Address): StateRecord | undefined {
    return this.#changed.has(address) ? this.#changed.get(address) : this.#base.get(address);
  }

  apply(entry: StateEntry): void {
    const address = entryAddress(entry);
    const before = this.get(address);
    const after = applyEntry(before, entry);
    this.#size += Number(after !== undefined) - Number(before !== undefined);
    this.#changed.set(address, after);
  }

  /** Sorted by address, by code unit. What is applied while this is read may or may not be seen. */
  *records(): Generator<StateRecord> {
    const changed = [...this.#changed.keys()].sort(compareText);
    let next = 0;
    for (const [address, record] of this.#base) {
      for (let other = changed[next]; other !== undefined && other < address; other = changed[next]) {
        next += 1;
        yield* this.#present(other);
      }
      if (changed[next] === address) {
        next += 1;
        yield* this.#present(address);
      } else {
        yield record;
      }
    }
    for (const address of changed.slice(next)) yield* this.#present(address);
  }

  *#present(address: Address): Generator<StateRecord> {
    const record = this.get(address);
    if (record !== undefined) yield record;
  }
}
