// Sorted records that are kept as lines in a buffer and parsed on demand.
//
// An index has the offset and the first address of every 16 KB, so a million records take a few MB of memory.
import { isAscii } from 'node:buffer';
import { LazySeries, lastWhere } from '../../../lib/series.ts';
import type { Address } from '../../model/address.ts';
import type { StateRecord } from '../../model/record.ts';
import { newline } from './lines.ts';
import { PagedBuffer } from './paged-buffer.ts';
import { addressInLine } from './record-text.ts';
import type { RecordIndex, StoredRecords } from './sorted-records.ts';

const blockBytes = 1 << 14;

/** The index of adjacent lines, each of which starts with its address. */
class LineIndex {
  readonly #offsets: number[] = [];
  readonly #firsts: number[] = [];
  readonly #addresses: Address[] = [];
  #end = 0;
  #length = 0;
  #isAtEnd = false;

  get length(): number {
    return this.#length;
  }

  get blocks(): number {
    return this.#offsets.length;
  }

  /** Makes the next line begin a block. */
  endBlock(): void {
    this.#isAtEnd = true;
  }

  /** `offset` is that of the line in the buffer. Its bytes in `chunk` are from `start` to `end`, without the newline. */
  add(offset: number, chunk: Buffer, start: number, end: number): void {
    const begun = this.#offsets.at(-1);
    if (begun === undefined || this.#isAtEnd || offset - begun >= blockBytes) {
      this.#isAtEnd = false;
      this.#offsets.push(offset);
      this.#firsts.push(this.#length);
      this.#addresses.push(addressInLine(chunk, start));
    }
    this.#length += 1;
    this.#end = offset + end - start + 1;
  }

  /** Returns the offset of a block. The block ends where the next one begins. */
  offsetOf(block: number): number {
    return this.#offsets[block] ?? this.#end;
  }

  firstOf(block: number): number {
    return this.#firsts[block] ?? this.#length;
  }

  blockOfLine(line: number): number {
    return lastWhere(this.#firsts.length, (block) => this.firstOf(block) <= line);
  }

  /** Returns -1 if the address precedes all lines. */
  blockOfAddress(address: Address): number {
    return lastWhere(this.#addresses.length, (block) => (this.#addresses[block] ?? '') <= address);
  }
}

interface RecordBlock {
  readonly number: number;
  readonly bytes: Buffer;
  /** The text of a block without multibyte characters, which most blocks are. */
  readonly ascii: string | undefined;
  /** The offset of each line. The last entry is the end of the block. */
  readonly starts: readonly number[];
}

class RecordLines extends LazySeries<StateRecord> implements StoredRecords {
  readonly #bytes: LineBytes;
  readonly #index: LineIndex;
  /** Cached, because most callers read neighbouring records one after the other. */
  #latest: RecordBlock | undefined;

  constructor(bytes: LineBytes, index: LineIndex) {
    super();
    this.#bytes = bytes;
    this.#index = index;
  }

  get length(): number {
    return this.#index.length;
  }

  at(index: number): StateRecord | undefined {
    if (index < 0 || index >= this.length) return undefined;
    const block = this.#block(this.#index.blockOfLine(index));
    return recordIn(block, index - this.#index.firstOf(block.number));
  }

  addressAt(index: number): Address | undefined {
    if (index < 0 || index >= this.length) return undefined;
    const block = this.#block(this.#index.blockOfLine(index));
    return addressInLine(block.bytes, block.starts[index - this.#index.firstOf(block.number)] ?? 0);
  }

  seek(address: Address): RecordIndex {
    const number = this.#index.blockOfAddress(address);
    if (number < 0) return { index: 0, isFound: false };
    const block = this.#block(number);
    const addressOf = (line: number) => addressInLine(block.bytes, block.starts[line] ?? 0);
    const line = lastWhere(block.starts.length - 1, (line) => addressOf(line) <= address);
    const isFound = addressOf(line) === address;
    return { index: this.#index.firstOf(number) + line + Number(!isFound), isFound };
  }

  *[Symbol.iterator](): Generator<StateRecord> {
    for (let number = 0; number < this.#index.blocks; number += 1) {
      const block = this.#load(number);
      for (let line = 0; line < block.starts.length - 1; line += 1) yield recordIn(block, line);
    }
  }

  *lines(from = 0, to = this.length): Generator<Uint8Array> {
    for (let line = from; line < to; ) {
      const block = this.#block(this.#index.blockOfLine(line));
      const first = this.#index.firstOf(block.number);
      const end = Math.min(to - first, block.starts.length - 1);
      yield block.bytes.subarray(block.starts[line - first], block.starts[end]);
      line = first + end;
    }
  }

  #block(number: number): RecordBlock {
    if (this.#latest?.number !== number) this.#latest = this.#load(number);
    return this.#latest;
  }

  #load(number: number): RecordBlock {
    const offset = this.#index.offsetOf(number);
    const bytes = this.#bytes.slice(offset, this.#index.offsetOf(number + 1) - offset);
    const starts = [0];
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, end + 1)) starts.push(end + 1);
    return { number, bytes, ascii: isAscii(bytes) ? bytes.toString('latin1') : undefined, starts };
  }
}

type ReadAgain = (offset: number, length: number) => Buffer;

interface LineSource {
  /** The offset of its first line. */
  readonly from: number;
  readonly isKept: boolean;
  readonly read: ReadAgain;
}

/** Lines in a buffer, and lines that are read again from their source. */
class LineBytes {
  readonly #buffer = new PagedBuffer();
  readonly #sources: LineSource[] = [];
  #length = 0;

  /** Returns the offset of the lines, and whether they begin a source. No block spans two sources. */
  append(lines: Buffer, readAgain?: ReadAgain): { readonly offset: number; readonly isNew: boolean } {
    const from = this.#length;
    this.#length += lines.length;
    const isNew = readAgain !== undefined || this.#sources.at(-1)?.isKept !== true;
    const kept = readAgain === undefined ? this.#buffer.append(lines) : 0;
    const read = readAgain ?? ((offset: number, length: number) => this.#buffer.slice(kept + offset, length));
    if (isNew) this.#sources.push({ from, isKept: readAgain === undefined, read });
    return { offset: from, isNew };
  }

  /** Callers must not write to the result. */
  slice(offset: number, length: number): Buffer {
    const source = this.#sources[lastWhere(this.#sources.length, (at) => (this.#sources[at]?.from ?? 0) <= offset)];
    return source === undefined ? Buffer.alloc(0) : source.read(offset - source.from, length);
  }
}

/** Records must be added in the order of their addresses. */
export class RecordLinesBuilder {
  readonly #bytes = new LineBytes();
  readonly #index = new LineIndex();

  /** `text` is a line as `recordText` returns it. */
  add(text: string): void {
    this.addLines(Buffer.from(`${text}\n`));
  }

  /** `lines` are whole lines, as `recordLine` returns them. If `readAgain` can read them again, they are not kept. */
  addLines(lines: Buffer, readAgain?: ReadAgain): void {
    const { offset, isNew } = this.#bytes.append(lines, readAgain);
    if (isNew) this.#index.endBlock();
    for (let start = 0, end = lines.indexOf(newline); end !== -1; end = lines.indexOf(newline, start)) {
      this.#index.add(offset + start, lines, start, end);
      start = end + 1;
    }
  }

  end(): StoredRecords {
    return new RecordLines(this.#bytes, this.#index);
  }
}

function recordIn({ bytes, ascii, starts }: RecordBlock, line: number): StateRecord {
  const text = ascii?.slice(starts[line], starts[line + 1]) ?? bytes.toString('utf8', starts[line], starts[line + 1]);
  return JSON.parse(text) as StateRecord;
}
