// Writes new files into one folder, many at a time, and knows the digest of each.
//
// It uses node:fs, so only impure layers may import it.
import { createHash, type Hash } from 'node:crypto';
import { appendFileSync, closeSync, mkdirSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Bytes that wait in memory, over all files. */
const maxWaiting = 8_388_608;
/** A file's buffer grows from the first to the second, since there may be ten thousand files. */
const smallPiece = 1_024;
const largePiece = 262_144;

/** The end of a new file, which is not written yet. */
interface Waiting {
  bytes: Buffer;
  filled: number;
}

/** The SHA-256 of files, in hexadecimal, by path from their folder. */
export type Digests = Readonly<Record<string, string>>;

export class NewFiles {
  /** Absolute. */
  readonly folder: string;
  readonly #waiting = new Map<string, Waiting>();
  readonly #hashes = new Map<string, Hash>();
  /** Of files that came whole. */
  readonly #digests = new Map<string, string>();
  readonly #folders = new Set<string>();
  /** Of all buffers. */
  #held = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  get names(): ReadonlySet<string> {
    return new Set([...this.#hashes.keys(), ...this.#digests.keys(), ...this.#waiting.keys()]);
  }

  /** Appends to a new file. `path` is relative to the folder, with `/`. */
  append(path: string, text: string): void {
    // A character takes three bytes at most.
    const most = 3 * text.length;
    let waiting = this.#waiting.get(path);
    if (waiting === undefined || most > waiting.bytes.length - waiting.filled) waiting = this.#withRoom(path, most);
    waiting.filled += waiting.bytes.write(text, waiting.filled);
  }

  /** Appends a file that lies elsewhere. */
  appendFile(path: string, from: string): void {
    const descriptor = openSync(from, 'r');
    try {
      const piece = Buffer.allocUnsafe(largePiece);
      this.#flush(path);
      for (let read = readSync(descriptor, piece); read > 0; read = readSync(descriptor, piece))
        this.#write(path, piece.subarray(0, read));
    } finally {
      closeSync(descriptor);
    }
  }

  /** Takes a file over that lies elsewhere on the same disk, as a new one. */
  take(path: string, from: string, digest: string): void {
    renameSync(from, this.#place(path));
    this.#digests.set(path, digest);
  }

  /** Forgets a new file. */
  remove(path: string): void {
    rmSync(this.pathOf(path), { force: true });
    this.#hashes.delete(path);
    this.#digests.delete(path);
  }

  /** Where the new file lies, all of it written. */
  pathOf(path: string): string {
    this.#flush(path);
    return join(this.folder, path);
  }

  /** Replaces a new file by another text, as when it had to be sorted. */
  rewrite(path: string, pieces: Iterable<string>): void {
    const before = this.pathOf(path);
    this.#hashes.delete(path);
    this.#digests.delete(path);
    const temporary = `${path}.rewritten`;
    for (const piece of pieces) this.append(temporary, piece);
    const after = this.pathOf(temporary);
    const hash = this.#hashes.get(temporary);
    this.#hashes.delete(temporary);
    if (hash !== undefined) this.#hashes.set(path, hash);
    renameSync(after, before);
  }

  /** Writes what waits. Nothing may be appended afterwards. */
  end(): Digests {
    for (const name of [...this.#waiting.keys()]) this.#flush(name);
    const digests = [...this.#digests, ...[...this.#hashes].map(([name, hash]) => [name, hash.digest('hex')] as const)];
    return Object.fromEntries(digests.sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  /** Forgets what waits. */
  clear(): void {
    this.#waiting.clear();
  }

  /** The buffer of a file, with room for so many bytes: a larger one, or empty again. */
  #withRoom(path: string, bytes: number): Waiting {
    const before = this.#waiting.get(path);
    const { filled = 0 } = before ?? {};
    let size = before?.bytes.length ?? smallPiece;
    while (size < filled + bytes && size < largePiece) size *= 4;
    if (size < filled + bytes) {
      this.#flush(path);
      size = Math.max(largePiece, bytes);
    }
    const grown = Buffer.allocUnsafe(size);
    const kept = this.#waiting.get(path);
    kept?.bytes.copy(grown, 0, 0, kept.filled);
    this.#held += size - (kept?.bytes.length ?? 0);
    const waiting = { bytes: grown, filled: kept?.filled ?? 0 };
    this.#waiting.set(path, waiting);
    if (this.#held > maxWaiting) for (const name of [...this.#waiting.keys()]) if (name !== path) this.#flush(name);
    return waiting;
  }

  #flush(path: string): void {
    const waiting = this.#waiting.get(path);
    if (waiting === undefined) return;
    this.#waiting.delete(path);
    this.#held -= waiting.bytes.length;
    this.#write(path, waiting.bytes.subarray(0, waiting.filled));
  }

  #write(path: string, bytes: Buffer): void {
    appendFileSync(this.#place(path), bytes);
    const hash = this.#hashes.get(path) ?? createHash('sha256');
    this.#hashes.set(path, hash.update(bytes));
  }

  /** Where a new file goes; its folder is made. */
  #place(path: string): string {
    const file = join(this.folder, path);
    const folder = dirname(file);
    if (!this.#folders.has(folder)) {
      mkdirSync(folder, { recursive: true });
      this.#folders.add(folder);
    }
    return file;
  }
}
