// Classifies an answer for its step (semantics §5). The functions are pure.
import type { JsonObject } from '../../../lib/json.ts';
import { adoptCommand } from '../../../lib/tools/pasted-words.ts';
import { addressOf, keyOf, kindOf } from '../../model/address.ts';
import { answerProblem } from '../../model/calls/answers.ts';
import { idListOf } from '../../model/calls/id-lists.ts';
import { isOfRequest, platformCode } from '../../model/platform-codes.ts';
import type { Answer } from '../../model/ports.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { RegisteredRequest, SearchResult, Step } from '../../model/step.ts';
import { type UnmetExpectation, unmetExpectations } from './expectation.ts';

/** What a create does if the object exists but is not in state (semantics §4.5). */
export type Existing = 'refuse' | 'adopt_equal' | 'adopt';

/** What the run knows about a step besides its data. */
export interface Situation {
  /**
   * Whether a request of the step may have taken effect, because an earlier run began it or this run lost its answer. Stays
   * true if a read finds nothing, because a late request may still arrive.
   */
  readonly mayHaveEffect: boolean;
  /** Whether the platform answered the step's create with "key taken". */
  readonly keyIsTaken: boolean;
  readonly existing: Existing;
  /** Whether a read shows what the edit stored. */
  readonly hasRead?: boolean;
  /** Whether state has the object of a create, because a read did not show it when the plan was made. Default: no. */
  isInState?(): boolean;
  /** Set if the platform has refused the step's list of ids: the call is for those that exist, or for one id. */
  readonly part?: 'existing' | 'one';
}

/** Why a step did not succeed. The status is 0 without an answer, the code is 0 if the platform gave none. */
export interface FailureReason {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  /** Ids in the call that do not exist. */
  readonly missing_ids?: readonly string[];
}

/** Failures that affect the whole run or the advice. */
export type FailureKind = 'authentication' | 'existing' | 'differs';

export type Verdict =
  /** `live` is an existing object that equals the declaration but was not created by this step. */
  | {
      readonly type: 'done';
      readonly note?: string;
      readonly live?: JsonObject;
      readonly registered?: RegisteredRequest;
    }
  | { readonly type: 'failed'; readonly reason: FailureReason; readonly kind?: FailureKind }
  /** The outcome is unknown, and another attempt cannot determine it. */
  | { readonly type: 'unknown'; readonly reason: FailureReason }
  /** A 429. Send again after that time. Not counted as an attempt. */
  | { readonly type: 'wait'; readonly retryAfterS: number }
  /** Try again after a back-off, counted as an attempt. The next call is the read if the step has one and is in doubt. */
  | {
      readonly type: 'retry';
      readonly next: NextCall;
      readonly inDoubt: boolean;
      readonly reason: FailureReason;
      /** The answer began but did not end in time. */
      readonly isUnfinished?: true;
      /** The server asks to wait this long. */
      readonly retryAfterS?: number;
    }
  | { readonly type: 'call'; readonly next: NextCall }
  | Extract<SearchResult, { readonly type: 'page' }>
  /** Make the call with what is missing. */
  | { readonly type: 'send'; readonly request: ApiRequest; readonly isClear?: true }
  /** The platform refused the list because of one id in it. Look up which ids exist, or send each id by itself. */
  | { readonly type: 'lookup' | 'split'; readonly reason: FailureReason }
  /** The existing object differs, and the policy adopts it. */
  | { readonly type: 'adopt'; readonly live: JsonObject; readonly reason: FailureReason };

/** The note of a call that changes a membership of somebody who is not in the channel. */
export const noteOfNotMember = 'not a member';

/** The step's own request, or the read that resolves it. */
type NextCall = 'request' | 'resolve';

/** Used for a 429 without a stated time. */
const defaultRetryAfterS = 1;

export function classifyRequest(step: Step, answer: Answer, situation: Situation): Verdict {
  switch (answer.type) {
    case 'ok':
      return classifySuccess(step, answer.body);
    case 'limited':
      return { type: 'wait', retryAfterS: answer.retryAfterS ?? defaultRetryAfterS };
    case 'unsent':
      return { type: 'retry', next: 'request', inDoubt: false, reason: noAnswer(answer.message) };
    case 'unknown': {
      const reason = { status: answer.status ?? 0, code: 0, message: answer.message };
      if (step.resolve !== undefined || step.search !== undefined) {
        return { type: 'retry', next: 'resolve', inDoubt: true, reason, ...howUnanswered(answer) };
      }
      if (answer.isUnclear === true && situation.hasRead === true) {
        return { type: 'retry', next: 'resolve', inDoubt: true, reason };
      }
      if (step.begin || answer.isUnusable === true) return { type: 'unknown', reason };
      return { type: 'retry', next: 'request', inDoubt: true, reason, ...howUnanswered(answer) };
    }
    case 'refused': {
      if (step.doneOn.includes(answer.code)) {
        const isMissed = step.member !== undefined && !situation.mayHaveEffect;
        return { type: 'done', note: isMissed ? noteOfNotMember : `done_on ${answer.code}` };
      }
      if (step.doneAgainOn?.includes(answer.code) === true) return classifyDoneBefore(answer, situation);
      const repeat = repeatOf(step, answer, situation);
      if (repeat !== undefined) return { type: repeat, reason: reasonOf(answer) };
      if (isAuthentication(answer)) return notAuthenticated(answer);
      if (answer.code !== platformCode.taken || step.resolve === undefined)
        return { type: 'failed', reason: reasonOf(answer) };
      if (situation.mayHaveEffect || situation.existing !== 'refuse') return { type: 'call', next: 'resolve' };
      if (situation.isInState?.() === true) {
        const message = `the platform says that ${step.address} exists, although a read did not show it when the plan was made, and state has it; plan again with --refresh, because reads may lag behind`;
        return { type: 'failed', reason: { ...reasonOf(answer), message } };
      }
      const message = `${step.address} already exists but is not in state; ${adoptCommand(step.address)} takes it into state as it is, and policy: {existing: adopt_equal} does so in an apply if it matches the declaration`;
      return { type: 'failed', kind: 'existing', reason: { ...reasonOf(answer), message } };
    }
  }
}

/** How the call is repeated without an id that the platform refuses. Undefined: not at all. */
function repeatOf({ request }: Step, { code }: RefusedCall, { part }: Situation): 'lookup' | 'split' | undefined {
  const list = idListOf(request);
  if (list === undefined) return undefined;
  if (part === 'one') return list.instead !== undefined && list.splitOn.includes(code) ? 'split' : undefined;
  const mayMiss = list.missingOn.includes(code);
  if (mayMiss && part === undefined) return 'lookup';
  return list.isTogether !== true && (mayMiss || list.splitOn.includes(code)) ? 'split' : undefined;
}

/** After a lost answer it was this step. Otherwise somebody else may have done it with other values. */
function classifyDoneBefore(answer: RefusedCall, { mayHaveEffect }: Situation): Verdict {
  if (mayHaveEffect) return { type: 'done', note: `done_on ${answer.code}` };
  const message = `somebody else has already done this, perhaps with other values; a plan with --refresh compares them. The platform says: ${answer.message}`;
  return { type: 'failed', reason: { ...reasonOf(answer), message } };
}

/** A success may return another object, such as a distinct channel that its members already have (semantics §2.6). */
function classifySuccess(step: Step, body: JsonObject): Verdict {
  const other = otherSpelling(step, step.request, body);
  if (other !== undefined) return other;
  const found = unmetExpectations(body, step.expect ?? [], true);
  if (found.length === 0) return { type: 'done' };
  const clauses = found.map((difference) => difference.text).join('; ');
  const message = `the platform returned another object instead of creating ${step.address}: ${clauses}${existingAdvice(step, found)}`;
  return { type: 'failed', kind: 'differs', reason: { status: 200, code: 0, message } };
}

/** The platform treats two spellings of a key as one, so the object has another key than the declared one. */
function otherSpelling({ address }: Step, request: ApiRequest | undefined, body: JsonObject): Verdict | undefined {
  const problem = request === undefined ? undefined : answerProblem(request, body);
  if (problem?.type !== 'spelling') return undefined;
  const message = `the platform has another spelling of the key of ${address}: its answer ${problem.text}. Declare the object under the key that the platform shows`;
  return { type: 'failed', kind: 'differs', reason: { status: 200, code: 0, message } };
}

/** Classifies the answer to the read that shows what an edit stored, after an answer that did not. */
export function classifyEditRead(answer: Answer, isAsSent: (body: JsonObject) => boolean): Verdict {
  switch (answer.type) {
    case 'ok':
      if (isAsSent(answer.body)) return { type: 'done', note: 'resolved by reading' };
      return {
        type: 'retry',
        next: 'request',
        inDoubt: true,
        reason: noAnswer('the object does not show what was sent'),
      };
    case 'refused':
      if (isAuthentication(answer)) return notAuthenticated(answer);
      // The answer to the repeated call says more.
      return { type: 'retry', next: 'request', inDoubt: true, reason: reasonOf(answer) };
    default:
      return classifyUnanswered(answer);
  }
}

/** If the answer has another key, the object exists under that key and can be declared and adopted. */
function existingAdvice({ address, expect = [] }: Step, unmet: readonly UnmetExpectation[]): string {
  const ofKey = expect.find((expectation) => 'is' in expectation && expectation.is === keyOf(address));
  const existing = unmet.find(({ path }) => path === ofKey?.path)?.found;
  if (existing === undefined) return '';
  const existingAddress = addressOf(kindOf(address), existing);
  return `; to manage the existing object, declare it under its own key and run ${adoptCommand(existingAddress)}`;
}

/** Classifies the answer to the read that resolves the request. */
export function classifyResolve(step: Step, answer: Answer, situation: Situation): Verdict {
  switch (answer.type) {
    case 'ok': {
      const other = otherSpelling(step, step.resolve?.request, answer.body);
      if (other !== undefined) return other;
      const found = unmetExpectations(answer.body, step.resolve?.expect ?? [], situation.mayHaveEffect);
      if (found.length === 0) {
        if (situation.mayHaveEffect) return { type: 'done', note: 'resolved by reading' };
        return { type: 'done', note: 'adopted', live: answer.body };
      }
      const clauses = found.map((difference) => difference.text).join('; ');
      const message = `${step.address} exists and differs from its declaration: ${clauses}; change the declaration or the object, or take it into state as it is with ${adoptCommand(step.address)}; policy: {existing: adopt} adopts and updates it`;
      const reason = { status: 0, code: 0, message };
      if (situation.existing === 'adopt') return { type: 'adopt', live: answer.body, reason };
      return { type: 'failed', kind: 'differs', reason };
    }
    case 'limited':
    case 'unsent':
    case 'unknown':
      return classifyUnanswered(answer);
    case 'refused': {
      if (isAuthentication(answer)) return notAuthenticated(answer);
      if (!step.resolve?.absentOn.includes(answer.code)) {
        const message = `chatform could not read whether it exists: ${answer.message}`;
        const reason = { ...reasonOf(answer), message };
        return situation.mayHaveEffect ? { type: 'unknown', reason } : { type: 'failed', reason };
      }
      if (!situation.keyIsTaken) return { type: 'call', next: 'request' };
      // A deletion is in progress, or reads lag behind. The retry counts as an attempt, so that retries end.
      const message = 'the platform says both that the key is taken and that there is no such object';
      return { type: 'retry', next: 'request', inDoubt: false, reason: { ...reasonOf(answer), message } };
    }
  }
}

/** Classifies a read without a conclusive answer, which is made again. */
export function classifyUnanswered(answer: Exclude<Answer, { type: 'ok' } | { type: 'refused' }>): Verdict {
  if (answer.type === 'limited') return { type: 'wait', retryAfterS: answer.retryAfterS ?? defaultRetryAfterS };
  const status = answer.type === 'unknown' ? (answer.status ?? 0) : 0;
  const reason = { status, code: 0, message: answer.message };
  if (answer.type === 'unknown' && answer.isUnusable === true) return { type: 'unknown', reason };
  return { type: 'retry', next: 'resolve', inDoubt: false, reason, ...howUnanswered(answer) };
}

function howUnanswered(answer: Answer): Pick<Extract<Verdict, { type: 'retry' }>, 'isUnfinished' | 'retryAfterS'> {
  if (answer.type !== 'unknown') return {};
  const { isUnfinished, retryAfterS } = answer;
  return { ...(isUnfinished === true ? { isUnfinished } : {}), ...(retryAfterS === undefined ? {} : { retryAfterS }) };
}

/** Whether neither the begun request nor an earlier one of the step can have taken effect. */
export function isSurelyUndone({ search }: Step, verdict: Verdict, mayHaveEffect: boolean): boolean {
  switch (verdict.type) {
    case 'done':
    case 'unknown':
    case 'adopt':
    case 'page':
    case 'send':
      return false;
    case 'failed':
      // If the platform refused a list because of one item, the items before it may have arrived.
      if (search !== undefined && search.isAwaited !== true)
        return !mayHaveEffect && (verdict.reason.status === 0 || search.nothingOn.includes(verdict.reason.code));
      return !mayHaveEffect || verdict.reason.status > 0;
    case 'retry':
      return !mayHaveEffect && !verdict.inDoubt;
    case 'wait':
    case 'call':
    case 'lookup':
    case 'split':
      return !mayHaveEffect;
  }
}

type RefusedCall = Extract<Answer, { type: 'refused' }>;

/** The status alone is the answer of a gateway. With a code that names something in the request, the token was accepted. */
export function isAuthentication({ code, status }: RefusedCall): boolean {
  return code === platformCode.wrongToken || ((status === 401 || status === 403) && !isOfRequest(code));
}

/** Whether an application may refuse just this call, although it accepts the token. */
export function isCallForbidden({ search }: Step, answer: Answer): answer is RefusedCall {
  if (search?.isAwaited !== true || answer.type !== 'refused') return false;
  return answer.status === 403 && answer.code !== platformCode.wrongToken;
}

function notAuthenticated(answer: RefusedCall): Verdict {
  return { type: 'failed', kind: 'authentication', reason: reasonOf(answer) };
}

function reasonOf(answer: RefusedCall): FailureReason {
  return { status: answer.status, code: answer.code, message: answer.message };
}

function noAnswer(message: string): FailureReason {
  return { status: 0, code: 0, message };
}
