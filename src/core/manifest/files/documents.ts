// Reads the documents of a manifest so that memory stays bounded: a long file in chunks, and the objects of many files in a spool
// between the parse of the files and the checks of the objects.
import type { Collect, Collector, Series } from '../../../lib/series.ts';
import type { ProblemSource, Problems, SourceText } from '../problems/problems.ts';
import { parseInChunks } from './chunks.ts';
import { type ParsedDocuments, parseYaml } from './read-yaml.ts';
import type { MapTree, ScalarTree, Tree, TreeEntry } from './tree.ts';

/** The objects of one section in file order, with unique keys. */
export interface SectionItems {
  readonly length: number;
  keyAt(index: number): string;
  /** Returns the value as written. A value from a row is made again at each call. */
  entryAt(index: number): TreeEntry;
  /** Returns the source of an item, if it differs from the document. */
  sourceAt?(index: number): ProblemSource;
}

export interface SplitDocument {
  /** Sections of objects are empty maps here. Their content is in `sections`. */
  readonly tree: Tree;
  readonly sections: ReadonlyMap<string, SectionItems>;
  /** Present if parts of a base were merged in. Otherwise everything comes from the text of the file. */
  readonly source?: ProblemSource;
}

export interface SplitDocuments {
  /** Documents without a syntax error, in order. */
  readonly documents: readonly SplitDocument[];
  /** Whether a part could not be read, so that objects may be missing. */
  readonly isPartial: boolean;
}

/** The maximum number of characters to parse at once. The package needs about sixty bytes of memory for each. */
const maxWhole = 8_000_000;
/** Longer texts are parsed in chunks of about this many characters. */
const chunkLength = 4000;

interface DocumentsOptions {
  /** Keeps the objects of a section. Default: in memory. */
  readonly itemsOf?: ((section: MapTree) => SectionItems) | undefined;
  /** The number of characters of a chunk. */
  readonly length?: number;
}

/** `sections` are the names of sections that contain objects. */
export function readDocuments(
  source: SourceText,
  sections: ReadonlySet<string>,
  problems: Problems,
  { itemsOf = parsedItems, length = chunkLength }: DocumentsOptions = {},
): SplitDocuments {
  const { trees, isPartial } =
    (source.text.length > length ? parseInChunks(source, sections, problems, length) : undefined) ??
    readWhole(source, problems);
  return { documents: trees.map((tree) => splitTree(tree, sections, itemsOf)), isPartial };
}

function readWhole(source: SourceText, problems: Problems): ParsedDocuments {
  if (source.text.length <= maxWhole) return parseYaml(source, problems);
  const detail = `The file has ${source.text.length.toLocaleString('en')} characters and cannot be read object by object, because it contains anchors, brackets around a whole section, several documents or an error. At most ${maxWhole.toLocaleString('en')} characters are read at once. Simplify the file, split it, or move the objects to a file under sources.`;
  problems.add('manifest.file-too-big', detail, { source, offset: 0 });
  return { trees: [], isPartial: true };
}

/** Separates the sections from a parsed tree. */
function splitTree(tree: Tree, names: ReadonlySet<string>, itemsOf: (section: MapTree) => SectionItems): SplitDocument {
  if (tree.type !== 'map') return { tree, sections: new Map() };
  const sections = new Map<string, SectionItems>();
  const entries = new Map<string, TreeEntry>();
  for (const [key, entry] of tree.entries) {
    if (names.has(key) && entry.value.type === 'map') sections.set(key, itemsOf(entry.value));
    entries.set(key, sections.has(key) ? emptied(entry) : entry);
  }
  return { tree: { ...tree, entries }, sections };
}

export function saysFirstVersion(tree: Tree): boolean {
  const version = tree.type === 'map' ? tree.entries.get('version')?.value : undefined;
  return version?.type === 'scalar' && Number(version.value) === 1;
}

function emptied({ offset, value }: TreeEntry): TreeEntry {
  return { offset, value: { type: 'map', offset: value.offset, entries: new Map() } };
}

function parsedItems(section: MapTree): SectionItems {
  const entries = [...section.entries];
  return {
    length: entries.length,
    keyAt: (index) => entries[index]?.[0] ?? '',
    entryAt: (index) => entries[index]?.[1] ?? missing,
  };
}

/** Returns the section as one item whose attributes are its items, or as none if it is empty and not `isDeclared`. `offset` is that of its name. */
export function wholeItem(key: string, items: SectionItems, offset: number, isDeclared: boolean): SectionItems {
  const entryAt = (): TreeEntry => ({
    offset,
    value: {
      type: 'map',
      offset,
      entries: new Map(Array.from({ length: items.length }, (_, place) => [items.keyAt(place), items.entryAt(place)])),
    },
  });
  return { length: items.length > 0 || isDeclared ? 1 : 0, keyAt: () => key, entryAt };
}

const missing: TreeEntry = { offset: 0, value: { type: 'scalar', offset: 0, value: null, text: '' } };

/** The number of characters of files whose objects stay in memory, where they take about twenty bytes for each character. */
const charactersInMemory = 1 << 19;

export class SectionStore {
  readonly #collect: Collect;
  readonly #inMemory: number;
  /** The sections until the first one is read. Later ones, of bases, begin another spool. */
  #spool: SectionSpool | undefined;
  #characters = 0;

  constructor(collect: Collect, inMemory = charactersInMemory) {
    this.#collect = collect;
    this.#inMemory = inMemory;
  }

  /** Returns where to keep the sections of a file of this many characters. Absent: in memory. */
  roomFor(characters: number): ((section: MapTree) => SectionItems) | undefined {
    this.#characters += characters;
    return this.#characters <= this.#inMemory ? undefined : (section) => this.#keep(section);
  }

  #keep(section: MapTree): SectionItems {
    if (this.#spool === undefined || this.#spool.isRead) this.#spool = new SectionSpool(this.#collect());
    const spool = this.#spool;
    const first = spool.add(section);
    return {
      length: section.entries.size,
      keyAt: (index) => spool.at(first + index).key,
      entryAt: (index) => spool.at(first + index).entry,
    };
  }
}

/** A tree as JSON: maps are lists of keys, their offsets and values, because JSON has no `Map`. */
type PackedTree =
  | readonly ['scalar', offset: number, value: ScalarTree['value'], text: string]
  | readonly ['list', offset: number, items: readonly PackedTree[]]
  | readonly ['map', offset: number, entries: readonly PackedEntry[]];
type PackedEntry = readonly [key: string, offset: number, value: PackedTree];

/** Keeps the objects of sections, as JSON, from the parse of their files to the checks. Sections are added until one is read. */
class SectionSpool {
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
