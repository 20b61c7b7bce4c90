// Removes the refused parts of a value.
import { isList, isObject, type JsonValue } from '../../../lib/json.ts';

/**
 * Returns the value without the parts at the paths. In a list, null replaces them. An empty path removes nothing.
 */
export function prune(value: JsonValue, paths: readonly (readonly string[])[]): JsonValue {
  return paths.length === 0
    ? value
    : (without(
        value,
        paths.filter((path) => path.length > 0),
      ) ?? value);
}

function without(value: JsonValue, paths: readonly (readonly string[])[]): JsonValue | undefined {
  if (paths.length === 0) return value;
  if (paths.some((path) => path.length === 0)) return undefined;
  const below = new Map<string, (readonly string[])[]>();
  for (const [head = '', ...rest] of paths) {
    const innerPaths = below.get(head);
    if (innerPaths === undefined) below.set(head, [rest]);
    else innerPaths.push(rest);
  }
  if (isList(value)) {
    return value.map((item, index) => without(item, below.get(String(index)) ?? []) ?? null);
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, JsonValue][] => {
    const pruned = without(inner, below.get(key) ?? []);
    return pruned === undefined ? [] : [[key, pruned]];
  });
  return Object.fromEntries(entries);
}
