// The declared keys of one kind, with the block that declares each first. Compact enough for millions.
//
// Keys are stored as hashes (name-table.ts). Where that is not enough they are read again from their blocks: to prove that
// two blocks have the same key, to sort, to suggest.
import { compareText } from '../../lib/json.ts';
import { NameTable } from '../../lib/name-table.ts';
import { NumberColumn } from '../../lib/number-column.ts';

/** The number of a block: its list and its place there (declaration-index.ts). */
export type BlockId = number;

/** Blocks in some order. */
export interface BlockIds {
  readonly length: number;
  at(index: number): BlockId;
}

/** Number of keys that are read again at once. */
const keysAtOnce = 512;

export class KeyIndex {
  readonly #keysAt: (ids: readonly BlockId[]) => readonly string[];
  /** In the order of declaration: hashes of keys, and their blocks. */
  readonly #names = new NameTable();
  readonly #blocks = new NumberColumn();
  #last: string | undefined;
  #isSorted = true;

  constructor(keysAt: (ids: readonly BlockId[]) => readonly string[]) {
    this.#keysAt = keysAt;
  }

  /** Adds a key, or returns the block that declared it before. */
  add(key: string, id: BlockId): BlockId | undefined {
    // Keys that arrive in order are new without a comparison.
    this.#isSorted &&= this.#last === undefined || this.#last < key;
    if (!this.#isSorted) {
      const known = this.find(key);
      if (known !== undefined && this.#keysAt([known])[0] === key) return known;
    }
    this.#last = key;
    this.#names.addNew(key);
    this.#blocks.push(id);
    return undefined;
  }

  has(key: string): boolean {
    return this.#names.find(key) !== undefined;
  }

  find(key: string): BlockId | undefined {
    const number = this.#names.find(key);
    return number === undefined ? undefined : this.#blocks.at(number);
  }

  *keys(): Generator<string> {
    for (let start = 0; start < this.#blocks.length; start += keysAtOnce) {
      const end = Math.min(this.#blocks.length, start + keysAtOnce);
      yield* this.#keysAt(Array.from({ length: end - start }, (_, index) => this.#blocks.at(start + index)));
    }
  }

  /** The blocks in the order of their keys, by code unit. */
  inOrder(): BlockIds {
    if (this.#isSorted) return this.#blocks;
    const order = orderOf([...this.keys()]);
    return { length: order.length, at: (index) => this.#blocks.at(order[index] ?? 0) };
  }
}

/** A function of its own, so that the keys are freed: closures of one scope keep what any of them needs. */
function orderOf(keys: readonly string[]): Uint32Array {
  const order = Uint32Array.from(keys.keys());
  return order.sort((left, right) => compareText(keys[left] ?? '', keys[right] ?? ''));
}
