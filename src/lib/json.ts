// JSON values: types, equality, canonical text, and the texts and keys that no manifest may contain.

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** The tags on the types of numbers and texts below go into the schemas of documents (cli/reference/generate-documents.ts). */
/** @type integer @minimum 0 */
export type Count = number;

/** @type integer @minimum 1 */
export type PositiveCount = number;

/** @minimum 0 */
export type Amount = number;

/** @exclusiveMinimum 0 */
export type Rate = number;

/**
 * ISO 8601, in UTC.
 * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$
 */
export type UtcTime = string;

/**
 * MAJOR.MINOR. Readers ignore unknown keys and refuse another MAJOR.
 * @type string
 * @pattern ^1\.\d+$
 */
export type FormatVersion = '1.0';

/** @pattern ^[0-9a-f]{64}$ */
export type Sha256 = string;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Returns the object's own value. Inherited names such as `valueOf` are also valid user_ids. */
export function ownValue<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The value at a path of own names, and of places in lists. */
export function valueAt(value: JsonValue | undefined, path: readonly (string | number)[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((here, part) => {
    if (typeof part === 'number') return isList(here) ? here.at(part) : undefined;
    return isObject(here) ? ownValue(here, part) : undefined;
  }, value);
}

/** The texts in a list. */
export function textsIn(value: JsonValue | undefined): string[] {
  return isList(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** Returns undefined if the text is not JSON. */
export function parsedJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Returns undefined if the text is not a JSON object. */
export function parsedObject(text: string): JsonObject | undefined {
  const value = parsedJson(text);
  return isObject(value) ? value : undefined;
}

/** Deep equality. The order of keys does not matter, but the order of a list does. */
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

/** Returns JSON with all keys sorted by code unit, so that equal values have equal texts. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'string') return jsonString(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  let text = '';
  for (const key of Object.keys(value).sort()) {
    const inner = value[key];
    if (inner !== undefined) text += `${text === '' ? '' : ','}${jsonString(key)}:${canonicalJson(inner)}`;
  }
  return `{${text}}`;
}

export function jsonString(text: string): string {
  return escaped.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Matches characters that JSON escapes, and surrogates, which JSON escapes only if they are unpaired. */
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A copy with other texts. `ofKey` makes the keys of objects. */
export function withTexts(value: JsonValue, ofText: (text: string) => string, ofKey = ofText): JsonValue {
  if (typeof value === 'string') return ofText(value);
  if (isList(value)) return value.map((item) => withTexts(item, ofText, ofKey));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [ofKey(name), withTexts(item, ofText, ofKey)]));
}

/** Compares by UTF-16 code unit, independently of the locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Returns the value with all keys sorted, or the value itself if they already are. */
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

/** Keys with a special meaning in JavaScript objects (semantics §9). */
export const reservedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Most texts are in ASCII, in which no two letters look alike. */
export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/u.test(text);
}

/** Whether the text contains a NUL character or half of a surrogate pair, which databases and URLs reject. */
export function isUnusableText(text: string): boolean {
  return !text.isWellFormed() || text.includes('\0');
}

/** Returns the text with U+FFFD in place of such characters. */
export function usableText(text: string): string {
  return isUnusableText(text) ? text.toWellFormed().replaceAll('\0', '\ufffd') : text;
}
