// Combines sources for a block whose parts come from an overlay and its base (semantics §9.12).

import type { SourcePosition } from '../../model/source.ts';
import type { Tree, TreeEntry } from '../files/tree.ts';
import type { ProblemSource } from '../problems/problems.ts';

/** Offsets of layer n begin at n times this, which exceeds the length of any text. */
const layerLength = 2 ** 32;

/** `upper` keeps its offsets. `below` shifts those of `lower`. */
export class LayeredSource implements ProblemSource {
  readonly file: string;
  readonly #layers: readonly ProblemSource[];
  /** By offset of an upper value, the offset of the value that it replaces or is merged with. */
  readonly #replaced = new Map<number, number>();

  constructor(upper: ProblemSource, lower: ProblemSource) {
    this.file = upper.file;
    this.#layers = [...layersOf(upper), ...layersOf(lower)];
    if (upper instanceof LayeredSource) for (const [over, under] of upper.#replaced) this.#replaced.set(over, under);
    if (!(lower instanceof LayeredSource)) return;
    const by = layersOf(upper).length * layerLength;
    for (const [over, under] of lower.#replaced) this.#replaced.set(over + by, under + by);
  }

  /** Notes that a value overlays another. */
  lay(over: number, under: number): void {
    this.#replaced.set(over, under);
  }

  position(offset: number): SourcePosition {
    const position = this.#layerAt(offset).position(offset % layerLength);
    const under = this.#replaced.get(offset);
    return under === undefined ? position : { ...position, over: this.position(under) };
  }

  excerpt(offset: number): string | undefined {
    return this.#layerAt(offset).excerpt(offset % layerLength);
  }

  #layerAt(offset: number): ProblemSource {
    const layer = this.#layers[Math.floor(offset / layerLength)];
    return layer ?? (this.#layers[0] as ProblemSource);
  }

  static layersOf(source: ProblemSource): readonly ProblemSource[] {
    return source instanceof LayeredSource ? source.#layers : [source];
  }
}

function layersOf(source: ProblemSource): readonly ProblemSource[] {
  return LayeredSource.layersOf(source);
}

/** Returns the lower tree with its offsets in `new LayeredSource(upper, lower)`. */
export function below(upper: ProblemSource, tree: Tree): Tree {
  return moved(tree, layersOf(upper).length * layerLength);
}

function moved(tree: Tree, by: number): Tree {
  const offset = tree.offset + by;
  if (tree.type === 'scalar') return { ...tree, offset };
  if (tree.type === 'list') return { ...tree, offset, items: tree.items.map((item) => moved(item, by)) };
  const entries = Array.from(tree.entries, ([key, entry]): [string, TreeEntry] => [
    key,
    { offset: entry.offset + by, value: moved(entry.value, by) },
  ]);
  return { type: 'map', offset, entries: new Map(entries) };
}
