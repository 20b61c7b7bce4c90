// When a step gives up, and how long it waits before its next attempt (semantics §11).
import type { Random } from '../../model/ports.ts';
import type { Verdict } from './classify.ts';
import type { RetryState } from './retry-state.ts';

/** A step gives up after this many answers that decided nothing, or this long after the first of them. */
const maxAttempts = 8;
const maxTryingMs = 5 * 60_000;
/** Answers that began and did not end in time: each takes as long as the time-out. */
const maxUnfinished = 3;

const firstBackoffMs = 500;
const longestBackoffMs = 30_000;

/** Notes an answer that decided nothing. True: the step gives up. */
export function noteAttempt(state: RetryState, verdict: Extract<Verdict, { type: 'retry' }>, nowMs: number): boolean {
  if (state.attempts === 0) state.firstAttemptAt = nowMs;
  state.attempts++;
  if (verdict.isUnfinished === true) state.unfinished++;
  state.next = verdict.next;
  state.keyIsTaken &&= verdict.next === 'resolve';
  state.mayHaveEffect ||= verdict.inDoubt;
  const isHopeless = state.attempts >= maxAttempts || state.unfinished >= maxUnfinished;
  return isHopeless || nowMs - state.firstAttemptAt > maxTryingMs;
}

/** Doubles from half a second to half a minute. Half of it is jitter, so that many steps do not come back at once. */
export function backoffMs(attempts: number, random: Random): number {
  const full = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (attempts - 1));
  return full / 2 + (full / 2) * random();
}
