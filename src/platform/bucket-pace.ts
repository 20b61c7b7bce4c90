// At which instants may the calls of one bucket leave? The pacing of one counter of the platform.
//
// The documents do not say how the platform counts (platform §3), so a sequence of calls must please every usual algorithm.
// Three rules make it:
//
// 1. Never more than n calls in any span of one window plus a guard. Whatever happens, this holds exactly, for the
//    clock of `take`: it is what makes `rate_share` a promise. A fixed window, a sliding one, a token bucket and a GCRA
//    with a burst of one window's calls all admit such a sequence, however its calls are spread.
// 2. Evenly spread calls. A GCRA without a burst admits nothing else, and nobody else's calls are pushed aside. Each
//    call has a due time on a grid; one that leaves late does not move the grid, so that late timers cost nothing, but
//    what was missed is caught up at no more than twice the rate.
// 3. The first call of a bucket goes alone, since the declared plan may be wrong. Its answer's headers tell the truth;
//    when there are none, the declared figure holds.
//
// The guard. What counts is the time of arrival, and two calls do not need the same time to arrive. When that differs by
// J, a guard of J keeps rule 1 at the counter. J cannot be read from response times, whose larger part may lie behind the
// counter. But every answer says how many calls are counted at that instant. We know which of our calls left within
// the window, so a larger number shows a call that arrived too early or too late, or another client. Therefore a bucket
// starts with a wide guard, of up to a quarter of the window, and goes down to the small one when a number of answers
// agreed with our own count; at high rates that is within the first window, so that it costs nothing. The wide guard
// returns when an answer disagrees, until none did for some time. While it is in force the calls leave room, so that a
// disagreement shows in an answer and not by a 429.
//
// A call that was held up on its way, by a cold start or a busy machine, makes the whole window late. Its answer is late
// by as much, and is known a window later, when the next call would come too early: see response-times.ts.
//
// The pace. A strict GCRA and another client can only be met by trial. Every episode of 429 slows the grid by 2 %, every
// success takes back 0.01 %, so that the share of refused calls tends to 0.5 %. What another client leaves is known from
// the same comparison of counts, and the pace does not go below that. Where the first answer says that no burst is
// admitted, what has to be learnt is how much closer two calls may arrive than they left: milliseconds, whatever the rate.
//
// What each of these achieves against each algorithm stands as a table in test/platform/pacing.test.ts.

import type { Answer, RateHeaders } from '../model/ports.ts';
import { ResponseTimes } from './response-times.ts';
import { SentLog } from './sent-log.ts';

/** Covers an arrival jitter of 3 ms, at a price of 0.35 % of a window of one second. */
const smallGuardMs = 3.5;
/** Two counts are compared with this tolerance: the small guard, and headers that are rounded to a millisecond. */
const toleranceMs = 5;
/** The wide guard leaves this share of the window for arrivals that are out of step. */
const wideShare = 0.25;
/** So many answers must agree before the small guard is used for the first time. */
const agreeingAnswers = 14;
/** So many windows without disagreement end the wide guard later. */
const calmWindows = 30;
/** A header that gives back the whole window says nothing about where the window began. */
const wholeWindow = 0.98;
/** The factor of the pace for each episode of 429, and what each success adds: their ratio is the share of 429. */
const slower = 0.98;
const faster = 0.0001;
const slowestPace = 0.5;
/**
 * Where no burst is admitted, calls keep an interval and a distance. A 429 adds a step to it, of 2 % of the interval or
 * more, and a success takes back so much of a step, which is the share of 429.
 */
const firstDistanceMs = 1.8;
const leastStepMs = 0.4;
const closer = 0.0055;
/** Another client's share is averaged over some 50 answers and is believed from 5 % on. */
const foreignWeight = 0.02;
const foreignFrom = 0.05;
/** Small delays are caught up at once, larger ones, of up to half a window, at double speed. */
const catchUpMs = 30;
const catchUpShare = 0.5;
/** How long a first call may be on its way before another one is sent, and how often to ask meanwhile. */
const firstCallMs = 30_000;
const askAgainMs = 5;

export class BucketPace {
  #calls: number;
  #windowMs: number;
  readonly #share: number;
  /** Does the limit come from the platform, or has it answered without telling one? */
  #known: boolean;
  readonly #sent = new SentLog();
  /** Those of the last windows that were refused, and so were not counted by the platform. */
  #refused: readonly number[] = [];
  #firstAt: number | undefined;
  #due: number | undefined;
  #doubleDue = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #pace = 1;
  #slowedAt = Number.NEGATIVE_INFINITY;
  #agreeing = 0;
  #disagreedAt = Number.NEGATIVE_INFINITY;
  readonly #took = new ResponseTimes();
  #foreign = 0;
  /** How many calls might have come at once, by the first answer. */
  #burst: number | undefined;
  #distanceMs = firstDistanceMs;

  constructor(bucket: { readonly calls: number; readonly windowS: number; readonly share: number }, known: boolean) {
    this.#calls = bucket.calls;
    this.#windowMs = bucket.windowS * 1000;
    this.#share = bucket.share;
    this.#known = known;
  }

  get calls(): number {
    return this.#calls;
  }

  get windowMs(): number {
    return this.#windowMs;
  }

  /** Calls a second that the pace allows now. */
  callsPerSecond(now: number): number {
    return 1000 / this.#interval(now);
  }

  /** Calls that left in the last window, as a share of those allowed in it. */
  used(now: number): number {
    return this.#sent.between(now - this.#span, now) / this.#allowed;
  }

  /** Has the bucket no memory that matters any more? */
  isIdle(now: number): boolean {
    return now > Math.max(this.#sent.last ?? 0, this.#heldUntil) + 2 * this.#span;
  }

  /** Milliseconds until a call may leave; 0 for now. */
  wait(now: number): number {
    if (!this.#known && this.#firstAt !== undefined && now < this.#firstAt + firstCallMs) return askAgainMs;
    const opened = this.#opened();
    const room = opened === undefined ? now : opened + this.#span + this.#guard(now);
    return Math.max(0, this.#heldUntil - now, (this.#due ?? now) - now, this.#doubleDue - now, room - now);
  }

  /** A call leaves now. */
  take(now: number): void {
    if (!this.#known) this.#firstAt = now;
    // Two windows' calls: an answer that is compared may be about the window before the last.
    this.#sent.add(now, 2 * this.#calls);
    const interval = this.#interval(now);
    // A server that refuses uneven calls shows it by a 429 while nobody else is there: then nothing is caught up. But
    // one that would have admitted many calls at once does not.
    const slowed = this.#pace < 1;
    const alone = this.#foreign < foreignFrom;
    const even = this.#isStrict || (slowed && alone && !this.#admitsBursts);
    const small = even ? 0 : catchUpMs;
    const large = even || (slowed && !alone) ? small : this.#windowMs * catchUpShare;
    this.#due = Math.max(this.#due ?? now, now - large) + interval;
    this.#doubleDue = Math.max(this.#doubleDue, now - small) + interval / 2;
  }

  /** The answer to a call that left at `sentAt`. `rate` when its headers are about this bucket. */
  learn(answer: Answer, rate: RateHeaders | undefined, sentAt: number, now: number): void {
    this.#known = true;
    // What waited for a connection counts from when it left.
    const leftAt = Math.max(sentAt, answer.leftAt ?? sentAt);
    this.#sent.book(sentAt, { at: leftAt, tookMs: now - leftAt });
    // A refusal comes at once, so that its time says nothing of the others.
    if (answer.type !== 'limited') this.#took.add(now - leftAt);
    else this.#refused = [...this.#refused.filter((at) => at > leftAt - 3 * this.#windowMs), leftAt];
    if (rate !== undefined) this.#read(rate, leftAt, now);
    if (answer.type === 'ok') {
      this.#pace = Math.min(1, this.#pace + faster);
      this.#distanceMs = Math.max(0, this.#distanceMs - closer * this.#stepMs);
    }
    this.#pace = Math.max(this.#pace, this.#leftByOthers(now));
  }

  /**
   * When the call was counted that has to leave the window before another one may come. If its answer was slow, it may
   * have arrived late; by now enough answers are known to tell.
   */
  #opened(): number | undefined {
    let call = this.#sent.fromEnd(this.#allowed);
    while (call?.tookMs !== undefined) {
      const lateMs = this.#took.latenessMs(call.tookMs, this.#sent.fromEnd(this.#allowed - 1)?.tookMs);
      this.#sent.bookFromEnd(this.#allowed, { at: call.at + Math.min(lateMs, this.#windowMs * wideShare) });
      call = this.#sent.fromEnd(this.#allowed);
    }
    return call?.at;
  }

  /** A 429 that this bucket is to blame for. */
  refuse(retryAfterS: number | undefined, sentAt: number, now: number): void {
    const retryAfterMs = retryAfterS === undefined ? this.#windowMs : retryAfterS * 1000;
    this.#heldUntil = Math.max(this.#heldUntil, now + retryAfterMs);
    // Calls that had left before the pace was slowed belong to the same episode.
    if (sentAt <= this.#slowedAt) return;
    this.#slowedAt = now;
    if (this.#isStrict) this.#distanceMs = Math.min(this.#distanceMs + this.#stepMs, this.#span / this.#allowed);
    else this.#pace = Math.max(slowestPace, this.#pace * slower, this.#leftByOthers(now));
  }

  #read(rate: RateHeaders, sentAt: number, now: number): void {
    this.#adopt(rate.calls, rate.windowS * 1000, now);
    // Also a success can say that it was the last one for now: from its arrival on, so from its sending on.
    this.#heldUntil = Math.max(this.#heldUntil, sentAt + rate.retryAfterS * 1000);
    this.#burst ??= rate.remaining + 1;
    if (this.#isStrict) return;
    // The window that the figures are about began `age` before the call was counted.
    const age =
      rate.resetS * 1000 > this.#windowMs * wholeWindow ? this.#windowMs : this.#windowMs - rate.resetS * 1000;
    const counted = rate.calls - rate.remaining;
    const from = sentAt - age - toleranceMs;
    const until = sentAt + toleranceMs;
    const refused = this.#refused.filter((at) => at >= from && at <= until).length;
    const ours = this.#sent.between(from, until) - refused;
    if (counted > ours) {
      this.#agreeing = 0;
      this.#disagreedAt = now;
    } else {
      this.#agreeing += 1;
    }
    if (age < this.#windowMs * wideShare) return;
    const foreign = ((counted - ours) * this.#windowMs) / (rate.calls * age);
    this.#foreign += foreignWeight * (Math.min(1, Math.max(0, foreign)) - this.#foreign);
  }

  /** Another limit than was thought: the next call is due by the true one. */
  #adopt(calls: number, windowMs: number, now: number): void {
    if (calls === this.#calls && windowMs === this.#windowMs) return;
    this.#calls = calls;
    this.#windowMs = windowMs;
    const last = this.#sent.last ?? now;
    this.#due = last + this.#interval(now);
    this.#doubleDue = last + this.#interval(now) / 2;
  }

  /** n: whole calls, since half a call more would be too much in some window. */
  get #allowed(): number {
    return Math.max(1, Math.floor(this.#calls * this.#share + 1e-9));
  }

  /** The window; longer when less than one call is allowed in it. */
  get #span(): number {
    return this.#windowMs * Math.max(1, 1 / (this.#calls * this.#share));
  }

  /** Without a burst, the platform says after the first call that none is left; its counts mean nothing then. */
  get #isStrict(): boolean {
    return this.#burst === 1 && this.#calls > 1;
  }

  get #admitsBursts(): boolean {
    return (this.#burst ?? 0) > this.#calls / 2;
  }

  #interval(now: number): number {
    if (this.#isStrict) return this.#span / this.#allowed + this.#distanceMs;
    return this.#cycle(now) / (this.#allowed * this.#pace);
  }

  get #stepMs(): number {
    return Math.max(leastStepMs, ((1 - slower) * this.#span) / this.#allowed);
  }

  /** What n calls are spread over. */
  #cycle(now: number): number {
    return this.#span + this.#guard(now);
  }

  /** In the first window there is nobody to be too close to. */
  #guard(now: number): number {
    const firstWindow = this.#sent.fromEnd(this.#allowed) === undefined;
    const unproven = this.#burst !== undefined && !this.#isStrict && !firstWindow && this.#agreeing < agreeingAnswers;
    return unproven || this.#disagrees(now) ? this.#wideGuard : smallGuardMs;
  }

  #disagrees(now: number): boolean {
    return now < this.#disagreedAt + calmWindows * this.#windowMs;
  }

  /** No more than the spread of response times, once it is known; none when the share leaves the room itself. */
  get #wideGuard(): number {
    const roomMs = (((1 + wideShare) * this.#allowed) / this.#calls - 1) * this.#windowMs;
    const spreadMs = this.#took.count < agreeingAnswers ? roomMs : this.#took.spreadMs;
    return Math.max(smallGuardMs, Math.min(spreadMs, roomMs));
  }

  /** The pace at which another client and we use the limit up; 0 while there is no other client. */
  #leftByOthers(now: number): number {
    if (this.#foreign < foreignFrom) return 0;
    const left = (1 - this.#foreign) * this.#calls;
    return Math.min(1, (left * this.#cycle(now)) / (this.#allowed * this.#windowMs));
  }
}
