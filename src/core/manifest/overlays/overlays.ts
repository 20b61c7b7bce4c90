// Merges the blocks of overlays with those of their bases (semantics §9.12).
import type { Collect } from '../../../lib/series.ts';
import { checkRestrictedEffect, type PolicyRestrictions } from '../checks/restrictions.ts';
import { printBlockPosition, spotOfKey } from '../document/block-spots.ts';
import { type BlockList, type DeclaredBlock, declaredBlock, fileIn, SectionList } from '../document/declared-block.ts';
import type { ManifestDocument } from '../document/document.ts';
import type { LoadContext } from '../document/load-context.ts';
import { inSharedSpelling } from '../document/spellings.ts';
import { entryIn, type IdPaths, type TreeEntry } from '../files/tree.ts';
import type { Problems } from '../problems/problems.ts';
import { quoted } from '../problems/wording.ts';
import type { SourceList } from '../rows/source-list.ts';
import { idPathsOf } from '../schema/block-schema.ts';
import { mergeWritten, takesAway } from './merge.ts';

/** A list of blocks of a file, and the files below that file. */
export interface Layer {
  readonly list: BlockList;
  /** All keys of the list in order, for overlays only. */
  readonly keys: readonly string[];
  /** 0 for a file that does not extend another. */
  readonly depth: number;
  readonly below: ReadonlySet<string>;
}

interface Upper {
  readonly layer: Layer;
  readonly index: number;
  /** Whether the block was merged into another one. */
  isUsed: boolean;
}

interface LayContext extends LoadContext {
  /** Absent if the policy has none. */
  readonly restrictions: PolicyRestrictions | undefined;
}

export interface OverlayContext extends LayContext {
  readonly collect: Collect;
}

/** The blocks of all overlays. */
export class Overlays {
  readonly #context: LayContext;
  readonly #uppers = new Map<string, Upper[]>();
  readonly #layers: ReadonlyMap<BlockList, Layer>;
  readonly #byList = new Map<BlockList, readonly Upper[]>();

  constructor(layers: readonly Layer[], context: LayContext) {
    this.#context = context;
    this.#layers = new Map(layers.map((layer) => [layer.list, layer]));
    const overlays = layers.filter(({ depth }) => depth > 0).sort((left, right) => left.depth - right.depth);
    for (const layer of overlays) {
      const { list } = layer;
      const uppers = layer.keys.map((key, index): Upper => {
        const upper = { layer, index, isUsed: false };
        const name = nameOf(list, key);
        const uppersOfName = this.#uppers.get(name);
        if (uppersOfName === undefined) this.#uppers.set(name, [upper]);
        else uppersOfName.push(upper);
        return upper;
      });
      this.#byList.set(list, uppers);
    }
  }

  /** Returns the lists from the lowest layer to the highest. */
  inLayers<T extends BlockList>(lists: readonly T[]): readonly T[] {
    const depthOf = (list: BlockList): number => this.#layers.get(list)?.depth ?? 0;
    return [...lists].sort((left, right) => depthOf(left) - depthOf(right));
  }

  /** Whether overlays affect the block with this key of a list. */
  concerns(list: BlockList, key: string): boolean {
    return this.#byList.has(list) || this.#over(list, key).length > 0;
  }

  /**
   * Returns the block merged with all overlays. Returns undefined for a block that was merged into another one, removes one,
   * or is removed. Reports conflicts.
   */
  lay(list: BlockList, index: number, block: DeclaredBlock): DeclaredBlock | undefined {
    const edits = this.#byList.get(list);
    if (edits?.[index]?.isUsed === true) return undefined;
    const laid = this.#laid(list, block);
    if (laid === undefined || edits === undefined || !takesAway(laid.entry.value)) return laid;
    refuseNothing(laid, this.#context.problems);
    return undefined;
  }

  idPathsOf({ kind }: BlockList): IdPaths {
    return idPathsOf(kind, this.#context.kinds);
  }

  /** Returns the blocks that overlay one of a file, from the lowest to the highest. */
  #over(list: BlockList, key: string): readonly Upper[] {
    const depth = this.#layers.get(list)?.depth ?? 0;
    const all = this.#uppers.get(nameOf(list, key)) ?? [];
    return all.filter(({ layer }) => layer.depth > depth && layer.below.has(list.manifest.path));
  }

  #laid(list: BlockList, block: DeclaredBlock): DeclaredBlock | undefined {
    const { problems, restrictions } = this.#context;
    let merged: DeclaredBlock | undefined = block;
    let last = list;
    for (const upper of this.#over(list, block.key)) {
      upper.isUsed = true;
      const over = upper.layer.list.writtenAt(upper.index);
      if (!upper.layer.below.has(last.manifest.path)) {
        refuseBeside(over, merged ?? block, problems);
        continue;
      }
      last = upper.layer.list;
      const isTaken = takesAway(over.entry.value);
      if (isTaken && restrictions !== undefined) {
        const effect = { file: over.document.file.name, address: over.address };
        checkRestrictedEffect(effect, restrictions, problems, spotOfKey(over));
      }
      merged = isTaken || merged === undefined ? undefined : this.#merged(list, over, merged);
    }
    return merged;
  }

  #merged(list: BlockList, over: DeclaredBlock, under: DeclaredBlock): DeclaredBlock {
    const [valueOver, valueUnder] = inSharedSpelling(list.kind, over.entry.value, under.entry.value);
    const upper = { source: over.document.source, entry: { ...over.entry, value: valueOver } };
    const lower = { source: under.document.source, entry: { ...under.entry, value: valueUnder } };
    const { source, entry } = mergeWritten(upper, lower, this.idPathsOf(list), this.#context.problems);
    const fileOf = (name: string) =>
      entryIn(over.entry.value, name) === undefined ? fileIn(under, name) : fileIn(over, name);
    const parts = [...partsOf(under), ...partsOf(over)];
    return declaredBlock(list.kind, under.key, { file: over.document.file, source, fileOf, parts }, entry);
  }
}

function nameOf({ kind }: BlockList, key: string): string {
  return `${kind.name}.${key}`;
}

export async function overlaysOf(
  lists: readonly (SectionList | SourceList)[],
  documents: readonly ManifestDocument[],
  context: OverlayContext,
): Promise<Overlays> {
  const files = new Map(documents.map((document) => [document.file.path, document]));
  const layers: Layer[] = [];
  for (const list of lists) {
    const { depth = 0, below = new Set<string>() } = files.get(list.manifest.path) ?? {};
    const keys = depth === 0 ? [] : await keysOf(list, context);
    layers.push({ list, depth, below, keys });
  }
  return new Overlays(layers, context);
}

async function keysOf(list: SectionList | SourceList, context: OverlayContext): Promise<readonly string[]> {
  if (!(list instanceof SectionList)) return list.keep(context.collect, context.problems);
  return Array.from({ length: list.items.length }, (_, index) => list.items.keyAt(index));
}

/** Returns the attributes that each file declares. */
function partsOf(block: DeclaredBlock): NonNullable<DeclaredBlock['document']['parts']> {
  const { document, entry } = block;
  return document.parts ?? [{ file: document.file, names: namesIn(entry) }];
}

function namesIn({ value }: TreeEntry): readonly string[] {
  return value.type === 'map' ? [...value.entries.keys()] : [];
}

/** Reports two overlays of the same object of which neither extends the other. */
function refuseBeside(block: DeclaredBlock, other: DeclaredBlock, problems: Problems): void {
  const detail = `${block.address} is declared here and at ${printBlockPosition(other)}, but neither file extends the other. Keep one of them.`;
  problems.add('manifest.duplicate-resource', detail, spotOfKey(block));
}

/** Reports an `absent: true` that removes an object that no base has. */
function refuseNothing(block: DeclaredBlock, problems: Problems): void {
  const detail = `absent: true removes a declaration of the base, but the base declares no ${block.kind.title} ${quoted(block.key)}. Remove the line, or correct the key.`;
  problems.add('manifest.nothing-to-take', detail, spotOfKey(block));
}
