// Declared blocks before they are checked: one object with the positions of its parts, and lists of them, which are a section of a document
// or a file under `sources` (rows/source-list.ts).
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { isObject, ownValue } from '../../lib/json.ts';
import { type Address, addressOf } from '../../model/address.ts';
import { printPosition, type SourcePosition } from '../../model/source.ts';
import type { ManifestFile } from '../files/discover.ts';
import type { SectionItems } from '../files/documents.ts';
import { mergeTrees } from '../files/made-trees.ts';
import { entryIn, type IdPaths, nearest, offsetOfText, type TreeEntry, valueOffset } from '../files/tree.ts';
import type { ProblemSource, Spot } from '../problems/problems.ts';
import type { ManifestDocument } from './document.ts';

export interface DeclaredBlock {
  readonly kind: KindDefinition;
  readonly key: string;
  readonly address: Address;
  /** The document, or the row of a file under `sources`, that contains the block. */
  readonly document: {
    /** File paths in the block are relative to this file. */
    readonly file: ManifestFile;
    readonly source: ProblemSource;
    /** Returns the file of each attribute, if the block comes from several layers. */
    readonly fileOf?: (name: string) => ManifestFile;
    /** The attributes that each file declares, from the lowest layer to the highest, if there are several. */
    readonly parts?: readonly { readonly file: ManifestFile; readonly names: readonly string[] }[];
  };
  /** The block with its defaults; `offset` is that of its key. */
  readonly entry: TreeEntry;
}

export function declaredBlock(
  kind: KindDefinition,
  key: string,
  document: DeclaredBlock['document'],
  entry: TreeEntry,
): DeclaredBlock {
  return { kind, key, address: addressOf(kind.name, key), document, entry };
}

export function printBlockPosition(block: DeclaredBlock): string {
  return printPosition(positionOfBlock(block));
}

/** Returns the position of the first character of a declaration. */
export function positionOfBlock({ document, entry }: DeclaredBlock): SourcePosition {
  return document.source.position(entry.offset);
}

export function spotOfKey({ document, entry, address }: DeclaredBlock): Spot {
  return { source: document.source, offset: entry.offset, address };
}

/** Returns the position of a path in the declaration. List items are identified by index. */
export function spotOfPath(block: DeclaredBlock, path: readonly string[], at: 'key' | 'value'): Spot {
  const entry = nearest(block.entry, path);
  const offset = at === 'key' ? entry.offset : valueOffset(entry);
  return { source: block.document.source, offset, address: block.address, secret: isSecret(block.kind, path) };
}

/**
 * Returns the position of a path in normal form. List items are found by text, because lists are sorted, and attributes
 * also under their aliases.
 */
export function spotOfMeaning(block: DeclaredBlock, path: readonly string[]): Spot {
  const [name = '', ...rest] = path;
  const aliases = Object.entries(block.kind.aliases ?? {}).filter(([, { use }]) => use === name);
  const [text] = rest;
  for (const declaredName of [name, ...aliases.map(([alias]) => alias)]) {
    const entry = entryIn(block.entry.value, declaredName);
    if (entry === undefined) continue;
    const offset = text === undefined ? undefined : offsetOfText(entry.value, text);
    if (offset !== undefined) return { source: block.document.source, offset, address: block.address };
    if (text === undefined) return spotOfPath(block, [declaredName], 'value');
  }
  return spotOfPath(block, path, 'value');
}

/** Whether the attribute names a variable, so that it may contain a secret by mistake. */
export function isSecret(kind: KindDefinition, path: readonly string[]): boolean {
  const properties = ownValue(kind.attributes, path[0] ?? '')?.schema.properties;
  return isObject(properties) && Object.hasOwn(properties, 'env');
}

/** Returns the file that contains an attribute. Paths are relative to it. */
export function fileIn({ document }: DeclaredBlock, name: string): ManifestFile {
  return document.fileOf?.(name) ?? document.file;
}

export interface BlockList {
  readonly kind: KindDefinition;
  readonly file: ManifestFile;
  /** The manifest that declares the list: `file`, or the one that names it as a source. */
  readonly manifest: ManifestFile;
  /** Returns the position of a block. `place` is the index in a section, or the line in a file of rows. */
  positionAt(place: number): SourcePosition;
  /** Returns the block as written, without defaults. Called only for overlays. */
  writtenAt(index: number): DeclaredBlock;
}

/** A section of a document. */
export class SectionList implements BlockList {
  readonly kind: KindDefinition;
  readonly items: SectionItems;
  /** Whether its blocks come from the rows of one block. */
  readonly isExpanded: boolean;
  readonly file: ManifestFile;
  readonly manifest: ManifestFile;
  /** The position of the section's name. */
  readonly spot: Spot;
  readonly #document: ManifestDocument;
  readonly #defaults: TreeEntry | undefined;
  /** The paths of values that are ids. */
  readonly idPaths: IdPaths;

  /** `defaults` are those of the file. */
  constructor(
    kind: KindDefinition,
    document: ManifestDocument,
    { items, isExpanded }: { readonly items: SectionItems; readonly isExpanded: boolean },
    spot: Spot,
    defaults: TreeEntry | undefined,
    idPaths: IdPaths,
  ) {
    this.kind = kind;
    this.file = document.file;
    this.manifest = document.file;
    this.items = items;
    this.isExpanded = isExpanded;
    this.spot = spot;
    this.#document = document;
    this.#defaults = defaults;
    this.idPaths = idPaths;
  }

  writtenAt(index: number): DeclaredBlock {
    return this.#block(index, this.items.entryAt(index));
  }

  blockAt(index: number): DeclaredBlock {
    const { offset, value } = this.items.entryAt(index);
    const merged = this.#defaults === undefined ? value : mergeTrees(value, this.#defaults.value);
    return this.#block(index, { offset, value: merged });
  }

  positionAt(index: number): SourcePosition {
    return positionOfBlock(this.writtenAt(index));
  }

  #block(index: number, entry: TreeEntry): DeclaredBlock {
    const source = this.items.sourceAt?.(index) ?? this.#document.source;
    return declaredBlock(this.kind, this.items.keyAt(index), { file: this.file, source }, entry);
  }
}
