// The searches for the message of one line, for calls that follow the messages: reactions, pins and replies (semantics §7).
import type { Search } from '../../model/request.ts';
import { type HistoryFile, marksFrom } from '../lines/history-file.ts';
import type { PlannedLines } from '../lines/range.ts';
import { LineBlocks } from './line-blocks.ts';
import { searchForTarget, type Target } from './message-search.ts';
import { searchOf, shownParts } from './requests.ts';

/** A line of a history file, counted from 0, with its time in Unix milliseconds and the fingerprint of what an edit keeps. */
export interface TargetLine {
  readonly line: number;
  readonly time: number;
  readonly identity: string;
}

export class LineTargets {
  readonly blocks: LineBlocks;
  readonly #messages: number;
  readonly #channel: string;
  readonly #params: Readonly<Record<string, string>>;
  /** Shared by the calls of one range of blocks. */
  readonly #ranges = new Map<string, PlannedLines>();

  /** `channel` is the kind of the channel. */
  constructor(historyFile: HistoryFile, channel: string, params: Readonly<Record<string, string>>) {
    this.blocks = new LineBlocks(historyFile);
    this.#messages = historyFile.messages;
    this.#channel = channel;
    this.#params = params;
  }

  /** Returns the search for the message of a line. `what` says what its call does. */
  search({ line, time, identity }: TargetLine, what: Partial<Target>): Search {
    const times = { first: time, last: time };
    const block = this.blocks.blockOf(line);
    const place = line - this.blocks.startOf(block);
    const mark = marksFrom(this.blocks.block(block).marks, place, place + 1);
    const search = searchOf(times, this.#channel, this.#params);
    const query = { ...search.read.query, ...shownParts };
    const read = { ...search.read, query };
    return searchForTarget({ ...search, read }, { identity, mark, lines: this.linesAt(line, time), ...what });
  }

  /** Returns the lines around a time, of which `only` names the line. */
  linesAt(line: number, time: number): PlannedLines {
    const [from, to] = this.blocks.within({ first: time, last: time });
    return { ...this.#range(from, to), only: [line - this.blocks.startOf(from)] };
  }

  /** Returns lines as indexes among the lines around a time. */
  placesAt(lines: readonly number[], time: number): readonly number[] {
    const [from] = this.blocks.within({ first: time, last: time });
    return lines.map((line) => line - this.blocks.startOf(from));
  }

  #range(from: number, to: number): PlannedLines {
    const range = `${from}-${to}`;
    const known =
      this.#ranges.get(range) ?? this.blocks.lines(this.#params.channel_url ?? '', [from, to], this.#messages);
    this.#ranges.set(range, known);
    return known;
  }
}
