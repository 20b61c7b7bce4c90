// Reads the documents of a manifest: plain YAML object by object, fast and in little memory; anything else by the library.

import type { Problems } from '../checks/problems.ts';
import { quoted } from '../checks/wording.ts';
import { type OutlineItem, type OutlinePart, splitText, type TextRange } from './outline.ts';
import { readPlainMap } from './plain-block.ts';
import { parsedItems, type SectionItems, textItems } from './section-items.ts';
import type { Source, SourceText } from './source-text.ts';
import type { Tree, TreeEntry } from './tree.ts';

export interface SplitDocument {
  /** Sections of objects are empty maps here; `sections` has their content. */
  readonly tree: Tree;
  readonly sections: ReadonlyMap<string, SectionItems>;
  /** Present when parts of a base were merged in; else the document stands in its file alone. */
  readonly source?: Source;
}

export interface SplitDocuments {
  /** Documents without a syntax error, in order. */
  readonly documents: readonly SplitDocument[];
  /** Some part could not be read, so that objects may be missing. */
  readonly isPartial: boolean;
}

/** Most characters to give to the library at once: it takes some sixty bytes of memory for each. */
const maxWhole = 8_000_000;

/** Characters that no YAML file may contain unescaped. */
const controlCharacter = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/u;

/** `sections`: the names of sections that hold objects. */
export async function readDocuments(
  source: SourceText,
  sections: ReadonlySet<string>,
  problems: Problems,
): Promise<SplitDocuments> {
  const inParts = controlCharacter.test(source.text) ? undefined : await readInParts(source, sections, problems);
  if (inParts !== undefined) return inParts;
  if (source.text.length > maxWhole) {
    const detail = `The file has ${source.text.length.toLocaleString('en')} characters and cannot be read object by object, because it has anchors, brackets around a whole section, several documents or an error. At most ${maxWhole.toLocaleString('en')} are read at once. Write it plainly, split it, or move the objects to a file under sources.`;
    problems.add('manifest.file-too-big', detail, { source, offset: 0 });
    return { documents: [], isPartial: true };
  }
  const { parseYaml } = await import('./read-yaml.ts');
  const { trees, isPartial } = parseYaml(source, problems);
  return { documents: trees.map((tree) => splitTree(tree, sections)), isPartial };
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

/** Undefined when the text has to be read as a whole: its parts are unclear, or one cannot be read without the others. */
async function readInParts(
  source: SourceText,
  names: ReadonlySet<string>,
  problems: Problems,
): Promise<SplitDocuments | undefined> {
  const { text } = source;
  const parts = splitText(text, names);
  if (parts === undefined) return undefined;
  const trees = new Map<OutlinePart | OutlineItem, Tree>();
  const rare: (OutlinePart | OutlineItem)[] = [];
  for (const part of parts) {
    for (const range of part.items ?? [part]) {
      const tree = readPlainMap(text, range.start, range.end);
      if (tree === undefined) rare.push(range);
      else if (part.items === undefined) trees.set(part, tree);
    }
  }
  const repeated = parts.flatMap(({ items }) => repetitions(items ?? []));
  if (rare.length > 0) {
    const { parseParts } = await import('./read-yaml.ts');
    const read = parseParts(source, rare, problems);
    if (read === undefined) return undefined;
    for (const [range, tree] of read) trees.set(range as OutlinePart | OutlineItem, tree);
  }
  for (const { item, first } of repeated) {
    const { line } = source.position(first.offset);
    const detail = `${quoted(item.key)} appears here and in line ${line} of the same map. Keep one of them.`;
    problems.add('manifest.duplicate-key', detail, { source, offset: item.offset });
  }
  const document = assemble(text, parts, trees, new Set(repeated.map(({ item }) => item)));
  const others = splitTree(document.tree, new Set([...names].filter((name) => !document.sections.has(name))));
  return {
    documents: [{ tree: others.tree, sections: new Map([...document.sections, ...others.sections]) }],
    isPartial: false,
  };
}

function repetitions(items: readonly OutlineItem[]): { readonly item: OutlineItem; readonly first: OutlineItem }[] {
  const seen = new Map<string, OutlineItem>();
  return items.flatMap((item) => {
    const first = seen.get(item.key);
    if (first !== undefined) return [{ item, first }];
    seen.set(item.key, item);
    return [];
  });
}

function assemble(
  text: string,
  parts: readonly OutlinePart[],
  trees: ReadonlyMap<TextRange, Tree>,
  left: ReadonlySet<OutlineItem>,
): SplitDocument {
  const sections = new Map<string, SectionItems>();
  const entries = new Map<string, TreeEntry>();
  for (const part of parts) {
    const { key, start, items } = part;
    if (items === undefined) {
      const tree = trees.get(part);
      const entry = tree?.type === 'map' ? tree.entries.get(key) : undefined;
      if (entry !== undefined) entries.set(key, entry);
      continue;
    }
    const parsed = new Map<OutlineItem, TreeEntry>();
    const kept = items.filter((item) => {
      if (left.has(item)) return false;
      const tree = trees.get(item);
      if (tree === undefined) return true;
      const entry = tree.type === 'map' ? tree.entries.get(item.key) : undefined;
      if (entry !== undefined) parsed.set(item, entry);
      // A refused key such as __proto__ has been reported already.
      return entry !== undefined;
    });
    sections.set(key, textItems(text, kept, parsed));
    entries.set(key, {
      offset: start,
      value: { type: 'map', offset: items[0]?.offset ?? start, entries: new Map() },
    });
  }
  return { tree: { type: 'map', offset: parts[0]?.start ?? 0, entries }, sections };
}
