// Merges a row with the defaults of the manifest that names its file: as a value, and with the places of parts.
import { isObject, type JsonObject, type JsonValue, own } from '../../lib/json.ts';
import { type MapTree, mergeTrees, placedAt, type Tree, type TreeEntry } from '../yaml/tree.ts';

/** Maps merge by key; for anything else, the upper value wins. */
export function mergeValues(upper: JsonObject, lower: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...upper };
  for (const [key, value] of Object.entries(lower)) {
    const above = own(upper, key);
    if (above === undefined) merged[key] = value;
    else if (isObject(above) && isObject(value)) merged[key] = mergeValues(above, value);
  }
  return merged;
}

/** `row` is undefined when nothing of it can be read. */
export function entryOfRow(row: Tree = nothing, keyName: string, defaults: MapTree | undefined): TreeEntry {
  const own = row.type === 'map' ? withoutKey(row, keyName) : row;
  // Defaults do not stand in the row; problems with them point at its start.
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
