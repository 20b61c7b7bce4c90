// What does a row declare with the defaults of the manifest that names its file? As a value, and with the place of each part.
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { type MapTree, mergeTrees, type Tree, type TreeEntry } from '../yaml/tree.ts';

/** Maps merge by key; of anything else, the upper one is taken. */
export function mergeValues(upper: JsonObject, lower: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...upper };
  for (const [key, value] of Object.entries(lower)) {
    const own = merged[key];
    if (own === undefined) merged[key] = value;
    else if (isObject(own) && isObject(value)) merged[key] = mergeValues(own, value);
  }
  return merged;
}

/** `row`: undefined when nothing can be read of it. */
export function entryOfRow(row: Tree = nothing, keyName: string, defaults: MapTree | undefined): TreeEntry {
  const own = row.type === 'map' ? withoutKey(row, keyName) : row;
  const value = defaults === undefined ? own : mergeTrees(own, placedAt(defaults, row.offset));
  return { offset: keyOffset(row, keyName), value };
}

const nothing: Tree = { type: 'scalar', offset: 0, value: null, text: '' };

function withoutKey(tree: MapTree, name: string): MapTree {
  const entries = new Map(tree.entries);
  entries.delete(name);
  return { ...tree, entries };
}

function keyOffset(tree: Tree, name: string): number {
  const entry = tree.type === 'map' ? tree.entries.get(name) : undefined;
  return entry?.value.offset ?? tree.offset;
}

/** What comes from the manifest stands nowhere in the row: problems with it are told at the row's start. */
function placedAt(tree: Tree, offset: number): Tree {
  if (tree.type === 'scalar') return { ...tree, offset };
  if (tree.type === 'list') return { ...tree, offset, items: tree.items.map((item) => placedAt(item, offset)) };
  const entries = Array.from(tree.entries, ([key, { value }]): [string, TreeEntry] => [
    key,
    { offset, value: placedAt(value, offset) },
  ]);
  return { type: 'map', offset, entries: new Map(entries) };
}
