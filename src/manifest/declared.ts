// Which objects are declared, and where? Every block with the defaults of its file merged in.
import { type Address, addressOf } from '../model/address.ts';
import { printPosition } from '../model/source.ts';
import type { KindDefinition } from '../resources/define.ts';
import type { ManifestDocument } from './document.ts';
import type { Problems, Spot } from './problems.ts';
import { type Entry, mergeTrees, nearest, offsetOfText, type Tree, valueOffset } from './tree.ts';

export interface DeclaredBlock {
  readonly kind: KindDefinition;
  readonly key: string;
  readonly address: Address;
  readonly document: ManifestDocument;
  /** The block with its defaults; `offset` is that of the key. */
  readonly entry: Entry;
}

/** A section that says of itself that it has no objects: `users: {}`. */
interface EmptySection {
  readonly section: string;
  readonly spot: Spot;
}

export interface DeclaredBlocks {
  /** The first declaration of each address, in the order of files. */
  readonly blocks: ReadonlyMap<Address, DeclaredBlock>;
  readonly empty: readonly EmptySection[];
}

/** `documents` are in the order of files; those of one file share its defaults. */
export function collectBlocks(
  documents: readonly ManifestDocument[],
  kinds: readonly KindDefinition[],
  problems: Problems,
): DeclaredBlocks {
  const blocks = new Map<Address, DeclaredBlock>();
  const empty: EmptySection[] = [];
  const defaults = collectDefaults(documents, problems);
  for (const document of documents) {
    for (const kind of kinds) {
      const section = entryIn(document.tree, kind.section);
      if (section?.value.type !== 'map') continue;
      if (section.value.entries.size === 0) {
        empty.push({ section: kind.section, spot: { source: document.source, offset: section.offset } });
      }
      const common = entryIn(defaults.get(document.source.file)?.value, kind.section);
      for (const [key, { offset, value }] of section.value.entries) {
        const merged = common === undefined ? value : mergeTrees(value, common.value);
        const address = addressOf(kind.kind, key);
        const block: DeclaredBlock = { kind, key, address, document, entry: { offset, value: merged } };
        const first = blocks.get(address);
        if (first === undefined) blocks.set(address, block);
        else reportTwice(block, first, problems);
      }
    }
  }
  return { blocks, empty };
}

/** By file. */
function collectDefaults(documents: readonly ManifestDocument[], problems: Problems): ReadonlyMap<string, Entry> {
  const byFile = new Map<string, Entry>();
  for (const { tree, source } of documents) {
    const entry = entryIn(tree, 'defaults');
    if (entry === undefined) continue;
    const first = byFile.get(source.file);
    if (first === undefined) byFile.set(source.file, entry);
    else {
      const { line } = source.position(first.offset);
      const detail = `defaults hold for the whole file and stand in line ${line} already. Merge the two.`;
      problems.add('manifest.declared-twice', detail, { source, offset: entry.offset });
    }
  }
  return byFile;
}

function entryIn(tree: Tree | undefined, key: string): Entry | undefined {
  return tree?.type === 'map' ? tree.entries.get(key) : undefined;
}

function reportTwice(block: DeclaredBlock, first: DeclaredBlock, problems: Problems): void {
  const detail = `${block.address} is declared here and at ${placeOf(first)}. Keep one of them.`;
  problems.add('manifest.duplicate-resource', detail, spotOfKey(block));
}

export function placeOf(block: DeclaredBlock): string {
  return printPosition(block.document.source.position(block.entry.offset));
}

export function spotOfKey({ document, entry, address }: DeclaredBlock): Spot {
  return { source: document.source, offset: entry.offset, address };
}

/** The spot of an exact path: list items by their index. */
export function spotOfPath(block: DeclaredBlock, path: readonly string[], at: 'key' | 'value'): Spot {
  const entry = nearest(block.entry, path);
  const offset = at === 'key' ? entry.offset : valueOffset(entry);
  return { source: block.document.source, offset, address: block.address, secret: isSecret(block.kind, path) };
}

/**
 * The spot of a path in the normal form, where lists are sorted and deprecated forms have been replaced: list items by
 * their text, attributes also under their deprecated names.
 */
export function spotOfMeaning(block: DeclaredBlock, path: readonly string[]): Spot {
  const [name = '', ...rest] = path;
  const deprecated = Object.entries(block.kind.deprecated).filter(([, { use }]) => use === name);
  const [text] = rest;
  for (const declaredName of [name, ...deprecated.map(([other]) => other)]) {
    const entry = entryIn(block.entry.value, declaredName);
    if (entry === undefined) continue;
    const offset = text === undefined ? undefined : offsetOfText(entry.value, text);
    if (offset !== undefined) return { source: block.document.source, offset, address: block.address };
    if (text === undefined) return spotOfPath(block, [declaredName], 'value');
  }
  return spotOfPath(block, path, 'value');
}

/** Attributes that name a variable of the environment: what stands there by mistake may be the secret itself. */
export function isSecret(kind: KindDefinition, path: readonly string[]): boolean {
  const properties = kind.attributes[path[0] ?? '']?.schema.properties;
  return typeof properties === 'object' && properties !== null && Object.hasOwn(properties, 'env');
}
