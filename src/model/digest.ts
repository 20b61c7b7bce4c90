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
