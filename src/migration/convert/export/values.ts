// Readers of fields of an export. A field of an unexpected type counts as absent.
import { isList, isObject, type JsonObject, type JsonValue, ownValue } from '../../../lib/json.ts';

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

const iso =
  /^\d{4}-\d{2}-\d{2}[T ](?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.(?<fraction>\d{1,9}))?(?<zone>Z|[+-]\d{2}(?::?\d{2})?)$/u;

/** An instant in ISO 8601 with a zone. `finer` are its digits after those of the milliseconds. Undefined for any other text. */
function instantOf(text: string): { readonly time: number; readonly finer: string } | undefined {
  if (text.length < 20 || text.length > 40 || text[4] !== '-') return undefined;
  const { fraction = '', zone = '' } = iso.exec(text)?.groups ?? {};
  if (zone === '') return undefined;
  const offset = zone.length === 3 ? `${zone}:00` : zone;
  const time = Date.parse(`${text.slice(0, 10)}T${text.slice(11, text.length - zone.length)}${offset}`);
  // Date.parse takes a 31st of a shorter month for a day of the next one.
  const isDay = new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(text.slice(8, 10));
  return Number.isNaN(time) || !isDay ? undefined : { time, finer: fraction.slice(3) };
}

/** `time` is in Unix milliseconds, or NaN. `written` is the time as `oneForm` writes it, or a value that is no time. */
export function timeOf(value: JsonValue | undefined): { readonly time: number; readonly written: JsonValue } {
  if (typeof value === 'number') return { time: value, written: value };
  const instant = typeof value === 'string' ? instantOf(value) : undefined;
  if (instant === undefined) return { time: Number.NaN, written: value ?? null };
  return { time: instant.time, written: oneForm(instant.time, instant.finer) };
}

/**
 * An instant in one form, whatever zone and notation the source wrote it in: Unix milliseconds, or ISO 8601 in UTC for an instant
 * that is finer. `finer` are its digits after those of the milliseconds.
 */
export function oneForm(time: number, finer = ''): JsonValue {
  return /[1-9]/u.test(finer) ? inUtc(time, finer) : time;
}

function inUtc(time: number, finer: string): string {
  return new Date(time).toISOString().replace('Z', `${finer.replace(/0+$/u, '')}Z`);
}

/** A value in which each time with a zone is written in UTC, so that another zone is no other value. */
export function withUtcTimes(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    const instant = instantOf(value);
    return instant === undefined ? value : inUtc(instant.time, instant.finer);
  }
  if (isList(value)) return value.map(withUtcTimes);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withUtcTimes(inner)]));
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
