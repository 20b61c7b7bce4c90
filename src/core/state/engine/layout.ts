// The objects under the prefix of a state: their keys, and how their bytes are packed, which is with a digest, compressed unless people
// read them, and encrypted if there is a key. All objects but heads are written once and never changed.
//
//   head/<epoch>                one holder's lock, and the names of the objects in use
//   journal/<epoch>/<number>    the entries of one flush of one holder, or a fence
//   segment/<epoch>/<number>    the entries of many flushes
//   snapshot/<id>/<number>      some of the records, sorted by address
//   probe/<id>                  written by a test of the store, before anybody has the lock
//   tmp/<key>/<id>              an object that a folder is still writing

import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { corrupt } from '../records/refusals.ts';
import type { Sealer } from '../seal/sealer.ts';

export const headPrefix = 'head/';

export function headKey(epoch: number): string {
  return `${headPrefix}${padded(epoch)}`;
}

export function journalKey(epoch: number, number: number): string {
  return `${journalPrefix(epoch)}${padded(number)}`;
}

export function journalPrefix(epoch: number): string {
  return `journal/${epoch}/`;
}

export function segmentKey(epoch: number, number: number): string {
  return `segment/${epoch}/${padded(number)}`;
}

export function snapshotKey(id: string, part: number): string {
  return `snapshot/${id}/${padded(part)}`;
}

export function isSnapshotKey(key: string): boolean {
  return key.startsWith('snapshot/');
}

/** The number of a journal object. */
export function numberOfKey(key: string): number {
  return Number(key.slice(key.lastIndexOf('/') + 1));
}

/** The epoch of the holder that wrote the object, or undefined for keys that the engine does not use. */
export function epochOfKey(key: string): number | undefined {
  const [, epoch] = /^(?:tmp\/)?(?:head|journal|segment|snapshot)\/(\d+)(?:[./]|$)/u.exec(key) ?? [];
  return epoch === undefined ? undefined : Number(epoch);
}

/**
 * Whether the object was written before the holder of this epoch. Listed temporary objects belong to other processes. False for
 * objects of a test, which has no epoch and may still be running.
 */
export function isBefore(key: string, epoch: number): boolean {
  return (epochOfKey(key) ?? Number.POSITIVE_INFINITY) < epoch + Number(key.startsWith('tmp/'));
}

/** Whether the object is a part of a state, not a leftover of an attempt. */
export function isPart(key: string): boolean {
  return epochOfKey(key) !== undefined && !key.startsWith('tmp/');
}

/** Returns the key of an object that a test of the store writes. `id` must be unique. */
export function probeKey(id: string): string {
  return `probe/${id}`;
}

/** Whether a test of the store wrote the object, or is still writing it. */
export function isProbe(key: string): boolean {
  return /^(?:tmp\/)?probe\//u.test(key);
}

/** Keys sort as text. */
function padded(number: number): string {
  return String(number).padStart(10, '0');
}

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
export function withDigest(lines: readonly Uint8Array[], place: string): Buffer {
  const hash = createHash('sha256').update(`${place}\n`);
  for (const piece of lines) hash.update(piece);
  return Buffer.concat([...lines, Buffer.from(`{"sha256":"${hash.digest('hex')}"}\n`)]);
}

/** Returns the lines that `withDigest` was given. Throws `state.corrupt` if they do not fit their digest. */
export function checkDigest(bytes: Buffer, place: string, state: string, key: string): Buffer {
  const end = bytes.toString('latin1', Math.max(0, bytes.length - digestLength));
  // Every store writes an object whole or not at all.
  if (!digestLine.test(end))
    throw corrupt(state, `the object ${key}`, 'was cut: its last line, the digest, is missing');
  const lines = bytes.subarray(0, -digestLength);
  if (!withDigest([lines], place).equals(bytes)) throw corrupt(state, `the object ${key}`, 'was changed or moved');
  return lines;
}
