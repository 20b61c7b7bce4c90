// The change of one object, as people review it, and drift.

import type { Count, JsonValue, PositiveCount, UtcTime } from '../../lib/json.ts';
import type { Action } from './action.ts';
import type { Address } from './address.ts';
import type { DangerKind } from './people/comparison.ts';
import type { ChangeNote, ChangeReason, DriftNote } from './reasons.ts';
import type { StateEntry } from './record.ts';
import type { Method } from './request.ts';
import type { SourcePosition } from './source.ts';

export const attributeHows = ['set', 'reset', 'release'] as const;
/** Why a change is in a plan with --base-ref. */
export const changeCauses = ['request', 'pending'] as const;
export const reversibilities = ['reversible', 'lossy', 'irreversible'] as const;

/** One attribute's part of a change. */
export interface AttributeChange {
  readonly path: readonly string[];
  /** Any value. Absent if it was not managed. */
  readonly before?: JsonValue;
  /** Any value. Absent if it is no longer managed. */
  readonly after?: JsonValue;
  /**
   * set: to the declared value. reset: the line was removed and the value becomes neutral. release: the line was removed, the value stays
   * and is no longer managed.
   */
  readonly how: (typeof attributeHows)[number];
}

export interface Change {
  readonly address: Address;
  /** What happens to the object, in order. */
  readonly actions: readonly Action[];
  readonly attributes: readonly AttributeChange[];
  /** Where the object is declared. Absent if it was removed from the manifest. */
  readonly source?: SourcePosition;
  /** Why the object changes: a code, and data that depends on the code. Readers ignore codes that they do not know. */
  readonly reason: ChangeReason;
  /** Whether another apply can undo the effect: completely, with a loss, or not at all. */
  readonly reversibility: Reversibility;
  /** It has dangers: review it first. */
  readonly dangerous: boolean;
  /**
   * Why it is dangerous. Absent: it is not.
   * @minItems 1
   */
  readonly dangers?: readonly ChangeDanger[];
  readonly notes: readonly string[];
  /** The notes as codes with data, in the same order. Absent without notes. Readers ignore codes that they do not know. */
  readonly note_codes?: readonly ChangeNote[];
  /** The calls that the change causes. */
  readonly requests: readonly RequestCount[];
  /** With --base-ref: caused by the request under review, or already pending before it. */
  readonly cause?: (typeof changeCauses)[number];
  /** With --stage: the stage that has the steps of the object, from 1. */
  readonly stage?: PositiveCount;
  /** For a channel that is frozen or deleted, after a refresh. */
  readonly live?: LiveFacts;
}

/** A reason why a change is dangerous. */
export interface ChangeDanger {
  /**
   * opens, restricts: people can newly connect, enter, read, write or moderate, or no longer can. may_change: either. sends: which data
   * goes elsewhere, and where. locks_out: callers of the API are refused. revokes: an access token ends. reopens: a disabled object is
   * enabled for work and disabled again.
   */
  readonly danger: DangerKind;
  /**
   * What does it. Two for an object that is enabled and disabled again.
   * @minItems 1
   */
  readonly actions: readonly Action[];
  /** The edited attribute. Absent if the actions concern the object as a whole, or its messages. */
  readonly attribute?: string;
}

/** Calls of one method and route. */
export interface RequestCount {
  readonly method: Method;
  /** The route template, by which limits count: /users/{user_id}. */
  readonly route: string;
  readonly count: Count;
}

/** Whether a reviewer must see the change first: it has dangers, or cannot be undone. */
export function isDanger({ dangerous, reversibility }: Pick<Change, 'dangerous' | 'reversibility'>): boolean {
  return dangerous || reversibility === 'irreversible';
}

/** Whether some of these calls send messages of history files. */
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
  readonly members?: Count;
  readonly last_message_at?: UtcTime;
}

/** A change that people or other tools made on the platform since the last apply. */
export interface Drift {
  readonly address: Address;
  /**
   * changed: managed attributes differ. missing: the object is gone. departed: declared members have left. made_anew: others deleted the
   * object and created it again.
   */
  readonly type: 'changed' | 'missing' | 'departed' | 'made_anew';
  /** before is the value last applied, after the live one. */
  readonly attributes: readonly AttributeChange[];
  /** Where the object is declared. */
  readonly source?: SourcePosition;
  /** One sentence for people: what an apply does about it. */
  readonly note: string;
  /** What the note says, as codes with data. Readers ignore codes that they do not know. */
  readonly note_codes?: readonly DriftNote[];
}

/** A value that the platform stored in another form than it was sent, such as a trimmed name. */
export interface StoredValue {
  readonly address: Address;
  /**
   * The attribute, or the attribute and the key of an entry.
   * @minItems 1
   */
  readonly path: readonly string[];
  /** What was sent. */
  readonly sent: JsonValue;
  /** What the platform showed afterwards. Absent: nothing. */
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
export type Reversibility = (typeof reversibilities)[number];

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
