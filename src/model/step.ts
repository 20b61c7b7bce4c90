// Steps: one call each, with the state entry to write when it has succeeded.
import type { JsonObject } from '../lib/json.ts';
import type { Action } from './action.ts';
import { type Address, compareAddresses } from './address.ts';
import type { StateEntry, StateRecord } from './record.ts';
import type { ApiRequest, Expectation, Resolve, Settle } from './request.ts';

/**
 * The phases of a run (semantics §3). Within one object steps run in this order; across objects only needs count, and
 * every need points from a later phase to an earlier one, so that the graph has no cycle.
 */
const phases = [
  'revoke',
  'open',
  'leave',
  'user',
  'channel',
  'invite',
  'operators',
  'messages',
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
 * One step of a plan: plain data, printed in the plan and executed as it is. Display text must not influence the
 * applier, and the applier must not look into `entry`.
 */
export interface Step {
  /** `address#position`, unique in a plan. */
  readonly id: string;
  readonly address: Address;
  readonly action: Action;
  readonly phase: Phase;
  /** Absent when only state changes (an attribute is released, an object forgotten, a lifecycle edited). */
  readonly request?: ApiRequest;
  readonly entry: StateEntry;
  /** Ids of the steps that must have succeeded before. */
  readonly needs: readonly string[];
  /** Ids of the steps that must be over before, however they ended: a reopened object is closed again in any case. */
  readonly after?: readonly string[];
  /** The request is not safe to repeat: after a lost answer its effect is read before it is sent again, also by the next run. */
  readonly begin: boolean;
  /** Platform codes which mean that the step had its effect already. */
  readonly doneOn: readonly number[];
  /**
   * Codes which mean that an earlier sending of this step had its effect. When nothing was sent before, somebody else has
   * done the same, perhaps otherwise: then they are a refusal.
   */
  readonly doneAgainOn?: readonly number[];
  readonly resolve?: Resolve;
  /** Replaces `resolve` for calls of which a part may have arrived. */
  readonly settle?: Settle;
  readonly split?: Split;
  /** What the answer itself must show; otherwise the call met another object, which is a conflict. */
  readonly expect?: readonly Expectation[];
  /** The field of the answer that goes to the token sink, and to nowhere else. */
  readonly sink?: TokenField;
}

/**
 * A list that the platform refuses as a whole for one id in it, without saying which. Refused with a code of `on`, the
 * call is made once for each id instead, and then a code of `doneOn` means that it had its effect already.
 */
export interface Split {
  readonly in: 'body' | 'query';
  /** The list's field; in a query its ids are joined by commas. */
  readonly field: string;
  readonly ids: readonly string[];
  readonly on: readonly number[];
  readonly doneOn: readonly number[];
}

export interface TokenField {
  readonly field: 'access_token' | 'token' | 'bot_token';
  /** The part of the answer that has the field; absent: the answer itself. */
  readonly within?: string;
  /** The call is not made for the token: without a sink it is dropped, and the call is made all the same. */
  readonly isOptional?: true;
  readonly user_id: string;
}

/** One search for what a call of many things did, page by page. */
export interface CallSearch {
  take(page: JsonObject): SearchResult;
}

type SearchResult =
  /** Another page to read. */
  | { readonly type: 'page'; readonly request: ApiRequest }
  /** The call with what is missing. */
  | {
      readonly type: 'send';
      readonly request: ApiRequest;
      /** Nothing is there of the calls behind it either (`Settle.fresh`). */
      readonly isClear?: true;
    }
  | { readonly type: 'done'; readonly note?: string }
  /** The subject of the call is not there, or cannot be told from something else. */
  | { readonly type: 'lost'; readonly why: string };

/** What a kind knows of its calls that may take effect in part (`Step.settle`). `lines`: of the archive, as planned. */
export interface CallsInDoubt {
  search(step: Step, lines: readonly JsonObject[]): CallSearch;
  /**
   * What state is to remember of an interrupted call that will be planned anew: what may be there. Undefined when the run
   * looks for the call instead. `hasLines`: the archive still has its lines.
   */
  entry(step: Step, record: StateRecord | undefined, hasLines: boolean): StateEntry | undefined;
}

/** What decides where a step stands in a plan. */
export type StepPlace = Pick<Step, 'id' | 'address' | 'phase'>;

/** By the order of a plan. Total: a plan file may contain anything. */
export function comparePlaces(left: StepPlace, right: StepPlace): number {
  return (
    (phaseRank[left.phase] ?? -1) - (phaseRank[right.phase] ?? -1) ||
    compareAddresses(String(left.address) as Address, String(right.address) as Address) ||
    positionOf(left) - positionOf(right)
  );
}

function positionOf({ id }: StepPlace): number {
  return Number(id.slice(id.lastIndexOf('#') + 1)) || 0;
}
