// Compares a history file with its sent lines and finds new, late, edited and removed lines (semantics §7). A late line is new
// but precedes sent lines.
//
// Both sides are sorted by time. State keeps no times of lines, only the first and last time of each call, so a sent line
// can match only lines whose block overlaps its call. Runs of equal lines are skipped quickly. Otherwise the unmatched sent
// lines are kept in memory, a few hundred at a time, however long the history file is.
import {
  countMarks,
  type HistoryFile,
  identitiesFrom,
  type LineBlock,
  marksFrom,
  repliesIn,
} from '../lines/history-file.ts';
import { type EditedPart, editedPart, isSeenAlike } from '../lines/line-mark.ts';
import type { RecordedCall, SentHistoryFile } from './recorded-calls.ts';

export interface SentLine {
  /** The number of the call and the index of the line in that call, both from 0. */
  readonly call: number;
  readonly place: number;
  readonly mark: string;
  readonly identity: string;
  /** Whether its outcome is unknown. */
  readonly isUnsure: boolean;
}

/** A line to send as a reply. `was`: it may have been sent before. */
export interface PendingReply {
  readonly line: number;
  readonly was?: SentLine;
}

/** Lines of the history file count from 0. */
export interface Differences {
  /** The number of lines before the first line to append. */
  readonly known: number;
  readonly edited: readonly {
    readonly line: number;
    readonly was: SentLine;
    readonly part: EditedPart;
  }[];
  /** Lines that were sent but are no longer in the history file. */
  readonly gone: readonly SentLine[];
  /** New lines before a line that was sent, without replies. */
  readonly late: readonly number[];
  /** Replies that were not sent. Their threads have an order of their own, so none of them is late. */
  readonly replies: readonly number[];
  /** Unchanged lines whose outcome is unknown. */
  readonly unsure: readonly { readonly line: number; readonly was: SentLine }[];
}

/** Compares the lines of a history file with those that were sent. */
export function differencesOf(historyFile: HistoryFile, { calls }: SentHistoryFile): Differences {
  return new Matching(calls).compare(historyFile);
}

interface WaitingLine extends SentLine {
  /** Blocks that begin after this time cannot contain the line. */
  readonly until: number;
  isMatched: boolean;
}

class Matching {
  readonly #cursor: Cursor;
  readonly #edited: Differences['edited'][number][] = [];
  readonly #gone: SentLine[] = [];
  readonly #fresh: number[] = [];
  readonly #unsure: Differences['unsure'][number][] = [];
  #known = 0;
  /** The sent lines that may still be matched, in the order of their calls and by identity. */
  #waiting: WaitingLine[] = [];
  #byIdentity = new Map<string, WaitingLine[]>();

  constructor(calls: readonly RecordedCall[]) {
    this.#cursor = new Cursor(calls);
  }

  compare(historyFile: HistoryFile): Differences {
    const { blocks } = historyFile;
    let line = 0;
    for (const [number, block] of blocks.entries()) {
      const count = countMarks(block.marks);
      const from = this.#waiting.length === 0 ? this.#cursor.passEqual(block, count) : 0;
      if (from > 0) this.#known = line + from;
      if (from < count) {
        // All further lines are new.
        if (this.#cursor.isOver && this.#waiting.length === 0) break;
        this.#wait(this.#cursor.linesUntil(block.last));
        this.#match(block, from, count, line);
        this.#release(blocks[number + 1]?.first ?? Number.POSITIVE_INFINITY);
      }
      line += count;
    }
    this.#gone.push(...this.#waiting.filter(({ isMatched }) => !isMatched));
    for (const line of this.#cursor.linesUntil(Number.POSITIVE_INFINITY)) this.#gone.push(line);
    const late = this.#fresh.filter((line) => line < this.#known);
    const replies = new Set(Array.from(repliesIn(historyFile), (reply) => reply.line));
    return {
      known: this.#known,
      edited: this.#edited,
      gone: this.#gone,
      late: replies.size === 0 ? late : late.filter((line) => !replies.has(line)),
      replies: [...late.filter((line) => replies.has(line)), ...[...replies].filter((line) => line >= this.#known)],
      unsure: this.#unsure,
    };
  }

  #wait(lines: Iterable<WaitingLine>): void {
    for (const line of lines) {
      this.#waiting.push(line);
      const alike = this.#byIdentity.get(line.identity);
      if (alike === undefined) this.#byIdentity.set(line.identity, [line]);
      else alike.push(line);
    }
  }

  /** Matches equal lines first, then lines that look the same, so that among several messages of one time the right ones count as edited. */
  #match({ marks, identities }: LineBlock, from: number, count: number, before: number): void {
    let open: number[] = [];
    for (let place = from; place < count; place++) {
      const mark = marksFrom(marks, place, place + 1);
      const alike = this.#byIdentity.get(identitiesFrom(identities, place, place + 1));
      const was = alike?.find((line) => !line.isMatched && line.mark === mark);
      if (was === undefined) open.push(place);
      else {
        was.isMatched = true;
        this.#known = before + place + 1;
        if (was.isUnsure) this.#unsure.push({ line: before + place, was });
      }
    }
    for (const isFit of [isSeenAlike, () => true]) {
      open = open.filter((place) => {
        const mark = marksFrom(marks, place, place + 1);
        const alike = this.#byIdentity.get(identitiesFrom(identities, place, place + 1));
        const was = alike?.find((line) => !line.isMatched && isFit(line.mark, mark));
        if (was === undefined) return true;
        was.isMatched = true;
        this.#known = Math.max(this.#known, before + place + 1);
        this.#edited.push({
          line: before + place,
          was,
          part: editedPart(was.mark, mark),
        });
        return false;
      });
    }
    for (const place of open) this.#fresh.push(before + place);
  }

  /** Drops matched lines, and lines that no block from this time on can contain. */
  #release(time: number): void {
    const kept: WaitingLine[] = [];
    for (const line of this.#waiting) {
      if (line.isMatched) continue;
      if (line.until < time) this.#gone.push(line);
      else kept.push(line);
    }
    this.#byIdentity = new Map();
    this.#waiting = [];
    if (!this.#cursor.takeBack(kept)) this.#wait(kept);
  }
}

/** Iterates over the sent lines, call by call in the order of time. */
class Cursor {
  readonly #calls: readonly RecordedCall[];
  /** Numbers of calls. */
  readonly #order: readonly number[];
  #at = 0;
  #place = 0;

  constructor(calls: readonly RecordedCall[]) {
    this.#calls = calls;
    const firstOf = (number: number): number => calls[number]?.first ?? 0;
    const isSorted = calls.every(({ first }, number) => number === 0 || firstOf(number - 1) <= first);
    const numbers = Array.from(calls.keys());
    this.#order = isSorted ? numbers : numbers.sort((left, right) => firstOf(left) - firstOf(right) || left - right);
    this.#skipEmpty();
  }

  get isOver(): boolean {
    return this.#at === this.#order.length;
  }

  get #call(): RecordedCall | undefined {
    return this.#calls[this.#order[this.#at] ?? -1];
  }

  /** Skips lines that arrived and equal the next lines of the block, and returns their number. */
  passEqual({ marks, identities }: LineBlock, count: number): number {
    let from = 0;
    for (let call = this.#call; call !== undefined && !call.isUnsure && from < count; call = this.#call) {
      const most = Math.min(count - from, countMarks(call.marks) - this.#place);
      const isSame = (length: number): boolean =>
        marksFrom(marks, from, from + length) === marksFrom(call.marks, this.#place, this.#place + length) &&
        identitiesFrom(identities, from, from + length) ===
          identitiesFrom(call.identities, this.#place, this.#place + length);
      let same = isSame(most) ? most : 0;
      if (same === 0) while (same < most && isSame(same + 1)) same++;
      from += same;
      this.#place += same;
      this.#skipEmpty();
      if (same < most) break;
    }
    return from;
  }

  /** Yields the lines of all calls that begin by this time. */
  *linesUntil(time: number): Generator<WaitingLine> {
    for (let call = this.#call; call !== undefined && call.first <= time; call = this.#call) {
      const number = this.#order[this.#at] ?? 0;
      const count = countMarks(call.marks);
      for (let place = this.#place; place < count; place++) {
        yield {
          call: number,
          place,
          mark: marksFrom(call.marks, place, place + 1),
          identity: identitiesFrom(call.identities, place, place + 1),
          isUnsure: call.isUnsure,
          until: call.last,
          isMatched: false,
        };
      }
      this.#place = count;
      this.#skipEmpty();
    }
  }

  /** Returns to these lines if they are the end of the last call, so that equal lines can be skipped quickly again. */
  takeBack(lines: readonly WaitingLine[]): boolean {
    const [first] = lines;
    const number = this.#order[this.#at - 1];
    if (first === undefined || number === undefined || this.#place > 0) return first === undefined;
    const call = this.#calls[number];
    if (call === undefined || lines.some((edit) => edit.call !== number)) return false;
    if (first.place + lines.length !== countMarks(call.marks)) return false;
    this.#at -= 1;
    this.#place = first.place;
    return true;
  }

  #skipEmpty(): void {
    for (let call = this.#call; call !== undefined && this.#place >= countMarks(call.marks); call = this.#call) {
      this.#at += 1;
      this.#place = 0;
    }
  }
}
