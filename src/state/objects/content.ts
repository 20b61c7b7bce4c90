// The bytes of objects: compressed, and encrypted where there is a key.
import { gunzipSync, gzipSync } from 'node:zlib';
import { corrupt } from '../refusals.ts';

/** Encrypts and decrypts what is stored under a key of the store. `place` binds the bytes to where they lie. */
export interface Sealing {
  seal(bytes: Buffer, place: string): Buffer;
  /** Throws a Refusal when the bytes were sealed for another place, by another key, or not at all. `name` is for messages. */
  unseal(bytes: Buffer, place: string, name: string): Buffer;
}

export const unsealed: Sealing = { seal: (bytes) => bytes, unseal: (bytes) => bytes };

/** Fewer bytes are hardly worth it. */
const compressedBytes = 512;
/** The quickest: a snapshot of a million records takes a tenth of its size, and one second. */
const level = 1;

export function pack(bytes: Buffer, place: string, sealing: Sealing): Buffer {
  return sealing.seal(bytes.length < compressedBytes ? bytes : gzipSync(bytes, { level }), place);
}

/** `state` and `key` are for messages. Throws `state.corrupt` when the bytes are not what `pack` made. */
export function unpack(bytes: Buffer, place: string, sealing: Sealing, state: string, key: string): Buffer {
  const open = sealing.unseal(bytes, place, `${state}, object ${key},`);
  if (open[0] !== 0x1f || open[1] !== 0x8b) return open;
  try {
    return gunzipSync(open);
  } catch {
    throw corrupt(state, `the object ${key}`, 'was cut or changed');
  }
}
