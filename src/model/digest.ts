// What is the fingerprint of a value? SHA-256 of its canonical text: pure, the same on every machine.
import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from './json.ts';

/** 64 hexadecimal characters. */
export function digestOf(value: JsonValue): string {
  return digestText(canonicalJson(value));
}

export function digestText(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/** One digest of many values, taken one at a time, so that a long list is never one text. */
export function digestOfAll(values: Iterable<JsonValue>): string {
  const hash = createHash('sha256');
  for (const value of values) hash.update(canonicalJson(value)).update('\n');
  return hash.digest('hex');
}
