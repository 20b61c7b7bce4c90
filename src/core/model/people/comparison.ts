// How the platform shows a declared value, and what an edit of the value means for people.

import type { Count, PositiveCount } from '../../../lib/json.ts';
/** What an answer proves that shows a value in part. */
export type Proof = 'is_set' | 'key_id' | 'joined' | 'same_upload' | 'same_token' | 'last_message' | 'receipts';

/**
 * Why no answer shows a value. `no_answer`: the platform has it and shows it nowhere. `argument`: it only steers one request.
 * `rule`: chatform itself follows it. `history`: `chatform verify` compares it. `each_user`: an answer about the user shows it, and a refresh notes it.
 */
export type NotShown = 'no_answer' | 'argument' | 'rule' | 'history' | 'each_user';

/** Why a read did not show a value this time. */
type NotRead = 'read_each' | 'omitted' | 'refused';

/**
 * What an edit means for people: who can connect, enter, read, write, moderate, see earlier messages; `bound`: what may be
 * written; `notice`: what people notice; `push`: who gets push notifications; `elsewhere`: where data is sent; `api`: who may call the API.
 */
export type EditEffect =
  | 'connect'
  | 'enter'
  | 'read'
  | 'write'
  | 'moderate'
  | 'history'
  | 'bound'
  | 'notice'
  | 'push'
  | 'elsewhere'
  | 'api';

/**
 * What an edit may do that reviewers must see first. `opens`: people can newly connect, enter, read, write or moderate, or get pushes.
 * `restricts`: they no longer can. `may_change`: either, by what the value means. `sends`: which data goes elsewhere, and where. `locks_out`: callers
 * of the API are refused.
 */
export type EditDanger = 'locks_out' | 'restricts' | 'may_change' | 'opens' | 'sends';

/** `revokes`: a call ends an access token. `reopens`: a disabled object is enabled for work and disabled again. */
export type DangerKind = EditDanger | 'revokes' | 'reopens';

/** What a refresh compared. Names are those of the JSON document. */
export interface ComparedValues {
  /** The number of managed values that were compared as a whole. */
  readonly compared: Count;
  /** All other managed values, by kind and attribute. */
  readonly not_compared: readonly NotCompared[];
}

/** Managed values of one attribute that a refresh did not compare, or compared in part. */
export interface NotCompared {
  readonly kind: string;
  /** members.*.hidden_status for a part of the entries of a map. */
  readonly attribute: string;
  /**
   * in_part: the response proves only what proves says. no_answer: the platform shows it nowhere. argument: it steers one request.
   * history: chatform verify compares it. each_user: it needs one request for each user. read_each: not read, because of
   * policy.read_each. omitted: left out of the response. refused: the platform refused to show it.
   */
  readonly why: Exclude<NotShown, 'rule'> | NotRead | 'in_part';
  /** With in_part, what was compared. */
  readonly proves?: Proof;
  readonly values: PositiveCount;
  readonly objects: PositiveCount;
}
