// Lists of declared blocks: a section of a document, or a file under `sources` (sources/source-list.ts).

import type { KindDefinition } from '../../kinds/definition/kind.ts';
import type { SourcePosition } from '../../model/source.ts';
import type { ManifestFile } from '../files/discover.ts';
import type { SectionItems } from '../files/documents.ts';
import { type IdPaths, mergeTrees, type TreeEntry } from '../files/tree.ts';
import type { Spot } from '../problems/problems.ts';
import { type DeclaredBlock, declaredBlock, positionOfBlock } from './declared-block.ts';
import type { ManifestDocument } from './document.ts';

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
