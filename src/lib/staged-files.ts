// Replaces a set of generated files at once or not at all, and leaves files that people wrote or edited alone.
//
// New files are written into a staging folder. A commit file then lists what is moved where, and from that moment the
// replacement is completed by the next run, whatever happens. An index remembers what was generated and its digest.
import { createHash, type Hash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  createReadStream,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { mkdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeWhole } from './write-whole.ts';

interface Commit {
  readonly index: Index;
  readonly removed: readonly string[];
}

interface Index {
  readonly format_version: '1.0';
  /** By path from the root: the SHA-256 of what was written. */
  readonly files: Readonly<Record<string, string>>;
}

const commitName = '.commit.json';
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

export class StagedFiles {
  readonly #root: string;
  readonly #folder: string;
  readonly #waiting = new Map<string, Waiting>();
  readonly #hashes = new Map<string, Hash>();
  readonly #folders = new Set<string>();
  /** Of all buffers. */
  #held = 0;

  private constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  /** `home`: the folder, from the root, for the index, the commit file and the staging folder. Completes an earlier commit. */
  static async open(root: string, home: string): Promise<StagedFiles> {
    const staged = new StagedFiles(root, join(root, home));
    await mkdir(staged.#folder, { recursive: true });
    await staged.#complete();
    await rm(staged.#staging, { recursive: true, force: true });
    await mkdir(staged.#staging);
    return staged;
  }

  get #staging(): string {
    return join(this.#folder, '.staged');
  }

  /** Appends to a new file. `path` is relative to the root, with `/`. */
  append(path: string, text: string): void {
    // A character takes three bytes at most.
    const most = 3 * text.length;
    let waiting = this.#waiting.get(path);
    if (waiting === undefined || most > waiting.bytes.length - waiting.filled) waiting = this.#withRoom(path, most);
    waiting.filled += waiting.bytes.write(text, waiting.filled);
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

  /** Forgets a new file. */
  remove(path: string): void {
    rmSync(this.pathOf(path), { force: true });
    this.#hashes.delete(path);
  }

  /** Where the new file lies until the commit, all of it written. */
  pathOf(path: string): string {
    this.#flush(path);
    return join(this.#staging, path);
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

  /** Paths of files that a commit would replace or remove though somebody else wrote or edited them. */
  async edited(): Promise<readonly string[]> {
    const before = (await this.#index()).files;
    const names = new Set([...this.#hashes.keys(), ...this.#waiting.keys(), ...Object.keys(before)]);
    const edited: string[] = [];
    for (const name of [...names].sort()) {
      const found = await digestOfFile(join(this.#root, name));
      if (found !== undefined && found !== before[name]) edited.push(name);
    }
    return edited;
  }

  /** Replaces all generated files of before by the new ones. */
  async commit(): Promise<readonly string[]> {
    for (const name of [...this.#waiting.keys()]) this.#flush(name);
    const digests = [...this.#hashes].map(([name, hash]) => [name, hash.digest('hex')] as const);
    const files = Object.fromEntries(digests.sort(([left], [right]) => (left < right ? -1 : 1)));
    for (const name of Object.keys(files)) sync(join(this.#staging, name));
    const removed = Object.keys((await this.#index()).files).filter((name) => !Object.hasOwn(files, name));
    const commit: Commit = { index: { format_version: '1.0', files }, removed };
    await writeWhole(this.#commitFile, `${JSON.stringify(commit, null, 2)}\n`);
    await this.#complete();
    return Object.keys(files);
  }

  /** Forgets what was written, and the folders that were made for it. */
  async discard(): Promise<void> {
    this.#waiting.clear();
    await rm(this.#staging, { recursive: true, force: true });
    for (const folder of [this.#folder, this.#root]) await rmdir(folder).catch(() => undefined);
  }

  get #commitFile(): string {
    return join(this.#folder, commitName);
  }

  get #indexFile(): string {
    return join(this.#folder, 'generated.json');
  }

  async #complete(): Promise<void> {
    const text = await readFile(this.#commitFile, 'utf8').catch(() => undefined);
    if (text === undefined) return;
    const { index, removed } = JSON.parse(text) as Commit;
    for (const name of Object.keys(index.files)) {
      const from = join(this.#staging, name);
      if ((await stat(from).catch(() => undefined)) === undefined) continue;
      await mkdir(dirname(join(this.#root, name)), { recursive: true });
      await rename(from, join(this.#root, name));
    }
    for (const name of removed) await rm(join(this.#root, name), { force: true });
    await writeWhole(this.#indexFile, `${JSON.stringify(index, null, 2)}\n`);
    await rm(this.#staging, { recursive: true, force: true });
    await rm(this.#commitFile);
  }

  async #index(): Promise<Index> {
    const text = await readFile(this.#indexFile, 'utf8').catch(() => undefined);
    return text === undefined ? { format_version: '1.0', files: {} } : (JSON.parse(text) as Index);
  }

  #flush(path: string): void {
    const waiting = this.#waiting.get(path);
    if (waiting === undefined) return;
    this.#waiting.delete(path);
    this.#held -= waiting.bytes.length;
    const file = join(this.#staging, path);
    const folder = dirname(file);
    if (!this.#folders.has(folder)) {
      mkdirSync(folder, { recursive: true });
      this.#folders.add(folder);
    }
    const bytes = waiting.bytes.subarray(0, waiting.filled);
    appendFileSync(file, bytes);
    const hash = this.#hashes.get(path) ?? createHash('sha256');
    this.#hashes.set(path, hash.update(bytes));
  }
}

/** A commit was cut off: some files are the new ones, and some those of before. `home`: as for `StagedFiles.open`. */
export async function hasUnfinishedCommit(root: string, home: string): Promise<boolean> {
  return (await stat(join(root, home, commitName)).catch(() => undefined)) !== undefined;
}

function sync(file: string): void {
  const descriptor = openSync(file, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Undefined when there is no such file. */
async function digestOfFile(file: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}
