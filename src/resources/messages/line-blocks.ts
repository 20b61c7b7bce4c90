// The lines of an archive by their numbers: which block holds one, and which blocks hold the lines of a time.
import type { MessagesPlaceholder } from '../../model/request.ts';
import { type Archive, type Block, countMarks, marksFrom } from './archive.ts';
import { batchPlaceholder } from './requests.ts';

const noLines: Block = { offset: 0, bytes: 0, first: 0, last: 0, marks: '', identities: '', by: [], writers: '' };

/** Lines and blocks are counted from 0. */
export class LineBlocks {
  readonly #archive: Archive;
  /** The number of the first line of each block. */
  readonly #starts: number[] = [];

  constructor(archive: Archive) {
    this.#archive = archive;
    let line = 0;
    for (const { marks } of archive.blocks) {
      this.#starts.push(line);
      line += countMarks(marks);
    }
  }

  block(number: number): Block {
    return this.#archive.blocks[number] ?? noLines;
  }

  /** The number of its first line. Of blocks behind the last one: the number of lines. */
  startOf(number: number): number {
    return this.#starts[number] ?? (number <= 0 ? 0 : this.#archive.messages);
  }

  blockOf(line: number): number {
    return firstWhere(this.#starts.length, (place) => this.startOf(place) > line) - 1;
  }

  /** The blocks around one that share a moment with it. */
  sharingTime(number: number): readonly [from: number, to: number] {
    const { first, last } = this.block(number);
    let [from, to] = [number, number];
    while (from > 0 && this.block(from - 1).last >= first) from--;
    while (to + 1 < this.#archive.blocks.length && this.block(to + 1).first <= last) to++;
    return [from, to];
  }

  /** The blocks that hold lines of these times; `to` is before `from` when there are none. */
  within({ first, last }: Pick<Block, 'first' | 'last'>): readonly [from: number, to: number] {
    const { length } = this.#archive.blocks;
    const from = firstWhere(length, (place) => this.block(place).last >= first);
    return [from, firstWhere(length, (place) => this.block(place).first > last) - 1];
  }

  /** The lines of these blocks, as far as they stand before the line `end`. `key`: the channel's. */
  placeholder(key: string, [from, to]: readonly [from: number, to: number], end: number): MessagesPlaceholder {
    const blocks = this.#archive.blocks.slice(from, to + 1);
    const last = blocks.at(-1);
    const offset = blocks[0]?.offset ?? 0;
    const bytes = last === undefined ? 0 : last.offset + last.bytes - offset;
    const repeats = Object.fromEntries(blocks.flatMap((block, place) => this.#repeatsOf(block, from, from + place)));
    const marks = marksFrom(blocks.map((one) => one.marks).join(''), 0, Math.max(0, end - this.startOf(from)));
    const block = { ...noLines, offset, bytes, ...(Object.keys(repeats).length === 0 ? {} : { repeats }) };
    return batchPlaceholder({ block, skip: 0, count: countMarks(marks), marks }, this.#archive, key);
  }

  /** As those of lines behind the ones of earlier blocks. */
  #repeatsOf({ repeats = {} }: Block, from: number, number: number): (readonly [string, number])[] {
    const before = this.startOf(number) - this.startOf(from);
    return Object.entries(repeats).map(([place, repeat]) => [String(Number(place) + before), repeat]);
  }
}

/** The first place from which on the condition holds; the length when it never does. */
function firstWhere(length: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
