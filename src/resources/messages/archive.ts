// The outline of an archive: where its lines stand and a fingerprint of each, which is enough to plan every call.
import { markLength, RunningDigest, shortMarkLength } from '../../lib/digest.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { idsOf, mapOf, textOf } from '../definition/values.ts';

/** The lines of one call: as many as it may carry, or fewer at the end of the file. */
export interface Block {
  /** Where its first line begins, and how long its lines are together, in bytes of the unpacked file. */
  readonly offset: number;
  readonly bytes: number;
  /** The timestamps of its first and last line. */
  readonly first: number;
  readonly last: number;
  /** The fingerprints of its lines (`lineMark`), one after the other. */
  readonly marks: string;
  /** What stays of each when it is edited (`identityOfLine`), one after the other. */
  readonly identities: string;
  /** Places of lines with fields that no call changes (`hasFixedFields`); absent when there are none. */
  readonly fixed?: readonly number[];
  /** Who wrote them: places in the archive's `senders`. */
  readonly by: readonly number[];
  /** Who wrote each (`writerMark`), one after the other. */
  readonly writers: string;
  /** By the line's place in the block: how many earlier lines of the archive have the same likeness; 0 where absent. */
  readonly repeats?: Readonly<Record<string, number>>;
}

/** The attribute `archive` of a resource, as the loader makes it. */
export interface Archive {
  /** Relative to the working folder, with `/`. */
  readonly file: string;
  readonly gzip: boolean;
  readonly messages: number;
  /** Of all fingerprints. */
  readonly digest: string;
  readonly senders: readonly string[];
  /** For each sender, in that order, the number of their last line, counted from 1. */
  readonly lastLines: readonly number[];
  readonly blocks: readonly Block[];
}

/** The archive as the attribute of a resource: plain JSON. */
export function archiveValue(archive: Archive): JsonObject {
  return archive as unknown as JsonObject;
}

export function archiveOf(attributes: JsonObject): Archive {
  const value = mapOf(attributes, 'archive');
  return {
    file: textOf(value, 'file') ?? '',
    gzip: value.gzip === true,
    messages: countOf(value),
    digest: textOf(value, 'digest') ?? '',
    senders: idsOf(value, 'senders'),
    lastLines: (isList(value.lastLines) ? value.lastLines : []) as readonly number[],
    blocks: (isList(value.blocks) ? value.blocks : []) as unknown as readonly Block[],
  };
}

/** Who wrote the lines after the first `known`, and `others`, by their places. */
export function sendersOf({ senders, lastLines }: Archive, known: number, others: ReadonlySet<number>): string[] {
  return senders.filter(
    (_sender, place) => others.has(place) || (lastLines[place] ?? Number.POSITIVE_INFINITY) > known,
  );
}

/** One character for the writer at this place of a block's `by`; undefined for a line that nobody wrote. */
export function writerMark(place: number | undefined): string {
  return String.fromCharCode(noWriter + (place ?? -1) + 1);
}

/** Who wrote a line of the block, as a place in the archive's `senders`. */
export function writerOf({ by, writers }: Pick<Block, 'by' | 'writers'>, line: number): number | undefined {
  return by[writers.charCodeAt(line) - noWriter - 1];
}

/** A space. */
const noWriter = 0x20;

/** The archive as it was when it had `messages` lines. */
export function firstLines(archive: Archive, messages: number): Archive {
  const digest = new RunningDigest();
  const blocks: Block[] = [];
  let left = messages;
  for (const block of archive.blocks) {
    if (left <= 0) break;
    const marks = marksFrom(block.marks, 0, left);
    digest.add(marks);
    blocks.push({ ...block, marks, identities: identitiesFrom(block.identities, 0, left) });
    left -= countMarks(marks);
  }
  return { ...archive, messages, digest: digest.soFar(), blocks };
}

/** What state keeps of an archive, beside what each call has sent. */
export function rememberArchive(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  return { messages: countOf(value), digest: textOf(value, 'digest') ?? '' };
}

/** The number of messages. */
export function countOf(value: JsonObject, name = 'messages'): number {
  const count = value[name];
  return typeof count === 'number' ? count : 0;
}

export function countMarks(marks: string): number {
  return marks.length / markLength;
}

export function marksFrom(marks: string, from: number, to: number): string {
  return marks.slice(from * markLength, to * markLength);
}

export function identitiesFrom(identities: string, from: number, to: number): string {
  return identities.slice(from * shortMarkLength, to * shortMarkLength);
}

/** The messages of one call, all from one block. */
export interface Batch {
  readonly block: Block;
  /** How many lines of the block stand before its first one. */
  readonly skip: number;
  readonly count: number;
  readonly marks: string;
  readonly identities: string;
  /** The number of messages in the archive up to its last one, and the digest of their fingerprints. */
  readonly messages: number;
  readonly digest: string;
}

/** What is left to send after the first `known` lines: the rest of the block that they end in, then block by block. */
export function* batchesAfter(archive: Archive, known: number): Generator<Batch> {
  const digest = new RunningDigest();
  let before = 0;
  for (const block of archive.blocks) {
    const lines = countMarks(block.marks);
    const skip = Math.max(0, known - before);
    before += lines;
    digest.add(block.marks);
    if (skip >= lines) continue;
    yield {
      block,
      skip,
      count: lines - skip,
      marks: marksFrom(block.marks, skip, lines),
      identities: identitiesFrom(block.identities, skip, lines),
      messages: before,
      digest: digest.soFar(),
    };
  }
}
