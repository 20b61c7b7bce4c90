// The outline of an archive: where its lines stand and a fingerprint of each, which is enough to plan every call.
import { markLength, RunningDigest } from '../../lib/digest.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { idsOf, mapOf, textOf } from '../values.ts';

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

/** Who wrote the lines after the first `sent`. */
export function sendersAfter({ senders, lastLines }: Archive, sent: number): string[] {
  return senders.filter((_sender, place) => (lastLines[place] ?? Number.POSITIVE_INFINITY) > sent);
}

/** The archive as it was when it had `messages` lines. */
export function firstLines(archive: Archive, messages: number): Archive {
  const digest = new RunningDigest();
  const blocks: Block[] = [];
  let left = messages;
  for (const block of archive.blocks) {
    if (left <= 0) break;
    const marks = marksFrom(block.marks, 0, left);
    digest.add(marks);
    blocks.push({ ...block, marks });
    left -= countMarks(marks);
  }
  return { ...archive, messages, digest: digest.soFar(), blocks };
}

/** What state keeps of an archive, beside the fingerprints of each call. */
export function rememberArchive(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  return { messages: countOf(value), digest: textOf(value, 'digest') ?? '' };
}

function countOf(value: JsonObject, name = 'messages'): number {
  const count = value[name];
  return typeof count === 'number' ? count : 0;
}

export function countMarks(marks: string): number {
  return marks.length / markLength;
}

function marksFrom(marks: string, from: number, to: number): string {
  return marks.slice(from * markLength, to * markLength);
}

/** State keeps calls in groups of a hundred, so that an edit of one copies few of the others. */
const callsInGroup = 100;

/** Where state keeps the fingerprints of a call, counted from 0. */
export function pathOfCall(call: number): readonly string[] {
  return ['calls', String(Math.floor(call / callsInGroup)), String(call % callsInGroup)];
}

/** What was sent, according to state: the number of calls, and the fingerprints of all their lines in order. */
export interface Sent {
  readonly calls: number;
  readonly marks: string;
  /** Lines up to this one may have been sent besides: each of their calls is looked for first. */
  readonly unsureTo: number;
}

export function sentOf(remembered: JsonObject): Sent {
  const marks: string[] = [];
  const groups = mapOf(remembered, 'calls');
  for (let group = 0; Object.hasOwn(groups, String(group)); group++) {
    const calls = mapOf(groups, String(group));
    for (let call = 0; Object.hasOwn(calls, String(call)); call++) marks.push(textOf(calls, String(call)) ?? '');
  }
  const unsureTo = countOf(mapOf(remembered, 'archive'), 'unsure_to');
  return { calls: marks.length, marks: marks.join(''), unsureTo };
}

/** The messages of one call, all from one block. */
export interface Batch {
  readonly block: Block;
  /** How many lines of the block stand before its first one. */
  readonly skip: number;
  readonly count: number;
  readonly marks: string;
  /** The number of messages in the archive up to its last one, and the digest of their fingerprints. */
  readonly messages: number;
  readonly digest: string;
}

/** What is left to send: the rest of the block that was sent in part, then block by block. */
export function* batchesAfter(archive: Archive, sentMarks: string): Generator<Batch> {
  const sent = countMarks(sentMarks);
  const digest = new RunningDigest().add(sentMarks);
  let before = 0;
  for (const block of archive.blocks) {
    const lines = countMarks(block.marks);
    const skip = Math.max(0, sent - before);
    before += lines;
    if (skip >= lines) continue;
    const marks = marksFrom(block.marks, skip, lines);
    yield { block, skip, count: lines - skip, marks, messages: before, digest: digest.add(marks).soFar() };
  }
}

/** The first sent line that has changed in the archive or is gone from it, counted from 1. */
export function firstDifference(archive: Archive, { marks: sent }: Sent): number | undefined {
  let at = 0;
  for (const { marks } of archive.blocks) {
    const known = sent.slice(at, at + marks.length);
    if (!marks.startsWith(known)) {
      let line = 0;
      while (marksFrom(marks, line, line + 1) === marksFrom(known, line, line + 1)) line++;
      return at / markLength + line + 1;
    }
    at += marks.length;
    if (at >= sent.length) return undefined;
  }
  return at < sent.length ? at / markLength + 1 : undefined;
}
