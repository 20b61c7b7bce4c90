// Packs the bytes of objects: with a digest, compressed unless people read them, and encrypted if there is a key.
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { corrupt } from '../records/refusals.ts';
import type { Sealer } from '../seal/sealer.ts';

const compressedBytes = 512;
/** The fastest level, which shrinks a snapshot to a tenth of its size. */
const level = 1;

/** `isPlain`: whether to leave the bytes uncompressed. `place` is what an encrypted object is bound to. */
export function pack(bytes: Buffer, place: string, sealer: Sealer, isPlain: boolean): Buffer {
  return sealer.seal(isPlain || bytes.length < compressedBytes ? bytes : gzipSync(bytes, { level }), place);
}

/** `state` and `key` are for messages. Throws `state.corrupt` if `pack` did not make the bytes. */
export function unpack(bytes: Buffer, place: string, sealer: Sealer, state: string, key: string): Buffer {
  const open = sealer.unseal(bytes, place, `${state}, object ${key},`);
  if (open[0] !== 0x1f || open[1] !== 0x8b) return open;
  try {
    return gunzipSync(open);
  } catch {
    throw corrupt(state, `the object ${key}`, 'was cut or changed');
  }
}

const digestLine = /\{"sha256":"[0-9a-f]{64}"\}\n$/u;
const digestLength = '{"sha256":""}\n'.length + 64;

/** Appends a line with the digest of the lines and of their place, so that exchanged objects are noticed. */
export function withDigest(lines: Uint8Array, place: string): Buffer {
  const digest = createHash('sha256').update(`${place}\n`).update(lines).digest('hex');
  return Buffer.concat([lines, Buffer.from(`{"sha256":"${digest}"}\n`)]);
}

/** Continues a message about an object without the digest that it must have. */
export const wasCut = 'was cut: its last line, the digest, is missing';

export interface CheckedLines {
  readonly lines: Buffer;
  /** False for objects of chatform 0.2, and for objects that were cut. */
  readonly hasDigest: boolean;
}

/** Returns the lines that `withDigest` was given. Throws `state.corrupt` if they do not fit their digest. */
export function checkDigest(bytes: Buffer, place: string, state: string, key: string): CheckedLines {
  const end = bytes.toString('latin1', Math.max(0, bytes.length - digestLength));
  if (!digestLine.test(end)) return { lines: bytes, hasDigest: false };
  const lines = bytes.subarray(0, -digestLength);
  if (!withDigest(lines, place).equals(bytes)) throw corrupt(state, `the object ${key}`, 'was changed or moved');
  return { lines, hasDigest: true };
}
