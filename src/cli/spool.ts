// Where do the steps and changes of a plan go that is too big for memory? Into a temporary file, one line a value.
//
// Few values stay in memory: most plans never touch the disk. The file is readable by its owner alone, since plans hold
// names and metadata, and it is unlinked while it is open, so that nothing is left behind even by kill -9.
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Collect, Collector, Series } from '../model/series.ts';

export interface SpoolOptions {
  /** For the temporary file. */
  readonly folder: string;
  /** So many values stay in memory. */
  readonly inMemory: number;
}

const chunkBytes = 1 << 20;

/** Collectors that go to disk beyond `inMemory` values. They live until the process ends, or until `close`. */
export class Spool {
  readonly #options: SpoolOptions;
  readonly #open = new Set<number>();

  constructor(options: SpoolOptions) {
    this.#options = options;
  }

  readonly collect: Collect = <T>(): Collector<T> => {
    let values: T[] = [];
    let file: SpoolFile<T> | undefined;
    return {
      push: (value, text) => {
        if (file !== undefined) return file.push(text ?? JSON.stringify(value));
        values.push(value);
        if (values.length <= this.#options.inMemory) return;
        file = new SpoolFile<T>(this.#openFile());
        for (const kept of values) file.push(JSON.stringify(kept));
        values = [];
      },
      end: () => file?.end() ?? values,
    };
  };

  close(): void {
    for (const descriptor of this.#open) closeSync(descriptor);
    this.#open.clear();
  }

  #openFile(): number {
    const folder = mkdtempSync(join(this.#options.folder, 'chatform-'));
    const descriptor = openSync(join(folder, 'spool'), 'wx+', 0o600);
    this.#open.add(descriptor);
    // Windows keeps a file that is open; there it stays in the temporary folder until the system clears it.
    if (process.platform !== 'win32') rmSync(folder, { recursive: true });
    return descriptor;
  }
}

class SpoolFile<T> implements Series<T> {
  readonly #descriptor: number;
  /** Where each value ends; a file of spooled values may be longer than 4 GB. */
  #ends = new Float64Array(1024);
  #length = 0;
  #size = 0;
  #waiting = '';

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  get length(): number {
    return this.#length;
  }

  push(text: string): void {
    this.#waiting += text;
    this.#size += Buffer.byteLength(text);
    if (this.#length === this.#ends.length) {
      const longer = new Float64Array(this.#ends.length * 2);
      longer.set(this.#ends);
      this.#ends = longer;
    }
    this.#ends[this.#length] = this.#size;
    this.#length += 1;
    if (this.#waiting.length >= chunkBytes) this.#write();
  }

  end(): Series<T> {
    this.#write();
    return this;
  }

  at(index: number): T | undefined {
    if (index < 0 || index >= this.#length) return undefined;
    return parse<T>(this.#read(this.#endOf(index - 1), this.#endOf(index)));
  }

  *[Symbol.iterator](): Generator<T> {
    let first = 0;
    while (first < this.#length) {
      const start = this.#endOf(first - 1);
      let last = first;
      while (last + 1 < this.#length && this.#endOf(last + 1) - start <= chunkBytes) last += 1;
      const chunk = this.#read(start, this.#endOf(last));
      for (let index = first; index <= last; index += 1) {
        yield parse<T>(chunk.subarray(this.#endOf(index - 1) - start, this.#endOf(index) - start));
      }
      first = last + 1;
    }
  }

  #endOf(index: number): number {
    return index < 0 ? 0 : (this.#ends[index] ?? 0);
  }

  #write(): void {
    const bytes = Buffer.from(this.#waiting);
    let written = 0;
    while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written);
    this.#waiting = '';
  }

  #read(from: number, to: number): Buffer {
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

function parse<T>(bytes: Buffer): T {
  return JSON.parse(bytes.toString()) as T;
}
