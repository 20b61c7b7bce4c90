// Replaces a set of generated files atomically, and keeps files that people wrote or edited.
//
// New files are written to a staging folder. A commit file then lists the moves. Once it exists, the next run completes the
// replacement if this one is interrupted. An index records the digests of the generated files.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { flushPath, writeWhole } from '../durable-files.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../json.ts';
import { type Digests, NewFiles } from '../new-files.ts';
import { demandInside, demandPlain } from '../own-files.ts';
import { ownName } from '../own-names.ts';
import { piecesOf } from '../path-streams.ts';
import { hiddenPart, isInside } from '../paths.ts';
import type { FolderLock } from './folder-lock.ts';

interface Commit {
  readonly index: Index;
  readonly removed: readonly string[];
}

interface Index {
  readonly format_version: '1.0';
  /** Digests of the generated files, by path relative to the root. */
  readonly files: Digests;
}

const commitName = ownName('generatedCommit');
const indexName = ownName('generatedIndex');

/** The index or the commit file has another format, or is damaged, for example by a bad merge: which files were generated is unknown. */
export class BrokenIndexError extends Error {
  /** The name of the damaged file. */
  readonly file: string;
  readonly isOtherFormat: boolean;

  constructor(file: string, reason: string, isOtherFormat = false) {
    super(reason);
    this.file = file;
    this.isOtherFormat = isOtherFormat;
  }
}

/** Paths of new files are relative to the root and use `/`. */
export class StagedFiles extends NewFiles {
  readonly #root: string;
  readonly #home: string;
  /** Digests of the files generated last time. */
  #before: Digests = {};
  #interrupted: 'staging' | 'replacing' | undefined;

  private constructor(root: string, home: string) {
    super(join(home, ownName('generatedStaging')));
    this.#root = root;
    this.#home = home;
  }

  /**
   * Completes an interrupted commit first. The locked folder has the index, the commit file and the staging folder, whose names
   * are always the same: two processes at once would mix their files. Rejects with a `BrokenIndexError`, or with a
   * `LeadsOutsideError` if a link leads out of the root.
   */
  static async open({ root, home }: FolderLock): Promise<StagedFiles> {
    const staged = new StagedFiles(root, join(root, home));
    for (const path of [staged.#indexFile, staged.#commitFile]) demandPlain(root, path, 'file');
    demandPlain(root, staged.folder, 'folder');
    const isBegun = (await stat(staged.folder).catch(() => undefined)) !== undefined;
    const isCompleted = await staged.#complete();
    staged.#interrupted = isCompleted ? 'replacing' : isBegun ? 'staging' : undefined;
    const index = await objectIn(staged.#home, indexName);
    if (index !== undefined) staged.#before = staged.#digestsIn(index, indexName);
    await rm(staged.folder, { recursive: true, force: true });
    await mkdir(staged.folder);
    return staged;
  }

  /** The files generated last time, by path. */
  get before(): Digests {
    return this.#before;
  }

  /**
   * What the last run did when it was killed: it wrote new files, which are gone now, or it replaced the earlier ones, which has been
   * completed.
   */
  get interrupted(): 'staging' | 'replacing' | undefined {
    return this.#interrupted;
  }

  /** Returns the paths of files that a commit would replace or remove although somebody else wrote or edited them. */
  async edited(): Promise<readonly string[]> {
    const before = this.#before;
    const names = new Set([...this.names, ...Object.keys(before)]);
    const edited: string[] = [];
    for (const name of [...names].sort()) {
      const found = await digestOfFile(join(this.#root, name));
      if (found !== undefined && found !== before[name]) edited.push(name);
    }
    return edited;
  }

  /** Replaces all earlier generated files by the new ones. */
  async commit(): Promise<readonly string[]> {
    const files = this.end();
    await syncAll(Object.keys(files).map((name) => join(this.folder, name)));
    const removed = Object.keys(this.#before).filter((name) => !Object.hasOwn(files, name));
    await this.#demandFoldersInside([...Object.keys(files), ...removed]);
    const commit: Commit = { index: { format_version: '1.0', files }, removed };
    await writeWhole(this.#commitFile, `${JSON.stringify(commit, null, 2)}\n`);
    await this.#complete();
    return Object.keys(files);
  }

  /** Deletes the staged files. */
  async discard(): Promise<void> {
    this.clear();
    await rm(this.folder, { recursive: true, force: true });
  }

  get #commitFile(): string {
    return join(this.#home, commitName);
  }

  get #indexFile(): string {
    return join(this.#home, indexName);
  }

  /** Returns whether there was a commit to complete. */
  async #complete(): Promise<boolean> {
    const commit = await objectIn(this.#home, commitName);
    if (commit === undefined) return false;
    const files = this.#digestsIn(isObject(commit.index) ? commit.index : {}, commitName);
    const removed = this.#namesIn(commit.removed, commitName);
    await this.#demandFoldersInside([...Object.keys(files), ...removed]);
    for (const name of Object.keys(files)) {
      const from = join(this.folder, name);
      if ((await stat(from).catch(() => undefined)) === undefined) continue;
      await mkdir(dirname(join(this.#root, name)), { recursive: true });
      await rename(from, join(this.#root, name));
    }
    for (const name of removed) await rm(join(this.#root, name), { force: true });
    const index: Index = { format_version: '1.0', files };
    await writeWhole(this.#indexFile, `${JSON.stringify(index, null, 2)}\n`);
    await rm(this.folder, { recursive: true, force: true });
    await rm(this.#commitFile);
    return true;
  }

  /** A file that is a link is replaced, but a folder that is one is followed. */
  async #demandFoldersInside(names: readonly string[]): Promise<void> {
    const folders = new Set(names.map((name) => dirname(join(this.#root, name))));
    for (const folder of folders) await demandInside(this.#root, folder);
  }

  #digestsIn({ format_version: version = '1.0', files }: JsonObject, file: string): Digests {
    if (!/^1\./u.test(String(version)))
      throw new BrokenIndexError(file, `it has the format ${String(version)}, not 1.0`, true);
    if (!isObject(files)) throw new BrokenIndexError(file, 'it has no files');
    this.#namesIn(Object.keys(files), file);
    return files as Digests;
  }

  /** Checks names from an index or commit file, which may be forged, before files of these names are replaced or removed. */
  #namesIn(names: JsonValue | undefined, file: string): readonly string[] {
    if (!isList(names)) throw new BrokenIndexError(file, 'it has no list of names');
    const root = resolve(this.#root);
    return names.map((name) => {
      const path = typeof name === 'string' ? resolve(root, name) : root;
      // No generated file is hidden, but those of git are.
      if (typeof name === 'string' && isInside(root, path) && hiddenPart(root, path) === undefined) return name;
      throw new BrokenIndexError(file, `it names ${JSON.stringify(name)}, which is not a file in its folder`);
    });
  }
}

/** Undefined if the file does not exist. Rejects with a `BrokenIndexError` if it is damaged. */
async function objectIn(folder: string, file: string): Promise<JsonObject | undefined> {
  const text = await readFile(join(folder, file), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new BrokenIndexError(file, error instanceof Error ? error.message : String(error));
  }
  if (!isObject(value)) throw new BrokenIndexError(file, 'it is not an object');
  return value;
}

/** Whether a commit was interrupted, so that the files may be a mix of old and new. `home` is that of the lock. */
export async function hasUnfinishedCommit(root: string, home: string): Promise<boolean> {
  return (await stat(join(root, home, commitName)).catch(() => undefined)) !== undefined;
}

/** Whether a commit in the folder was ever complete. */
export async function hasCommit(root: string, home: string): Promise<boolean> {
  return (await stat(join(root, home, indexName)).catch(() => undefined)) !== undefined;
}

/** The number of files flushed to disk in parallel. */
const syncedAtOnce = 16;

async function syncAll(files: readonly string[]): Promise<void> {
  for (let from = 0; from < files.length; from += syncedAtOnce)
    await Promise.all(files.slice(from, from + syncedAtOnce).map(flushPath));
}

/** The SHA-256 of a file in hexadecimal. Undefined if the file does not exist. */
export async function digestOfFile(file: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const piece of piecesOf(file, 1 << 18)) hash.update(piece);
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}
