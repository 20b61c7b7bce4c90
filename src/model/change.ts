// The change of one object, as people review it, and drift.

import type { JsonValue } from '../lib/json.ts';
import type { Action } from './action.ts';
import type { Address } from './address.ts';
import type { Method } from './request.ts';
import type { SourcePosition } from './source.ts';

/**
 * One attribute's part of a change. `before` is absent when the attribute was not managed, `after` when management ends.
 * `how`: `set` to what is declared; `reset` because the line was removed and the platform has a neutral value to go
 * back to; `release` when the line was removed and the value stays as it is, unmanaged from now on.
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
  /** One sentence for people. Display only. */
  readonly reason: string;
  readonly reversibility: Reversibility;
  /** True for effects that reviewers must see first, except those that complete a creation. */
  readonly dangerous: boolean;
  readonly notes: readonly string[];
  /** The calls that the change makes, the most numerous first. */
  readonly requests: readonly RequestCount[];
  /** Only with --base-ref: caused by the request under review, or waiting already before it. */
  readonly cause?: 'request' | 'pending';
  /** What is at stake in a channel that is frozen or deleted; known after a refresh. */
  readonly live?: LiveFacts;
}

/** Calls of one method and route. */
export interface RequestCount {
  readonly method: Method;
  readonly route: string;
  readonly count: number;
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
 * What people or other tools changed on the platform since the last apply. In `attributes`, `before` is as last applied
 * and `after` as it is now. `changed`: managed attributes differ. `missing`: the object is gone. `departed`: declared
 * members left.
 */
export interface Drift {
  readonly address: Address;
  readonly type: 'changed' | 'missing' | 'departed';
  readonly attributes: readonly AttributeChange[];
  readonly source?: SourcePosition;
  /** One sentence for people: what an apply makes of it. */
  readonly note: string;
}

/** Whether another apply can undo the effect: wholly, with a loss (membership history), or not at all. */
export type Reversibility = 'reversible' | 'lossy' | 'irreversible';

/** Whether a token is issued in place of an earlier one, which stops working (platform §4). */
export function rotatesToken({ attributes }: Pick<Change, 'attributes'>): boolean {
  return attributes.some(
    ({ path, before, after, how }) =>
      path[0] === 'issue_access_token' && how === 'set' && before !== undefined && after !== undefined,
  );
}

const plainWord = /^[\w-]+$/u;

/** `metadata.team`, `members."a.b"`: keys other than plain words are quoted, so a path is unambiguous. */
export function printPath(path: readonly string[]): string {
  let text = '';
  for (const part of path) text += (text === '' ? '' : '.') + (plainWord.test(part) ? part : JSON.stringify(part));
  return text;
}
