// A temporary file for bytes that are too many for memory. It uses node:fs, so only impure layers may open one.
//
// What lies in it names people, so it is encrypted with a key that is nowhere but in memory: nothing can be read from a disk
// or an image of the machine afterwards.
import { type Cipher, createCipheriv, randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Series and snapshots hold files for as long as their callers keep them, and callers never close them (library.ts).
const registry = new FinalizationRegistry<() => void>((close) => close());

/** Calls `close` some time after nothing refers to `owner` any more. `close` must not refer to the owner. */
export function closeWhenForgotten(owner: object, close: () => void): void {
  registry.register(owner, close, owner);
}

/** For an owner that its user closed. */
function doNotCloseAgain(owner: object): void {
  registry.unregister(owner);
}

/** Of AES. */
const blockBytes = 16;

/**
 * Only its owner may read it, since what is spooled names people. It is unlinked while it is open, so that even kill -9
 * leaves nothing behind; Windows cannot do that and keeps it in the temporary folder. All methods throw the system's error.
 */
export class TempFile {
  readonly #descriptor: number;
  readonly #write: typeof writeSync;
  readonly #key = randomBytes(32);

  /** `write` is for tests. */
  constructor(folder = tmpdir(), write = writeSync) {
    const own = mkdtempSync(join(folder, 'chatform-'));
    try {
      const descriptor = openSync(join(own, 'data'), 'wx+', 0o600);
      this.#descriptor = descriptor;
      closeWhenForgotten(this, () => closeSync(descriptor));
    } finally {
      if (process.platform !== 'win32') rmSync(own, { recursive: true });
    }
    this.#write = write;
  }

  /** Writes all of `bytes`, or throws. No byte of the file is written twice: two texts under one key stream would show. */
  write(bytes: Uint8Array, position: number): void {
    const sealed = this.#cipherAt(position).update(bytes);
    for (let at = 0; at < sealed.length; )
      at += this.#write(this.#descriptor, sealed, at, sealed.length - at, position + at);
  }

  /** Fills all of `bytes`. */
  read(bytes: Uint8Array, position: number): void {
    for (let at = 0; at < bytes.length; ) {
      const more = readSync(this.#descriptor, bytes, at, bytes.length - at, position + at);
      if (more === 0) throw new Error('a temporary file was cut');
      at += more;
    }
    bytes.set(this.#cipherAt(position).update(bytes));
  }

  /** The stream of the cipher from a place of the file on. To decrypt is the same as to encrypt. */
  #cipherAt(position: number): Cipher {
    const counter = Buffer.alloc(blockBytes);
    counter.writeBigUInt64BE(BigInt(Math.floor(position / blockBytes)), blockBytes - 8);
    const cipher = createCipheriv('aes-256-ctr', this.#key, counter);
    cipher.update(Buffer.alloc(position % blockBytes));
    return cipher;
  }

  /** Without it the file is closed when nothing refers to it any more. */
  close(): void {
    doNotCloseAgain(this);
    closeSync(this.#descriptor);
  }
}
