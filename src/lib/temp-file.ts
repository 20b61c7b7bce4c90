// Where do bytes go for which memory is too small, and which nobody needs once this process has ended?
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Scratch {
  /** False when there is no room: then nothing of it counts. */
  write(bytes: Uint8Array, position: number): boolean;
  /** Fills all of `bytes`. */
  read(bytes: Uint8Array, position: number): void;
}

const forgotten = new FinalizationRegistry<number>((descriptor) => closeSync(descriptor));

/**
 * A file that only its owner may read, as state holds names of people, and that is unlinked while it is open, so that
 * even a kill leaves nothing behind. Undefined where a system cannot do that (Windows), or the folder cannot be written.
 */
export function openScratch(): Scratch | undefined {
  if (process.platform === 'win32') return undefined;
  try {
    const folder = mkdtempSync(join(tmpdir(), 'chatform-'));
    try {
      return new UnnamedFile(openSync(join(folder, 'scratch'), 'wx+', 0o600));
    } finally {
      rmSync(folder, { recursive: true });
    }
  } catch {
    return undefined;
  }
}

class UnnamedFile implements Scratch {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    forgotten.register(this, descriptor);
  }

  write(bytes: Uint8Array, position: number): boolean {
    try {
      for (let at = 0; at < bytes.length; )
        at += writeSync(this.#descriptor, bytes, at, bytes.length - at, position + at);
      return true;
    } catch {
      return false;
    }
  }

  read(bytes: Uint8Array, position: number): void {
    for (let at = 0; at < bytes.length; ) {
      const more = readSync(this.#descriptor, bytes, at, bytes.length - at, position + at);
      if (more === 0) throw new Error('a temporary file was cut');
      at += more;
    }
  }
}
