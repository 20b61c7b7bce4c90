// A series on disk. It uses node:fs, so only impure layers may create one.
import { isAscii } from 'node:buffer';
import type { writeSync } from 'node:fs';
import { LazySeries, lastWhere, type Series } from './series.ts';
import type { TempFile } from './temp-file.ts';

export interface SpoolOptions {
  /** The folder of the temporary files. */
  readonly folder: string;
  /** The number of characters of JSON of each collector that stay in memory, as values. */
  readonly inMemory: number;
  /** Replaces the system call in tests. */
  readonly write?: typeof writeSync;
  /** Makes the error to throw if a file cannot be created or written. The default is the system's error. */
  readonly onFailure?: (folder: string, cause: unknown) => Error;
}

/** The size of one write or read. */
const chunkBytes = 1 << 18;

/** The maximum number of values in a page. Pages of long values have fewer. */
const valuesOfPage = 64;

/** A file with one line per value, and an index of where each page begins. */
export class SpoolFile<T> extends LazySeries<T> {
  readonly #file: TempFile;
  readonly #options: SpoolOptions;
  /** By page, the index of its first value and its offset in the file. */
  readonly #firsts: number[] = [];
  readonly #starts: number[] = [];
  #length = 0;
  /** The number of bytes written. */
  #size = 0;
  /** Bytes waiting to be written. */
  #waiting = Buffer.allocUnsafe(chunkBytes);
  #filled = 0;
  #page: { readonly number: number; readonly lines: readonly string[] } | undefined;

  constructor(file: TempFile, options: SpoolOptions) {
    super();
    this.#file = file;
    this.#options = options;
  }

  get length(): number {
    return this.#length;
  }

  push(text: string): void {
    const start = this.#size + this.#filled;
    const first = this.#firsts.at(-1);
    const isFull =
      first === undefined ||
      this.#length - first === valuesOfPage ||
      start - this.#startOf(this.#starts.length - 1) > chunkBytes / 4;
    if (isFull) {
      this.#firsts.push(this.#length);
      this.#starts.push(start);
    }
    this.#length += 1;
    // A UTF-16 code unit takes at most three bytes in UTF-8.
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
    return JSON.parse(this.#page.lines[index - this.#firstOf(number)] ?? '') as T;
  }

  *[Symbol.iterator](): Generator<T> {
    for (const line of this.texts()) yield JSON.parse(line) as T;
  }

  override *texts(): Generator<string> {
    let first = 0;
    while (first < this.#firsts.length) {
      let end = first + 1;
      while (end < this.#firsts.length && this.#startOf(end + 1) - this.#startOf(first) <= chunkBytes) end += 1;
      yield* this.#linesOf(first, end);
      first = end;
    }
  }

  #pageOf(index: number): number {
    return lastWhere(this.#firsts.length, (page) => this.#firstOf(page) <= index);
  }

  #firstOf(page: number): number {
    return this.#firsts[page] ?? this.#length;
  }

  #startOf(page: number): number {
    return this.#starts[page] ?? this.#size;
  }

  /** Reads the lines of the pages from `page` to before `end`. */
  #linesOf(page: number, end: number): readonly string[] {
    const start = this.#startOf(page);
    const bytes = this.#file.read(this.#startOf(end) - start, start);
    const lines = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8').split('\n');
    lines.pop();
    return lines;
  }

  #write(): void {
    this.#writeAll(this.#waiting.subarray(0, this.#filled));
    this.#filled = 0;
  }

  #writeAll(bytes: Buffer): void {
    const { folder, onFailure } = this.#options;
    try {
      this.#file.write(bytes, this.#size);
    } catch (cause) {
      throw onFailure?.(folder, cause) ?? cause;
    }
    this.#size += bytes.length;
  }
}
