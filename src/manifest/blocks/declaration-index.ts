// All declarations of all files: the keys of each kind, and the way back from a key to its block.
import type { BlockList } from './block-list.ts';
import type { DeclaredBlock } from './declared-block.ts';
import { type BlockId, KeyIndex } from './key-index.ts';

/** Upper bound of blocks in one list. */
const placesOfList = 2 ** 32;

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
    for (const { kind } of lists) this.#byKind.set(kind.kind, new KeyIndex((places) => this.#keysAt(places)));
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
    const place = this.#byKind.get(kind)?.find(key);
    return place === undefined ? undefined : this.blockAt(place);
  }

  blockAt(place: BlockId): DeclaredBlock | undefined {
    return this.listAt(place)?.blockAt(indexInList(place));
  }

  /** The list, when all blocks are of one. */
  onlyList(places: readonly BlockId[]): BlockList | undefined {
    const numbers = places.map((place) => Math.floor(place / placesOfList));
    const [first = 0] = numbers;
    return numbers.every((number) => number === first) ? this.lists[first] : undefined;
  }

  #keysAt(places: readonly BlockId[]): readonly string[] {
    const list = this.onlyList(places);
    if (list !== undefined) return list.keysAt(places.map(indexInList));
    return places.flatMap((place) => this.listAt(place)?.keysAt([indexInList(place)]) ?? []);
  }

  listAt(place: BlockId): BlockList | undefined {
    return this.lists[Math.floor(place / placesOfList)];
  }
}

export function blockIdOf(number: number, index: number): BlockId {
  return number * placesOfList + index;
}

/** The place of the block in its list. */
export function indexInList(place: BlockId): number {
  return place % placesOfList;
}
