// Remembers what is in message archives, so that a plan does not read an archive of ten gigabytes again.
//
// The cache belongs to this machine and is no part of state; it may be deleted at any time. It holds one file for each
// archive, named by the hash of the archive's path. An entry counts when the archive is the same file with the same size
// and times, to the nanosecond. An archive that was changed a moment ago is not cached, since a second change might leave
// no trace. Messages are checked again when they are sent. What cannot be read or written here is done without.
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
import { digestText } from '../../lib/digest.ts';
import { isOtherThanFile } from '../../lib/write-whole.ts';
import type { ArchiveReading, KnownArchives } from '../../manifest/archives/archives.ts';
import type { Archive } from '../../resources/messages/archive.ts';
import { version as chatformVersion } from '../../version.ts';

/** Archives with entries of less in all, some 30 MB, are read again as quickly. */
const worthBytes = 1 << 20;
/** File systems and clocks may be coarse. */
const settledMs = 2_000;
/** Temporary files of killed runs are this old. */
const leftBehindMs = 60 * 60_000;
/** Of what an entry holds of an archive. */
const format = 4;
/** Enough for the head of an entry, which holds a path. */
const headBytes = 16_384;

/** Encrypts and decrypts the entries, where state has a key. */
export interface CacheSealing {
  seal(text: string): string;
  /** Throws for what another key has encrypted. */
  unseal(text: string): string;
}

const plainText: CacheSealing = { seal: (text) => text, unseal: (text) => text };

/** The first line of an entry; the rest is the archive. */
interface Head {
  readonly chatform: string;
  readonly format: number;
  readonly path: string;
  readonly version: string;
  readonly linesOfBlock: number;
  /** The digest of the rest. */
  readonly digest: string;
}

export class ArchiveCache implements KnownArchives {
  readonly #folder: string;
  readonly #now: () => number;
  /** Entries that are not written yet, since they may not be worth a file. */
  #waiting: { readonly path: string; readonly head: string; readonly text: string }[] = [];
  #waitingBytes = 0;
  readonly #written = new Set<string>();
  #isBroken = false;

  readonly #sealing: CacheSealing;

  /** `now`: the wall clock in milliseconds. */
  constructor(folder: string, now: () => number, sealing: CacheSealing = plainText) {
    this.#folder = folder;
    this.#now = now;
    this.#sealing = sealing;
  }

  recall({ path, version, linesOfBlock }: ArchiveReading): Archive | undefined {
    try {
      const file = join(this.#folder, nameOf(path));
      if (isOtherThanFile(file)) return undefined;
      const entry = this.#sealing.unseal(readFileSync(file, 'utf8'));
      const end = entry.indexOf('\n');
      const head = JSON.parse(entry.slice(0, end)) as Head;
      const text = entry.slice(end + 1);
      const isSame = head.path === path && head.version === version && head.linesOfBlock === linesOfBlock;
      const isCurrent = head.chatform === chatformVersion && head.format === format;
      const isGood = isSame && isCurrent && head.digest === digestText(text);
      return isGood ? (JSON.parse(text) as Archive) : undefined;
    } catch {
      return undefined;
    }
  }

  keep({ path, version, changedAt, linesOfBlock }: ArchiveReading, archive: Archive): void {
    if (this.#isBroken || this.#now() - changedAt < settledMs) return;
    const text = JSON.stringify(archive);
    const head: Head = { chatform: chatformVersion, format, path, version, linesOfBlock, digest: digestText(text) };
    this.#waiting.push({ path, head: JSON.stringify(head), text });
    this.#waitingBytes += text.length;
    if (this.#waitingBytes >= worthBytes) this.#flush();
  }

  /** Writes what is left, and removes entries of archives that are gone. */
  end(): void {
    if (this.#waiting.length > 0 && existsSync(this.#folder)) this.#flush();
    if (this.#written.size > 0) this.#try(() => this.#removeStale());
  }

  #flush(): void {
    this.#try(() => {
      mkdirSync(this.#folder, { recursive: true });
      // The cache never belongs in version control.
      const ignore = join(this.#folder, '.gitignore');
      if (!isOtherThanFile(ignore)) writeFileSync(ignore, '*\n');
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
      if (name === '.gitignore' || this.#written.has(name) || isOtherThanFile(file)) continue;
      if (isTemporary && Date.now() - statSync(file).mtimeMs < leftBehindMs) continue;
      if (isTemporary || !isOfArchive(file, this.#sealing)) rmSync(file, { force: true });
    }
  }

  /** Nothing more is written once something failed. */
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

/** False for an entry whose archive is gone, and for any other file. */
function isOfArchive(file: string, sealing: CacheSealing): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(headBytes);
    const begin = bytes.toString('utf8', 0, readSync(descriptor, bytes));
    const text = sealing === plainText ? begin : sealing.unseal(readFileSync(file, 'utf8'));
    const [line = ''] = text.split('\n', 1);
    return existsSync((JSON.parse(line) as Head).path);
  } catch {
    return false;
  } finally {
    closeSync(descriptor);
  }
}
