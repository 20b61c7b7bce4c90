// SHA-256 digests of texts and values: pure, and the same on every machine.
import { createHash, hash } from 'node:crypto';
import { canonicalJson, type JsonValue } from './json.ts';

/** 64 hexadecimal characters. */
export function digestOf(value: JsonValue): string {
  return digestText(canonicalJson(value));
}

export function digestText(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex');
}

/** One digest of many values, taken one by one, so that a long list never becomes one text. */
export function digestOfAll(values: Iterable<JsonValue>): string {
  const hash = createHash('sha256');
  for (const value of values) hash.update(canonicalJson(value)).update('\n');
  return hash.digest('hex');
}

/** The first 24 bits of a text's digest, as four characters. A list of them shows which of many texts has changed. */
export function markOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, markLength);
}

export const markLength = 4;

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * 30 bits of a text's FNV-1a hash, as five characters. Many times as fast for a short text as `markOf`, and no proof
 * against texts that were made to collide.
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

/** The digest of a growing text, however it is cut into pieces. 43 characters of base64url. */
export class RunningDigest {
  readonly #hash = createHash('sha256');

  add(text: string): this {
    this.#hash.update(text);
    return this;
  }

  soFar(): string {
    return this.#hash.copy().digest('base64url');
  }
}

/** `digestText` for a text that comes in pieces. */
export class TextDigest {
  readonly #hash = createHash('sha256');

  add(piece: string): void {
    this.#hash.update(piece);
  }

  end(): string {
    return this.#hash.digest('hex');
  }
}
