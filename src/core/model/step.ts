// A step is one call together with the state entry to write when it has succeeded.
import type { JsonObject } from '../../lib/json.ts';
import type { Action } from './action.ts';
import { type Address, compareAddresses } from './address.ts';
import type { StateEntry, StateRecord } from './record.ts';
import type { ApiRequest, Expectation, Resolve, Search } from './request.ts';

/**
 * The phases of a run (semantics §3). The steps of one object run in this order. Between objects only needs count. Every
 * need points from a later phase to an earlier one, so the graph has no cycle.
 */
const phases = [
  'revoke',
  'open',
  'leave',
  'settings',
  'user',
  'channel',
  'invite',
  'operators',
  'messages',
  'reactions',
  'mark_as_read',
  'hide',
  'reopen',
  'freeze',
  'deactivate',
  'delete_channel',
  'delete_user',
  'record',
] as const;

export type Phase = (typeof phases)[number];

export const phaseRank: Readonly<Record<Phase, number>> = Object.fromEntries(
  phases.map((phase, rank) => [phase, rank]),
) as Record<Phase, number>;

/**
 * One step of a plan, as plain data. It is executed as printed. The applier must not depend on display text or look into
 * `entry`.
 */
export interface Step {
  /** `address#position`, unique in a plan. */
  readonly id: string;
  readonly address: Address;
  readonly action: Action;
  readonly phase: Phase;
  /** Absent if only state changes (a released attribute, a forgotten object, an edited lifecycle). */
  readonly request?: ApiRequest;
  readonly entry: StateEntry;
  /** Ids of the steps that must succeed first. */
  readonly needs: readonly string[];
  /** Ids of the steps that must end first, in whatever way, because a reopened object is disabled again in any case. */
  readonly after?: readonly string[];
  /** Whether the request is unsafe to repeat, so that after a lost answer its effect is read before it is sent again. */
  readonly begin: boolean;
  /** Platform codes that mean the step had already taken effect. */
  readonly doneOn: readonly number[];
  /** The user whose membership the call changes. A code of `doneOn` then means that the user is not in the channel. */
  readonly member?: string;
  /** Whether users of the list who do not exist are named as left out, and do not fail the call. */
  readonly leavesOut?: true;
  /**
   * Codes that mean an earlier attempt of this step took effect. If there was no earlier attempt, somebody else did the
   * same, perhaps with other values, and the code is a refusal.
   */
  readonly doneAgainOn?: readonly number[];
  readonly resolve?: Resolve;
  /** Replaces `resolve` for calls that may take effect in part. */
  readonly search?: Search;
  /** Conditions on the answer itself. If one is not met, the call met another object, which is a conflict. */
  readonly expect?: readonly Expectation[];
  /** The field of the answer that goes to the token sink and nowhere else. */
  readonly sink?: TokenField;
}

export interface TokenField {
  readonly field: 'access_token' | 'token' | 'bot_token';
  /** The part of the answer that contains the field; the whole answer if absent. */
  readonly within?: string;
  readonly user_id: string;
}

/** Finds out page by page what a call did that may take effect in part. */
export interface CallSearch {
  take(page: JsonObject): SearchResult;
  /** Returns what a page that the platform refuses with this code shows, or undefined if it shows nothing. */
  refused?(code: number): SearchResult | undefined;
  /** Returns why the call is not made if the platform refuses a page for the reason `why`. */
  unread(why: string): string;
}

/** A request that the platform registered and worked on later (`Search.isAwaited`). */
export interface RegisteredRequest {
  /** As the platform names it. */
  readonly request_id: string;
  /** As the platform last showed it. */
  readonly status: string;
}

export type SearchResult =
  /** Read another page, after this time (default: at once), because the platform still works on a request. */
  | {
      readonly type: 'page';
      readonly request: ApiRequest;
      readonly afterMs?: number;
      readonly awaits?: RegisteredRequest;
    }
  /** Make the call with what is missing. */
  | {
      readonly type: 'send';
      readonly request: ApiRequest;
      /** Nothing of the later calls has arrived either (`Search.fresh`). */
      readonly isClear?: true;
    }
  | { readonly type: 'done'; readonly note?: string; readonly registered?: RegisteredRequest }
  /** What the call is about does not exist, or cannot be told from others. */
  | { readonly type: 'lost'; readonly why: string };

/** Reads the source of a list as planned. Rejects with a Refusal if it changed since the plan. */
export type ListReader = (source: JsonObject) => Promise<readonly JsonObject[]>;

/** How a kind resolves calls that may take effect in part (`Step.search`). */
export interface CallsInDoubt {
  /** `isFresh`: the call was never sent. Rejects with a Refusal if the list of the call changed since the plan. */
  search(step: Step, isFresh: boolean, read: ListReader): Promise<CallSearch>;
  /**
   * Returns the entry that notes in state what an interrupted call, which is planned again, may have sent. Undefined if the run
   * searches for it instead. Absent if the platform works on the calls later (`Search.isAwaited`): a run searches for them first.
   */
  entry?(step: Step, record: StateRecord | undefined, read: ListReader): Promise<StateEntry | undefined>;
}

/** Compares by the order of a plan. */
export function comparePlaces(left: Step, right: Step): number {
  return (
    phaseRank[left.phase] - phaseRank[right.phase] ||
    compareAddresses(left.address, right.address) ||
    positionOf(left) - positionOf(right)
  );
}

function positionOf({ id }: Step): number {
  return Number(id.slice(id.lastIndexOf('#') + 1));
}
