// Paces the calls of one bucket: says at which instants they may leave.
//
// The documents do not say how the platform counts (platform §3), so the calls must please every usual algorithm. Three
// rules do that:
//
// 1. Never more than n calls in one window plus a guard, exactly, by the clock of `take`. This is what makes `rate_share`
//    a promise. A fixed window, a sliding one, a token bucket and a GCRA with a burst of one window's calls all admit such a
//    sequence, however its calls are spread.
// 2. Even distances. A GCRA without a burst admits nothing else, and other clients find room. Each call has a due time. A
//    late timer does not move the due times; what was missed is caught up at no more than twice the rate.
// 3. The first call of a bucket goes alone, since the declared plan may be wrong. Its answer's headers state the limit;
//    without headers the declared figure holds.
//
// The platform counts arrivals, and two calls do not need the same time to arrive. The guard makes up for that; its control
// law is in guard.ts. It starts wide when the headers can show how arrivals spread, falls to the least once a number of
// counts agreed with ours, and is driven by refused and admitted calls from then on. A call that was held up on its way, by
// a cold start or a busy machine, makes its whole window late: see response-times.ts.
//
// For a server that admits no burst the guard is the distance added between calls, and nothing is caught up.
//
// Beside another client a call leaves when ours of the last window, those that the newest count shows of the other one
// (header-evidence.ts), and the guard as a number of calls leave room for it, and no faster than that client leaves room on
// average. More refusals are accepted there, since its calls come at random: as many as leave it as much as a fair client
// would. Without headers it shows only in refused calls for which jitter is no explanation.
//
// test/platform/goldens/pacing.md shows what this achieves against each server.

import type { Answer, RateHeaders } from '../model/ports.ts';
import { Guard, leastGuardMs } from './guard.ts';
import { HeaderEvidence } from './header-evidence.ts';
import { ResponseTimes } from './response-times.ts';
import { SentLog } from './sent-log.ts';

// Each constant names rows of goldens/pacing.md, or a test of test/platform, that fall or fail when the constant is left out.

/** The share of calls that may be refused. The promise is 1 % with what learning costs. Every row without another client. */
const refusedShare = 0.0088;
/**
 * The same beside another client that takes a share f of n calls: a√f + bf/n. With this much that client loses no more than
 * beside a fair one, by simulation. A full window meets it more often than us the smaller f and n are.
 * Rows: 10 % of the limit, sliding 100 and 200 (a); 60 %, fixed 5 and sliding 10 (b).
 */
const refusedForRoot = 0.032;
const refusedForOne = 0.42;
/**
 * The same when its share is not known, for 100 calls a window. It is larger for fewer calls, up to the most.
 * Rows: no headers beside 60 %, sliding 10 to 200; for the most, fixed 5 and sliding 5.
 */
const refusedWithoutCounts = 0.021;
const mostRefused = 0.105;
/** A guard of more than this share of the window is not explained by jitter, but by another client. Rows: no headers beside 10 and 30 %. */
const jitterShare = 0.2;
/** Beside another client, refused calls slow ours down to no less than this share of what that client leaves. Rows: 30 % of the limit, gcra 5; 60 %, fixed 100. */
const leastOfRest = 0.5;
/** The guard is at most this share of a window when another client first shows in the counts. Rows: 30 and 60 % of the limit, sliding 10. */
const countedShare = 0.05;
/** The first guard, and the time by which a slow call is booked late, are at most this share of a window. Test: held up on the way. */
const wideShare = 0.25;
/** The spread of response times is known from this many on. Row: 150 ms of jitter, strict_gcra 5. */
const enoughTimes = 14;
/** The first distance added between two calls for a server that admits no burst. Rows: strict_gcra 100 and 200. */
const firstDistanceMs = 1.8;
/** The guard is at most this many windows. Row: 150 ms of jitter, strict_gcra 200. */
const mostWindows = 32;
/**
 * Small delays are caught up at once, larger ones at double speed: up to half a window, beside another client less.
 * Rows: 10 % of the limit, sliding 100 (catchUpMs) and sliding 100 and 200 (catchUpBesideOthers). Test: timers 1 to 15 ms late.
 */
const catchUpMs = 30;
const catchUpShare = 0.5;
const catchUpBesideOthers = 0.1;
/** The step of the guard beside another client, whose calls come in bursts by chance. Rows: no headers beside 60 %, sliding 5 and 10. */
const smallStep = 0.06;
/** At longer intervals late timers cost little: once calls are refused, nothing is caught up there. Rows: 10 % of the limit, sliding 5 and 10. */
const slowIntervalMs = 50;
/** How long a first call may be under way before another one leaves, and how often to ask meanwhile. Test: cold-start.test.ts. */
const firstCallMs = 30_000;
const askAgainMs = 5;
/**
 * A refusal among this share of the first window's calls, or among its first few, shows that the server admits no burst.
 * Rows: strict_gcra 100 and 200 (the share), 150 ms of jitter, strict_gcra 5 (the few).
 */
const partOfWindow = 0.5;
const fewCalls = 6;

export class BucketPace {
  #calls: number;
  #windowMs: number;
  readonly #share: number;
  /** The limit comes from the platform, or the platform has answered without stating one. */
  #known: boolean;
  readonly #sent = new SentLog();
  /** When the calls of the last windows that were refused left: the platform does not count them. */
  #refused: readonly number[] = [];
  #firstAt: number | undefined;
  #due: number | undefined;
  #doubleDue = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;
  /** How long a 429 without a time holds the bucket. */
  #holdMs = 0;
  readonly #guard = new Guard();
  readonly #evidence = new HeaderEvidence();
  readonly #took = new ResponseTimes();
  #isStrict = false;
  /** True once another client showed in the counts. */
  #isCounted = false;

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

  /** Calls a second at the current pace. */
  get callsPerSecond(): number {
    return 1000 / this.#interval;
  }

  /** Calls that left in the last window, as a share of those allowed in it. */
  used(now: number): number {
    return this.#sent.between(now - this.#span, now) / this.#allowed;
  }

  /** True when nothing that the bucket remembers matters any more. */
  isIdle(now: number): boolean {
    return now > Math.max(this.#sent.last ?? 0, this.#heldUntil) + 2 * this.#span;
  }

  /** Milliseconds until a call may leave; 0 for now. */
  wait(now: number): number {
    if (!this.#known && this.#firstAt !== undefined && now < this.#firstAt + firstCallMs) return askAgainMs;
    const opened = this.#opened();
    const room = Math.max(
      opened === undefined ? now : opened + this.#span + this.#guardMs,
      this.#roomBesideOthers(now),
    );
    return Math.max(0, this.#heldUntil - now, (this.#due ?? now) - now, this.#doubleDue - now, room - now);
  }

  /** A call leaves now. */
  take(now: number): void {
    if (!this.#known) this.#firstAt = now;
    // Two windows' calls: an answer that is compared may be about the window before the last.
    this.#sent.add(now, 2 * this.#calls);
    const interval = this.#interval;
    const { foreign } = this.#evidence;
    const isEven = this.#isStrict || (foreign === 0 && !this.#guard.isLeast && interval > slowIntervalMs);
    const small = isEven ? 0 : catchUpMs;
    const share = foreign > 0 ? catchUpBesideOthers : isEven || this.#isShared ? 0 : catchUpShare;
    this.#due = Math.max(this.#due ?? now, now - Math.max(small, share * this.#windowMs)) + interval;
    this.#doubleDue = Math.max(this.#doubleDue, now - small) + interval / 2;
  }

  /** The answer to a call that left at `sentAt`. `rate` if its headers are about this bucket. */
  learn(answer: Answer, rate: RateHeaders | undefined, sentAt: number, now: number): void {
    this.#known = true;
    // A call that waited for a connection counts from when it left.
    const leftAt = Math.max(sentAt, answer.leftAt ?? sentAt);
    this.#sent.book(sentAt, { at: leftAt, tookMs: now - leftAt });
    // A refusal comes at once, so that its time says nothing about other calls.
    if (answer.type !== 'limited') this.#took.add(now - leftAt);
    else this.#refused = [...this.#refused.filter((at) => at > leftAt - 3 * this.#windowMs), leftAt];
    if (rate !== undefined) this.#read(rate, leftAt, now);
    if (answer.type !== 'ok') return;
    this.#holdMs = 0;
    this.#guard.admit(this.#target);
    if (this.#isStrict && this.#guard.isLeast) {
      // At the least distance some calls arrived too close to each other, and were admitted.
      this.#isStrict = false;
      this.#evidence.allowBursts();
    }
  }

  /** A 429 of this bucket. */
  refuse(retryAfterS: number | undefined, sentAt: number, now: number): void {
    // Without a time: one interval, doubled while nothing is admitted.
    this.#holdMs = Math.min(this.#windowMs, Math.max(this.#interval, 2 * this.#holdMs));
    this.#heldUntil = Math.max(this.#heldUntil, now + (retryAfterS === undefined ? this.#holdMs : retryAfterS * 1000));
    const few = Math.max(this.#allowed * partOfWindow, Math.min(this.#allowed, fewCalls));
    if (this.#sent.between(Number.NEGATIVE_INFINITY, sentAt) <= few) this.#beStrict();
    const { foreign } = this.#evidence;
    const mostMs = this.#windowMs * (foreign > 0 ? leastOfRest * (1 - foreign) : mostWindows);
    this.#guard.refuse(sentAt, now, this.#target, mostMs, this.#isShared ? smallStep : undefined);
    // Calls that are further apart than answers vary do not arrive too close: it was another client.
    const isKnown = this.#evidence.admitsNoBurst || this.#took.count < enoughTimes;
    if (!isKnown && this.#guard.ms > this.#allowed * this.#took.spreadMs) this.#isStrict = false;
  }

  /**
   * When the call was counted that has to leave the window before another one may come. If its answer was slow, it may
   * have arrived late; by now there are enough answers to tell.
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

  /**
   * Beside another client: when our calls of the last window, those that the other one has in it, and the guard as a number
   * of calls leave room for one more. The other client's number changes, so that it is asked for again soon.
   */
  #roomBesideOthers(now: number): number {
    if (this.#evidence.foreign === 0) return now;
    const keptFree = (this.#guard.ms / this.#windowMs) * this.#calls;
    const ours = Math.round(this.#calls - this.#evidence.foreignCalls(now, this.#windowMs) - keptFree);
    const refused = this.#refused.filter((at) => at > now - this.#windowMs).length;
    const opened = this.#sent.fromEnd(Math.max(1, ours) + refused);
    if (opened === undefined) return now;
    return Math.min(opened.at + this.#windowMs + leastGuardMs, now + this.#windowMs / this.#calls);
  }

  #read(rate: RateHeaders, sentAt: number, now: number): void {
    this.#adopt(rate.calls, rate.windowS * 1000, now);
    // A success, too, can say that it was the last one for now: from its arrival on, so at least from its sending on.
    this.#heldUntil = Math.max(this.#heldUntil, sentAt + rate.retryAfterS * 1000);
    this.#evidence.read(rate, sentAt, (from, until) => {
      const refused = this.#refused.filter((at) => at >= from && at <= until).length;
      return this.#sent.between(from, until) - refused;
    });
    if (this.#evidence.admitsNoBurst) this.#beStrict();
    if (!this.#isCounted && this.#evidence.foreign > 0) {
      // The guard grew to make up for calls that are counted from now on.
      this.#isCounted = true;
      this.#guard.ms = Math.min(this.#guard.ms, countedShare * this.#windowMs);
    }
    if (this.#isStrict || this.#guard.wasRaised) return;
    if (!this.#evidence.isUnproven) this.#guard.ms = leastGuardMs;
    else if (this.#isFirstWindow) this.#guard.ms = this.#wideGuardMs;
  }

  #beStrict(): void {
    if (this.#isStrict) return;
    this.#isStrict = true;
    this.#guard.startAt(this.#allowed * firstDistanceMs);
  }

  /** The limit is another one than was thought: the next call is due by the true one. */
  #adopt(calls: number, windowMs: number, now: number): void {
    if (calls === this.#calls && windowMs === this.#windowMs) return;
    this.#calls = calls;
    this.#windowMs = windowMs;
    const last = this.#sent.last ?? now;
    this.#due = last + this.#interval;
    this.#doubleDue = last + this.#interval / 2;
  }

  /** n: whole calls, since half a call more would be too much in some window. */
  get #allowed(): number {
    return Math.max(1, Math.floor(this.#calls * this.#share + 1e-9));
  }

  /** The window; longer if less than one call is allowed in it. */
  get #span(): number {
    return this.#windowMs * Math.max(1, 1 / (this.#calls * this.#share));
  }

  /** So far no earlier call can be too close to leave the window late. */
  get #isFirstWindow(): boolean {
    return this.#sent.fromEnd(this.#allowed) === undefined;
  }

  get #interval(): number {
    const { foreign } = this.#evidence;
    const restMs = foreign === 0 ? 0 : this.#windowMs / ((1 - foreign) * this.#calls);
    return Math.max(restMs, (this.#span + this.#guardMs) / this.#allowed);
  }

  get #guardMs(): number {
    if (!this.#isStrict && this.#isFirstWindow) return leastGuardMs;
    return this.#evidence.foreign > 0 ? leastGuardMs : this.#guard.ms;
  }

  /** No more than the spread of response times, once it is known; the least if the share leaves the room itself. */
  get #wideGuardMs(): number {
    const roomMs = (((1 + wideShare) * this.#allowed) / this.#calls - 1) * this.#windowMs;
    const spreadMs = this.#took.count < enoughTimes ? roomMs : this.#took.spreadMs;
    return Math.max(leastGuardMs, Math.min(spreadMs, roomMs));
  }

  /** Another client shows in the counts, or, without headers, in refused calls for which jitter is no explanation. */
  get #isShared(): boolean {
    const isExplained = this.#isStrict || !this.#guard.wasRaised || this.#guard.ms <= jitterShare * this.#span;
    return this.#evidence.foreign > 0 || !isExplained;
  }

  get #target(): number {
    const { foreign } = this.#evidence;
    if (foreign > 0) return refusedForRoot * Math.sqrt(foreign) + (refusedForOne * foreign) / this.#calls;
    if (!this.#isShared) return refusedShare;
    const beyond = (this.#guard.ms / this.#span - jitterShare) / jitterShare;
    const besideOthers = Math.min(mostRefused, refusedWithoutCounts * (100 / this.#calls) ** 0.6);
    return refusedShare + Math.min(1, beyond) * (besideOthers - refusedShare);
  }
}
