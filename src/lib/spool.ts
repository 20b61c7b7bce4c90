// Where do the steps and changes of a plan go that is too big for memory? Into a temporary file, one line a value.
//
// Few values stay in memory: most plans never touch the disk. The file is readable by its owner alone, since plans hold
// names and metadata, and it is unlinked while it is open, so that nothing is left behind even by kill -9.
import { isAscii } from 'node:buffer';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { NumberColumn } from './number-column.ts';
import { lastWhere } from './search.ts';
import { type Collect, type Collector, noShort, type ReadShort, type Series } from './series.ts';

export interface SpoolOptions {
  /** For the temporary file. */
  readonly folder: string;
  /** So many values stay in memory. */
  readonly inMemory: number;
  /** How it is written, for tests: the system's own way by default. */
  readonly write?: typeof writeSync;
  /** What to throw when the file cannot be made or written; by default the system's error. */
  readonly onFailure?: (folder: string, cause: unknown) => Error;
}

/** So much is written at once, and read at once. */
const chunkBytes = 1 << 18;
/** So many values lie between two places that are known, unless they are longer than a chunk. */
const valuesOfPage = 64;
/** A short text begins with it, and no JSON does. */
const shortMark = '@';

interface OpenSpool {
  /** Of its collectors that are on disk and not closed. */
  readonly open: Set<number>;
  readonly descriptor: number;
}

/** A program may make many plans (library.ts): a file goes with the last who knows its series. */
const forgotten = new FinalizationRegistry<OpenSpool>(({ open, descriptor }) => {
  if (open.delete(descriptor)) closeSync(descriptor);
});

/** Collectors that go to disk beyond `inMemory` values. They live until nobody knows them any more, or until `close`. */
export class Spool {
  readonly #options: SpoolOptions;
  readonly #open = new Set<number>();

  constructor(options: SpoolOptions) {
    this.#options = options;
  }

  readonly collect: Collect = <T>(read: ReadShort<T> = noShort): Collector<T> => {
    let values: T[] = [];
    let file: SpoolFile<T> | undefined;
    const keep = (value: T): void => {
      values.push(value);
      if (values.length <= this.#options.inMemory) return;
      const descriptor = this.#openFile();
      file = new SpoolFile<T>(descriptor, read, this.#options);
      forgotten.register(file, { open: this.#open, descriptor });
      for (const kept of values) file.push(JSON.stringify(kept));
      values = [];
    };
    return {
      push: (value, text) => {
        if (file === undefined) keep(value);
        else file.push(text ?? JSON.stringify(value));
      },
      pushShort: (text) => {
        if (file === undefined) keep(read(text));
        else file.push(text);
      },
      end: () => file?.end() ?? values,
    };
  };

  close(): void {
    for (const descriptor of this.#open) closeSync(descriptor);
    this.#open.clear();
  }

  #openFile(): number {
    try {
      const folder = mkdtempSync(join(this.#options.folder, 'chatform-'));
      const descriptor = openSync(join(folder, 'spool'), 'wx+', 0o600);
      this.#open.add(descriptor);
      // Windows keeps a file that is open; there it stays in the temporary folder until the system clears it.
      if (process.platform !== 'win32') rmSync(folder, { recursive: true });
      return descriptor;
    } catch (cause) {
      throw this.#options.onFailure?.(this.#options.folder, cause) ?? cause;
    }
  }
}

/** A line a value. Of every page is known where it begins. */
class SpoolFile<T> implements Series<T> {
  readonly #descriptor: number;
  readonly #read: ReadShort<T>;
  readonly #options: SpoolOptions;
  /** The number of the first value of each page, and its place in the file. */
  readonly #firsts = new NumberColumn();
  readonly #starts = new NumberColumn();
  #length = 0;
  /** Of what was written. */
  #size = 0;
  /** What waits to be written. */
  #waiting = Buffer.allocUnsafe(chunkBytes);
  #filled = 0;
  /** The page that was read last by its place. */
  #page: { readonly number: number; readonly lines: readonly string[] } | undefined;

  constructor(descriptor: number, read: ReadShort<T>, options: SpoolOptions) {
    this.#descriptor = descriptor;
    this.#read = read;
    this.#options = options;
  }

  get length(): number {
    return this.#length;
  }

  push(text: string): void {
    const start = this.#size + this.#filled;
    const last = this.#firsts.length - 1;
    const isFull =
      this.#length - this.#firsts.at(last) === valuesOfPage || start - this.#starts.at(last) > chunkBytes / 4;
    if (last < 0 || isFull) {
      this.#firsts.push(this.#length);
      this.#starts.push(start);
    }
    this.#length += 1;
    // A character takes three bytes at most.
    if (3 * text.length + 1 > chunkBytes - this.#filled) this.#write();
    if (3 * text.length + 1 > chunkBytes) this.#writeAll(Buffer.from(`${text}\n`));
    else {
      this.#filled += this.#waiting.write(text, this.#filled);
      this.#waiting[this.#filled++] = 10;
    }
  }

  end(): Series<T> {
    this.#write();
    this.#waiting = Buffer.alloc(0);
    return this;
  }

  at(index: number): T | undefined {
    if (!(index >= 0 && index < this.#length)) return undefined;
    const number = this.#pageOf(index);
    if (this.#page?.number !== number) this.#page = { number, lines: this.#linesOf(number, number + 1) };
    return this.#valueOf(this.#page.lines[index - this.#firsts.at(number)] ?? '');
  }

  *[Symbol.iterator](): Generator<T> {
    let first = 0;
    while (first < this.#firsts.length) {
      let end = first + 1;
      while (end < this.#firsts.length && this.#startOf(end + 1) - this.#startOf(first) <= chunkBytes) end += 1;
      for (const line of this.#linesOf(first, end)) yield this.#valueOf(line);
      first = end;
    }
  }

  #valueOf(line: string): T {
    return line.startsWith(shortMark) ? this.#read(line) : (JSON.parse(line) as T);
  }

  /** The last page that begins at the value or before it. */
  #pageOf(index: number): number {
    return lastWhere(this.#firsts.length, (page) => this.#firsts.at(page) <= index);
  }

  #startOf(page: number): number {
    return page < this.#starts.length ? this.#starts.at(page) : this.#size;
  }

  /** Of some pages, each value's. */
  #linesOf(page: number, end: number): readonly string[] {
    const bytes = this.#bytes(this.#startOf(page), this.#startOf(end));
    const lines = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8').split('\n');
    lines.pop();
    return lines;
  }

  #write(): void {
    this.#writeAll(this.#waiting.subarray(0, this.#filled));
    this.#filled = 0;
  }

  #writeAll(bytes: Buffer): void {
    let written = 0;
    const { folder, write = writeSync, onFailure } = this.#options;
    try {
      while (written < bytes.length) written += write(this.#descriptor, bytes, written);
    } catch (cause) {
      throw onFailure?.(folder, cause) ?? cause;
    }
    this.#size += bytes.length;
  }

  #bytes(from: number, to: number): Buffer {
    const bytes = Buffer.allocUnsafe(to - from);
    let read = 0;
    while (read < bytes.length) {
      const more = readSync(this.#descriptor, bytes, read, bytes.length - read, from + read);
      if (more === 0) throw new Error('the temporary file of the plan was cut');
      read += more;
    }
    return bytes;
  }
}
