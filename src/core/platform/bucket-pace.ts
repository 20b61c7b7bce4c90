// Paces the calls of one bucket by deciding when each may leave.
//
// The documents do not say how the platform counts (platform §3), so the calls must satisfy every common algorithm. Three
// rules achieve that:
//
// 1. At most n calls leave in one window plus a guard, by the clock of `take`. This makes `rate_share` a guarantee. A fixed
//    window, a sliding window, a token bucket and a GCRA with a burst of one window's calls all admit such a sequence,
//    however its calls are spread.
// 2. Calls leave at even distances. A GCRA without a burst admits nothing else, and other clients find room. Each call has
//    a due time. A late timer does not move the due times. Missed calls are caught up at no more than twice the rate.
// 3. The first call of a bucket goes alone, because the declared plan may be wrong. The headers of its answer state the
//    limit. Without headers the declared limit applies, until refusals show a much lower one (measured-limit.ts).
//
// The platform counts arrivals, and calls take different times to arrive. The guard compensates for that. Its control law
// is in guard.ts. It starts wide if headers can show how arrivals spread, falls to its minimum once several counts have
// agreed with ours, and is then driven by refused and admitted calls. A call that was delayed by a cold start or a busy
// machine makes its whole window late: see response-times.ts.
//
// For a server that admits no burst the guard is a distance added between calls, and missed calls are not caught up.
//
// If another client uses the bucket, a call leaves when three counts together leave room for it: our calls of the last
// window, the other client's calls by the newest headers (header-counts.ts), and the guard converted to calls. It also
// leaves no faster than that client leaves room on average. More refusals are accepted, because the other calls come at
// random, but only as many as leave that client a fair part. Without headers, another client shows only in refused calls
// that jitter does not explain.
//
// test/core/platform/goldens/pacing.md shows what this achieves against each server.
import type { Answer, RateHeaders } from '../model/ports.ts';
import { Guard, leastGuardMs } from './guard.ts';
import { HeaderEvidence } from './header-counts.ts';
import { MeasuredLimit } from './measured-limit.ts';
import { ResponseTimes } from './response-times.ts';
import { SentLog } from './sent-log.ts';

// Each constant names the rows of goldens/pacing.md, or the test in test/core/platform, that get worse or fail without it.

/** The share of calls that may be refused. The guarantee is 1 %, including the cost of learning. Every row without another client. */
const refusedShare = 0.0088;
/**
 * The same beside another client that takes a share f of n calls, as a√f + bf/n. In simulations that client then loses no
 * more than beside a fair client. The smaller f and n are, the more often a full window meets that client instead of us.
 * Rows: 10 % of the limit, sliding 100 and 200 (a); 60 %, fixed 5 and sliding 10 (b).
 */
const refusedForRoot = 0.032;
const refusedForOne = 0.42;
/**
 * The same if its share is unknown, for 100 calls per window. It grows for fewer calls, up to `mostRefused`.
 * Rows: no headers beside 60 %, sliding 10 to 200; for the most, fixed 5 and sliding 5.
 */
const refusedWithoutCounts = 0.021;
const mostRefused = 0.105;
/** A guard above this share of the window indicates another client, not jitter. Rows: no headers beside 10 and 30 %. */
const jitterShare = 0.2;
/** Beside another client, refused calls never slow ours below this share of what that client leaves. Rows: 30 % of the limit, gcra 5; 60 %, fixed 100. */
const leastOfRest = 0.5;
/** The largest guard, as a share of a window, when another client first shows in the counts. Rows: 30 and 60 % of the limit, sliding 10. */
const countedShare = 0.05;
/** The largest first guard, and the largest lateness assumed for a slow call, as a share of a window. Test: held up on the way. */
const wideShare = 0.25;
/** The number of response times from which their spread is known. Row: 150 ms of jitter, strict_gcra 5. */
const enoughTimes = 14;
/** The first distance added between two calls for a server that admits no burst. Rows: strict_gcra 100 and 200. */
const firstDistanceMs = 1.8;
/** The largest guard in windows. Row: 150 ms of jitter, strict_gcra 200. */
const mostWindows = 32;
/**
 * Small delays are caught up at once. Larger ones are caught up at double speed, up to half a window, less beside another client.
 * Rows: 10 % of the limit, sliding 100 (catchUpMs) and sliding 100 and 200 (catchUpBesideOthers). Test: timers 1 to 15 ms late.
 */
const catchUpMs = 30;
const catchUpShare = 0.5;
const catchUpBesideOthers = 0.1;
/** The step of the guard beside another client, whose calls come in bursts by chance. Rows: no headers beside 60 %, sliding 5 and 10. */
const smallStep = 0.06;
/** At longer intervals late timers cost little, so nothing is caught up there once calls are refused. Rows: 10 % of the limit, sliding 5 and 10. */
const slowIntervalMs = 50;
/**
 * How long other calls wait for the answer to a first call, and how often they ask meanwhile, at least and as a share of its
 * age, so that a platform that does not answer is not asked about thousands of times. Test: cold-start.test.ts.
 */
const firstCallMs = 30_000;
const askAgainMs = 5;
const askAgainShare = 0.01;
/**
 * A refusal among this share of the first window's calls, or among its first few calls, shows that the server admits no burst.
 * Rows: strict_gcra 100 and 200 (the share), 150 ms of jitter, strict_gcra 5 (the few).
 */
const partOfWindow = 0.5;
const fewCalls = 6;

export class BucketPace {
  #calls: number;
  #windowMs: number;
  readonly #share: number;
  /** Whether the limit comes from the platform, or the platform has answered without stating one. */
  #known: boolean;
  readonly #sent = new SentLog();
  /** When the refused calls of the last windows left. The platform does not count them. */
  #refused: readonly number[] = [];
  #firstAt: number | undefined;
  #due: number | undefined;
  #doubleDue = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;
  /** How long a 429 without a time holds the bucket. */
  #holdMs = 0;
  #guard = new Guard();
  /** Undefined once headers state the limit. */
  #measured: MeasuredLimit | undefined;
  readonly #evidence = new HeaderEvidence();
  readonly #took = new ResponseTimes();
  #isStrict = false;
  /** True once another client has shown in the counts. */
  #isCounted = false;

  constructor(
    bucket: { readonly calls: number; readonly windowS: number; readonly share: number },
    known: boolean,
    admitsNoBurst = false,
  ) {
    this.#calls = bucket.calls;
    this.#windowMs = bucket.windowS * 1000;
    this.#share = bucket.share;
    this.#measured = new MeasuredLimit(bucket.calls);
    this.#known = known;
    if (admitsNoBurst) this.#beStrict();
  }

  get calls(): number {
    return this.#calls;
  }

  get windowMs(): number {
    return this.#windowMs;
  }

  /** The declared and the admitted calls a second, if refused calls have shown that the latter are far fewer. */
  get measured(): { readonly declared_per_s: number; readonly announced_per_s: number } | undefined {
    const { declared, admitted } = this.#measured?.confirmed ?? {};
    if (declared === undefined || admitted === undefined) return undefined;
    return { declared_per_s: (1000 * declared) / this.#windowMs, announced_per_s: (1000 * admitted) / this.#windowMs };
  }

  get callsPerSecond(): number {
    return 1000 / this.#interval;
  }

  /** Whether the server admits bursts, as far as the headers for this bucket show. */
  get admitsBursts(): boolean | undefined {
    if (this.#evidence.admitsNoBurst) return false;
    return this.#evidence.showsBursts ? true : undefined;
  }

  /** Makes the bucket rely on bursts that another bucket of the server has shown. */
  allowBursts(): void {
    this.#evidence.allowBursts();
  }

  /** Whether nothing that the bucket remembers matters any more. */
  isIdle(now: number): boolean {
    return now > Math.max(this.#sent.last ?? 0, this.#heldUntil) + 2 * this.#span;
  }

  /** Returns the milliseconds until a call may leave, or 0. */
  wait(now: number): number {
    if (!this.#known && this.#firstAt !== undefined && now < this.#firstAt + firstCallMs)
      return Math.max(askAgainMs, askAgainShare * (now - this.#firstAt));
    const opened = this.#opened();
    const room = Math.max(
      opened === undefined ? now : opened + this.#span + this.#guardMs,
      this.#roomBesideOthers(now),
    );
    return Math.max(0, this.#heldUntil - now, (this.#due ?? now) - now, this.#doubleDue - now, room - now);
  }

  /** Records that a call leaves now. */
  take(now: number): void {
    if (!this.#known) this.#firstAt = now;
    // Keep two windows' calls, because an answer may be about the window before the last.
    this.#sent.add(now, 2 * this.#calls);
    const interval = this.#interval;
    const { foreign } = this.#evidence;
    const isEven = this.#isStrict || (foreign === 0 && !this.#guard.isLeast && interval > slowIntervalMs);
    const small = isEven ? 0 : catchUpMs;
    const share = foreign > 0 ? catchUpBesideOthers : isEven || this.#isShared ? 0 : catchUpShare;
    this.#due = Math.max(this.#due ?? now, now - Math.max(small, share * this.#windowMs)) + interval;
    this.#doubleDue = Math.max(this.#doubleDue, now - small) + interval / 2;
  }

  /** Learns from the answer to a call that left at `sentAt`. `rate` is given if its headers describe this bucket. */
  learn(answer: Answer, rate: RateHeaders | undefined, sentAt: number, now: number): void {
    this.#known = true;
    // A call that waited for a connection counts from when it left.
    const leftAt = Math.max(sentAt, answer.leftAt ?? sentAt);
    this.#sent.book(sentAt, { at: leftAt, tookMs: now - leftAt });
    // A refusal is immediate, so its response time says nothing about other calls.
    if (answer.type !== 'limited') this.#took.add(now - leftAt);
    else this.#refused = [...this.#refused.filter((at) => at > leftAt - 3 * this.#windowMs), leftAt];
    if (rate !== undefined) this.#read(rate, leftAt, now);
    if (answer.type !== 'ok') return;
    this.#holdMs = 0;
    if (this.#measured !== undefined) {
      this.#measured.admit(leftAt, now, this.#sent.between(now - this.#windowMs, now), this.#windowMs);
      this.#adopt(this.#measured.calls, this.#windowMs, now);
    }
    this.#guard.admit(this.#target);
    if (this.#isStrict && this.#guard.isLeast) {
      // At the minimal distance some calls arrived too close to each other and were still admitted.
      this.#isStrict = false;
      this.#evidence.allowBursts();
    }
  }

  /** Lets no call leave before this time. */
  hold(until: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, until);
  }

  /** Handles a 429 of this bucket. */
  refuse(retryAfterS: number | undefined, sentAt: number, now: number): void {
    if (this.#measured?.refuse(sentAt, now, this.#admitted(sentAt - this.#windowMs, sentAt), this.#windowMs) === true) {
      // The refused calls say nothing about jitter or bursts.
      this.#guard = new Guard();
      this.#isStrict = false;
      this.#adopt(this.#measured.calls, this.#windowMs, now);
      this.hold(now + (retryAfterS ?? 0) * 1000);
      return;
    }
    // Without a stated time, hold for one interval and double it while nothing is admitted.
    this.#holdMs = Math.min(this.#windowMs, Math.max(this.#interval, 2 * this.#holdMs));
    this.hold(now + (retryAfterS === undefined ? this.#holdMs : retryAfterS * 1000));
    const few = Math.max(this.#allowed * partOfWindow, Math.min(this.#allowed, fewCalls));
    const isAmongFirst = this.#sent.between(Number.NEGATIVE_INFINITY, sentAt) <= few;
    if (isAmongFirst && !this.#evidence.showsBursts) this.#beStrict();
    const { foreign } = this.#evidence;
    const mostMs = this.#windowMs * (foreign > 0 ? leastOfRest * (1 - foreign) : mostWindows);
    this.#guard.refuse(sentAt, now, this.#target, mostMs, this.#isShared ? smallStep : undefined);
    // Calls that are further apart than answers vary cannot arrive too close, so another client caused the refusal.
    const isKnown = this.#evidence.admitsNoBurst || this.#took.count < enoughTimes;
    if (!isKnown && this.#guard.ms > this.#allowed * this.#took.spreadMs) this.#isStrict = false;
  }

  /**
   * Returns when the call was counted that must leave the window before another may come. If its answer was slow, it may
   * have arrived late. By now there are enough answers to tell.
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
   * Returns when there is room beside another client: our calls of the last window, those of the other client, and the guard
   * converted to calls must leave room for one more. The other client's count changes, so callers ask again soon.
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
    this.#measured = undefined;
    this.#adopt(rate.calls, rate.windowS * 1000, now);
    // A success can also announce that it was the last call for now. The wait counts from its arrival, so at least from its sending.
    this.hold(sentAt + rate.retryAfterS * 1000);
    this.#evidence.read(rate, sentAt, (from, until) => this.#admitted(from, until));
    if (this.#evidence.admitsNoBurst) this.#beStrict();
    if (!this.#isCounted && this.#evidence.foreign > 0) {
      // The guard had grown to compensate for calls that are counted from now on.
      this.#isCounted = true;
      this.#guard.ms = Math.min(this.#guard.ms, countedShare * this.#windowMs);
    }
    if (this.#isStrict || this.#guard.wasRaised) return;
    if (!this.#evidence.isUnproven) this.#guard.ms = leastGuardMs;
    else if (this.#isFirstWindow) this.#guard.ms = this.#wideGuardMs;
  }

  #admitted(from: number, until: number): number {
    return this.#sent.between(from, until) - this.#refused.filter((at) => at >= from && at <= until).length;
  }

  #beStrict(): void {
    if (this.#isStrict) return;
    this.#isStrict = true;
    this.#guard.startAt(this.#allowed * firstDistanceMs);
  }

  /** Adopts a limit that differs from the assumed one. The next call is due by the new limit. */
  #adopt(calls: number, windowMs: number, now: number): void {
    if (calls === this.#calls && windowMs === this.#windowMs) return;
    this.#calls = calls;
    this.#windowMs = windowMs;
    const last = this.#sent.last ?? now;
    this.#due = last + this.#interval;
    this.#doubleDue = last + this.#interval / 2;
  }

  /** n, in whole calls, because half a call more would be too much in some window. */
  get #allowed(): number {
    return Math.max(1, Math.floor(this.#calls * this.#share + 1e-9));
  }

  /** The window, or longer if less than one call is allowed in it. */
  get #span(): number {
    return this.#windowMs * Math.max(1, 1 / (this.#calls * this.#share));
  }

  /** Whether the first window is not yet full, so that no earlier call can be too close. */
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

  /** The wide first guard: at most the spread of response times once known, or the minimum if `rate_share` already leaves the room. */
  get #wideGuardMs(): number {
    const roomMs = (((1 + wideShare) * this.#allowed) / this.#calls - 1) * this.#windowMs;
    const spreadMs = this.#took.count < enoughTimes ? roomMs : this.#took.spreadMs;
    return Math.max(leastGuardMs, Math.min(spreadMs, roomMs));
  }

  /** Whether another client shows in the counts or, without headers, in refused calls that jitter does not explain. */
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
