// Merges an overlay with its base: maps by key, lists of ids by entry (semantics §9.12).
import { printPosition } from '../../model/source.ts';
import { type IdPaths, type ListTree, type MapTree, type Tree, type TreeEntry, valueOffset } from '../files/tree.ts';
import type { ProblemSource, Problems } from '../problems/problems.ts';
import { quoted } from '../problems/wording.ts';
import { absentKey } from '../schema/overlay-schema.ts';
import { below, LayeredSource } from './layered-source.ts';

/** A part of a manifest and its source. */
export interface WrittenPart {
  readonly source: ProblemSource;
  readonly entry: TreeEntry;
}

/**
 * Whether the value is `{ absent: true }`, which removes. A null removes nothing: programs that rewrite YAML print it for an empty value,
 * such as a member without statuses.
 */
export function takesAway(tree: Tree): boolean {
  if (tree.type !== 'map' || tree.entries.size > 1) return false;
  const mark = tree.entries.get(absentKey)?.value;
  return mark?.type === 'scalar' && mark.value === true;
}

/** `ids` are the paths of ids. Reports removals of values that the base does not have. */
export function mergeWritten(
  upper: WrittenPart,
  lower: WrittenPart,
  ids: IdPaths | undefined,
  problems: Problems,
): WrittenPart {
  const source = new LayeredSource(upper.source, lower.source);
  const under = below(upper.source, { type: 'map', offset: 0, entries: new Map([['', lower.entry]]) }) as MapTree;
  const base = under.entries.get('') ?? lower.entry;
  return { source, entry: new Merge(source, problems).entries(upper.entry, base, ids) };
}

class Merge {
  readonly #source: LayeredSource;
  readonly #problems: Problems;

  constructor(source: LayeredSource, problems: Problems) {
    this.#source = source;
    this.#problems = problems;
  }

  entries(upper: TreeEntry, lower: TreeEntry, ids: IdPaths | undefined): TreeEntry {
    const value = this.#values(upper, lower, ids);
    this.#source.lay(upper.offset, lower.offset);
    const [over, under] = [valueOffset({ offset: upper.offset, value }), valueOffset(lower)];
    if (over !== under) this.#source.lay(over, under);
    return { offset: upper.offset, value };
  }

  #values(
    { value: upper, offset }: TreeEntry,
    { value: lower, offset: under }: TreeEntry,
    ids: IdPaths | undefined,
  ): Tree {
    const isIdList = ids?.step(undefined)?.isText === true;
    if (isIdList && lower.type === 'list' && upper.type !== 'scalar') return this.#lists(upper, lower);
    if (upper.type === 'map' && lower.type === 'map') return this.#maps(upper, lower, ids);
    if (upper.type === lower.type || upper.type === 'scalar' || lower.type === 'scalar') return upper;
    const detail = `This is a ${upper.type}, and the base has a ${lower.type} at ${this.#place(under)}. Use the type of the base, or remove it with { absent: true } in a layer between the two.`;
    this.#problems.add('manifest.overlay-form', detail, { source: this.#source, offset });
    return upper;
  }

  #maps(upper: MapTree, lower: MapTree, ids: IdPaths | undefined): MapTree {
    const entries = new Map(lower.entries);
    for (const [key, entry] of upper.entries) {
      const existing = lower.entries.get(key);
      if (takesAway(entry.value)) {
        if (existing === undefined) this.#refuseNothing(key, entry.offset);
        entries.delete(key);
      } else entries.set(key, existing === undefined ? entry : this.entries(entry, existing, ids?.step(key)));
    }
    return { type: 'map', offset: upper.offset, entries };
  }

  /** Adds entries. A map can also remove them: `operators: { bob: { absent: true }, carol: }`. */
  #lists(upper: ListTree | MapTree, lower: ListTree): ListTree {
    const items = new Map(lower.items.map((item) => [textOf(item), item]));
    if (upper.type === 'list') {
      for (const item of upper.items) items.set(textOf(item), item);
    } else {
      for (const [key, { offset, value }] of upper.entries) {
        const isTaken = takesAway(value);
        if (isTaken && !items.has(key)) this.#refuseNothing(key, offset);
        if (isTaken) items.delete(key);
        else items.set(key, { type: 'scalar', offset, value: key, text: key });
      }
    }
    return { type: 'list', offset: upper.offset, items: [...items.values()] };
  }

  #refuseNothing(key: string, offset: number): void {
    const detail = `absent: true removes a declaration of the base, but the base has no ${quoted(key)} here. Remove the line or correct the name.`;
    this.#problems.add('manifest.nothing-to-take', detail, { source: this.#source, offset });
  }

  #place(offset: number): string {
    return printPosition(this.#source.position(offset));
  }
}

function textOf(tree: Tree): string {
  return tree.type === 'scalar' ? tree.text : '';
}
