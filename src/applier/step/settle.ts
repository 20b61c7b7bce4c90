// Settles a batch of messages that may have arrived in part (semantics §5.5). After the settle time chatform reads the
// channel's messages and sends only the missing ones.
import type { JsonObject } from '../../lib/json.ts';
import type { Answer, Clock, PendingBegin } from '../../model/ports.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { Step } from '../../model/step.ts';
import { classifyReading, type Verdict } from './classify.ts';

/** Supplied by the caller: the kind knows what to search for, the applier when and how. */
export interface Settling {
  /** Milliseconds after sending. By then a call has had its effect, or never will. */
  readonly afterMs: number;
  /** Send again where the platform refuses the read. */
  readonly trustDedup: boolean;
  /** Rejects with a Refusal when chatform can no longer tell what was sent. */
  search(step: Step): Promise<MessageSearch>;
}

/** One search through a channel's messages, page by page. */
export interface MessageSearch {
  take(page: JsonObject): SearchStep;
}

type SearchStep =
  /** Another page to read. */
  | { readonly type: 'page'; readonly request: ApiRequest }
  /** The call with what is missing. */
  | { readonly type: 'send'; readonly request: ApiRequest }
  | { readonly type: 'done'; readonly note?: string }
  /** What the call is about is not there, or cannot be told from something else. */
  | { readonly type: 'lost'; readonly why: string };

/** Milliseconds until calls that were begun at these times have settled. Never more than `afterMs`, also when the clock was set back. */
export function restBeforeSearchMs(begins: readonly PendingBegin[], afterMs: number, clock: Clock): number {
  const sent = begins.map(({ at }) => Date.parse(at)).filter((at) => !Number.isNaN(at));
  if (sent.length < begins.length) return afterMs;
  const left = Math.max(0, ...sent) + afterMs - clock.date().getTime();
  return Math.min(afterMs, Math.max(0, left));
}

/** Classifies the answer to one page of the search. */
export function classifySearchPage(
  step: Step,
  answer: Answer,
  search: MessageSearch,
  { trustDedup }: Settling,
): Verdict {
  if (answer.type === 'ok') {
    const seen = search.take(answer.body);
    if (seen.type !== 'lost') return seen;
    return { type: 'failed', reason: { status: 0, code: 0, message: seen.why } };
  }
  if (answer.type !== 'refused') return classifyReading(answer);
  const isBlind = step.settle?.target === undefined && trustDedup;
  if (step.settle?.refusedOn.includes(answer.code) === true && isBlind) return { type: 'call', next: 'request' };
  const message = `chatform could not read whether the messages have arrived: ${answer.message}; they are not sent again, because they might arrive twice (policy: {trust_dedup: true} sends them)`;
  return { type: 'unknown', reason: { status: answer.status, code: answer.code, message } };
}
