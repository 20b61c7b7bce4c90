// The outline of a history file: the position and a fingerprint of each line, which is enough to plan every call.

import { RunningDigest, shortMarkLength } from '../../../lib/digest.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { idsOf, mapOf, textOf } from '../../kinds/definition/values.ts';
import { markLength } from './line-mark.ts';
import type { DeclaredMarks } from './marked-lines.ts';

/** The lines of one call: as many as fit, or fewer at the end of the file. */
export interface LineBlock {
  /** The position and total length of the lines, in bytes of the unpacked file. */
  readonly offset: number;
  readonly bytes: number;
  /** The timestamps of the first and the last line. */
  readonly first: number;
  readonly last: number;
  /** The concatenated fingerprints of the lines (`lineMark`). */
  readonly marks: string;
  /** The concatenated fingerprints of the fields that an edit keeps (`identityOfLine`). */
  readonly identities: string;
  /** The indexes of lines with fields that no call changes (`hasFixedFields`). Absent if there are none. */
  readonly fixed?: readonly number[];
  /** The indexes of lines with meta arrays. Absent if there are none. */
  readonly arrays?: readonly number[];
  /** The indexes of lines with `is_silent`. Absent if there are none. */
  readonly silent?: readonly number[];
  /** The senders, as indexes into the file's `senders`. */
  readonly by: readonly number[];
  /** The sender of each line, as one character (`writerMark`). */
  readonly writers: string;
  /** By line index, the number of earlier lines of the history file with the same likeness; 0 where absent. */
  readonly repeats?: Readonly<Record<string, number>>;
  /** The replies among the lines, by line index. Absent if there are none. */
  readonly replies?: Readonly<Record<string, ThreadReply>>;
}

/** The line of the first message of a thread, counted from 0, and the times of that line and of the reply in Unix milliseconds. */
export type ThreadReply = readonly [parent: number, since: number, time: number];

/** The attribute `historyFile` of a resource. */
export interface HistoryFile {
  /** Relative to the working folder, with `/`. */
  readonly file: string;
  readonly gzip: boolean;
  /** Lines with a parent are sent as replies. Without it, no line has one. */
  readonly threads?: true;
  readonly messages: number;
  /** The digest of all fingerprints. */
  readonly digest: string;
  readonly senders: readonly string[];
  /** For each sender, the number of their last line, counted from 1. */
  readonly lastLines: readonly number[];
  readonly blocks: readonly LineBlock[];
}

/** A history file as it is read, with the reactions and pins of its lines, which are attributes of their own. */
export interface HistoryFileWithMarks extends HistoryFile {
  readonly marks?: DeclaredMarks;
}

/** Returns the history file as plain JSON. */
export function historyFileValue(historyFile: HistoryFile): JsonObject {
  return historyFile as unknown as JsonObject;
}

/** Returns the history file of a messages object, which is empty if the attribute is absent. */
export function historyFileOf(attributes: JsonObject): HistoryFile {
  const value = mapOf(attributes, 'history');
  return {
    file: textOf(value, 'file') ?? '',
    gzip: value.gzip === true,
    ...(value.threads === true ? { threads: true } : {}),
    messages: countOf(value),
    digest: textOf(value, 'digest') ?? '',
    senders: idsOf(value, 'senders'),
    lastLines: (isList(value.lastLines) ? value.lastLines : []) as readonly number[],
    blocks: (isList(value.blocks) ? value.blocks : []) as unknown as readonly LineBlock[],
  };
}

/** Yields the replies, each with its line and its block. */
export function* repliesIn({ blocks }: Pick<HistoryFile, 'blocks'>): Generator<{
  readonly line: number;
  readonly block: LineBlock;
  readonly place: number;
  readonly reply: ThreadReply;
}> {
  let start = 0;
  for (const block of blocks) {
    for (const [place, reply] of Object.entries(block.replies ?? {})) {
      yield { line: start + Number(place), block, place: Number(place), reply };
    }
    start += countMarks(block.marks);
  }
}

/** Returns the senders of the lines after the first `known`, and those at the indexes `others`. */
export function sendersOf({ senders, lastLines }: HistoryFile, known: number, others: ReadonlySet<number>): string[] {
  return senders.filter(
    (_sender, place) => others.has(place) || (lastLines[place] ?? Number.POSITIVE_INFINITY) > known,
  );
}

/** Returns one character for an index into a block's `by`, or for a line without a sender if it is undefined. */
export function writerMark(place: number | undefined): string {
  return String.fromCharCode(noWriter + (place ?? -1) + 1);
}

/** Returns the sender of a line of the block, as an index into the file's `senders`. */
export function writerOf({ by, writers }: Pick<LineBlock, 'by' | 'writers'>, line: number): number | undefined {
  return by[writers.charCodeAt(line) - noWriter - 1];
}

const noWriter = 0x20;

/** Returns how many lines of the history file the user wrote. */
export function linesBy({ senders, blocks }: HistoryFile, userId: string): number {
  const place = senders.indexOf(userId);
  let count = 0;
  for (const block of place === -1 ? [] : blocks)
    for (let line = 0; line < block.writers.length; line++) if (writerOf(block, line) === place) count += 1;
  return count;
}

/**
 * Returns a history file with only its number of lines and its sorted senders. It is enough to count the calls that
 * send the whole file: its lines have no times, and all have the same fingerprint.
 */
export function outlinedHistoryFile(lines: number, senders: readonly string[], linesOfBlock: number): HistoryFile {
  const blocks = Array<LineBlock>(Math.floor(lines / linesOfBlock)).fill(outlinedBlock(linesOfBlock));
  const rest = lines % linesOfBlock;
  if (rest > 0) blocks.push(outlinedBlock(rest));
  const lastLines = senders.map(() => lines);
  return { file: '', gzip: false, messages: lines, digest: '', senders, lastLines, blocks };
}

function outlinedBlock(lines: number): LineBlock {
  const marks = ' '.repeat(lines * markLength);
  return { offset: 0, bytes: 0, first: 0, last: 0, marks, identities: '', by: [], writers: '' };
}

/** Returns the history file reduced to its first `messages` lines. */
export function firstLines(historyFile: HistoryFile, messages: number): HistoryFile {
  const digest = new RunningDigest();
  const blocks: LineBlock[] = [];
  let remaining = messages;
  for (const block of historyFile.blocks) {
    if (remaining <= 0) break;
    const marks = marksFrom(block.marks, 0, remaining);
    digest.add(marks);
    blocks.push({ ...block, marks, identities: identitiesFrom(block.identities, 0, remaining) });
    remaining -= countMarks(marks);
  }
  return { ...historyFile, messages, digest: digest.soFar(), blocks };
}

/** Returns what state keeps of a history file, besides the sent calls. */
export function rememberHistoryFile(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  return { messages: countOf(value), digest: textOf(value, 'digest') ?? '' };
}

/** Returns a number of a record, or 0 if it is absent. */
export function countOf(value: JsonObject, name = 'messages'): number {
  const count = value[name];
  return typeof count === 'number' ? count : 0;
}

export function countMarks(marks: string): number {
  return marks.length / markLength;
}

/** Returns the fingerprints of the lines from `from` up to but not including `to`. */
export function marksFrom(marks: string, from: number, to: number): string {
  return marks.slice(from * markLength, to * markLength);
}

/** The same for the short fingerprints of the fields that an edit keeps. */
export function identitiesFrom(identities: string, from: number, to: number): string {
  return identities.slice(from * shortMarkLength, to * shortMarkLength);
}

/**
 * Whether a channel may not show the last line that a call sends of the block as its last message. A silent message changes it for its
 * sender alone (platform §18). `last` of the block is the time of its last line only.
 */
export function endsQuietly({ marks, silent = [] }: Pick<LineBlock, 'marks' | 'silent'>, last: number): boolean {
  return last !== countMarks(marks) - 1 || silent.includes(last);
}

/** The messages of one call, all from one block. */
export interface Batch {
  readonly block: LineBlock;
  /** The number of lines of the block before the first line of the batch. */
  readonly skip: number;
  readonly count: number;
  readonly marks: string;
  /** The fingerprints of the lines that the call sends, which are all but the replies. */
  readonly sent: { readonly marks: string; readonly identities: string };
  /** The lines that the call sends, as indexes from the first line of the batch. Absent if there are no replies among them. */
  readonly only?: readonly number[];
  /** The number of messages in the history file up to the end of the batch, and the digest of their fingerprints. */
  readonly messages: number;
  readonly digest: string;
}

/**
 * Yields what is left to send after the first `known` lines: the rest of the current block, then block by block. Replies are
 * left out, because each has a call of its own.
 */
export function* batchesAfter(historyFile: HistoryFile, known: number): Generator<Batch> {
  const digest = new RunningDigest();
  let before = 0;
  for (const block of historyFile.blocks) {
    const lines = countMarks(block.marks);
    const skip = Math.max(0, known - before);
    before += lines;
    digest.add(block.marks);
    if (skip >= lines) continue;
    const only = placesOfOthers(block, skip, lines);
    if (only?.length === 0) continue;
    yield {
      block,
      skip,
      count: lines - skip,
      marks: marksFrom(block.marks, skip, lines),
      sent: {
        marks: pick(block.marks, marksFrom, skip, lines, only),
        identities: pick(block.identities, identitiesFrom, skip, lines, only),
      },
      ...(only === undefined ? {} : { only }),
      messages: before,
      digest: digest.soFar(),
    };
  }
}

/** Returns the lines from `from` up to `to` that are not replies, as indexes from `from`. Undefined if there are no replies. */
function placesOfOthers({ replies }: LineBlock, from: number, to: number): readonly number[] | undefined {
  if (replies === undefined) return undefined;
  const places = Array.from({ length: to - from }, (_none, place) => place);
  const others = places.filter((place) => !Object.hasOwn(replies, String(place + from)));
  return others.length === places.length ? undefined : others;
}

/** Returns the fingerprints from `from` up to `to`, or those of the lines at `only`, indexes from `from`. */
function pick(
  fingerprints: string,
  cut: typeof marksFrom,
  from: number,
  to: number,
  only: readonly number[] | undefined,
): string {
  if (only === undefined) return cut(fingerprints, from, to);
  return only.map((place) => cut(fingerprints, from + place, from + place + 1)).join('');
}
