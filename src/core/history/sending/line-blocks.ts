// Finds the block of a line of a history file, and the blocks of a range of times.
import { countMarks, type HistoryFile, identitiesFrom, type LineBlock, marksFrom } from '../lines/history-file.ts';
import type { PlannedLines } from '../lines/range.ts';
import { batchLines } from './requests.ts';

const noLines: LineBlock = { offset: 0, bytes: 0, first: 0, last: 0, marks: '', identities: '', by: [], writers: '' };

/** Lines and blocks count from 0. */
export class LineBlocks {
  readonly #historyFile: HistoryFile;
  /** The number of the first line of each block. */
  readonly #starts: number[] = [];

  /** Whether any line has meta arrays. */
  readonly haveArrays: boolean;

  constructor(historyFile: HistoryFile) {
    this.#historyFile = historyFile;
    this.haveArrays = historyFile.blocks.some(({ arrays }) => arrays !== undefined);
    let line = 0;
    for (const { marks } of historyFile.blocks) {
      this.#starts.push(line);
      line += countMarks(marks);
    }
  }

  block(number: number): LineBlock {
    return this.#historyFile.blocks[number] ?? noLines;
  }

  /** Returns the number of a block's first line, or the number of lines for blocks after the last. */
  startOf(number: number): number {
    return this.#starts[number] ?? (number <= 0 ? 0 : this.#historyFile.messages);
  }

  blockOf(line: number): number {
    return firstWhere(this.#starts.length, (place) => this.startOf(place) > line) - 1;
  }

  identityOf(line: number): string {
    const number = this.blockOf(line);
    const place = line - this.startOf(number);
    return identitiesFrom(this.block(number).identities, place, place + 1);
  }

  /** Returns the range of blocks around one that share a timestamp with it. */
  sharingTime(number: number): readonly [from: number, to: number] {
    const { first, last } = this.block(number);
    let [from, to] = [number, number];
    while (from > 0 && this.block(from - 1).last >= first) from--;
    while (to + 1 < this.#historyFile.blocks.length && this.block(to + 1).first <= last) to++;
    return [from, to];
  }

  /** Returns the range of blocks with lines of these times. If there are none, `to` is less than `from`. */
  within({ first, last }: Pick<LineBlock, 'first' | 'last'>): readonly [from: number, to: number] {
    const { length } = this.#historyFile.blocks;
    const from = firstWhere(length, (place) => this.block(place).last >= first);
    return [from, firstWhere(length, (place) => this.block(place).first > last) - 1];
  }

  /** Returns the lines of this time and identity with their fingerprints. */
  ofIdentity(time: number, identity: string): readonly { readonly line: number; readonly mark: string }[] {
    const [from, to] = this.within({ first: time, last: time });
    const alike: { line: number; mark: string }[] = [];
    for (let number = from; number <= to; number++) {
      const { identities, marks } = this.block(number);
      for (let place = 0; place < countMarks(marks); place++) {
        if (identitiesFrom(identities, place, place + 1) !== identity) continue;
        alike.push({
          line: this.startOf(number) + place,
          mark: marksFrom(marks, place, place + 1),
        });
      }
    }
    return alike;
  }

  /** Returns the lines of these blocks before the line `end`. `key` is that of the channel. */
  lines(key: string, [from, to]: readonly [from: number, to: number], end: number): PlannedLines {
    const blocks = this.#historyFile.blocks.slice(from, to + 1);
    const last = blocks.at(-1);
    const offset = blocks[0]?.offset ?? 0;
    const bytes = last === undefined ? 0 : last.offset + last.bytes - offset;
    const repeats = Object.fromEntries(blocks.flatMap((block, place) => this.#repeatsOf(block, from, from + place)));
    const marks = marksFrom(blocks.map((block) => block.marks).join(''), 0, Math.max(0, end - this.startOf(from)));
    const block = { ...noLines, offset, bytes, ...(Object.keys(repeats).length === 0 ? {} : { repeats }) };
    return batchLines({ block, skip: 0, count: countMarks(marks), marks }, this.#historyFile, key);
  }

  /** Returns the repeats of a block with indexes that count from the first line of the block `from`. */
  #repeatsOf({ repeats = {} }: LineBlock, from: number, number: number): (readonly [string, number])[] {
    const before = this.startOf(number) - this.startOf(from);
    return Object.entries(repeats).map(([place, repeat]) => [String(Number(place) + before), repeat]);
  }
}

/** Returns the first index from which the condition holds, or the length if it never does. */
function firstWhere(length: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
