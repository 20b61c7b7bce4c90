// Caches facts about history files, so that a plan does not read a large history file again.
//
// The cache is local, is not part of state and may be deleted at any time. It has one file for each history file, named by the
// hash of its path. An entry is valid while the history file is the same file with the same size and times, to the
// nanosecond. A history file that changed very recently is not cached, since a second change might leave no trace. Messages are
// checked again when they are sent. Errors of the cache are ignored.
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { digestText } from '../../../lib/digest.ts';
import { isOtherThanFile } from '../../../lib/durable-files.ts';
import { ownPath } from '../../../lib/own-files.ts';
import { version as chatformVersion } from '../../../version.ts';
import type { HistoryFileWithMarks } from '../../history/lines/history-file.ts';
import type { HistoryFileReading, KnownHistoryFiles } from '../../manifest/history-files/history-files.ts';
import type { MetaArrayLimits } from '../../model/limits.ts';

/** Below this total size of entries (some 30 MB of history files), reading the history files again is as fast. */
const worthBytes = 1 << 20;
/** Younger changes may share a time stamp, because file systems and clocks may be coarse. */
const settledMs = 2_000;
/** Older temporary files were left by killed runs. */
const leftBehindMs = 60 * 60_000;
/** The version of the entry format. */
const format = 9;
/** Enough for the head of an entry, which contains a path. */
const headBytes = 16_384;

/** An entry or its temporary file. Nothing else in the folder is removed. */
const entryName = /^[0-9a-f]{64}\.json(?:\.[0-9a-f-]{36}\.tmp)?$/u;

/** Encrypts and decrypts the entries, where state has a key. */
export interface CacheSealing {
  seal(text: string): string;
  /** Throws if another key encrypted the text. */
  unseal(text: string): string;
}

const plainText: CacheSealing = { seal: (text) => text, unseal: (text) => text };

/** The first line of an entry; the rest is the history file. */
interface CacheHead {
  readonly chatform: string;
  readonly format: number;
  readonly path: string;
  readonly version: string;
  readonly linesOfBlock: number;
  readonly threads: boolean;
  readonly messageLength: number;
  readonly metaArrays?: MetaArrayLimits | undefined;
  /** The digest of the rest. */
  readonly digest: string;
}

export class HistoryFileCache implements KnownHistoryFiles {
  readonly #folder: string;
  readonly #now: () => number;
  /** Entries that are not written yet, because they may be too small for a file. */
  #waiting: { readonly path: string; readonly head: string; readonly text: string }[] = [];
  #waitingBytes = 0;
  readonly #written = new Set<string>();
  #isBroken = false;

  readonly #sealing: CacheSealing;

  /** `now` is the wall clock in milliseconds. */
  constructor(folder: string, now: () => number, sealing: CacheSealing = plainText) {
    this.#folder = folder;
    this.#now = now;
    this.#sealing = sealing;
  }

  recall({
    path,
    version,
    linesOfBlock,
    threads,
    messageLength,
    metaArrays,
  }: HistoryFileReading): HistoryFileWithMarks | undefined {
    try {
      const file = join(this.#folder, nameOf(path));
      if (isOtherThanFile(file)) return undefined;
      const entry = this.#sealing.unseal(readFileSync(file, 'utf8'));
      const end = entry.indexOf('\n');
      const head = JSON.parse(entry.slice(0, end)) as CacheHead;
      const text = entry.slice(end + 1);
      const isSame = head.path === path && head.version === version;
      const isAlike =
        head.linesOfBlock === linesOfBlock &&
        head.threads === threads &&
        head.messageLength === messageLength &&
        JSON.stringify(head.metaArrays) === JSON.stringify(metaArrays);
      const isCurrent = head.chatform === chatformVersion && head.format === format;
      const isGood = isSame && isAlike && isCurrent && head.digest === digestText(text);
      return isGood ? (JSON.parse(text) as HistoryFileWithMarks) : undefined;
    } catch {
      return undefined;
    }
  }

  keep(
    { path, version, changedAt, linesOfBlock, threads, messageLength, metaArrays }: HistoryFileReading,
    historyFile: HistoryFileWithMarks,
  ): void {
    if (this.#isBroken || this.#now() - changedAt < settledMs) return;
    const text = JSON.stringify(historyFile);
    const rules = { linesOfBlock, threads, messageLength, metaArrays };
    const head: CacheHead = { chatform: chatformVersion, format, path, version, ...rules, digest: digestText(text) };
    this.#waiting.push({ path, head: JSON.stringify(head), text });
    this.#waitingBytes += text.length;
    if (this.#waitingBytes >= worthBytes) this.#flush();
  }

  /** Writes pending entries and removes entries of deleted history files. */
  end(): void {
    if (this.#waiting.length > 0 && existsSync(this.#folder)) this.#flush();
    if (this.#written.size > 0) this.#try(() => this.#removeStale());
  }

  #flush(): void {
    this.#try(() => {
      mkdirSync(this.#folder, { recursive: true });
      // The cache never belongs in version control.
      const ignore = ownPath(this.#folder, 'gitIgnore');
      if (!existsSync(ignore)) writeFileSync(ignore, '*\n', { flag: 'wx' });
      for (const { path, head, text } of this.#waiting) {
        const name = nameOf(path);
        if (isOtherThanFile(join(this.#folder, name))) continue;
        const temporary = join(this.#folder, `${name}.${randomUUID()}.tmp`);
        try {
          const entry = this.#sealing.seal(`${head}\n${text}`);
          writeFileSync(temporary, entry, { mode: 0o600, flag: 'wx' });
          renameSync(temporary, join(this.#folder, name));
          this.#written.add(name);
        } catch (error) {
          rmSync(temporary, { force: true });
          throw error;
        }
      }
    });
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #removeStale(): void {
    for (const name of readdirSync(this.#folder)) {
      const file = join(this.#folder, name);
      const isTemporary = name.endsWith('.tmp');
      if (!entryName.test(name) || this.#written.has(name) || isOtherThanFile(file)) continue;
      if (isTemporary && Date.now() - statSync(file).mtimeMs < leftBehindMs) continue;
      if (isTemporary || !isOfHistoryFile(file, this.#sealing)) rmSync(file, { force: true });
    }
  }

  /** After the first error nothing more is written. */
  #try(work: () => void): void {
    try {
      if (!this.#isBroken) work();
    } catch {
      this.#isBroken = true;
    }
  }
}

function nameOf(path: string): string {
  return `${digestText(path)}.json`;
}

/** Whether the file is an entry whose history file still exists. */
function isOfHistoryFile(file: string, sealing: CacheSealing): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(headBytes);
    const begin = bytes.toString('utf8', 0, readSync(descriptor, bytes));
    const text = sealing === plainText ? begin : sealing.unseal(readFileSync(file, 'utf8'));
    const [line = ''] = text.split('\n', 1);
    return existsSync((JSON.parse(line) as CacheHead).path);
  } catch {
    return false;
  } finally {
    closeSync(descriptor);
  }
}
