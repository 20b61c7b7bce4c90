// A temporary file for data that does not fit into memory. It uses node:fs, so only impure layers may open one.
//
// The data contains personal names, so it is encrypted with a key that exists only in memory. Nothing can be read later from
// the disk or from a copy of it.
import { type Cipher, createCipheriv, randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Series and snapshots keep files open for as long as callers keep them, and callers never close them (library.ts).
const registry = new FinalizationRegistry<() => void>((close) => close());

/** Calls `close` some time after `owner` becomes garbage. `close` must not refer to the owner. */
export function closeWhenForgotten(owner: object, close: () => void): void {
  registry.register(owner, close, owner);
}

const blockBytes = 16;

/** The room of short reads, one for all files. The bytes in it are sealed, and no read outlives its turn. */
let room: Buffer | undefined;
const roomBytes = 1 << 18;

/**
 * A file that only its owner may read. It is unlinked while it is open, so that even kill -9 leaves nothing behind. Windows
 * cannot do that and keeps it in the temporary folder. All methods throw the system's error.
 */
export class TempFile {
  readonly #descriptor: number;
  readonly #write: typeof writeSync;
  readonly #key = randomBytes(32);

  /** Tests replace `write`. */
  constructor(folder = tmpdir(), write = writeSync) {
    const privateFolder = mkdtempSync(join(folder, 'chatform-'));
    try {
      const descriptor = openSync(join(privateFolder, 'data'), 'wx+', 0o600);
      this.#descriptor = descriptor;
      closeWhenForgotten(this, () => closeSync(descriptor));
    } finally {
      if (process.platform !== 'win32') rmSync(privateFolder, { recursive: true });
    }
    this.#write = write;
  }

  /** Writes all of `bytes` or throws. No byte of the file may be written twice, because that would reuse the key stream. */
  write(bytes: Uint8Array, position: number): void {
    const sealed = this.#cipherAt(position).update(bytes);
    for (let at = 0; at < sealed.length; )
      at += this.#write(this.#descriptor, sealed, at, sealed.length - at, position + at);
  }

  /** Returns as many bytes as were asked for, or throws. The caller may keep them. */
  read(length: number, position: number): Buffer {
    room ??= Buffer.allocUnsafeSlow(roomBytes);
    const sealed = length <= roomBytes ? room.subarray(0, length) : Buffer.allocUnsafe(length);
    for (let at = 0; at < length; ) {
      const more = readSync(this.#descriptor, sealed, at, length - at, position + at);
      if (more === 0) throw new Error('a temporary file was cut');
      at += more;
    }
    return this.#cipherAt(position).update(sealed);
  }

  /** Returns the key stream from a position of the file on. Decryption and encryption are the same operation. */
  #cipherAt(position: number): Cipher {
    const counter = Buffer.alloc(blockBytes);
    counter.writeBigUInt64BE(BigInt(Math.floor(position / blockBytes)), blockBytes - 8);
    const cipher = createCipheriv('aes-256-ctr', this.#key, counter);
    cipher.update(Buffer.alloc(position % blockBytes));
    return cipher;
  }

  /** Closes the file now instead of when it becomes garbage. */
  close(): void {
    registry.unregister(this);
    closeSync(this.#descriptor);
  }
}
