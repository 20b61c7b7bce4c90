// Sorted records that lie on a disk or in a buffer as lines, and are parsed when somebody asks for them.
//
// An index knows the offset and the first address of every 16 KB, so a million records take a few MB of memory.
import { isAscii } from 'node:buffer';
import { lastWhere } from '../../lib/search.ts';
import { LazySeries, type Series } from '../../lib/series.ts';
import type { Address } from '../../model/address.ts';
import type { StateRecord } from '../../model/record.ts';
import { newline } from '../lines.ts';
import { PagedBuffer, type StoredBytes } from './paged-buffer.ts';
import { addressInLine, recordLine } from './record-text.ts';

/** The index of a record, or the one that it would have. */
export interface SearchResult {
  readonly index: number;
  readonly isFound: boolean;
}

/** Records sorted by the code units of their address. */
export interface SortedRecords extends Series<StateRecord> {
  /** The canonical lines, several in each piece. */
  lines(): Iterable<Uint8Array>;
}

/** Records that never change; a RecordTable lays changes over them. */
export interface StoredRecords extends SortedRecords {
  seek(address: Address): SearchResult;
  /** The lines of the records from index `from` to before `to`. */
  lines(from?: number, to?: number): Iterable<Uint8Array>;
}

const blockBytes = 1 << 14;

/** The index of adjacent lines, each of which starts with its address (`startsWithAddress`). */
export class LineIndex {
  readonly #offsets: number[] = [];
  readonly #firsts: number[] = [];
  readonly #addresses: Address[] = [];
  #end = 0;
  #length = 0;

  /** The number of lines. */
  get length(): number {
    return this.#length;
  }

  get blocks(): number {
    return this.#offsets.length;
  }

  /** `offset`: of the line in the file. `start`, `end`: of its bytes in `chunk`, without the newline. */
  add(offset: number, chunk: Buffer, start: number, end: number): void {
    const begun = this.#offsets.at(-1);
    if (begun === undefined || offset - begun >= blockBytes) {
      this.#offsets.push(offset);
      this.#firsts.push(this.#length);
      this.#addresses.push(addressInLine(chunk, start));
    }
    this.#length += 1;
    this.#end = offset + end - start + 1;
  }

  /** Where a block begins. It ends where the next one begins. */
  offsetOf(block: number): number {
    return this.#offsets[block] ?? this.#end;
  }

  /** The index of the first line of a block. */
  firstOf(block: number): number {
    return this.#firsts[block] ?? this.#length;
  }

  blockOfLine(line: number): number {
    return lastWhere(this.#firsts.length, (block) => this.firstOf(block) <= line);
  }

  /** -1 when the address is before all lines. */
  blockOfAddress(address: Address): number {
    return lastWhere(this.#addresses.length, (block) => (this.#addresses[block] ?? '') <= address);
  }
}

interface Block {
  readonly number: number;
  readonly bytes: Buffer;
  /** The text of a block without characters of several bytes, which is most of them. */
  readonly ascii: string | undefined;
  /** Where each line begins; the last entry is the end of the block. */
  readonly starts: readonly number[];
}

export class RecordLines extends LazySeries<StateRecord> implements StoredRecords {
  readonly #bytes: StoredBytes;
  readonly #index: LineIndex;
  /** Most callers ask for neighbours one after the other. */
  #latest: Block | undefined;

  constructor(bytes: StoredBytes, index: LineIndex) {
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

  seek(address: Address): SearchResult {
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

  #block(number: number): Block {
    if (this.#latest?.number !== number) this.#latest = this.#load(number);
    return this.#latest;
  }

  #load(number: number): Block {
    const offset = this.#index.offsetOf(number);
    const bytes = this.#bytes.slice(offset, this.#index.offsetOf(number + 1) - offset);
    const starts = [0];
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, end + 1)) starts.push(end + 1);
    return { number, bytes, ascii: isAscii(bytes) ? bytes.toString('latin1') : undefined, starts };
  }
}

/** Takes records in the order of their addresses. */
export class RecordLinesBuilder {
  readonly #bytes = new PagedBuffer();
  readonly #index = new LineIndex();

  /** `text`: a line without its newline, for which `startsWithAddress` holds. */
  add(text: string): void {
    const bytes = Buffer.from(`${text}\n`);
    this.#index.add(this.#bytes.append(bytes), bytes, 0, bytes.length - 1);
  }

  end(): StoredRecords {
    return new RecordLines(this.#bytes, this.#index);
  }
}

/** Sorted records that are in memory anyway. */
export class ListedRecords extends LazySeries<StateRecord> implements StoredRecords {
  readonly #records: readonly StateRecord[];

  constructor(records: readonly StateRecord[]) {
    super();
    this.#records = records;
  }

  get length(): number {
    return this.#records.length;
  }

  at(index: number): StateRecord | undefined {
    return index < 0 ? undefined : this.#records[index];
  }

  seek(address: Address): SearchResult {
    const index = 1 + lastWhere(this.length, (index) => (this.#records[index]?.address ?? '') < address);
    return { index, isFound: this.#records[index]?.address === address };
  }

  [Symbol.iterator](): Iterator<StateRecord> {
    return this.#records[Symbol.iterator]();
  }

  *lines(from = 0, to = this.length): Generator<Uint8Array> {
    for (const record of this.#records.slice(from, to)) yield Buffer.from(recordLine(record));
  }
}

export const noRecords: StoredRecords = new ListedRecords([]);

function recordIn({ bytes, ascii, starts }: Block, line: number): StateRecord {
  const text = ascii?.slice(starts[line], starts[line + 1]) ?? bytes.toString('utf8', starts[line], starts[line + 1]);
  return JSON.parse(text) as StateRecord;
}
