// The state of a step that needs more than one call. README.md draws the states of a call.
import { maxAttempts, maxUnfinished } from '../../model/calls/back-off.ts';
import type { StoredValue } from '../../model/change.ts';
import type { StateEntry } from '../../model/record.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { CallSearch, Step } from '../../model/step.ts';
import type { FailureReason, Verdict } from '../verdict/classify.ts';

/** The kind of the next call. */
export type CallState =
  /** The step's request, or `rest`, the part of it that has not arrived. */
  | { readonly type: 'ready'; readonly rest?: ApiRequest }
  /** The read that resolves the request. `keyIsTaken`: whether the platform refused the step's create because the key is taken. */
  | { readonly type: 'unknown'; readonly keyIsTaken: boolean }
  /** The next of the reads that list the users of a refused list who exist. `found`: those seen so far. */
  | {
      readonly type: 'lookup';
      readonly reads: readonly ApiRequest[];
      readonly found: ReadonlySet<string>;
      readonly refusal: FailureReason;
    }
  /** The next page of a search for what the request did. The search starts at `settledAt`. */
  | {
      readonly type: 'searching';
      readonly settledAt: number;
      readonly search?: CallSearch;
      readonly page?: ApiRequest;
      /** As in `ready`. Sent again if the search is refused. */
      readonly rest?: ApiRequest;
      /** The call was never sent, so anything of it that is found is a conflict (`Search.fresh`). */
      readonly isFresh?: true;
    };

/**
 * The call is made without the ids that do not exist, or once for each id of its list. The entry is written after the last of
 * these calls, for the ids whose calls succeeded.
 */
export interface Parts {
  readonly steps: readonly Step[];
  readonly isForEach: boolean;
  /** The entries of the calls that succeeded, with what their answers show. */
  readonly arrived: readonly StateEntry[];
  readonly differing: readonly StoredValue[];
  readonly failures: readonly PartFailure[];
}

/** An existing object is adopted. These steps replace the create, each with an entry of its own. */
interface Adoption {
  readonly steps: readonly Step[];
  /** The parts of its earlier calls that failed for some ids only. */
  readonly failed?: FailedParts;
}

/** The ids of a call that failed. */
interface PartFailure {
  readonly ids: readonly string[];
  /** The platform's answer to the call, or for ids that do not exist to the call that listed them. */
  readonly reason: FailureReason;
  readonly isAbsent?: true;
}

export type FailedParts = Pick<Parts, 'arrived' | 'failures'>;

export interface StepState {
  readonly call: CallState;
  readonly adoption?: Adoption;
  /** The calls that a step sends in place of its planned call, or of the call of an adoption. */
  readonly parts?: Parts;
  /** See `Situation`. */
  readonly mayHaveEffect: boolean;
  /**
   * The number of answers that decided nothing, the time of the first, the milliseconds that they asked to wait, and how many of
   * them began but did not end.
   */
  readonly attempts: number;
  readonly firstAttemptAt: number;
  readonly askedMs: number;
  readonly unfinished: number;
  /** The journal ids of begins that an earlier run wrote for this step under another position. */
  readonly begins: readonly string[];
}

export const initialState: StepState = {
  call: { type: 'ready' },
  mayHaveEffect: false,
  attempts: 0,
  firstAttemptAt: 0,
  askedMs: 0,
  unfinished: 0,
  begins: [],
};

/** Returns the state after an answer that decided nothing. `settledAt` is when a search for this attempt may start. */
export function retried(
  state: StepState,
  { search }: Step,
  { next, inDoubt, isUnfinished, retryAfterS = 0 }: Extract<Verdict, { type: 'retry' }>,
  nowMs: number,
  settledAt: number,
): StepState {
  return {
    ...state,
    call: callAfterRetry(state.call, next, search === undefined ? undefined : settledAt),
    mayHaveEffect: state.mayHaveEffect || inDoubt,
    attempts: state.attempts + 1,
    firstAttemptAt: state.attempts === 0 ? nowMs : state.firstAttemptAt,
    askedMs: state.askedMs + retryAfterS * 1000,
    unfinished: state.unfinished + (isUnfinished === true ? 1 : 0),
  };
}

/** `settledAt` is undefined for a call that is read by its key. */
function callAfterRetry(call: CallState, next: 'request' | 'resolve', settledAt: number | undefined): CallState {
  if (next === 'request') return call.type === 'ready' ? call : { type: 'ready' };
  if (call.type !== 'ready') return call;
  return settledAt === undefined ? { type: 'unknown', keyIsTaken: false } : { ...call, type: 'searching', settledAt };
}

/** A step also gives up this long after its first attempt, besides the waits that answers asked for. */
const maxTryingMs = 5 * 60_000;

/** Whether a step has been tried often or long enough to give up. */
export function isHopeless({ attempts, unfinished, firstAttemptAt, askedMs }: StepState, nowMs: number): boolean {
  return attempts >= maxAttempts || unfinished >= maxUnfinished || nowMs - firstAttemptAt - askedMs > maxTryingMs;
}
