// Encrypts bytes with AES-256-GCM, bound to their place.
//
// Encrypted bytes begin with a line that says how the key is derived. Frames follow: the length, the nonce, the encrypted
// bytes and their tag. Each frame is bound to its place, its container and its number. If frames or whole containers are
// moved or exchanged, the tag does not match.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Refusal } from '../../model/errors.ts';
import { newline, parseLine } from '../records/lines.ts';
import { corrupt, newerFormat } from '../records/refusals.ts';
import { type DerivedKey, isCost, KeyRing, type ScryptCost } from './keys.ts';
import { keyMissing, keyWrong, notEncrypted } from './refusals.ts';

const format = 'chatform-state/sealed-1';
const beginning = Buffer.from(`{"format":"${format}"`);
const otherSealing = /^\{"format":"(chatform-state\/sealed-\d+)"/u;
/** Longer than any first line. */
export const headBytes = 512;
const lengthBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;
/** The bytes that a frame adds to its content. */
const frameOverhead = lengthBytes + nonceBytes + tagBytes;

/** One file, object or stream of encrypted frames. */
export interface Container {
  readonly key: DerivedKey;
  /** The first line, which is unique, so that frames of two containers cannot be mixed. */
  readonly head: string;
  /** The length of the first line in bytes. */
  readonly length: number;
}

export class Sealer {
  /** Undefined without a secret. */
  readonly #keys: KeyRing | undefined;

  /** Reads and writes with one secret, or only plain bytes without one. `cost` applies to new keys. */
  constructor(secret?: string, cost?: ScryptCost) {
    this.#keys = secret === undefined ? undefined : new KeyRing(secret, cost);
  }

  /** Whether written bytes are encrypted. */
  get isSealing(): boolean {
    return this.#keys !== undefined;
  }

  /** Encrypts all bytes of a place, or returns them unchanged if nothing is to be encrypted. */
  seal(bytes: Buffer, place: string): Buffer {
    const begun = this.begin();
    return begun === undefined ? bytes : Buffer.concat([begun.head, sealFrame(begun.container, place, 0, bytes)]);
  }

  /** Throws `state.key-missing`, `state.key-wrong`, `state.not-encrypted` or `state.corrupt`. `name` is for messages. */
  unseal(bytes: Buffer, place: string, name: string): Buffer {
    const container = this.open(bytes, name);
    if (container === undefined) return bytes;
    const open = unsealFrame(container, place, 0, bytes.subarray(container.length));
    if (open === undefined) throw damaged(name);
    return open;
  }

  /** Returns a new container and its first line, or undefined if nothing is to be encrypted. */
  begin(): { readonly container: Container; readonly head: Buffer } | undefined {
    const key = this.#keys?.writing();
    if (key === undefined) return undefined;
    const id = randomBytes(12).toString('base64url');
    const head = Buffer.from(`${JSON.stringify({ format, scrypt: key.cost, salt: key.salt, key: key.id, id })}\n`);
    return { head, container: { key, head: head.toString(), length: head.length } };
  }

  /** Returns the container that begins with these bytes, or undefined for plain bytes without a secret. Throws like `unseal`, or `state.newer-format`. */
  open(bytes: Buffer, name: string): Container | undefined {
    if (!isSealed(bytes)) {
      const [, other] = otherSealing.exec(bytes.toString('latin1', 0, headBytes)) ?? [];
      if (other !== undefined) throw newerFormat(name, other);
      if (!this.isSealing) return undefined;
      throw notEncrypted(name);
    }
    const end = bytes.subarray(0, headBytes).indexOf(newline);
    const line = parseLine(bytes.toString('utf8', 0, Math.max(end, 0)));
    const { scrypt, salt, key: keyId, id } = line ?? {};
    if (!isCost(scrypt) || typeof salt !== 'string' || typeof keyId !== 'string' || typeof id !== 'string')
      throw damaged(name);
    if (this.#keys === undefined) throw keyMissing(name);
    const key = this.#keys.reading(scrypt, salt, keyId);
    if (key === undefined) throw keyWrong(name);
    return { key, head: bytes.toString('utf8', 0, end + 1), length: end + 1 };
  }
}

export function isSealed(bytes: Buffer): boolean {
  return bytes.subarray(0, beginning.length).equals(beginning);
}

export function sealFrame({ key, head }: Container, place: string, index: number, bytes: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce).setAAD(binding(place, head, index));
  const sealed = [cipher.update(bytes), cipher.final(), cipher.getAuthTag()];
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, nonce, ...sealed]);
}

/** Decrypts the frame at the start. Returns undefined if it was cut, changed or moved. */
export function unsealFrame({ key, head }: Container, place: string, index: number, frame: Buffer): Buffer | undefined {
  const size = sizeOfFrame(frame);
  if (size === undefined || frame.length < size) return undefined;
  const nonce = frame.subarray(lengthBytes, lengthBytes + nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: tagBytes });
  decipher.setAAD(binding(place, head, index)).setAuthTag(frame.subarray(size - tagBytes, size));
  const bytes = decipher.update(frame.subarray(lengthBytes + nonceBytes, size - tagBytes));
  try {
    decipher.final();
    return bytes;
  } catch {
    return undefined;
  }
}

/** Returns the size of the whole frame in bytes, or undefined if even its length was cut. */
export function sizeOfFrame(start: Buffer): number | undefined {
  return start.length < lengthBytes ? undefined : start.readUInt32BE() + frameOverhead;
}

export function damaged(name: string): Refusal {
  return corrupt(name, 'an encrypted part', 'was changed, cut or moved from elsewhere');
}

function binding(place: string, head: string, index: number): Buffer {
  return Buffer.from(`${head}${place}\n${index}`);
}
