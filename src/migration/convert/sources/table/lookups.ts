// Values of rows that other rows look up by key. They are kept in memory. A look-up may need values that other look-ups find, so tables
// are read in levels.
import { equalJson, type JsonObject } from '../../../../lib/json.ts';
import type { Lookup, RowValue } from './row-values.ts';

/**
 * The look-ups in the order in which they can be filled: those of a level need only those of earlier levels. Look-ups that need each other
 * are in none.
 */
export function levelsOf(lookups: Iterable<Lookup>): readonly (readonly Lookup[])[] {
  const levels: Lookup[][] = [];
  const filled = new Set<Lookup>();
  let waiting = [...lookups];
  for (;;) {
    const level = waiting.filter(({ needs }) => [...needs].every((need) => filled.has(need)));
    if (level.length === 0) return levels;
    levels.push(level);
    for (const lookup of level) filled.add(lookup);
    waiting = waiting.filter((lookup) => !filled.has(lookup));
  }
}

/** The text of a key, or undefined for a missing one. */
export function keyText(key: ReturnType<RowValue>): string | undefined {
  return key === undefined || key === null || key === '' || typeof key === 'symbol' ? undefined : String(key);
}

/** Stores the values of a row, unless an earlier row has the key. */
export function remember(lookups: readonly Lookup[], key: string, row: JsonObject): void {
  for (const { get, values } of lookups) {
    const value = values.has(key) ? undefined : get(row);
    if (value !== undefined && value !== null && typeof value !== 'symbol') values.set(key, value);
  }
}

/** Whether look-ups by the key find the values of the row. They do not if an earlier row has the key and other values. */
export function findsValuesOf(lookups: readonly Lookup[], key: string, row: JsonObject): boolean {
  return lookups.every(({ get, values }) => {
    const value = get(row);
    return value === undefined || value === null || typeof value === 'symbol' || equalJson(values.get(key), value);
  });
}
