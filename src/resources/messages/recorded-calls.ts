// What state keeps of the messages of an archive: for each call the fingerprints of its lines (semantics §7).
import { shortMarkLength } from '../../lib/digest.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { mapOf, textOf } from '../definition/values.ts';
import { countMarks, countOf, identitiesFrom, marksFrom } from './archive.ts';

/** State keeps calls in groups of a hundred, so that an edit of one copies few of the others. */
const callsInGroup = 100;

/** Where state keeps what a call has sent, counted from 0. */
export function pathOfCall(call: number): readonly string[] {
  return ['calls', String(Math.floor(call / callsInGroup)), String(call % callsInGroup)];
}

/** What one call has sent, without those of its lines that were deleted since. */
export interface SentCall {
  /** The fingerprints of its lines, and what stays of each when it is edited. Calls of versions before 0.3 have the first alone. */
  readonly marks: string;
  readonly identities: string | undefined;
  /** No line of it has an earlier time, or a later one. */
  readonly first: number;
  readonly last: number;
  /** Whether its messages arrived is not known: they are looked for before they are sent again. */
  readonly isUnsure: boolean;
}

/** What was sent, according to state. */
export interface Sent {
  /** In the order in which they were made, which is that of time except for late messages. */
  readonly calls: readonly SentCall[];
  /** Lines of the archive up to this one may have been sent besides: each of their calls is looked for first. */
  readonly unsureTo: number;
  /** Messages of the channel were edited or deleted. */
  readonly isChanged: boolean;
}

export function sentOf(remembered: JsonObject): Sent {
  const calls: SentCall[] = [];
  const groups = mapOf(remembered, 'calls');
  for (let group = 0; Object.hasOwn(groups, String(group)); group++) {
    const own = mapOf(groups, String(group));
    for (let call = 0; Object.hasOwn(own, String(call)); call++) calls.push(parseCall(textOf(own, String(call)) ?? ''));
  }
  return {
    calls,
    unsureTo: countOf(mapOf(remembered, 'archive'), 'unsure_to'),
    isChanged: remembered.changed === true,
  };
}

/** `MARKS.IDENTITIES.FIRST.LAST`, with `.?` behind when it is unsure. */
export function printCall({ marks, identities, first, last, isUnsure }: SentCall): string {
  if (identities === undefined) return marks;
  return `${marks}.${identities}.${first}.${last}${isUnsure ? '.?' : ''}`;
}

export function parseCall(text: string): SentCall {
  const [marks = '', written, first, last, unsure] = text.split('.');
  // Not so long in states of versions between 0.2 and 0.3.
  const identities = written?.length === countMarks(marks) * shortMarkLength ? written : undefined;
  return { marks, identities, first: Number(first ?? 0), last: Number(last ?? 0), isUnsure: unsure === '?' };
}

/** A call without its lines at these places. */
export function withoutLines(call: SentCall, places: ReadonlySet<number>): SentCall {
  const kept = (text: string, cut: typeof marksFrom): string =>
    Array.from({ length: countMarks(call.marks) }, (_none, place) =>
      places.has(place) ? '' : cut(text, place, place + 1),
    ).join('');
  return {
    ...call,
    marks: kept(call.marks, marksFrom),
    ...(call.identities === undefined ? {} : { identities: kept(call.identities, identitiesFrom) }),
  };
}

/** A call whose line at this place has another fingerprint. */
export function withMark(call: SentCall, place: number, mark: string): SentCall {
  const { marks } = call;
  return { ...call, marks: marksFrom(marks, 0, place) + mark + marksFrom(marks, place + 1, countMarks(marks)) };
}

/** The number of the next call. */
export function nextCall(remembered: JsonObject): number {
  let count = 0;
  for (const group of Object.values(mapOf(remembered, 'calls')))
    if (isObject(group)) count += Object.keys(group).length;
  return count;
}
