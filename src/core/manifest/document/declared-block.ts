// Declared blocks before they are checked: one object with the positions of its parts, and lists of them, which are a section of a document
// or a file under `sources` (rows/source-list.ts).

import { isObject, ownValue } from '../../../lib/json.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { type Address, addressOf } from '../../model/address.ts';
import type { SourcePosition } from '../../model/source.ts';
import type { ManifestFile } from '../files/discover.ts';
import type { SectionItems } from '../files/documents.ts';
import { mergeTrees } from '../files/made-trees.ts';
import type { IdPaths, TreeEntry } from '../files/tree.ts';
import type { ProblemSource, Spot } from '../problems/problems.ts';
import type { ManifestDocument } from './document.ts';
import { inSharedSpelling } from './spellings.ts';

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

/** Returns the position of the first character of a declaration. */
export function positionOfBlock({ document, entry }: DeclaredBlock): SourcePosition {
  return document.source.position(entry.offset);
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
    const merged =
      this.#defaults === undefined ? value : mergeTrees(...inSharedSpelling(this.kind, value, this.#defaults.value));
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
