// Reads the documents of a manifest: a long file in chunks, so that memory stays bounded, any other file at once.

import type { Problems } from '../problems/problems.ts';
import type { Source, SourceText } from '../problems/source-text.ts';
import { chunksOf } from './chunks.ts';
import { type ParsedDocuments, parseEntries, parseYaml } from './read-yaml.ts';
import type { MapTree, Tree, TreeEntry } from './tree.ts';

/** The objects of one section, one by one, in the order of the file, each key once. */
export interface SectionItems {
  readonly length: number;
  keyAt(index: number): string;
  /** The value as written. Made anew at each call where it comes from a row. */
  entryAt(index: number): TreeEntry;
  /** What an item is written in, where that is not the document alone. */
  sourceAt?(index: number): Source;
}

export interface SplitDocument {
  /** Sections of objects are empty maps here; `sections` has their content. */
  readonly tree: Tree;
  readonly sections: ReadonlyMap<string, SectionItems>;
  /** Present when parts of a base were merged in; otherwise everything comes from the text of the file. */
  readonly source?: Source;
}

export interface SplitDocuments {
  /** Documents without a syntax error, in order. */
  readonly documents: readonly SplitDocument[];
  /** Some part could not be read, so that objects may be missing. */
  readonly isPartial: boolean;
}

/** Most characters to parse at once: the package takes some sixty bytes of memory for each. */
const maxWhole = 8_000_000;
/** Longer texts are parsed in chunks of about this many characters. */
const chunkLength = 4000;

/** `sections`: the names of sections that hold objects. */
export function readDocuments(
  source: SourceText,
  sections: ReadonlySet<string>,
  problems: Problems,
  length = chunkLength,
): SplitDocuments {
  const { trees, isPartial } =
    (source.text.length > length ? readInChunks(source, sections, problems, length) : undefined) ??
    readWhole(source, problems);
  return { documents: trees.map((tree) => splitTree(tree, sections)), isPartial };
}

function readWhole(source: SourceText, problems: Problems): ParsedDocuments {
  if (source.text.length <= maxWhole) return parseYaml(source, problems);
  const detail = `The file has ${source.text.length.toLocaleString('en')} characters and cannot be read object by object, because it contains anchors, brackets around a whole section, several documents or an error. At most ${maxWhole.toLocaleString('en')} characters are read at once. Simplify the file, split it, or move the objects to a file under sources.`;
  problems.add('manifest.file-too-big', detail, { source, offset: 0 });
  return { trees: [], isPartial: true };
}

/** Undefined when the text has to be read as a whole. */
function readInChunks(
  source: SourceText,
  sections: ReadonlySet<string>,
  problems: Problems,
  length: number,
): ParsedDocuments | undefined {
  const chunks = chunksOf(source.text, sections, length);
  if (chunks === undefined) return undefined;
  const entries = new Map<string, TreeEntry>();
  // Reading the whole file reports everything again.
  const reports: Parameters<Problems['add']>[] = [];
  const reporter = { add: (...report: Parameters<Problems['add']>) => void reports.push(report) };
  for (const { start, end, section } of chunks) {
    const value = section === undefined ? undefined : entries.get(section)?.value;
    if (section !== undefined && value?.type !== 'map') return undefined;
    // The entries of a map that was just read belong to nobody else yet.
    const target = value?.type === 'map' ? (value.entries as Map<string, TreeEntry>) : entries;
    if (!parseEntries(source, start, end, target, reporter)) return undefined;
  }
  for (const report of reports) problems.add(...report);
  return { trees: [{ type: 'map', offset: entries.values().next().value?.offset ?? 0, entries }], isPartial: false };
}

/** Takes the sections out of a parsed tree. */
function splitTree(tree: Tree, names: ReadonlySet<string>): SplitDocument {
  if (tree.type !== 'map') return { tree, sections: new Map() };
  const sections = new Map<string, SectionItems>();
  const entries = new Map<string, TreeEntry>();
  for (const [key, entry] of tree.entries) {
    if (names.has(key) && entry.value.type === 'map') sections.set(key, parsedItems(entry.value));
    entries.set(key, sections.has(key) ? emptied(entry) : entry);
  }
  return { tree: { ...tree, entries }, sections };
}

function emptied({ offset, value }: TreeEntry): TreeEntry {
  return { offset, value: { type: 'map', offset: value.offset, entries: new Map() } };
}

/** The items of a parsed section. */
function parsedItems(section: MapTree): SectionItems {
  const entries = [...section.entries];
  return {
    length: entries.length,
    keyAt: (index) => entries[index]?.[0] ?? '',
    entryAt: (index) => entries[index]?.[1] ?? missing,
  };
}

/** The section as one item: its own items are the attributes. `offset` is that of its name. */
export function wholeItem(key: string, items: SectionItems, offset: number): SectionItems {
  const entryAt = (): TreeEntry => ({
    offset,
    value: {
      type: 'map',
      offset,
      entries: new Map(Array.from({ length: items.length }, (_, place) => [items.keyAt(place), items.entryAt(place)])),
    },
  });
  return { length: items.length === 0 ? 0 : 1, keyAt: () => key, entryAt };
}

const missing: TreeEntry = { offset: 0, value: { type: 'scalar', offset: 0, value: null, text: '' } };
