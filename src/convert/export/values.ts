// Readers of fields of an export. A field of an unexpected type counts as absent.
import { isList, isObject, type JsonObject, type JsonValue, ownValue } from '../../lib/json.ts';

/** Undefined for an empty text as well. */
export function textIn(value: JsonObject, name: string): string | undefined {
  const found = ownValue(value, name);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** Also accepts a number written as text, as in old exports. */
export function numberIn(value: JsonObject, name: string): number | undefined {
  const found = ownValue(value, name);
  const number = typeof found === 'string' && found.trim() !== '' ? Number(found) : found;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

export function objectIn(value: JsonObject, name: string): JsonObject {
  const found = ownValue(value, name);
  return isObject(found) ? found : {};
}

export function objectsIn(value: JsonObject, name: string): readonly JsonObject[] {
  const found = ownValue(value, name);
  return isList(found) ? found.filter(isObject) : [];
}

export function textsIn(value: JsonObject, name: string): readonly string[] {
  const found = ownValue(value, name);
  return isList(found) ? found.filter((item): item is string => typeof item === 'string') : [];
}

/** The named fields, without absent or empty ones. */
export function picked(value: JsonObject, names: Iterable<string>): JsonObject {
  const fields: Record<string, JsonValue> = {};
  for (const name of names) {
    const found = ownValue(value, name);
    if (found !== undefined && found !== null && found !== '') fields[name] = found;
  }
  return fields;
}

const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})$/u;

/** `time` is in Unix milliseconds, or NaN. `written` is the text, if it is more precise. */
export function timeOf(value: JsonValue | undefined): { readonly time: number; readonly written: JsonValue } {
  if (typeof value === 'number') return { time: value, written: value };
  if (typeof value !== 'string' || !iso.test(value)) return { time: Number.NaN, written: value ?? null };
  const time = Date.parse(value);
  const plain = new Date(time).toISOString();
  return { time, written: value === plain || value === plain.replace('.000Z', 'Z') ? time : value };
}

/** Sorts paths with numbers in numeric order: `part 9` before `part 10`. */
export function naturally(paths: readonly string[]): readonly string[] {
  const collator = new Intl.Collator('en', { numeric: true });
  return [...paths].sort((left, right) => collator.compare(left, right));
}

/** Deeper than any chat system writes, but not deep enough to overflow the stack of recursive functions. */
const maxDepth = 500;

export function isTooDeep(value: JsonValue): boolean {
  let level: readonly JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    const below: JsonValue[] = [];
    for (const container of level) {
      const inner = isNested(container) ? Object.values(container as object) : [];
      for (const value of inner as readonly JsonValue[]) if (isNested(value)) below.push(value);
    }
    level = below;
  }
  return false;
}

function isNested(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}
