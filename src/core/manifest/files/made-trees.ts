// Makes trees from values and from other trees. Rows, defaults and overlays become objects in this way.
import { isList, isObject, type JsonValue } from '../../../lib/json.ts';
import type { Tree, TreeEntry } from './tree.ts';

/** Makes a tree of a value without positions, with all offsets 0. */
export function treeOf(value: JsonValue): Tree {
  if (isList(value)) return { type: 'list', offset: 0, items: value.map(treeOf) };
  if (!isObject(value)) return { type: 'scalar', offset: 0, value, text: value === null ? '' : String(value) };
  const entries = Object.entries(value).map(([key, inner]): [string, TreeEntry] => [
    key,
    { offset: 0, value: treeOf(inner) },
  ]);
  return { type: 'map', offset: 0, entries: new Map(entries) };
}

/** Maps merge by key. For anything else, the upper value takes precedence. */
export function mergeTrees(upper: Tree, lower: Tree): Tree {
  if (upper.type !== 'map' || lower.type !== 'map') return upper;
  const entries = new Map(upper.entries);
  for (const [key, entry] of lower.entries) {
    const existing = entries.get(key);
    entries.set(
      key,
      existing === undefined ? entry : { offset: existing.offset, value: mergeTrees(existing.value, entry.value) },
    );
  }
  return { type: 'map', offset: upper.offset, entries };
}

/** Returns the same values with all offsets at the given one. */
export function placedAt(tree: Tree, offset: number): Tree {
  if (tree.type === 'scalar') return { ...tree, offset };
  if (tree.type === 'list') return { ...tree, offset, items: tree.items.map((item) => placedAt(item, offset)) };
  const entries = Array.from(tree.entries, ([key, { value }]): [string, TreeEntry] => [
    key,
    { offset, value: placedAt(value, offset) },
  ]);
  return { type: 'map', offset, entries: new Map(entries) };
}
