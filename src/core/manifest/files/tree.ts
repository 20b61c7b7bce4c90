// The content of a document as values with offsets, independent of the YAML library.
import type { JsonValue } from '../../../lib/json.ts';

/** Anchored parts are shared, so a tree may be a graph without cycles. */
export type Tree = ScalarTree | ListTree | MapTree;

export interface ScalarTree {
  readonly type: 'scalar';
  readonly offset: number;
  readonly value: string | number | boolean | null;
  /** As written, without quotes: `00123`, `1e5`, `yes`. */
  readonly text: string;
}

export interface ListTree {
  readonly type: 'list';
  readonly offset: number;
  readonly items: readonly Tree[];
}

export interface MapTree {
  readonly type: 'map';
  readonly offset: number;
  readonly entries: ReadonlyMap<string, TreeEntry>;
}

/** A value of a map. `offset` is that of its key. */
export interface TreeEntry {
  readonly offset: number;
  readonly value: Tree;
}

/** Tells which scalars are ids and read as source text. `step` descends to the value of a key, or to the items of a list. */
export interface IdPaths {
  readonly isText: boolean;
  step(key: string | undefined): IdPaths | undefined;
}

export function toJson(tree: Tree, ids?: IdPaths): JsonValue {
  switch (tree.type) {
    case 'scalar':
      return ids?.isText === true && tree.text !== '' ? tree.text : tree.value;
    case 'list':
      return tree.items.map((item) => toJson(item, ids?.step(undefined)));
    case 'map': {
      const entries = Array.from(tree.entries, ([key, entry]): [string, JsonValue] => [
        key,
        toJson(entry.value, ids?.step(key)),
      ]);
      return Object.fromEntries(entries);
    }
  }
}

/** Returns the direct values of a map or list. */
export function childrenOf(tree: Tree): readonly Tree[] {
  if (tree.type === 'map') return Array.from(tree.entries.values(), ({ value }) => value);
  return tree.type === 'list' ? tree.items : [];
}

function childOf(tree: Tree, part: string): TreeEntry | undefined {
  if (tree.type === 'map') return tree.entries.get(part);
  const item = tree.type === 'list' ? tree.items[Number(part)] : undefined;
  return item === undefined ? undefined : { offset: item.offset, value: item };
}

/** Returns the part at a path, or the last part on the way there. List items are identified by index. */
export function nearest(entry: TreeEntry, path: readonly string[]): TreeEntry {
  let here = entry;
  for (const part of path) {
    const next = childOf(here.value, part);
    if (next === undefined) return here;
    here = next;
  }
  return here;
}

/** Returns the offset to show: that of a scalar, or of the key of a map or list. */
export function valueOffset(entry: TreeEntry): number {
  return entry.value.type === 'scalar' && entry.value.value !== null ? entry.value.offset : entry.offset;
}

/** Returns the offset of a text in a list, also as a field of one of its maps: `[{user_id: alice}]`. */
export function offsetOfText(tree: Tree, text: string): number | undefined {
  if (tree.type === 'scalar') return tree.text === text ? tree.offset : undefined;
  if (tree.type === 'map') {
    const keyOffset = tree.entries.get(text)?.offset;
    if (keyOffset !== undefined) return keyOffset;
  }
  for (const part of childrenOf(tree)) {
    const innerOffset = offsetOfText(part, text);
    if (innerOffset !== undefined) return innerOffset;
  }
  return undefined;
}

/** Returns an entry of a map, or undefined if there is none or the tree is not a map. */
export function entryIn(tree: Tree | undefined, key: string): TreeEntry | undefined {
  return tree?.type === 'map' ? tree.entries.get(key) : undefined;
}
