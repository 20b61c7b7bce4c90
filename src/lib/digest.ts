// Digests of texts and JSON values.
import { createHash, hash } from 'node:crypto';
import { canonicalJson, type JsonValue } from './json.ts';

/** Returns the SHA-256 of the canonical JSON as 64 hexadecimal characters. */
export function digestOf(value: JsonValue): string {
  return digestText(canonicalJson(value));
}

export function digestText(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex');
}

/** Returns one digest of many values, without joining them into one text. */
export function digestOfAll(values: Iterable<JsonValue>): string {
  const hash = createHash('sha256');
  for (const value of values) hash.update(canonicalJson(value)).update('\n');
  return hash.digest('hex');
}

/** Returns the first 24 bits of a text's digest as four characters. A list of marks shows which of many texts has changed. */
export function markOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 4);
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Returns 30 bits of a text's FNV-1a hash as five characters. Much faster than `markOf` for short texts, but somebody can
 * construct collisions.
 */
export function shortMarkOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash ^= hash >>> 13;
  let mark = '';
  for (let shift = 0; shift < 30; shift += 6) mark += letters[(hash >>> shift) & 63];
  return mark;
}

export const shortMarkLength = 5;

/** The SHA-256 of a growing text. The result does not depend on how the text is cut. */
export class RunningDigest {
  readonly #hash = createHash('sha256');

  add(text: string | Uint8Array): this {
    this.#hash.update(text);
    return this;
  }

  /** Returns 43 characters of base64url, or 64 hexadecimal ones as `digestText` does. */
  soFar(encoding: 'base64url' | 'hex' = 'base64url'): string {
    return this.#hash.copy().digest(encoding);
  }
}
