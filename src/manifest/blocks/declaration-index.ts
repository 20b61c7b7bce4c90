// What do all files declare together? By kind the keys, with the way back to the block of each.
import type { BlockList } from './block-list.ts';
import type { DeclaredBlock } from './declared-block.ts';
import { type BlockId, KeyIndex } from './key-index.ts';

/** Blocks that one list may have. */
const placesOfList = 2 ** 32;

export class DeclarationIndex {
  /** In the order of files, those of `sources` after all sections. */
  readonly lists: readonly BlockList[];
  readonly #byKind = new Map<string, KeyIndex>();
  /** Of the blocks that were taken, by the number of their list. */
  readonly #counts: number[];
  /** Places of blocks with errors: what is right in them is read with all checks again. */
  readonly flawed = new Set<BlockId>();

  constructor(lists: readonly BlockList[]) {
    this.lists = lists;
    this.#counts = lists.map(() => 0);
    for (const { kind } of lists) this.#byKind.set(kind.kind, new KeyIndex((places) => this.#keysAt(places)));
  }

  /** Of a kind that has lists. */
  keyIndexOf(kind: string): KeyIndex | undefined {
    return this.#byKind.get(kind);
  }

  /** The place of the first declaration, when there was one: then this one is not taken. */
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

  /** Undefined when it is not declared. */
  find(kind: string, key: string): DeclaredBlock | undefined {
    const place = this.#byKind.get(kind)?.find(key);
    return place === undefined ? undefined : this.blockAt(place);
  }

  blockAt(place: BlockId): DeclaredBlock | undefined {
    return this.listAt(place)?.blockAt(indexInList(place));
  }

  /** The list that all the places lie in. */
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

/** Of the block in its list. */
export function indexInList(place: BlockId): number {
  return place % placesOfList;
}
