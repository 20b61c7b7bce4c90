// Writes and decodes the history files of a conversion: one file per channel, sorted by time.

import type { ThreadFigures } from '../../core/model/conversion.ts';
import { type HistoryFileNames, patternsOfHistoryFiles } from '../../core/model/migration/history-names.ts';
import { orderKey } from '../../core/model/migration/message-times.ts';
import { parsedObject } from '../../lib/json.ts';
import type { NewFiles } from '../../lib/new-files.ts';
import type { Collect } from '../../lib/series.ts';
import { Sorter } from '../../lib/sorter.ts';
import type { Turns } from '../../lib/turns.ts';
import { NameTable } from '../../lib/typed-arrays.ts';
import { type CopyRules, supersededLine, withoutCopies } from './copies.ts';
import { type EarlierConversion, historyFileLinesOf, type TimedLine } from './earlier-conversion.ts';
import { type DecodableLine, decodeLines } from './envelope.ts';
import type { ExportOrigin } from './export/coverage.ts';
import type { MessageFacts } from './export/items.ts';
import { linesOfFile } from './export/lines.ts';
import type { DecidedMessage } from './history-lines.ts';
import { type MergeCounts, type MergeRules, mergedLines, messagesOf, type NumberedLine, runsOf } from './merge.ts';
import { inSourceOrder, orderFactsIn } from './order.ts';
import { noThreads, type ThreadRules, threadedLines } from './threads.ts';

interface WrittenHistoryFile {
  /** Relative to the manifest folder. */
  readonly file: string;
  lines: number;
  lastTime: number;
  /** In order of time, and without copies of a message. */
  isSorted: boolean;
  /** Whether several messages have one time, so that their order matters. */
  hasTies: boolean;
  /** The first line of each export, if several were converted together. */
  readonly origins: { readonly line: number; readonly origin: ExportOrigin }[];
  /** The messages with the latest time, to find adjacent duplicates: the first, and all of them if there are several. */
  lastId: string;
  idsOfTime: Set<string> | undefined;
  /** user_ids. Undefined if lines have reactions or parents, or come from an earlier conversion. */
  senders: Set<string> | undefined;
  /** Whether messages may be replies. */
  mayHaveThreads: boolean;
}

function newHistoryFile(file: string): WrittenHistoryFile {
  return {
    file,
    lines: 0,
    lastTime: 0,
    isSorted: true,
    hasTies: false,
    origins: [],
    lastId: '',
    idsOfTime: undefined,
    senders: new Set(),
    mayHaveThreads: false,
  };
}

export class HistoryFiles {
  readonly #files: NewFiles;
  readonly #names: HistoryFileNames;
  readonly #collect: Collect;
  readonly #historyFiles = new Map<string, WrittenHistoryFile>();
  #messages = 0;
  /** Messages of one millisecond that only the file orders. */
  #undecided = 0;

  constructor(files: NewFiles, names: HistoryFileNames, collect: Collect) {
    this.#files = files;
    this.#names = names;
    this.#collect = collect;
  }

  /** Channels with messages. */
  get count(): number {
    return this.#historyFiles.size;
  }

  /** The patterns under `sources` that match the history files. */
  get patterns(): readonly string[] {
    return patternsOfHistoryFiles([...this.#historyFiles.values()].map(({ file }) => file));
  }

  /** Line counts by channel_url. */
  get lines(): ReadonlyMap<string, number> {
    return new Map([...this.#historyFiles].map(([url, { lines }]) => [url, lines]));
  }

  /** The senders by channel_url, for history files whose number of lines and senders are enough to count the calls. */
  get senders(): ReadonlyMap<string, ReadonlySet<string>> {
    return new Map(
      [...this.#historyFiles].flatMap(([url, { senders }]) => (senders === undefined ? [] : [[url, senders] as const])),
    );
  }

  /** Messages whose place among those of their millisecond only the file says. Known at the end. */
  get undecided(): number {
    return this.#undecided;
  }

  /** The total of all history files. */
  get messages(): number {
    return this.#messages;
  }

  /**
   * Adds the lines of one message. The id is unique in its channel. Returns the number of the first line, from 1, which is negative
   * if the message before has the same id and time. `end` decides which of both counts.
   */
  add(
    channelUrl: string,
    id: string,
    { time, userId, reactions }: DecidedMessage,
    lines: readonly string[],
    origin: ExportOrigin,
  ): number {
    let historyFile = this.#historyFiles.get(channelUrl);
    if (historyFile === undefined) {
      historyFile = newHistoryFile(this.#names.of(channelUrl));
      this.#historyFiles.set(channelUrl, historyFile);
    }
    let isCopy = false;
    if (time !== historyFile.lastTime) {
      if (time < historyFile.lastTime) historyFile.isSorted = false;
      historyFile.lastTime = time;
      historyFile.lastId = id;
      historyFile.idsOfTime = undefined;
    } else {
      historyFile.idsOfTime ??= new Set([historyFile.lastId]);
      if (historyFile.idsOfTime.has(id)) {
        isCopy = true;
        historyFile.isSorted = false;
      }
      historyFile.idsOfTime.add(id);
      historyFile.hasTies = true;
    }
    if (reactions !== undefined) historyFile.senders = undefined;
    else if (userId !== undefined) historyFile.senders?.add(userId);
    const first = historyFile.lines + 1;
    if (historyFile.origins.at(-1)?.origin.window !== origin.window) {
      historyFile.origins.push({ line: first, origin });
      // Messages that only the earlier of two exports has may be gone.
      if (origin.takenAt !== undefined && historyFile.origins.length > 1) historyFile.isSorted = false;
    }
    historyFile.lines += lines.length;
    this.#messages += lines.length;
    for (const line of lines) this.#files.append(historyFile.file, `${line}\n`);
    return isCopy ? -first : first;
  }

  /** Notes that a message of the channel answers another one. */
  noteReply(channelUrl: string): void {
    const historyFile = this.#historyFiles.get(channelUrl);
    if (historyFile !== undefined) historyFile.mayHaveThreads = true;
  }

  /** Writes into the lines which messages are replies. Called after `end`. */
  async placeReplies(rulesOf: (channelUrl: string) => ThreadRules, turns: Turns): Promise<ThreadFigures> {
    const counts = noThreads();
    for (const [channelUrl, historyFile] of this.#historyFiles) {
      if (!historyFile.mayHaveThreads) continue;
      historyFile.senders = undefined;
      const lines = historyFileLinesOf(this.#files.pathOf(historyFile.file));
      await this.#files.rewrite(historyFile.file, ended(threadedLines(lines, rulesOf(channelUrl), counts)), turns);
    }
    return counts;
  }

  /** Keeps the history file of a channel that had messages in an earlier export, so that its messages are not forgotten. */
  keep(channelUrl: string): void {
    if (this.#historyFiles.has(channelUrl)) return;
    const historyFile = newHistoryFile(this.#names.of(channelUrl));
    this.#historyFiles.set(channelUrl, historyFile);
    this.#files.append(historyFile.file, '');
  }

  /**
   * Sorts the history files, merges lines that are kept from the previous conversion, and removes history files of dropped channels.
   * `rulesOf` is undefined without a previous conversion. `hasLater` says whether an export that was taken later covers a time.
   * Returns, by the address of each changed history file, the new number of each line, or what became of it (`copies.ts`).
   */
  async end(
    dropped: Iterable<string>,
    earlier: EarlierConversion,
    rulesOf: (channelUrl: string) => EarlierRules | undefined,
    hasLater: (channelUrl: string, origin: ExportOrigin, time: number) => boolean,
    turns: Turns,
  ): Promise<Map<string, Int32Array>> {
    const moved = new Map<string, Int32Array>();
    for (const channelUrl of dropped) {
      const historyFile = this.#historyFiles.get(channelUrl);
      if (historyFile === undefined) continue;
      this.#historyFiles.delete(channelUrl);
      this.#messages -= historyFile.lines;
      this.#files.remove(historyFile.file);
      moved.set(`messages.${channelUrl}`, new Int32Array(historyFile.lines + 1));
    }
    for (const [channelUrl, historyFile] of this.#historyFiles) {
      const rules = rulesOf(channelUrl);
      const ties = historyFile.isSorted && historyFile.hasTies ? await this.#tiesIn(historyFile.file, turns) : noTies;
      const isInPlace = historyFile.isSorted && !ties.areMoved;
      if (isInPlace && (rules === undefined || earlier.isSame(channelUrl, historyFile.file, this.#files))) {
        this.#undecided += ties.undecided;
        continue;
      }
      const places = new Int32Array(historyFile.lines + 1);
      const copies: CopyRules = {
        originOf: (line) => originOf(historyFile, line),
        isSuperseded: (origin, time) => hasLater(channelUrl, origin, time),
        drop: (line, place) => {
          places[line] = place;
        },
      };
      const written = numbered(this.#files.pathOf(historyFile.file));
      const sorted = historyFile.isSorted ? written : withoutCopiesIn(await this.#sorted(written, turns), copies);
      const drop = (number: number): void => {
        places[number] = supersededLine;
      };
      if (rules !== undefined) {
        historyFile.senders = undefined;
        historyFile.mayHaveThreads = true;
      }
      const before = earlier.lines(channelUrl);
      const lines = rules === undefined ? sorted : this.#merged(historyFile.file, sorted, before, rules, drop);
      const others = this.#messages - historyFile.lines;
      this.#messages = others;
      await this.#files.rewrite(historyFile.file, this.#placed(this.#ordered(lines), places), turns);
      historyFile.lines = this.#messages - others;
      moved.set(`messages.${channelUrl}`, places);
    }
    return moved;
  }

  #merged(
    historyFile: string,
    sorted: Iterable<NumberedLine>,
    before: Iterable<TimedLine>,
    { counts, ...rules }: EarlierRules,
    drop: (number: number) => void,
  ): Generator<NumberedLine> {
    const file = this.#files.pathOf(historyFile);
    let ids: NameTable | undefined;
    const isElsewhere = (id: string): boolean => {
      ids ??= idsIn(file);
      return ids.find(id) !== undefined;
    };
    return mergedLines(sorted, before, { ...rules, isElsewhere, drop }, counts);
  }

  /** Whether messages of one millisecond are in another order than they should, of a history file that is sorted by time. */
  async #tiesIn(historyFile: string, turns: Turns): Promise<Ties> {
    let undecided = 0;
    for (const run of runsOf(numbered(this.#files.pathOf(historyFile)))) {
      const ordered = orderedRun(run);
      if (ordered.lines.some((line, place) => line !== run[place])) return { areMoved: true, undecided };
      undecided += ordered.undecided;
      if (turns.isDue()) await turns.take();
    }
    return { areMoved: false, undecided };
  }

  /** Orders the messages of each millisecond, of lines that are sorted by time. */
  *#ordered(lines: Iterable<NumberedLine>): Generator<NumberedLine> {
    for (const run of runsOf(lines)) {
      const ordered = orderedRun(run);
      this.#undecided += ordered.undecided;
      yield* ordered.lines;
    }
  }

  /** Records the new position of each line. */
  *#placed(lines: Iterable<NumberedLine>, places: Int32Array): Generator<string> {
    let line = 0;
    for (const { number, text } of lines) {
      line += 1;
      if (number > 0) places[number] = line;
      this.#messages += 1;
      yield `${text}\n`;
    }
  }

  /** Messages with equal times keep the order of the file. */
  async #sorted(lines: Iterable<NumberedLine>, turns: Turns): Promise<Iterable<NumberedLine>> {
    const sorter = new Sorter<NumberedLine & { readonly key: string }>(this.#collect, ({ key }) => key);
    for (const line of lines) {
      sorter.push({ ...line, key: orderKey(line.time, line.number) });
      if (turns.isDue()) await turns.take();
    }
    return sorter.end();
  }
}

interface Ties {
  readonly areMoved: boolean;
  /** Messages that only the file orders, if none is to be moved. */
  readonly undecided: number;
}

const noTies: Ties = { areMoved: false, undecided: 0 };

/** The lines of one millisecond in the order of the source. Those of one message stay together. */
function orderedRun(run: readonly NumberedLine[]): {
  readonly lines: readonly NumberedLine[];
  readonly undecided: number;
} {
  if (run.length === 1) return { lines: run, undecided: 0 };
  const { messages, undecided } = inSourceOrder(messagesOf(run), ({ value }) => orderFactsIn(value));
  return { lines: messages.flatMap(({ lines }) => lines), undecided };
}

/** Of the copies of a message, the latest one counts. */
function* withoutCopiesIn(sorted: Iterable<NumberedLine>, rules: CopyRules): Generator<NumberedLine> {
  for (const run of runsOf(sorted)) yield* withoutCopies(run, rules);
}

function originOf({ origins }: WrittenHistoryFile, line: number): ExportOrigin {
  const { origin } = origins.findLast(({ line: first }) => first <= line) ?? {};
  return origin ?? { window: '', takenAt: undefined };
}

/** Lines to keep from the history file of the previous conversion. */
export interface EarlierRules extends Pick<MergeRules, 'isKept' | 'superseded' | 'isDoubtful' | 'keepsEdits'> {
  readonly counts: MergeCounts;
}

function* ended(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}

function* numbered(file: string): Generator<NumberedLine> {
  let number = 0;
  for (const line of historyFileLinesOf(file)) yield { ...line, number: ++number };
}

function idsIn(file: string): NameTable {
  const ids = new NameTable();
  for (const { text } of historyFileLinesOf(file))
    ids.add((JSON.parse(text) as { readonly dedup_id: string }).dedup_id);
  return ids;
}

/**
 * Decodes the facts of the source from the envelopes of a history file. Skips lines that are not JSON objects or have no envelope.
 */
export function* decodeHistoryFile(file: string): Generator<MessageFacts> {
  yield* decodeLines(objectsOf(file));
}

function* objectsOf(file: string): Generator<DecodableLine> {
  for (const { text = '' } of linesOfFile(file)) {
    const value = parsedObject(text);
    if (value !== undefined) yield value;
  }
}
