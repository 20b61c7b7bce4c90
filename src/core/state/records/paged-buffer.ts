// A growing buffer. The first 8 MB stay in memory, and the rest is in a temporary file.
import { InternalError } from '../../../lib/errors.ts';
import { TempFile } from '../../../lib/temp-file.ts';

const pageBytes = 1 << 20;
/** The first page begins with this size, because most states are small. */
const firstBytes = 1 << 14;
const readAheadBytes = 1 << 14;
const memoryBytes = 8 << 20;

export class PagedBuffer {
  /** A page in the file is undefined here. It is at its number times `pageBytes`. Only the last page is not full, and only the first is ever shorter. */
  readonly #pages: (Buffer | undefined)[] = [];
  readonly #limit: number;
  readonly #openFile: () => TempFile;
  #file: TempFile | undefined;
  #length = 0;
  /** The bytes of the file from `#aheadOffset` on. */
  #ahead: Buffer = Buffer.alloc(0);
  #aheadOffset = 0;

  /** `limit` is the number of bytes that stay in memory. Both parameters are for tests. */
  constructor(limit = memoryBytes, openFile = () => new TempFile()) {
    this.#limit = limit;
    this.#openFile = openFile;
  }

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  /** Returns the offset of the appended bytes. */
  append(bytes: Uint8Array): number {
    const offset = this.#length;
    for (let at = 0; at < bytes.length; ) {
      const { page, from } = this.#lastPage(bytes.length - at);
      const part = bytes.subarray(at, at + page.length - from);
      page.set(part, from);
      at += part.length;
      this.#length += part.length;
    }
    return offset;
  }

  /** Callers must not write to the result. */
  slice(offset: number, length: number): Buffer {
    const first = this.#pages[Math.floor(offset / pageBytes)];
    const start = offset % pageBytes;
    if (first !== undefined && start + length <= pageBytes) return first.subarray(start, start + length);
    if (first === undefined && length <= readAheadBytes && start + length <= pageBytes)
      return this.#readAhead(offset, length);
    const bytes = Buffer.allocUnsafe(length);
    for (let at = 0; at < length; ) {
      const from = (offset + at) % pageBytes;
      const part = bytes.subarray(at, at + pageBytes - from);
      const page = this.#pages[Math.floor((offset + at) / pageBytes)];
      part.set(page?.subarray(from, from + part.length) ?? this.#read(part.length, offset + at));
      at += part.length;
    }
    return bytes;
  }

  /** Most callers read a few bytes of the file and then the following bytes. */
  #readAhead(offset: number, length: number): Buffer {
    let at = offset - this.#aheadOffset;
    if (at < 0 || at + length > this.#ahead.length) {
      this.#ahead = this.#read(Math.min(readAheadBytes, pageBytes - (offset % pageBytes)), offset);
      this.#aheadOffset = offset;
      at = 0;
    }
    return Buffer.from(this.#ahead.subarray(at, at + length));
  }

  /** A page that is not in memory is in the file. */
  #read(length: number, offset: number): Buffer {
    if (this.#file === undefined) throw new InternalError('a page is neither in memory nor in a file');
    return this.#file.read(length, offset);
  }

  /** Returns a page with room for at least one of the bytes that are appended. */
  #lastPage(bytes: number): { readonly page: Buffer; readonly from: number } {
    const from = this.#length % pageBytes;
    const last = this.#pages.at(-1);
    if (this.#length === 0) return { page: this.#grown(Buffer.alloc(0), Math.max(firstBytes, bytes)), from };
    if (last !== undefined && this.#length < this.#pages.length * pageBytes)
      return { page: from < last.length ? last : this.#grown(last, Math.max(2 * from, from + bytes)), from };
    const page = last !== undefined && this.#moveToFile(last) ? last : Buffer.allocUnsafe(pageBytes);
    this.#pages.push(page);
    return { page, from };
  }

  /** Replaces the first page. Slices of the shorter one stay valid, because nothing is written to it any more. */
  #grown(page: Buffer, bytes: number): Buffer {
    const larger = Buffer.allocUnsafe(Math.min(bytes, pageBytes));
    page.copy(larger);
    this.#pages[0] = larger;
    return larger;
  }

  /** Moves the last page. Returns false if it stays in memory: below the limit, or if the disk is full. */
  #moveToFile(page: Buffer): boolean {
    if (this.#length <= this.#limit) return false;
    try {
      this.#file ??= this.#openFile();
      this.#file.write(page, this.#length - pageBytes);
    } catch {
      return false;
    }
    this.#pages[this.#pages.length - 1] = undefined;
    return true;
  }
}
