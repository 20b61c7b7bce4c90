// Converts values for and from expressions in CEL.
import { isList, isObject, type JsonObject, type JsonValue } from '../json.ts';

/** Converts a value for CEL, which requires whole numbers as bigint. */
export function asFact(value: JsonValue | undefined): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (value === undefined) return null;
  if (isList(value)) return value.map(asFact);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asFact(inner)]));
}

/**
 * Returns the JSON of a result: times as ISO text, and whole numbers that JSON cannot represent exactly as text. Returns
 * undefined for other values of CEL, such as durations and types.
 */
export function fromFact(value: unknown): JsonValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (Array.isArray(value)) return value.map((item) => fromFact(item) ?? null);
  const entries = value instanceof Map ? [...value] : isPlain(value) ? Object.entries(value) : undefined;
  return entries === undefined
    ? undefined
    : (Object.fromEntries(entries.map(([key, inner]) => [String(key), fromFact(inner) ?? null])) as JsonObject);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
