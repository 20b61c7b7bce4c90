// What does an answer mean for the step that was waiting for it? (semantics §5) Pure: an answer and what is known of
// the step in, a verdict out.

import type { JsonObject } from '../../lib/json.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { Answer } from '../../model/ports.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { Split, Step } from '../../model/step.ts';
import type { Existing } from '../options.ts';
import { differences } from './expectation.ts';

/** What is known of a step besides its data. */
export interface Situation {
  /**
   * A request of ours may have had its effect: one begun by an earlier run, or one of this run whose answer was lost.
   * Stays true when a read finds nothing, since a late request may still arrive.
   */
  readonly ours: boolean;
  /** The create of this step was told that its key is taken. */
  readonly taken: boolean;
  readonly existing: Existing;
}

/** Why a step did not succeed; the status is 0 when there was no answer, the code 0 when the platform gave none. */
export interface Reason {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** Failures that mean something for the whole run, or for the advice. */
export type FailureKind = 'authentication' | 'existing' | 'differs';

export type Verdict =
  | { readonly type: 'done'; readonly note?: string }
  | { readonly type: 'failed'; readonly reason: Reason; readonly kind?: FailureKind }
  /** Nobody can say whether the effect is there, and trying again will not tell. */
  | { readonly type: 'unknown'; readonly reason: Reason }
  /** 429: once more after that time, not counted as an attempt. */
  | { readonly type: 'wait'; readonly retryAfterS: number }
  /** Once more after a back-off, counted; the next call is the read when the step has one and is in doubt. */
  | { readonly type: 'retry'; readonly next: NextCall; readonly inDoubt: boolean; readonly reason: Reason }
  | { readonly type: 'call'; readonly next: NextCall }
  /** Another page of the read that tells. */
  | { readonly type: 'page'; readonly request: ApiRequest }
  /** A part of the effect is there: the call with what is missing. */
  | { readonly type: 'send'; readonly request: ApiRequest }
  /** The list was refused for one id in it: once more for each id by itself. */
  | { readonly type: 'split'; readonly split: Split }
  /** An object of somebody else's making, that differs and may be taken over. */
  | { readonly type: 'adopt'; readonly live: JsonObject; readonly reason: Reason };

/** The step's own request, or the read that tells whether its effect is there. */
export type NextCall = 'request' | 'resolve';

const differsAdvice =
  'change the declaration or the object; policy: {existing: adopt} takes it into state and updates it';
/** When a 429 names no time. */
const defaultRetryAfterS = 1;

/** The answer to the step's own request. */
export function classifyRequest(step: Step, answer: Answer, situation: Situation): Verdict {
  switch (answer.type) {
    case 'ok':
      return judgeSuccess(step, answer.body);
    case 'limited':
      return { type: 'wait', retryAfterS: answer.retryAfterS ?? defaultRetryAfterS };
    case 'unsent':
      return { type: 'retry', next: 'request', inDoubt: false, reason: noAnswer(answer.message) };
    case 'unknown': {
      const reason = { status: answer.status ?? 0, code: 0, message: answer.message };
      if (step.resolve !== undefined || step.settle !== undefined) {
        return { type: 'retry', next: 'resolve', inDoubt: true, reason };
      }
      if (step.begin || answer.isUnusable === true) return { type: 'unknown', reason };
      return { type: 'retry', next: 'request', inDoubt: true, reason };
    }
    case 'refused': {
      if (step.doneOn.includes(answer.code)) return { type: 'done', note: `done_on ${answer.code}` };
      if (step.split?.on.includes(answer.code) === true) return { type: 'split', split: step.split };
      if (isAuthentication(answer)) return notAuthenticated(answer);
      if (answer.code !== platformCode.taken || step.resolve === undefined)
        return { type: 'failed', reason: reasonOf(answer) };
      if (situation.ours || situation.existing !== 'refuse') return { type: 'call', next: 'resolve' };
      const message = `${step.address} exists already and is not in state; policy: {existing: adopt_equal} takes it into state when it is as declared`;
      return { type: 'failed', kind: 'existing', reason: { ...reasonOf(answer), message } };
    }
  }
}

/** A success that met another object, as a distinct channel that its members have already (semantics §2.6). */
function judgeSuccess(step: Step, body: JsonObject): Verdict {
  const found = differences(body, step.expect ?? []);
  if (found.length === 0) return { type: 'done' };
  const clauses = found.map((difference) => difference.text).join('; ');
  const message = `the platform answered with another object than ${step.address}, and made none: ${clauses}`;
  return { type: 'failed', kind: 'differs', reason: { status: 200, code: 0, message } };
}

/** The answer to the read that tells. */
export function classifyResolve(step: Step, answer: Answer, situation: Situation): Verdict {
  switch (answer.type) {
    case 'ok': {
      const found = differences(answer.body, step.resolve?.expect ?? []);
      if (found.length === 0) return { type: 'done', note: situation.ours ? 'resolved by reading' : 'adopted' };
      const clauses = found.map((difference) => difference.text).join('; ');
      const message = `${step.address} exists and differs from what is declared: ${clauses}; ${differsAdvice}`;
      const reason = { status: 0, code: 0, message };
      if (situation.existing === 'adopt') return { type: 'adopt', live: answer.body, reason };
      return { type: 'failed', kind: 'differs', reason };
    }
    case 'limited':
    case 'unsent':
    case 'unknown':
      return classifyReading(answer);
    case 'refused': {
      if (isAuthentication(answer)) return notAuthenticated(answer);
      if (!step.resolve?.absentOn.includes(answer.code)) {
        const message = `whether it is there could not be read: ${answer.message}`;
        const reason = { ...reasonOf(answer), message };
        return situation.ours ? { type: 'unknown', reason } : { type: 'failed', reason };
      }
      if (!situation.taken) return { type: 'call', next: 'request' };
      // The key is taken, and yet nobody has it: a deletion under way, or a read that lags behind. Counted, so that it ends.
      const message = 'the platform says that the key is taken, and that there is no such object';
      return { type: 'retry', next: 'request', inDoubt: false, reason: { ...reasonOf(answer), message } };
    }
  }
}

/** A read that was not answered is made again. */
export function classifyReading(answer: Exclude<Answer, { type: 'ok' } | { type: 'refused' }>): Verdict {
  if (answer.type === 'limited') return { type: 'wait', retryAfterS: answer.retryAfterS ?? defaultRetryAfterS };
  const status = answer.type === 'unknown' ? (answer.status ?? 0) : 0;
  const reason = { status, code: 0, message: answer.message };
  if (answer.type === 'unknown' && answer.isUnusable === true) return { type: 'unknown', reason };
  return { type: 'retry', next: 'resolve', inDoubt: false, reason };
}

/** Does the verdict on a begun request mean that neither it nor an earlier one of the step can have had its effect? */
export function isSurelyUndone({ settle }: Step, verdict: Verdict, ours: boolean): boolean {
  switch (verdict.type) {
    case 'done':
    case 'unknown':
    case 'adopt':
    case 'page':
    case 'send':
      return false;
    case 'failed':
      // Of a list that was refused for one thing in it, those before that may have landed.
      if (settle !== undefined)
        return !ours && (verdict.reason.status === 0 || settle.nothingOn.includes(verdict.reason.code));
      return !ours || verdict.reason.status > 0;
    case 'retry':
      return !ours && !verdict.inDoubt;
    case 'wait':
    case 'call':
    case 'split':
      return !ours;
  }
}

type Refused = Extract<Answer, { type: 'refused' }>;

function isAuthentication(answer: Refused): boolean {
  return answer.code === platformCode.wrongToken || answer.status === 401 || answer.status === 403;
}

function notAuthenticated(answer: Refused): Verdict {
  return { type: 'failed', kind: 'authentication', reason: reasonOf(answer) };
}

function reasonOf(answer: Refused): Reason {
  return { status: answer.status, code: answer.code, message: answer.message };
}

function noAnswer(message: string): Reason {
  return { status: 0, code: 0, message };
}
