// Keeps the declared objects: a digest of every key with the position of its block, and the resources, sorted by kind.

import { compareText } from '../../../lib/json.ts';
import { type Collect, JoinedSeries, lastWhere, type Series } from '../../../lib/series.ts';
import { Sorter } from '../../../lib/sorter.ts';
import { IntColumn, NameTable } from '../../../lib/typed-arrays.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { addressOf, keyOf } from '../../model/address.ts';
import type { Resource } from '../../model/resource.ts';
import type { SourcePosition } from '../../model/source.ts';
import type { BlockList } from '../document/declared-block.ts';

/** The declared objects of one kind. */
interface KindDeclarations {
  /** In declaration order, as are the two columns. */
  readonly keys: NameTable;
  /** The number of the list that declares a key, and the position of the block in that list. */
  readonly lists: IntColumn;
  readonly places: IntColumn;
  readonly resources: Sorter<Resource>;
  /** Present after all blocks of the kind were read. */
  sorted?: Series<Resource>;
}

export class Declarations {
  readonly #collect: Collect;
  readonly #byKind = new Map<string, KindDeclarations>();
  readonly #lists: BlockList[] = [];
  readonly #counts = new Map<BlockList, number>();

  constructor(collect: Collect) {
    this.#collect = collect;
  }

  /** Notes a key, or returns the position of the block that declared it before. */
  add(list: BlockList, key: string, place: number): SourcePosition | undefined {
    const { keys, lists, places } = this.#kind(list.kind.name);
    const { size } = keys;
    const number = keys.add(key);
    if (number < size) return this.#positionAt(lists.at(number), places.at(number));
    if (this.#lists.at(-1) !== list) this.#lists.push(list);
    lists.push(this.#lists.length - 1);
    places.push(place);
    this.#counts.set(list, this.countOf(list) + 1);
    return undefined;
  }

  put(kind: KindDefinition, resource: Resource): void {
    this.#kind(kind.name).resources.push(resource);
  }

  /** Must be called after all blocks of the kind were read. */
  close(kind: KindDefinition): void {
    const declared = this.#byKind.get(kind.name);
    if (declared !== undefined) declared.sorted = declared.resources.series();
  }

  /** Returns the number of objects that a list declares. */
  countOf(list: BlockList): number {
    return this.#counts.get(list) ?? 0;
  }

  /** Returns how many objects of a kind have been declared so far. */
  sizeOf(kind: string): number {
    return this.#byKind.get(kind)?.keys.size ?? 0;
  }

  has(kind: string, key: string): boolean {
    return this.#byKind.get(kind)?.keys.find(key) !== undefined;
  }

  positionOf(kind: string, key: string): SourcePosition | undefined {
    const declared = this.#byKind.get(kind);
    const number = declared?.keys.find(key);
    if (declared === undefined || number === undefined) return undefined;
    return this.#positionAt(declared.lists.at(number), declared.places.at(number));
  }

  /** Returns the keys of a kind after all of its blocks were read. */
  *keysOf(kind: string): Iterable<string> {
    for (const { address } of this.#byKind.get(kind)?.sorted ?? []) yield keyOf(address);
  }

  /** Valid after all blocks of the kind were read. */
  find(kind: string, key: string): Resource | undefined {
    const sorted = this.#byKind.get(kind)?.sorted ?? [];
    const address = addressOf(kind, key);
    const place = lastWhere(sorted.length, (at) => (sorted.at(at)?.address ?? '') <= address);
    const resource = sorted.at(Math.max(0, place));
    return resource?.address === address ? resource : undefined;
  }

  /** Returns all resources, sorted by address. `others` are those of kinds that are not declared in lists. */
  resources(kinds: readonly KindDefinition[], others: ReadonlyMap<string, Series<Resource>>): Series<Resource> {
    const names = kinds.map(({ name }) => name).sort((left, right) => compareText(`${left}.`, `${right}.`));
    return new JoinedSeries(names.map((name) => this.#byKind.get(name)?.sorted ?? others.get(name) ?? []));
  }

  #kind(name: string): KindDeclarations {
    const madeBefore = this.#byKind.get(name);
    if (madeBefore !== undefined) return madeBefore;
    const declared = {
      keys: new NameTable(),
      lists: new IntColumn(),
      places: new IntColumn(),
      resources: new Sorter<Resource>(this.#collect, ({ address }) => address),
    };
    this.#byKind.set(name, declared);
    return declared;
  }

  #positionAt(list = 0, place = 0): SourcePosition | undefined {
    return this.#lists[list]?.positionAt(place);
  }
}
