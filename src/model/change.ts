// The change of one object, as people review it, and drift.

import type { JsonValue } from '../lib/json.ts';
import type { Action } from './action.ts';
import type { Address } from './address.ts';
import type { DangerKind } from './people/comparison.ts';
import type { ChangeNote, ChangeReason, DriftNote } from './reasons.ts';
import type { StateEntry } from './record.ts';
import type { Method } from './request.ts';
import type { SourcePosition } from './source.ts';

/**
 * One attribute's part of a change. `before` is absent if the attribute was not managed, `after` if management ends.
 * `how` is `set` for a declared value. For a removed line it is `reset` if the value goes back to a neutral one, or
 * `release` if the value stays and is unmanaged from now on.
 */
export interface AttributeChange {
  readonly path: readonly string[];
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  readonly how: 'set' | 'reset' | 'release';
}

export interface Change {
  readonly address: Address;
  readonly actions: readonly Action[];
  readonly attributes: readonly AttributeChange[];
  /** Where the object is declared; absent when it was removed from the manifest. */
  readonly source?: SourcePosition;
  readonly reason: ChangeReason;
  readonly reversibility: Reversibility;
  /** Whether reviewers must see it first: whether it has `dangers`. */
  readonly dangerous: boolean;
  /** Absent if there are none. */
  readonly dangers?: readonly ChangeDanger[];
  readonly notes: readonly string[];
  /** The notes as codes with data, in the same order. Absent if there are none. */
  readonly note_codes?: readonly ChangeNote[];
  /** The calls that the change makes, the most numerous first. */
  readonly requests: readonly RequestCount[];
  /** Set only with --base-ref: whether the request under review causes the change, or it was pending before. */
  readonly cause?: 'request' | 'pending';
  /** Set only with --stage: the stage that has the steps of the object, from 1. Never saved. */
  readonly stage?: number;
  /** Facts about a channel that is frozen or deleted. Present only after a refresh. */
  readonly live?: LiveFacts;
}

/** Why a change is dangerous (semantics §4.10). */
export interface ChangeDanger {
  readonly danger: DangerKind;
  /** What does it. Two for an object that is enabled and disabled again. */
  readonly actions: readonly Action[];
  /** The edited attribute. Absent if the actions concern the object as a whole, or its messages. */
  readonly attribute?: string;
}

/** Calls of one method and route. */
export interface RequestCount {
  readonly method: Method;
  readonly route: string;
  readonly count: number;
}

/** Whether some of these calls send messages of archives. */
export function sendsMessages(requests: readonly RequestCount[]): boolean {
  return requests.some(({ route, count }) => route === '/migration/{channel_url}' && count > 0);
}

/** The messages that these calls delete, one at a time. */
export function erasedMessages(requests: readonly RequestCount[]): number {
  return requests.reduce(
    (sum, { method, route, count }) => sum + (method === 'DELETE' && /\/messages\/[^/]*$/u.test(route) ? count : 0),
    0,
  );
}

export interface LiveFacts {
  readonly members?: number;
  /** ISO 8601, UTC. */
  readonly last_message_at?: string;
}

/**
 * A change that people or other tools made on the platform since the last apply. In `attributes`, `before` is the value
 * last applied and `after` the live value. `changed`: managed attributes differ. `missing`: the object does not exist.
 * `departed`: declared members left. `made_anew`: others deleted the object and created it again.
 */
export interface Drift {
  readonly address: Address;
  readonly type: 'changed' | 'missing' | 'departed' | 'made_anew';
  readonly attributes: readonly AttributeChange[];
  readonly source?: SourcePosition;
  /** One sentence that says what an apply does about the drift. */
  readonly note: string;
  /** The parts of the note as codes with data. */
  readonly note_codes?: readonly DriftNote[];
}

/** A value that the platform stored in another form than it was sent, such as a trimmed name. */
export interface StoredValue {
  readonly address: Address;
  /** The attribute, or the attribute and the key of an entry. */
  readonly path: readonly string[];
  readonly sent: JsonValue;
  /** Absent: the platform kept nothing. */
  readonly stored?: JsonValue;
}

/** What an answer shows of the values that a step sent. */
export interface ShownValues {
  /** The entry of the step, with what the answer shows of the values that differ. */
  readonly entry: StateEntry;
  readonly differing: readonly StoredValue[];
  /** Whether the answer shows every value, as it was sent. */
  readonly isAsSent: boolean;
}

/** Whether another apply can undo the effect: completely, with a loss (such as membership history), or not at all. */
export type Reversibility = 'reversible' | 'lossy' | 'irreversible';

/** Whether the change issues a token that replaces an earlier one, which stops working (platform §4). */
export function rotatesToken({ note_codes: notes = [] }: Pick<Change, 'note_codes'>): boolean {
  return notes.some(({ code }) => code === 'token_ends');
}

const plainWord = /^[\w-]+$/u;

/** Prints `metadata.team` or `members."a.b"`. Keys that are not plain words are quoted, so a path is unambiguous. */
export function printPath(path: readonly string[]): string {
  let text = '';
  for (const part of path) text += (text === '' ? '' : '.') + (plainWord.test(part) ? part : JSON.stringify(part));
  return text;
}
