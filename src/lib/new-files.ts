// Writes many new files into one folder at a time and computes their digests. It uses node:fs, so only impure layers may
// import it.
import { createHash, type Hash } from 'node:crypto';
import { appendFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Turns } from './turns.ts';

/** The number of characters that wait in memory, for all files together, of which there may be ten thousand. */
const maxWaiting = 4_194_304;
/** The bytes for the texts of most conversions. */
const firstBytes = 65_536;
/** Longer texts wait as bytes, which garbage collection does not copy. */
const maxText = 8_192;

interface WaitingFile {
  readonly pieces: Buffer[];
  /** Follows the pieces. */
  text: string;
}

/** SHA-256 in hexadecimal, by path relative to the folder. */
export type Digests = Readonly<Record<string, string>>;

export class NewFiles {
  /** Absolute. */
  readonly folder: string;
  /** Texts that are not yet written. */
  readonly #waiting = new Map<string, WaitingFile>();
  readonly #hashes = new Map<string, Hash>();
  readonly #folders = new Set<string>();
  /** The total length of the waiting texts. */
  #held = 0;
  /** The bytes of waiting texts of all files, in one buffer that is used again and again. It grows to `maxWaiting`. */
  #bytes = Buffer.alloc(0);
  #filled = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  get names(): ReadonlySet<string> {
    return new Set([...this.#hashes.keys(), ...this.#waiting.keys()]);
  }

  /** Appends to a new file. `path` is relative to the folder and uses `/`. */
  append(path: string, text: string): void {
    let waiting = this.#waiting.get(path);
    if (waiting === undefined) {
      waiting = { pieces: [], text: '' };
      this.#waiting.set(path, waiting);
    }
    waiting.text += text;
    this.#held += text.length;
    if (waiting.text.length > maxText) this.#encode(waiting);
    if (this.#held > maxWaiting) this.#flushAll();
  }

  /** Returns the SHA-256 of the appended text so far, in hexadecimal. */
  digestOf(path: string): string | undefined {
    this.#flush(path);
    return this.#hashes.get(path)?.copy().digest('hex');
  }

  /** Deletes a new file. */
  remove(path: string): void {
    rmSync(this.pathOf(path), { force: true });
    this.#hashes.delete(path);
  }

  /** Writes the waiting text and returns the path of the new file. */
  pathOf(path: string): string {
    this.#flush(path);
    return join(this.folder, path);
  }

  /** Replaces the text of a new file, for example after sorting. */
  async rewrite(path: string, pieces: Iterable<string>, turns: Turns): Promise<void> {
    const before = this.pathOf(path);
    this.#hashes.delete(path);
    const temporary = `${path}.rewritten`;
    this.append(temporary, '');
    for (const piece of pieces) {
      this.append(temporary, piece);
      if (turns.isDue()) await turns.take();
    }
    const after = this.pathOf(temporary);
    const hash = this.#hashes.get(temporary);
    this.#hashes.delete(temporary);
    if (hash !== undefined) this.#hashes.set(path, hash);
    renameSync(after, before);
  }

  /** Writes all waiting texts and returns the digests. Nothing may be appended afterwards. */
  end(): Digests {
    this.#flushAll();
    const digests = [...this.#hashes].map(([name, hash]) => [name, hash.digest('hex')] as const);
    return Object.fromEntries(digests.sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  /** Drops all waiting texts. */
  clear(): void {
    this.#waiting.clear();
  }

  #flushAll(): void {
    for (const path of [...this.#waiting.keys()]) this.#flush(path);
    this.#held = 0;
    this.#filled = 0;
  }

  #encode(waiting: WaitingFile): void {
    const { text, pieces } = waiting;
    waiting.text = '';
    // A UTF-16 code unit takes at most three bytes in UTF-8.
    const most = 3 * text.length;
    if (most > this.#bytes.length - this.#filled && this.#bytes.length < maxWaiting) {
      // Pieces in the shorter buffer stay there until they are written.
      const larger = Math.max(firstBytes, 4 * this.#bytes.length, most);
      this.#bytes = Buffer.allocUnsafeSlow(Math.min(larger, maxWaiting));
      this.#filled = 0;
    }
    if (most > this.#bytes.length - this.#filled) {
      pieces.push(Buffer.from(text));
      return;
    }
    const start = this.#filled;
    this.#filled += this.#bytes.write(text, start);
    pieces.push(this.#bytes.subarray(start, this.#filled));
  }

  #flush(path: string): void {
    const waiting = this.#waiting.get(path);
    if (waiting === undefined) return;
    this.#waiting.delete(path);
    this.#encode(waiting);
    const bytes = Buffer.concat(waiting.pieces);
    appendFileSync(this.#place(path), bytes);
    const hash = this.#hashes.get(path) ?? createHash('sha256');
    this.#hashes.set(path, hash.update(bytes));
  }

  /** Returns the path of a new file after creating its folder. */
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
