// The lists of declared blocks: a section of a document, or a file under `sources`. Blocks are read on demand, repeatedly.
import type { JsonValue } from '../../lib/json.ts';
import type { SourcePosition } from '../../model/source.ts';
import type { KindDefinition } from '../../resources/define.ts';
import type { Spot } from '../checks/problems.ts';
import type { ManifestFile } from '../discover.ts';
import type { DeclaredItems } from '../for-each/expand.ts';
import type { SectionItems } from '../yaml/section-items.ts';
import { type IdPaths, mergeTrees, type TreeEntry, toJson } from '../yaml/tree.ts';
import { type DeclaredBlock, declaredBlock, positionOfBlock } from './declared-block.ts';
import type { ManifestDocument } from './document.ts';

/** What one block declares, without the places of its parts. */
export interface DeclaredValue {
  readonly key: string;
  /** With defaults merged in; ids are their source text. */
  readonly value: JsonValue;
  readonly source: SourcePosition;
  /** Present where the places are known without reading again. */
  readonly block?: DeclaredBlock;
}

export interface BlockList {
  readonly kind: KindDefinition;
  readonly file: ManifestFile;
  /** The manifest that declares the list: `file`, or the one that names it as a source. */
  readonly manifest: ManifestFile;
  /** The block as it is written, without defaults. */
  writtenAt(index: number): DeclaredBlock;
  /** The block with the places of all parts. */
  blockAt(index: number): DeclaredBlock;
  keysAt(indices: readonly number[]): readonly string[];
  /** Throws a refusal (65) when the file has changed. */
  valuesAt(indices: readonly number[]): readonly DeclaredValue[];
}

/** A section of a document. `defaults` are those of its file. */
export class SectionList implements BlockList {
  readonly kind: KindDefinition;
  readonly items: SectionItems;
  /** Its blocks are made of the rows of one block. */
  readonly isExpanded: boolean;
  readonly file: ManifestFile;
  readonly manifest: ManifestFile;
  /** The spot of the section's name. */
  readonly spot: Spot;
  readonly #document: ManifestDocument;
  readonly #defaults: TreeEntry | undefined;
  /** Which of the values are ids. */
  readonly idPaths: IdPaths;

  constructor(
    kind: KindDefinition,
    document: ManifestDocument,
    { items, isExpanded }: DeclaredItems,
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

  #block(index: number, entry: TreeEntry): DeclaredBlock {
    const source = this.items.sourceAt?.(index) ?? this.#document.source;
    const written = { file: this.file, source };
    return declaredBlock(this.kind, this.items.keyAt(index), written, entry);
  }

  keysAt(indices: readonly number[]): readonly string[] {
    return indices.map((index) => this.items.keyAt(index));
  }

  valuesAt(indices: readonly number[]): readonly DeclaredValue[] {
    return indices.map((index) => {
      const block = this.blockAt(index);
      return {
        key: block.key,
        value: toJson(block.entry.value, this.idPaths),
        source: positionOfBlock(block),
        block,
      };
    });
  }
}
