// How does a plan know what is in an archive of ten gigabytes without reading it again? By what the last one wrote down.
//
// A file of this machine, beside the state and no part of it, which may be deleted at any time. An archive is trusted when
// its file is the same one, with the same size and times, to the nanosecond; and what is written down of it is not
// trusted when the file was changed so shortly before that a second change would have left no trace. What is sent is
// checked once more when it is sent. What cannot be read or written here is done without.
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { digestText } from '../../lib/digest.ts';
import { isList, isObject, type JsonValue } from '../../lib/json.ts';
import type { ArchiveReading, KnownArchives } from '../../manifest/archives/known-archives.ts';
import type { Archive } from '../../resources/messages/archive.ts';
import { version } from '../../version.ts';

/** Of archives with less to write down, some 30 MB, all is read again as quickly. */
const worthBytes = 1 << 20;
/** File systems and clocks may be coarse. */
const settledMs = 2_000;
const fileName = 'archives';
/** The last bytes of the file: the digest of its index, and where that begins. */
const [digestBytes, offsetBytes] = [64, 16];

/** Where the text of one reading stands. */
interface Place {
  readonly version: string;
  readonly linesOfBlock: number;
  readonly offset: number;
  readonly bytes: number;
  readonly digest: string;
}

export class ArchiveCache implements KnownArchives {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #old: Old | undefined;
  readonly #fresh = new Map<string, Place>();
  #writing: Growing | undefined;
  /** What is not written yet, since it may not be worth a file. */
  #waiting: string[] = [];
  #size = 0;
  #isBroken = false;

  /** `now`: the wall clock in milliseconds. */
  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
    this.#old = openOld(join(folder, fileName));
  }

  recall({ path, version: wanted, linesOfBlock }: ArchiveReading): Archive | undefined {
    const place = this.#old?.places.get(path);
    if (place === undefined || place.version !== wanted || place.linesOfBlock !== linesOfBlock) return undefined;
    const text = this.#old?.text(place);
    return text === undefined ? undefined : (JSON.parse(text) as Archive);
  }

  keep({ path, version: own, changedAt, linesOfBlock }: ArchiveReading, archive: Archive): void {
    if (this.#isBroken || this.#now() - changedAt < settledMs) return;
    const text = JSON.stringify(archive);
    const bytes = Buffer.byteLength(text);
    this.#fresh.set(path, { version: own, linesOfBlock, offset: this.#size, bytes, digest: digestText(text) });
    this.#size += bytes;
    this.#waiting.push(text);
    if (this.#size >= worthBytes) this.#try(() => this.#flush());
  }

  /** Writes what is new, together with what is still good of the old. */
  end(): void {
    const isWorthIt = this.#old !== undefined || this.#writing !== undefined;
    if (isWorthIt && this.#fresh.size > 0) this.#try(() => this.#writeRest());
    this.#old?.close();
    const written = this.#writing;
    if (written === undefined) return;
    this.#try(() => written.end());
    this.#try(() => written.publish(join(this.#folder, fileName)));
    if (this.#isBroken) written.remove();
  }

  #writeRest(): void {
    this.#flush();
    for (const [path, place] of this.#old?.places ?? []) {
      if (this.#fresh.has(path) || !existsSync(path)) continue;
      const text = this.#old?.text(place);
      if (text === undefined) continue;
      this.#fresh.set(path, { ...place, offset: this.#size });
      this.#size += place.bytes;
      this.#writing?.write(text);
    }
    const index = JSON.stringify({ version, places: [...this.#fresh] });
    this.#writing?.write(`${index}${digestText(index)}${String(this.#size).padStart(offsetBytes)}`);
  }

  #flush(): void {
    this.#writing ??= new Growing(this.#folder);
    this.#writing.write(this.#waiting.join(''));
    this.#waiting = [];
  }

  /** Nothing more is done once something failed. */
  #try(work: () => void): void {
    try {
      if (!this.#isBroken) work();
    } catch {
      this.#isBroken = true;
    }
  }
}

/** The file of an earlier run. */
interface Old {
  readonly places: ReadonlyMap<string, Place>;
  /** Undefined when it is not what was written. */
  text(place: Place): string | undefined;
  close(): void;
}

/** Undefined when there is none, or none that this version of chatform understands. */
function openOld(file: string): Old | undefined {
  let descriptor: number | undefined;
  try {
    const own = openSync(file, 'r');
    descriptor = own;
    const { size } = fstatSync(own);
    const end = size - digestBytes - offsetBytes;
    const start = Number(read(own, end + digestBytes, offsetBytes));
    const text = read(own, start, end - start);
    if (digestText(text) !== read(own, end, digestBytes)) throw new Error('damaged');
    const index = JSON.parse(text) as JsonValue;
    if (!isObject(index) || index.version !== version || !isList(index.places)) throw new Error('of another version');
    const places = new Map(index.places as unknown as [string, Place][]);
    return {
      places,
      text: ({ offset, bytes, digest }) => {
        try {
          const value = read(own, offset, bytes);
          return digestText(value) === digest ? value : undefined;
        } catch {
          return undefined;
        }
      },
      close: () => closeSync(own),
    };
  } catch {
    if (descriptor !== undefined) closeSync(descriptor);
    return undefined;
  }
}

function read(descriptor: number, offset: number, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  let filled = 0;
  for (let more = -1; filled < bytes && more !== 0; filled += more) {
    more = readSync(descriptor, buffer, filled, bytes - filled, offset + filled);
  }
  return buffer.toString('utf8', 0, filled);
}

/** What killed runs were writing. */
function removeLeftBehind(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (name.endsWith('.tmp') && Date.now() - statSync(file).mtimeMs > leftBehindMs) rmSync(file, { force: true });
  }
}

const leftBehindMs = 60 * 60_000;

/** A new file, which takes the place of the old one when it is whole. */
class Growing {
  readonly #temporary: string;
  readonly #descriptor: number;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    // Whatever else is kept out of version control, this is.
    writeFileSync(join(folder, '.gitignore'), '*\n');
    removeLeftBehind(folder);
    this.#temporary = join(folder, `${fileName}.${randomUUID()}.tmp`);
    this.#descriptor = openSync(this.#temporary, 'wx', 0o600);
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#descriptor, bytes, written);
  }

  end(): void {
    closeSync(this.#descriptor);
  }

  /** Under its name, once it has ended. */
  publish(file: string): void {
    renameSync(this.#temporary, file);
  }

  remove(): void {
    rmSync(this.#temporary, { force: true });
  }
}
