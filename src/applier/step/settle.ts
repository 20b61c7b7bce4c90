// What becomes of a call in doubt of which a part may have landed? (semantics §5.5) Nothing is asked before its settle
// time is over; then a walk over what is there says what is missing, and only that is sent.
import type { JsonObject } from '../../lib/json.ts';
import type { Answer, Clock, PendingBegin } from '../../model/ports.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { Step } from '../../model/step.ts';
import { classifyReading, type Verdict } from './classify.ts';

/** What the run is given for it: the kind knows what it looks for, the applier only when and how. */
export interface Settling {
  /** After its send time a call has had its effect, or never will. */
  readonly afterMs: number;
  /** Where looking is refused: send again all the same. */
  readonly trustDedup: boolean;
  /** Rejects with a Refusal when what was sent can no longer be told. */
  look(step: Step): Promise<Look>;
}

/** One walk: takes page by page. */
export interface Look {
  take(page: JsonObject): Seen;
}

type Seen =
  | { readonly type: 'page'; readonly request: ApiRequest }
  /** The call with what is missing; undefined when all is there. */
  | { readonly type: 'found'; readonly missing: ApiRequest | undefined };

/** Milliseconds from now until calls that were begun at these times have settled. A clock that was set back does not add to it. */
export function settleMs(begins: readonly PendingBegin[], afterMs: number, clock: Clock): number {
  const sent = begins.map(({ at }) => Date.parse(at)).filter((at) => !Number.isNaN(at));
  if (sent.length < begins.length) return afterMs;
  const left = Math.max(0, ...sent) + afterMs - clock.date().getTime();
  return Math.min(afterMs, Math.max(0, left));
}

/** The answer to one page of the walk. */
export function classifyLook(step: Step, answer: Answer, look: Look, { trustDedup }: Settling): Verdict {
  if (answer.type === 'ok') {
    const seen = look.take(answer.body);
    if (seen.type === 'page') return seen;
    if (seen.missing === undefined) return { type: 'done', note: 'found on the platform' };
    return { type: 'send', request: seen.missing };
  }
  if (answer.type !== 'refused') return classifyReading(answer);
  if (step.settle?.refusedOn.includes(answer.code) === true && trustDedup) return { type: 'call', next: 'request' };
  const message = `whether the messages are there could not be read: ${answer.message}; they are not sent again, because they might arrive twice (policy: {trust_dedup: true} sends them)`;
  return { type: 'unknown', reason: { status: answer.status, code: answer.code, message } };
}
