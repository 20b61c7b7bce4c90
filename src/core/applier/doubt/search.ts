// Resolves calls in doubt that may have taken effect in part (semantics §5.5). After the settle time, their kind reads the
// platform, and only what is missing is sent.
import type { Answer, Clock, PendingBegin } from '../../model/ports.ts';
import type { CallSearch, SearchResult, Step } from '../../model/step.ts';
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
  const restMs = Math.max(0, ...sent) + afterMs - clock.date().getTime();
  return Math.min(afterMs, Math.max(0, restMs));
}

/**
 * `maySendUnseen`: whether the call is made although the platform refuses the page. `isFresh`: whether the call was never
 * sent (`Search.fresh`).
 */
export function classifySearchPage(
  step: Step,
  answer: Answer,
  search: CallSearch,
  { maySendUnseen, isFresh }: { readonly maySendUnseen: boolean; readonly isFresh: boolean },
): Verdict {
  if (answer.type === 'ok') return verdictOf(search.take(answer.body));
  if (answer.type !== 'refused') return classifyUnanswered(answer);
  const seen = search.refused?.(answer.code);
  if (seen !== undefined) return verdictOf(seen);
  if (step.search?.unseenOn.includes(answer.code) === true && maySendUnseen) return { type: 'call', next: 'request' };
  const reason = { status: answer.status, code: answer.code, message: search.unread(answer.message) };
  return { type: isFresh ? 'failed' : 'unknown', reason };
}

function verdictOf(seen: SearchResult): Verdict {
  return seen.type === 'lost' ? { type: 'failed', reason: { status: 0, code: 0, message: seen.why } } : seen;
}
