// JSON values: their types, their equality, their canonical text, and the texts and keys that no manifest may contain.

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The object's own value of a key. Every object inherits a `valueOf`, and that is also a valid user_id. */
export function own<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Deep equality. The order of an object's keys does not matter, the order of a list does. */
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

/** The JSON of a value, with the keys of every object sorted by code unit. Equal values have equal texts. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'string') return jsonString(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  // Most keys are sorted already, such as those of records that were parsed from canonical texts.
  return ofSortedKeys(value) ?? ofKeys(value, Object.keys(value).sort());
}

/** The JSON of a text. */
export function jsonString(text: string): string {
  return escaped.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Everything that JSON escapes, and surrogate pairs, which it does not. */
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/;

/** In one pass, without a list of the keys; undefined when they are not sorted. */
function ofSortedKeys(value: JsonObject): string | undefined {
  let text = '';
  let previous = '';
  for (const key in value) {
    if (key < previous) return undefined;
    previous = key;
    const inner = value[key];
    if (inner !== undefined) text += (text === '' ? '{' : ',') + keyText(key) + canonicalJson(inner);
  }
  return text === '' ? '{}' : `${text}}`;
}

function ofKeys(value: JsonObject, keys: readonly string[]): string {
  const parts = keys.flatMap((key) => {
    const inner = value[key];
    return inner === undefined ? [] : [keyText(key) + canonicalJson(inner)];
  });
  return `{${parts.join(',')}}`;
}

/** There are few names of attributes. Ids of members are keys too, and may be too many to keep. */
const maxKeyTexts = 1_000;

const keyTexts = new Map<string, string>();

/** The JSON of a key, with its colon. */
function keyText(key: string): string {
  const known = keyTexts.get(key);
  if (known !== undefined) return known;
  const text = `${jsonString(key)}:`;
  if (keyTexts.size < maxKeyTexts) keyTexts.set(key, text);
  return text;
}

/** Compares by UTF-16 code unit, which does not depend on the locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The value with the keys of every object sorted; the value itself when they are sorted already. */
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

/** Keys that programs would mistake for a part of themselves (semantics §9). */
export const reservedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether the text contains a NUL character or half of a surrogate pair, which databases and URLs do not take. */
export function isUnusableText(text: string): boolean {
  return !text.isWellFormed() || text.includes('\0');
}

/** The text with U+FFFD in place of such characters. */
export function usableText(text: string): string {
  return isUnusableText(text) ? text.toWellFormed().replaceAll('\0', '\ufffd') : text;
}
