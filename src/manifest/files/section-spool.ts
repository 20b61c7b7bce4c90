// Keeps the objects of sections in a spool, as JSON, from the parse of their files to the checks.
import type { Collector, Series } from '../../lib/series.ts';
import type { MapTree, ScalarTree, Tree, TreeEntry } from './tree.ts';

/** A tree as JSON: maps are lists of keys, their offsets and values, because JSON has no `Map`. */
type PackedTree =
  | readonly ['scalar', offset: number, value: ScalarTree['value'], text: string]
  | readonly ['list', offset: number, items: readonly PackedTree[]]
  | readonly ['map', offset: number, entries: readonly PackedEntry[]];
type PackedEntry = readonly [key: string, offset: number, value: PackedTree];

/** Sections are added until the first object is read. */
export class SectionSpool {
  readonly #collector: Collector<PackedEntry>;
  #count = 0;
  #values: Series<PackedEntry> | undefined;
  /** The entry that was read last, because its key and its value are requested one after the other. */
  #last: { readonly place: number; readonly key: string; readonly entry: TreeEntry } | undefined;

  constructor(collector: Collector<PackedEntry>) {
    this.#collector = collector;
  }

  get isRead(): boolean {
    return this.#values !== undefined;
  }

  /** Adds a section and returns the place of its first object. */
  add({ entries }: MapTree): number {
    const first = this.#count;
    for (const [key, entry] of entries) this.#collector.push(packedEntry(key, entry));
    this.#count += entries.size;
    return first;
  }

  at(place: number): { readonly key: string; readonly entry: TreeEntry } {
    if (this.#last?.place === place) return this.#last;
    this.#values ??= this.#collector.end();
    const [key, offset, value] = this.#values.at(place) ?? ['', 0, ['scalar', 0, null, '']];
    this.#last = { place, key, entry: unpackedEntry(offset, value) };
    return this.#last;
  }
}

function packedEntry(key: string, { offset, value }: TreeEntry): PackedEntry {
  return [key, offset, packed(value)];
}

function packed(tree: Tree): PackedTree {
  const { type, offset } = tree;
  if (type === 'scalar') return [type, offset, tree.value, tree.text];
  if (type === 'list') return [type, offset, tree.items.map(packed)];
  return [type, offset, Array.from(tree.entries, ([key, entry]) => packedEntry(key, entry))];
}

function unpacked(tree: PackedTree): Tree {
  const [type, offset, content] = tree;
  if (type === 'scalar') return { type, offset, value: content, text: tree[3] };
  if (type === 'list') return { type, offset, items: content.map(unpacked) };
  const entries = content.map(([key, place, value]): [string, TreeEntry] => [key, unpackedEntry(place, value)]);
  return { type, offset, entries: new Map(entries) };
}

function unpackedEntry(offset: number, value: PackedTree): TreeEntry {
  return { offset, value: unpacked(value) };
}
