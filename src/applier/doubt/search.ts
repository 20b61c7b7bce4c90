// Searches for the messages of a batch in doubt (semantics §5.5). After the settle time chatform lists the channel and sends
// only the missing messages.
import type { Answer, Clock, PendingBegin } from '../../model/ports.ts';
import type { CallSearch, Step } from '../../model/step.ts';
import { classifyUnanswered, type Verdict } from '../verdict/classify.ts';
import type { DoubtSources } from './kinds.ts';

/** A request that has not taken effect after this time never will (semantics §5.5). */
export const defaultSettleMs = 15_000;

export interface Settling extends DoubtSources {
  /** The settle time in milliseconds, counted from sending. */
  readonly afterMs: number;
  /** Whether to send again if the platform refuses the read. */
  readonly trustDedup: boolean;
}

/** Returns the milliseconds until the begun calls have settled. Never more than `afterMs`, even if the clock was set back. */
export function restBeforeSearchMs(begins: readonly PendingBegin[], afterMs: number, clock: Clock): number {
  const sent = begins.map(({ at }) => Date.parse(at)).filter((at) => !Number.isNaN(at));
  if (sent.length < begins.length) return afterMs;
  const left = Math.max(0, ...sent) + afterMs - clock.date().getTime();
  return Math.min(afterMs, Math.max(0, left));
}

/**
 * `maySendUnseen`: whether the call is made although the platform refuses the listing. `isFresh`: whether the call was never
 * sent (`Settle.fresh`).
 */
export function classifySearchPage(
  step: Step,
  answer: Answer,
  search: CallSearch,
  { maySendUnseen, isFresh }: { readonly maySendUnseen: boolean; readonly isFresh: boolean },
): Verdict {
  if (answer.type === 'ok') {
    const seen = search.take(answer.body);
    if (seen.type !== 'lost') return seen;
    return { type: 'failed', reason: { status: 0, code: 0, message: seen.why } };
  }
  if (answer.type !== 'refused') return classifyUnanswered(answer);
  const isBlind = step.settle?.target === undefined && maySendUnseen;
  if (step.settle?.refusedOn.includes(answer.code) === true && isBlind) return { type: 'call', next: 'request' };
  if (isFresh) {
    const message = `chatform could not read whether messages of the archive are already in the channel: ${answer.message}; it sent nothing, because they might be there twice (policy: {trust_dedup: true} sends them)`;
    return { type: 'failed', reason: { status: answer.status, code: answer.code, message } };
  }
  const message = `chatform could not read whether the messages arrived: ${answer.message}; it does not send them again, because they might arrive twice (policy: {trust_dedup: true} sends them)`;
  return { type: 'unknown', reason: { status: answer.status, code: answer.code, message } };
}
