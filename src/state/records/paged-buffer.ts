// Where do a million texts lie that are looked up one by one? As bytes in pages: the first in memory, the rest in a file.
import { openScratch, type Scratch } from '../../lib/temp-file.ts';

/** Bytes that do not change once they are there. */
export interface StoredBytes {
  /** Not to be written to. */
  slice(offset: number, length: number): Buffer;
}

/** A text that stands among other bytes. */
export interface StoredText {
  readonly bytes: StoredBytes;
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
}

const pageBytes = 1 << 20;
const aheadBytes = 1 << 14;
/** So many bytes stay in memory. */
const defaultLimit = 32 << 20;

/** Takes bytes at its end. What is beyond the limit goes to a file without a name, which ends with the process. */
export class PagedBuffer implements StoredBytes {
  /** Undefined: it lies in the file, at the place that its number says. The last one is not full yet. */
  readonly #pages: (Buffer | undefined)[] = [];
  readonly #limit: number;
  readonly #makeScratch: () => Scratch | undefined;
  #scratch: Scratch | undefined;
  #length = 0;
  /** Bytes of the file, and where they stand. */
  #ahead = Buffer.alloc(0);
  #aheadOffset = 0;

  constructor(limit = defaultLimit, makeScratch: () => Scratch | undefined = openScratch) {
    this.#limit = limit;
    this.#makeScratch = makeScratch;
  }

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  /** Returns where the bytes begin now. */
  append(bytes: Uint8Array): number {
    const offset = this.#length;
    for (let at = 0; at < bytes.length; ) {
      const { page, from } = this.#lastPage();
      const part = bytes.subarray(at, at + pageBytes - from);
      page.set(part, from);
      at += part.length;
      this.#length += part.length;
    }
    return offset;
  }

  /** The same for a text. */
  appendText(text: string): number {
    // A code unit takes three bytes at most.
    if ((this.#length % pageBytes) + 3 * text.length > pageBytes) return this.append(Buffer.from(text));
    const { page, from } = this.#lastPage();
    const offset = this.#length;
    this.#length += page.write(text, from);
    return offset;
  }

  slice(offset: number, length: number): Buffer {
    const first = this.#pages[Math.floor(offset / pageBytes)];
    const start = offset % pageBytes;
    if (first !== undefined && start + length <= pageBytes) return first.subarray(start, start + length);
    if (first === undefined && length <= aheadBytes && start + length <= pageBytes)
      return this.#readAhead(offset, length);
    const bytes = Buffer.allocUnsafe(length);
    for (let at = 0; at < length; ) {
      const from = (offset + at) % pageBytes;
      const part = bytes.subarray(at, at + pageBytes - from);
      const page = this.#pages[Math.floor((offset + at) / pageBytes)];
      if (page === undefined) this.#scratch?.read(part, offset + at);
      else page.copy(part, 0, from);
      at += part.length;
    }
    return bytes;
  }

  /** Whoever asks for a few bytes of the file asks for those behind them next. */
  #readAhead(offset: number, length: number): Buffer {
    let at = offset - this.#aheadOffset;
    if (at < 0 || at + length > this.#ahead.length) {
      this.#ahead = Buffer.allocUnsafe(Math.min(aheadBytes, pageBytes - (offset % pageBytes)));
      this.#aheadOffset = offset;
      this.#scratch?.read(this.#ahead, offset);
      at = 0;
    }
    return this.#ahead.subarray(at, at + length);
  }

  /** With room for a byte at least. */
  #lastPage(): { readonly page: Buffer; readonly from: number } {
    const from = this.#length % pageBytes;
    const last = this.#pages.at(-1);
    if (last !== undefined && this.#length < this.#pages.length * pageBytes) return { page: last, from };
    const page = last !== undefined && this.#putAway(last) ? last : Buffer.allocUnsafe(pageBytes);
    this.#pages.push(page);
    return { page, from };
  }

  /** False: the page stays in memory, as there is room for it, or none on the disk. */
  #putAway(page: Buffer): boolean {
    if (this.#length <= this.#limit) return false;
    this.#scratch ??= this.#makeScratch();
    if (this.#scratch?.write(page, this.#length - pageBytes) !== true) return false;
    this.#pages[this.#pages.length - 1] = undefined;
    return true;
  }
}
