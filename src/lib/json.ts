// What is a JSON value here, when are two of them equal, and what is its one canonical text?

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Of the object itself: `valueOf` is a good user_id, and every object has one that is not its own. */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Deep equality; the order of an object's keys does not count, the order of a list does. */
export function equalJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isList(left)) {
    return (
      isList(right) && left.length === right.length && left.every((value, index) => equalJson(value, right[index]))
    );
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && equalJson(left[key], right[key]));
}

/** The text of a value with every object's keys sorted by code unit: equal values have equal texts. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'string') return jsonString(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  // Most keys are in order, as those of a million records that were read from such texts.
  return spelledInOrder(value) ?? spelled(value, Object.keys(value).sort());
}

/** A text as JSON has it. */
export function jsonString(text: string): string {
  return escaped.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** All that JSON escapes, and whole surrogate pairs, which it leaves as they are. */
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/;

/** In one walk, without a list of its keys; undefined when they are not in order. */
function spelledInOrder(value: JsonObject): string | undefined {
  let text = '';
  let previous = '';
  for (const key in value) {
    if (key < previous) return undefined;
    previous = key;
    const inner = value[key];
    if (inner !== undefined) text += (text === '' ? '{' : ',') + spelledKey(key) + canonicalJson(inner);
  }
  return text === '' ? '{}' : `${text}}`;
}

function spelled(value: JsonObject, keys: readonly string[]): string {
  const parts = keys.flatMap((key) => {
    const inner = value[key];
    return inner === undefined ? [] : [spelledKey(key) + canonicalJson(inner)];
  });
  return `{${parts.join(',')}}`;
}

/** The names of attributes are few. Ids of members are keys as well, and may be many: those are not all kept. */
const keptKeys = 1_000;
const spelledKeys = new Map<string, string>();

function spelledKey(key: string): string {
  const known = spelledKeys.get(key);
  if (known !== undefined) return known;
  const text = `${jsonString(key)}:`;
  if (spelledKeys.size < keptKeys) spelledKeys.set(key, text);
  return text;
}

/** Order by UTF-16 code unit: the same on every machine and locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The same value with the keys of every object sorted; itself when they are, so that most values are not copied. */
export function inKeyOrder<T>(value: T): T {
  return sorted(value as JsonValue) as T;
}

function sorted(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) {
    const items = value.map(sorted);
    return items.every((item, place) => item === value[place]) ? value : items;
  }
  const object = value as JsonObject;
  let previous = '';
  let isSorted = true;
  for (const key in object) {
    const inner = object[key];
    if (key < previous || (typeof inner === 'object' && sorted(inner) !== inner)) isSorted = false;
    previous = key;
  }
  if (isSorted) return value;
  const keys = Object.keys(object).sort();
  return Object.fromEntries(keys.map((key): [string, JsonValue] => [key, sorted(object[key] ?? null)]));
}
