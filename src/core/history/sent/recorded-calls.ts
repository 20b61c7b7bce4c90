// State keeps for each call of a history file the fingerprints of its lines (semantics §7).

import { isObject, type JsonObject } from '../../../lib/json.ts';
import { mapOf, textOf } from '../../kinds/definition/values.ts';
import type { RecordEdit } from '../../model/record.ts';
import { countMarks, countOf, identitiesFrom, marksFrom } from '../lines/history-file.ts';

/** The number of calls in a group. Groups limit how much an edit of one call copies. */
const callsInGroup = 100;

/** Returns the path of a call in the record, counted from 0. */
export function pathOfCall(call: number): readonly string[] {
  return ['calls', String(Math.floor(call / callsInGroup)), String(call % callsInGroup)];
}

/** The lines that one call has sent, without lines deleted since. */
export interface RecordedCall {
  /** The fingerprints of the lines, and of their fields that an edit keeps. */
  readonly marks: string;
  readonly identities: string;
  /** The times of all lines are in this range. */
  readonly first: number;
  readonly last: number;
  /** Whether the outcome is unknown. Then its messages are searched for before they are sent again. */
  readonly isUnsure: boolean;
  /** Whether the channel may not show the last line as its last message: it is a reply or silent, or its time is unknown. */
  readonly isQuiet?: boolean;
}

/** The sent lines of a history file, according to state. */
export interface SentHistoryFile {
  /** In the order in which they were made, which is by time except for late messages. */
  readonly calls: readonly RecordedCall[];
  /** Lines of the history file up to this one may also have been sent. Their messages are searched for first. */
  readonly unsureTo: number;
  /** Whether messages of the channel were edited or deleted. */
  readonly isChanged: boolean;
  /** Whether any message was sent with meta arrays, which it may still have. */
  readonly hasArrays: boolean;
  /** Whether state was put back from a copy, so that later lines may have been sent, too. */
  readonly isRestored: boolean;
}

/** Notes in state that messages were sent with meta arrays. */
export const arraysSent: RecordEdit = { op: 'set', path: ['arrays'], value: true };

/** Returns the attributes of a record of messages that was put back from a copy. */
export function restored(attributes: JsonObject): JsonObject {
  return { ...attributes, restored: true };
}

/** Notes in state that everything that may have been sent since the copy is known again. */
export const nothingRestored: RecordEdit = { op: 'unset', path: ['restored'] };

/** Returns what a record of messages says about the lines that were sent. */
export function sentOf(remembered: JsonObject): SentHistoryFile {
  const calls: RecordedCall[] = [];
  const groups = mapOf(remembered, 'calls');
  for (let group = 0; Object.hasOwn(groups, String(group)); group++) {
    const ofGroup = mapOf(groups, String(group));
    for (let call = 0; Object.hasOwn(ofGroup, String(call)); call++)
      calls.push(parseCall(textOf(ofGroup, String(call)) ?? ''));
  }
  return {
    calls,
    unsureTo: countOf(mapOf(remembered, 'history'), 'unsure_to'),
    isChanged: remembered.changed === true,
    hasArrays: remembered.arrays === true,
    isRestored: remembered.restored === true,
  };
}

/** Prints `MARKS.IDENTITIES.FIRST.LAST`, followed by `.` and `?` if the call is unsure, `q` if it is quiet. */
export function printCall({ marks, identities, first, last, isUnsure, isQuiet }: RecordedCall): string {
  const flags = `${isUnsure ? '?' : ''}${isQuiet === true ? 'q' : ''}`;
  return `${marks}.${identities}.${first}.${last}${flags === '' ? '' : `.${flags}`}`;
}

export function parseCall(text: string): RecordedCall {
  const [marks = '', identities = '', first, last, flags = ''] = text.split('.');
  const times = { first: Number(first ?? 0), last: Number(last ?? 0) };
  const isUnsure = flags.includes('?');
  return { marks, identities, ...times, isUnsure, ...(flags.includes('q') ? { isQuiet: true } : {}) };
}

/** Returns a call without its lines at these indexes. */
export function withoutLines(call: RecordedCall, places: ReadonlySet<number>): RecordedCall {
  const kept = (text: string, cut: typeof marksFrom): string =>
    Array.from({ length: countMarks(call.marks) }, (_none, place) =>
      places.has(place) ? '' : cut(text, place, place + 1),
    ).join('');
  return {
    ...call,
    marks: kept(call.marks, marksFrom),
    identities: kept(call.identities, identitiesFrom),
  };
}

/** Returns a call with another fingerprint for the line at this index. */
export function withMark(call: RecordedCall, place: number, mark: string): RecordedCall {
  const { marks } = call;
  return { ...call, marks: marksFrom(marks, 0, place) + mark + marksFrom(marks, place + 1, countMarks(marks)) };
}

/** Returns the number of the next call. */
export function nextCall(remembered: JsonObject): number {
  let count = 0;
  for (const group of Object.values(mapOf(remembered, 'calls')))
    if (isObject(group)) count += Object.keys(group).length;
  return count;
}
