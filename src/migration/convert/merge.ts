// Merges a new history file with the previous one, so that messages outside the export's times are kept.
import { equalJson, isObject, type JsonObject } from '../../lib/json.ts';
import type { TimedLine } from './earlier-conversion.ts';
import { hasEarlierEdit } from './edits.ts';
import { envelopeOf, withEnvelopeId } from './envelope.ts';
import { differInNotationAlone } from './notations.ts';

/** A line of the merged history file and its number in the new history file, from 1; 0 for a kept line. */
export interface NumberedLine extends TimedLine {
  readonly number: number;
}

/** Messages of the previous history file that this export lacks. */
export interface MergeCounts {
  /** Messages outside the times that the export covers. */
  kept: number;
  /** Messages that the export would contain if they still existed at the source. */
  gone: number;
  /** Messages of this export that a more recent, already converted export changed or removed. */
  superseded: number;
  /** Messages added, changed or removed at times that an export covers which may have been taken later. */
  doubtful: number;
}

export type Superseded = 'whole' | 'known' | 'none';

export interface MergeRules {
  /** Whether to keep a message that the export lacks. */
  isKept(message: JsonObject): boolean;
  /** Whether the new history file contains the message at another time. */
  isElsewhere(id: string): boolean;
  /** What a more recent, already converted export decides at this time: all messages, only those that it has, or nothing. */
  superseded(time: number): Superseded;
  /** Whether an export of before covers the time which may have been taken later. */
  isDoubtful(time: number): boolean;
  /** Whether a message stays as it is if this export has an earlier edit of it. */
  readonly keepsEdits: boolean;
  /** Records a line of the new history file that is omitted because a more recent export lacks it. */
  drop(number: number): void;
}

export interface Message<Line extends TimedLine> {
  readonly id: string;
  readonly lines: Line[];
  /** The time of the first line. */
  readonly value: JsonObject;
}

/** Both inputs are sorted by time, and so is the result. */
export function* mergedLines(
  fresh: Iterable<NumberedLine>,
  earlier: Iterable<TimedLine>,
  rules: MergeRules,
  counts: MergeCounts,
): Generator<NumberedLine> {
  for (const [ours, before] of timesOf(fresh, earlier)) {
    const isSame = hasSameLines(ours, before);
    const time = (ours[0] ?? before[0])?.time ?? 0;
    if (isSame) yield* ours;
    else if (rules.superseded(time) === 'whole')
      yield* supersededTime(messagesOf(ours), messagesOf(before), rules, counts);
    else if (before.length === 0 && !rules.isDoubtful(time)) yield* ours;
    else yield* mergedTime(messagesOf(ours), messagesOf(before), rules, counts, time);
  }
}

/**
 * Merges messages with equal times. Those that an earlier export had keep their order, in which they arrived, and new ones follow. What
 * decides the order of a millisecond counts afterwards (`order.ts`).
 */
function* mergedTime(
  fresh: readonly Message<NumberedLine>[],
  earlier: readonly Message<TimedLine>[],
  rules: MergeRules,
  counts: MergeCounts,
  time: number,
): Generator<NumberedLine> {
  const isOlder = rules.superseded(time) === 'known';
  const { gone } = counts;
  let changed = 0;
  const { pairs, unpaired } = counterpartsOf(fresh, earlier);
  const numbered = new Set(fresh.map(({ id }) => baseOf(id)).filter((base) => base !== undefined));
  for (const before of earlier) {
    const message = pairs.get(before);
    if (message === undefined) {
      // A number alone does not say which message it is.
      const isNumbered = numbered.has(baseOf(before.id) ?? '');
      if (!isNumbered && rules.isElsewhere(before.id)) continue;
      if (!rules.isKept(before.value)) {
        counts.gone += 1;
        continue;
      }
      counts.kept += 1;
      yield* numberedAs(before, undefined);
      continue;
    }
    const isReverted = rules.keepsEdits && hasEarlierEdit(message.value, before.value);
    const stays = isOlder || isReverted || isSameMessage(message, before);
    if (isReverted) counts.superseded += 1;
    if (!stays && !hasSameLines(message.lines, before.lines)) changed += 1;
    yield* stays ? numberedAs(before, message) : message.lines;
  }
  for (const message of unpaired) {
    changed += 1;
    yield* message.lines;
  }
  if (rules.isDoubtful(time)) counts.doubtful += changed + counts.gone - gone;
}

interface Counterparts {
  /** By earlier message, with the id of that one. */
  readonly pairs: ReadonlyMap<Message<TimedLine>, Message<NumberedLine>>;
  readonly unpaired: readonly Message<NumberedLine>[];
}

/**
 * Pairs messages by their ids. Messages that are only numbered (`export/derived-ids.ts`) have other numbers if rows were deleted or come in
 * another order. They pair by what people see, then by their numbers, then in order; further ones are new and get numbers that are free.
 */
function counterpartsOf(fresh: readonly Message<NumberedLine>[], earlier: readonly Message<TimedLine>[]): Counterparts {
  const pairs = new Map<Message<TimedLine>, Message<NumberedLine>>();
  const unpaired: Message<NumberedLine>[] = [];
  const byId = new Map(earlier.map((message) => [message.id, message]));
  const numbered = new Map<string, Message<NumberedLine>[]>();
  for (const message of fresh) {
    const base = baseOf(message.id);
    const before = byId.get(message.id);
    if (base !== undefined) numbered.set(base, [...(numbered.get(base) ?? []), message]);
    else if (before === undefined) unpaired.push(message);
    else pairs.set(before, message);
  }
  for (const [base, ours] of numbered) {
    const before = earlier.filter(({ id }) => baseOf(id) === base);
    let open = ours;
    for (const isFit of [isShownAlike, hasSameId, () => true]) {
      open = open.filter((message) => {
        const other = before.find((candidate) => !pairs.has(candidate) && isFit(message, candidate));
        if (other !== undefined) pairs.set(other, withId(message, other.id));
        return other === undefined;
      });
    }
    const taken = new Set(before.map(({ id }) => id));
    for (const message of open) {
      let [id, number] = [message.id, 1];
      while (taken.has(id)) id = `${base}-${++number}`;
      taken.add(id);
      unpaired.push(withId(message, id));
    }
  }
  return { pairs, unpaired };
}

function hasSameId(left: Message<TimedLine>, right: Message<TimedLine>): boolean {
  return left.id === right.id;
}

/** The message under another id, which its lines and its envelope have. */
function withId(message: Message<NumberedLine>, id: string): Message<NumberedLine> {
  if (id === message.id) return message;
  const lines = message.lines.map((line) => {
    const value = JSON.parse(line.text) as JsonObject;
    const part = String(value.dedup_id).slice(message.id.length);
    return { ...line, text: JSON.stringify(withEnvelopeId({ ...value, dedup_id: id + part }, id)) };
  });
  return { id, lines, value: JSON.parse(lines[0]?.text ?? '{}') as JsonObject };
}

/** The part of a derived id before its number. Undefined for other ids. */
function baseOf(id: string): string | undefined {
  return /^(.*:-?\d+(?:\.\d+)?-[\da-f]{12})(?:-\d+)?$/u.exec(id)?.[1];
}

function isShownAlike(left: Message<TimedLine>, right: Message<TimedLine>): boolean {
  const visiblePart = ({ lines }: Message<TimedLine>) =>
    lines.map(({ text }) => {
      const { message = null, url = null, user_id = null } = JSON.parse(text) as JsonObject;
      return [message, url, user_id];
    });
  return equalJson(visiblePart(left), visiblePart(right));
}

/** Merges messages with equal times when the previous history file is the more recent one. */
function* supersededTime(
  fresh: readonly Message<NumberedLine>[],
  earlier: readonly Message<TimedLine>[],
  rules: MergeRules,
  counts: MergeCounts,
): Generator<NumberedLine> {
  const byId = new Map(fresh.map((message) => [message.id, message]));
  for (const message of earlier) {
    const older = byId.get(message.id);
    byId.delete(message.id);
    if (older === undefined && !rules.isKept(message.value)) {
      counts.gone += 1;
      continue;
    }
    if (older === undefined) counts.kept += 1;
    else if (older.lines.some(({ text }, place) => text !== message.lines[place]?.text)) counts.superseded += 1;
    yield* numberedAs(message, older);
    for (const { number } of older?.lines.slice(message.lines.length) ?? []) rules.drop(number);
  }
  for (const { lines } of byId.values()) {
    counts.superseded += 1;
    for (const { number } of lines) rules.drop(number);
  }
}

export function hasSameLines(left: readonly TimedLine[], right: readonly TimedLine[]): boolean {
  return left.length === right.length && left.every(({ text }, place) => text === right[place]?.text);
}

/** Puts the lines of an earlier message where this export has that message. */
function numberedAs({ lines }: Message<TimedLine>, ours: Message<NumberedLine> | undefined): NumberedLine[] {
  return lines.map((line, place) => ({ ...line, number: ours?.lines[place]?.number ?? 0 }));
}

/**
 * Whether the source has the same message. Current names in the shown text may differ, since the envelope has the source text if it
 * differs from the shown text, and so may the notation of values.
 */
function isSameMessage(fresh: Message<TimedLine>, before: Message<TimedLine>): boolean {
  if (fresh.lines.length !== before.lines.length) return false;
  const [now, then] = [fresh, before].map(({ lines }) => lines.map(({ text }) => JSON.parse(text) as JsonObject));
  if (now === undefined || then === undefined) return false;
  if (differInNotationAlone(now, then)) return true;
  const hasSourceText = envelopeOf(fresh.value)?.text !== undefined;
  return hasSourceText && equalJson(now.map(withoutText), then.map(withoutText));
}

function withoutText({ message: _shown, ...line }: JsonObject): JsonObject {
  return line;
}

export function messagesOf<Line extends TimedLine>(lines: readonly Line[]): Message<Line>[] {
  const messages: Message<Line>[] = [];
  for (const line of lines) {
    const value = JSON.parse(line.text) as JsonObject;
    const id = isObject(value) ? String(value.dedup_id) : '';
    const last = messages.at(-1);
    if (last !== undefined && id === `${last.id}#${last.lines.length + 1}`) last.lines.push(line);
    else messages.push({ id, lines: [line], value });
  }
  return messages;
}

/** Groups the lines of both history files by time. */
export function* timesOf<Left extends TimedLine, Right extends TimedLine>(
  left: Iterable<Left>,
  right: Iterable<Right>,
): Generator<readonly [readonly Left[], readonly Right[]]> {
  const lefts = runsOf(left);
  const rights = runsOf(right);
  let ours = lefts.next().value;
  let theirs = rights.next().value;
  while (ours !== undefined || theirs !== undefined) {
    const time = Math.min(ours?.[0]?.time ?? Number.POSITIVE_INFINITY, theirs?.[0]?.time ?? Number.POSITIVE_INFINITY);
    const isOurs = ours?.[0]?.time === time;
    const isTheirs = theirs?.[0]?.time === time;
    yield [isOurs ? (ours ?? []) : [], isTheirs ? (theirs ?? []) : []];
    if (isOurs) ours = lefts.next().value;
    if (isTheirs) theirs = rights.next().value;
  }
}

/** Groups adjacent lines with equal times. */
export function* runsOf<Line extends TimedLine>(lines: Iterable<Line>): Generator<Line[], undefined> {
  let run: Line[] = [];
  for (const line of lines) {
    if (run.length > 0 && run[0]?.time !== line.time) {
      yield run;
      run = [];
    }
    run.push(line);
  }
  if (run.length > 0) yield run;
}
