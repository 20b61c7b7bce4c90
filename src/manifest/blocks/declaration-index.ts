// All declarations of all files: the keys of each kind, and the way back from a key to its block.
import type { BlockList } from './block-list.ts';
import type { DeclaredBlock } from './declared-block.ts';
import { type BlockId, KeyIndex } from './key-index.ts';

/** Upper bound of blocks in one list. */
const idsOfList = 2 ** 32;

export class DeclarationIndex {
  /** In the order of files; those under `sources` follow all sections. */
  readonly lists: readonly BlockList[];
  readonly #byKind = new Map<string, KeyIndex>();
  /** Number of accepted blocks, by the number of their list. */
  readonly #counts: number[];
  /** Blocks with errors. They are read again with all checks, to keep their valid parts. */
  readonly flawed = new Set<BlockId>();

  constructor(lists: readonly BlockList[]) {
    this.lists = lists;
    this.#counts = lists.map(() => 0);
    for (const { kind } of lists) this.#byKind.set(kind.kind, new KeyIndex((ids) => this.#keysAt(ids)));
  }

  /** Undefined for a kind without lists. */
  keyIndexOf(kind: string): KeyIndex | undefined {
    return this.#byKind.get(kind);
  }

  /** Accepts a block, or returns the block that declared the key before. */
  add(list: BlockList, number: number, key: string, index: number): BlockId | undefined {
    const first = this.#byKind.get(list.kind.kind)?.add(key, blockIdOf(number, index));
    if (first === undefined) this.#counts[number] = (this.#counts[number] ?? 0) + 1;
    return first;
  }

  countOf(list: BlockList): number {
    return this.#counts[this.lists.indexOf(list)] ?? 0;
  }

  has(kind: string, key: string): boolean {
    return this.#byKind.get(kind)?.has(key) === true;
  }

  keysOf(kind: string): Iterable<string> {
    return this.#byKind.get(kind)?.keys() ?? [];
  }

  /** The block that declares the key. */
  find(kind: string, key: string): DeclaredBlock | undefined {
    const id = this.#byKind.get(kind)?.find(key);
    return id === undefined ? undefined : this.blockAt(id);
  }

  blockAt(id: BlockId): DeclaredBlock | undefined {
    return this.listAt(id)?.blockAt(indexInList(id));
  }

  /** The list, when all blocks are of one. */
  #onlyList(ids: readonly BlockId[]): BlockList | undefined {
    const numbers = ids.map((id) => Math.floor(id / idsOfList));
    const [first = 0] = numbers;
    return numbers.every((number) => number === first) ? this.lists[first] : undefined;
  }

  #keysAt(ids: readonly BlockId[]): readonly string[] {
    const list = this.#onlyList(ids);
    if (list !== undefined) return list.keysAt(ids.map(indexInList));
    return ids.flatMap((id) => this.listAt(id)?.keysAt([indexInList(id)]) ?? []);
  }

  listAt(id: BlockId): BlockList | undefined {
    return this.lists[Math.floor(id / idsOfList)];
  }
}

export function blockIdOf(number: number, index: number): BlockId {
  return number * idsOfList + index;
}

/** The place of the block in its list. */
export function indexInList(id: BlockId): number {
  return id % idsOfList;
}
