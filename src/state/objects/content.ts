// The bytes of objects: compressed, and encrypted where there is a key.
import { gunzipSync, gzipSync } from 'node:zlib';
import { corrupt } from '../refusals.ts';
import type { Sealer } from '../seal/sealer.ts';

/** Fewer bytes are hardly worth it. */
const compressedBytes = 512;
/** The quickest: a snapshot of a million records takes a tenth of its size, and one second. */
const level = 1;

export function pack(bytes: Buffer, place: string, sealer: Sealer): Buffer {
  return sealer.seal(bytes.length < compressedBytes ? bytes : gzipSync(bytes, { level }), place);
}

/** `state` and `key` are for messages. Throws `state.corrupt` when the bytes are not what `pack` made. */
export function unpack(bytes: Buffer, place: string, sealer: Sealer, state: string, key: string): Buffer {
  const open = sealer.unseal(bytes, place, `${state}, object ${key},`);
  if (open[0] !== 0x1f || open[1] !== 0x8b) return open;
  try {
    return gunzipSync(open);
  } catch {
    throw corrupt(state, `the object ${key}`, 'was cut or changed');
  }
}
