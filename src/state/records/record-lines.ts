// How are a million records at hand without being in memory? As lines of bytes, sorted by address, that are parsed when
// they are asked for. Of every few kilobytes it is known where they begin, and with which address.
import { isAscii } from 'node:buffer';
import { canonicalJson, type JsonObject } from '../../lib/json.ts';
import { lastWhere } from '../../lib/search.ts';
import type { Series } from '../../lib/series.ts';
import type { Address } from '../../model/address.ts';
import type { StateRecord } from '../../model/record.ts';
import { newline } from '../file/lines.ts';
import { PagedBuffer, type StoredBytes } from './paged-buffer.ts';

/** Where a record stands, or would stand. */
export interface Sought {
  readonly index: number;
  readonly isThere: boolean;
}

/** Records sorted by address, by code unit. */
export interface SortedRecords extends Series<StateRecord> {
  /** Their canonical lines, several at a time. */
  lines(): Iterable<Uint8Array>;
}

/** What others are laid over. */
export interface StoredRecords extends SortedRecords {
  seek(address: Address): Sought;
  /** The lines of the records from one place to before another. */
  lines(from?: number, to?: number): Iterable<Uint8Array>;
}

/** The one line that a record is written as, in a snapshot and in a copy. */
export function recordLine(record: StateRecord): string {
  return `${recordText(record)}\n`;
}

export function recordText(record: StateRecord): string {
  // A record is JSON by construction; the compiler cannot see it, because an interface has no index signature.
  return canonicalJson(record as unknown as JsonObject);
}

const lineStart = '{"address":';

/** Whether a line is laid out so that its address is found without parsing all of it. */
export function isIndexable(text: string, address: Address): boolean {
  return text.startsWith(`${lineStart}${JSON.stringify(address)}`);
}

const blockBytes = 1 << 14;
const quote = 34;
const backslash = 92;

/** Lines that follow one another without a gap, of which each begins with its address (`isIndexable`). */
export class LineIndex {
  readonly #offsets: number[] = [];
  readonly #firsts: number[] = [];
  readonly #addresses: Address[] = [];
  #end = 0;
  #length = 0;

  /** In lines. */
  get length(): number {
    return this.#length;
  }

  get blocks(): number {
    return this.#offsets.length;
  }

  /** `offset`: where the line lies in the file; `start` and `end`: where its bytes are found in `chunk` just now. */
  add(offset: number, chunk: Buffer, start: number, end: number): void {
    const begun = this.#offsets.at(-1);
    if (begun === undefined || offset - begun >= blockBytes) {
      this.#offsets.push(offset);
      this.#firsts.push(this.#length);
      this.#addresses.push(addressIn(chunk, start));
    }
    this.#length += 1;
    this.#end = offset + end - start + 1;
  }

  /** The bytes of a block begin here, and end where the next one begins. */
  offsetOf(block: number): number {
    return this.#offsets[block] ?? this.#end;
  }

  /** The number of a block's first line. */
  firstOf(block: number): number {
    return this.#firsts[block] ?? this.#length;
  }

  blockOfLine(line: number): number {
    return lastWhere(this.#firsts.length, (block) => this.firstOf(block) <= line);
  }

  /** -1: the address is before all lines. */
  blockOfAddress(address: Address): number {
    return lastWhere(this.#addresses.length, (block) => (this.#addresses[block] ?? '') <= address);
  }
}

interface Block {
  readonly number: number;
  readonly bytes: Buffer;
  /** Of blocks in which a character is a byte: most are. */
  readonly ascii: string | undefined;
  /** Where each line begins, and at last where the block ends. */
  readonly starts: readonly number[];
}

export class RecordLines implements StoredRecords {
  readonly #bytes: StoredBytes;
  readonly #index: LineIndex;
  /** Whoever asks for one record often asks for its neighbour next. */
  #latest: Block | undefined;

  constructor(bytes: StoredBytes, index: LineIndex) {
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

  seek(address: Address): Sought {
    const number = this.#index.blockOfAddress(address);
    if (number < 0) return { index: 0, isThere: false };
    const block = this.#block(number);
    const addressOf = (line: number) => addressIn(block.bytes, block.starts[line] ?? 0);
    const line = lastWhere(block.starts.length - 1, (line) => addressOf(line) <= address);
    const isThere = addressOf(line) === address;
    return { index: this.#index.firstOf(number) + line + Number(!isThere), isThere };
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

/** Takes records in order of their address. */
export class RecordLinesBuilder {
  readonly #arena = new PagedBuffer();
  readonly #index = new LineIndex();

  /** `text`: without a newline. One that is indexable is kept as it is. */
  add(text: string): void {
    const bytes = Buffer.from(`${text}\n`);
    this.#index.add(this.#arena.append(bytes), bytes, 0, bytes.length - 1);
  }

  end(): StoredRecords {
    return new RecordLines(this.#arena, this.#index);
  }
}

/** Records that are in memory anyway, sorted. */
export class ListedRecords implements StoredRecords {
  readonly #records: readonly StateRecord[];

  constructor(records: readonly StateRecord[]) {
    this.#records = records;
  }

  get length(): number {
    return this.#records.length;
  }

  at(index: number): StateRecord | undefined {
    return index < 0 ? undefined : this.#records[index];
  }

  seek(address: Address): Sought {
    const index = 1 + lastWhere(this.length, (index) => (this.#records[index]?.address ?? '') < address);
    return { index, isThere: this.#records[index]?.address === address };
  }

  [Symbol.iterator](): Iterator<StateRecord> {
    return this.#records[Symbol.iterator]();
  }

  *lines(from = 0, to = this.length): Generator<Uint8Array> {
    for (const record of this.#records.slice(from, to)) yield Buffer.from(recordLine(record));
  }
}

export const noRecords: StoredRecords = new ListedRecords([]);

/** Of a line that was checked when it was stored. */
function recordIn({ bytes, ascii, starts }: Block, line: number): StateRecord {
  const text = ascii?.slice(starts[line], starts[line + 1]) ?? bytes.toString('utf8', starts[line], starts[line + 1]);
  return JSON.parse(text) as StateRecord;
}

/** Of bytes that were checked when they were stored. */
export function parseStored(bytes: Buffer): StateRecord {
  return JSON.parse(bytes.toString()) as StateRecord;
}

/** The address that a line begins with. */
export function addressIn(chunk: Buffer, start: number): Address {
  const text = start + lineStart.length;
  let end = text + 1;
  let isPlain = true;
  for (; chunk[end] !== quote; end += 1) {
    if (chunk[end] !== backslash) continue;
    isPlain = false;
    end += 1;
  }
  if (isPlain) return chunk.toString('utf8', text + 1, end) as Address;
  return JSON.parse(chunk.toString('utf8', text, end + 1)) as Address;
}
