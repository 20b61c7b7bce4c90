// Writes new files into one folder, many at a time, and knows the digest of each.
//
// It uses node:fs, so only impure layers may import it.
import { createHash, type Hash } from 'node:crypto';
import { appendFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** How many characters may wait in memory: of all files, since there may be ten thousand, and of one. */
const maxWaiting = 4_194_304;
const maxWaitingOfOne = 262_144;

/** The SHA-256 of files, in hexadecimal, by path from their folder. */
export type Digests = Readonly<Record<string, string>>;

export class NewFiles {
  /** Absolute. */
  readonly folder: string;
  /** Texts that are not written yet. */
  readonly #waiting = new Map<string, string>();
  readonly #hashes = new Map<string, Hash>();
  readonly #folders = new Set<string>();
  /** The length of all waiting texts. */
  #held = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  get names(): ReadonlySet<string> {
    return new Set([...this.#hashes.keys(), ...this.#waiting.keys()]);
  }

  /** Appends to a new file. `path` is relative to the folder, with `/`. */
  append(path: string, text: string): void {
    const waiting = (this.#waiting.get(path) ?? '') + text;
    this.#waiting.set(path, waiting);
    this.#held += text.length;
    if (waiting.length > maxWaitingOfOne) this.#flush(path);
    if (this.#held > maxWaiting) this.#flushAll();
  }

  /** Forgets a new file. */
  remove(path: string): void {
    rmSync(this.pathOf(path), { force: true });
    this.#hashes.delete(path);
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
    this.#flushAll();
    const digests = [...this.#hashes].map(([name, hash]) => [name, hash.digest('hex')] as const);
    return Object.fromEntries(digests.sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  /** Forgets what waits. */
  clear(): void {
    this.#waiting.clear();
  }

  #flushAll(): void {
    for (const path of [...this.#waiting.keys()]) this.#flush(path);
  }

  #flush(path: string): void {
    const waiting = this.#waiting.get(path);
    if (waiting === undefined) return;
    this.#waiting.delete(path);
    this.#held -= waiting.length;
    const bytes = Buffer.from(waiting);
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
