// Lays the blocks of overlays over those of their bases. Only the keys of overlays are kept; a merged block is made anew
// whenever it is read (semantics §9.12).

import { idPathsOfCheck } from '../blocks/block.ts';
import type { BlockList, DeclaredValue } from '../blocks/block-list.ts';
import {
  type DeclaredBlock,
  declaredBlock,
  entryIn,
  fileIn,
  positionOfBlock,
  printBlockPosition,
  spotOfKey,
} from '../blocks/declared-block.ts';
import type { LoadContext } from '../blocks/document.ts';
import { Problems } from '../checks/problems.ts';
import { quoted } from '../checks/wording.ts';
import { type IdPaths, type TreeEntry, toJson } from '../yaml/tree.ts';
import { mergeWritten, takesAway } from './merge.ts';

/** A list of blocks of a file, and the files that the file lies over. */
export interface LayeredInput {
  readonly list: BlockList;
  /** All keys of the list, in order. */
  readonly keys: () => readonly string[];
  readonly depth: number;
  readonly below: ReadonlySet<string>;
}

/** A block of an overlay. */
interface Upper {
  readonly input: LayeredInput;
  readonly index: number;
  /** It was laid over another block, and is none of its own. */
  isUsed: boolean;
}

/** The blocks of all overlays. */
export class Overlays {
  readonly #context: LoadContext;
  readonly #uppers = new Map<string, Upper[]>();
  readonly #byList = new Map<BlockList, (Upper | undefined)[]>();

  constructor(inputs: readonly LayeredInput[], context: LoadContext) {
    this.#context = context;
    const overlays = inputs.filter(({ depth }) => depth > 0).sort((left, right) => left.depth - right.depth);
    for (const input of overlays) {
      const { list } = input;
      const uppers = input.keys().map((key, index): Upper => {
        const upper = { input, index, isUsed: false };
        const name = nameOf(list.kind.kind, key);
        const known = this.#uppers.get(name);
        if (known === undefined) this.#uppers.set(name, [upper]);
        else known.push(upper);
        return upper;
      });
      this.#byList.set(list, uppers);
    }
  }

  get problems(): Problems {
    return this.#context.problems;
  }

  /** The blocks over one of a file, from the lowest to the highest. */
  over({ list, depth }: LayeredInput, key: string): readonly Upper[] {
    const all = this.#uppers.get(nameOf(list.kind.kind, key)) ?? [];
    return all.filter(({ input }) => input.depth > depth && input.below.has(list.manifest.path));
  }

  isUsed(list: BlockList, index: number): boolean {
    return this.#byList.get(list)?.[index]?.isUsed === true;
  }

  idPathsOf(list: BlockList): IdPaths {
    return idPathsOfCheck(this.#context.checks.of(list.kind).block, this.#context);
  }
}

function nameOf(kind: string, key: string): string {
  return `${kind}.${key}`;
}

/** The blocks of one list, with what overlays say of them. */
export class LayeredList implements BlockList {
  readonly kind: BlockList['kind'];
  readonly file: BlockList['file'];
  readonly manifest: BlockList['manifest'];
  readonly inner: BlockList;
  readonly #input: LayeredInput;
  readonly #overlays: Overlays;

  constructor(input: LayeredInput, overlays: Overlays) {
    this.inner = input.list;
    this.kind = input.list.kind;
    this.file = input.list.file;
    this.manifest = input.list.manifest;
    this.#input = input;
    this.#overlays = overlays;
  }

  /** Whether this block was laid over another one. */
  isUsed(index: number): boolean {
    return this.#overlays.isUsed(this.inner, index);
  }

  /** Its file extends another. */
  get isOverlay(): boolean {
    return this.#input.depth > 0;
  }

  get idPaths(): IdPaths {
    return this.#overlays.idPathsOf(this.inner);
  }

  hasOverlay(key: string): boolean {
    return this.#overlays.over(this.#input, key).length > 0;
  }

  /** The block with everything that lies over it; undefined when an overlay takes it away. Reports what does not fit. */
  lay(block: DeclaredBlock, problems = this.#overlays.problems): DeclaredBlock | undefined {
    let merged: DeclaredBlock | undefined = block;
    let last: LayeredInput = this.#input;
    for (const upper of this.#overlays.over(this.#input, block.key)) {
      upper.isUsed = true;
      const over = upper.input.list.writtenAt(upper.index);
      if (!upper.input.below.has(last.list.manifest.path)) {
        refuseBeside(over, merged ?? block, problems);
        continue;
      }
      last = upper.input;
      merged = takesAway(over.entry.value) || merged === undefined ? undefined : this.#merged(over, merged, problems);
    }
    return merged;
  }

  #merged(over: DeclaredBlock, under: DeclaredBlock, problems: Problems): DeclaredBlock {
    const upper = { source: over.document.source, entry: over.entry };
    const lower = { source: under.document.source, entry: under.entry };
    const { source, entry } = mergeWritten(upper, lower, this.idPaths, problems);
    const fileOf = (name: string) =>
      entryIn(over.entry.value, name) === undefined ? fileIn(under, name) : fileIn(over, name);
    const parts = [...partsOf(under), ...partsOf(over)];
    return declaredBlock(this.kind, under.key, { file: over.document.file, source, fileOf, parts }, entry);
  }

  blockAt(index: number): DeclaredBlock {
    const block = this.inner.blockAt(index);
    return this.hasOverlay(block.key) ? (this.lay(block, new Problems()) ?? block) : block;
  }

  writtenAt(index: number): DeclaredBlock {
    return this.inner.writtenAt(index);
  }

  keysAt(indices: readonly number[]): readonly string[] {
    return this.inner.keysAt(indices);
  }

  valuesAt(indices: readonly number[]): readonly DeclaredValue[] {
    return this.inner.valuesAt(indices).map((value, at) => {
      if (!this.hasOverlay(value.key)) return value;
      const block = this.blockAt(indices[at] ?? 0);
      const declared = toJson(block.entry.value, this.idPaths);
      return { key: value.key, value: declared, source: positionOfBlock(block), block };
    });
  }
}

/** What each file declares of a block. */
function partsOf(block: DeclaredBlock): NonNullable<DeclaredBlock['document']['parts']> {
  const { document, entry } = block;
  return document.parts ?? [{ file: document.file, names: namesIn(entry) }];
}

function namesIn({ value }: TreeEntry): readonly string[] {
  return value.type === 'map' ? [...value.entries.keys()] : [];
}

/** Reports a block of an overlay beside another overlay of the same object: neither lies over the other. */
function refuseBeside(block: DeclaredBlock, other: DeclaredBlock, problems: Problems): void {
  const detail = `${block.address} is declared here and at ${printBlockPosition(other)}, and neither file extends the other. Keep one of them.`;
  problems.add('manifest.duplicate-resource', detail, spotOfKey(block));
}

/** Reports a `null` that takes away an object that no base has. */
export function refuseNothing(block: DeclaredBlock, problems: Problems): void {
  const detail = `null takes away, and the base declares no ${block.kind.title} ${quoted(block.key)}. Remove the line, or correct the key.`;
  problems.add('manifest.nothing-to-take', detail, spotOfKey(block));
}
