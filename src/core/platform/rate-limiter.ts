// The rate limiter decides when a request may leave. A request takes a slot in all of its buckets at once, or in none.
// bucket-pace.ts paces one bucket.

import type { AnnouncedLimits, Bucket, CountedRequest, LimitsOf } from '../model/limits.ts';
import type { Answer, Clock, Pacer, RateHeaders } from '../model/ports.ts';
import { type ApiRequest, type Method, routeName } from '../model/request.ts';
import { BucketPace } from './bucket-pace.ts';
import { type AdaptiveLimits, countsForOneUser, ratePlanWith } from './limits.ts';
import { PlanLimitsProbe } from './plan-limits-probe.ts';
import { LimitComparison } from './rate-headers.ts';

export interface PacerOptions {
  /** From `limitsOf`, or fixed in tests. */
  readonly limitsOf: LimitsOf | AdaptiveLimits;
  readonly clock: Clock;
}

/** The status of a bucket. */
interface BucketStatus {
  readonly name: string;
  /** Calls per second at the current pace. */
  readonly callsPerSecond: number;
}

export interface StatusPacer extends Pacer {
  /** Returns the buckets of the application, without those of single users, which are too many to show. */
  status(): readonly BucketStatus[];
}

/** How often a call asks again that waits for answers. */
const askAgainMs = 5;

/** The number of buckets of single users from which idle ones are dropped. A run may use thousands. */
const sweepAt = 1024;

export function createPacer({ limitsOf, clock }: PacerOptions): StatusPacer {
  const applicationPaces = new Map<string, BucketPace>();
  const userPaces = new Map<string, BucketPace>();
  /** By bucket, the calls of one route that name no user. */
  const namelessPaces = new Map<string, BucketPace>();
  let statesLimits = false;
  let sweepNext = sweepAt;
  const admitsNoBurst = limitsOf.known?.admitsNoBurst;
  const adaptive = 'countFirstListed' in limitsOf ? limitsOf : undefined;
  const probe = adaptive && new UserRuleProbe(adaptive);
  const planProbe = adaptive && new PlanLimitsProbe(adaptive);
  const comparison = new LimitComparison();

  function paceOf(bucket: Bucket): BucketPace {
    // User rules are the same in every plan, so the first call of a user need not go alone.
    const forOneUser = countsForOneUser(bucket);
    const paces = forOneUser ? userPaces : applicationPaces;
    let pace = paces.get(bucket.name);
    if (pace === undefined) {
      pace = new BucketPace(bucket, forOneUser, admitsNoBurst);
      paces.set(bucket.name, pace);
    }
    return pace;
  }

  /** Returns the pace of the calls that name no user, which the platform may count together. Without headers nothing shows that. */
  function namelessPaceOf(request: CountedRequest): BucketPace | undefined {
    const bucket = statesLimits ? adaptive?.ofNameless(request) : undefined;
    if (bucket === undefined) return undefined;
    const pace = namelessPaces.get(bucket.name) ?? new BucketPace(bucket, false, admitsNoBurst);
    namelessPaces.set(bucket.name, pace);
    return pace;
  }

  /** Makes the calls of several endpoints share a pace from now on. That pace also counts the calls that left before. */
  function countTogether(limits: AdaptiveLimits, planLimits: 'method' | 'unlisted', seen: PlanLimitsProbe): void {
    limits.countTogether(planLimits);
    const renewed = new Map<string, BucketPace>();
    for (const { request, at } of seen.calls) {
      const [bucket] = limits(request);
      if (bucket === undefined) continue;
      const pace = renewed.get(bucket.name) ?? sharedPace(bucket);
      renewed.set(bucket.name, pace);
      pace.take(at);
    }
    for (const [name, pace] of renewed) applicationPaces.set(name, pace);
  }

  function sharedPace(bucket: Bucket): BucketPace {
    const [method = ''] = bucket.name.split(' ');
    const ofMethod = [...applicationPaces].filter(([name]) => name.startsWith(method));
    const bursts = ofMethod.map(([, { admitsBursts }]) => admitsBursts);
    const pace = new BucketPace(bucket, true, admitsNoBurst === true || bursts.includes(false));
    // The first answer for the shared pace says that few calls are left, as that of a server without bursts does.
    if (bursts.includes(true)) pace.allowBursts();
    return pace;
  }

  function measuredLimits(): AnnouncedLimits | undefined {
    const limits = [...applicationPaces]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .flatMap(([name, { measured }]) => {
        // A bucket that all calls of a method share has no route in its name.
        const [method, route] = name.split(' ');
        return measured === undefined ? [] : [{ method: method as Method, ...(route && { route }), ...measured }];
      });
    return limits.length === 0 ? undefined : { limits, measured: true };
  }

  function sweep(now: number): void {
    if (userPaces.size < sweepNext) return;
    for (const [name, pace] of userPaces) if (pace.isIdle(now)) userPaces.delete(name);
    sweepNext = Math.max(sweepAt, 2 * userPaces.size);
  }

  return {
    take(request: ApiRequest): number {
      const now = clock.now();
      sweep(now);
      const nameless = namelessPaceOf(request);
      const paces = [...limitsOf(request).map(paceOf), ...(nameless === undefined ? [] : [nameless])];
      const wait = paces.reduce((longest, pace) => Math.max(longest, pace.wait(now)), 0);
      if (wait > 0) return wait;
      if (planProbe?.mustWait(request, now) === true) return askAgainMs;
      for (const pace of paces) pace.take(now);
      planProbe?.take(request, now);
      return 0;
    },

    learn(request: ApiRequest, answer: Answer, sentAt: number): void {
      const now = clock.now();
      if (answer.rate !== undefined) {
        statesLimits = true;
        const declared = [...limitsOf(request), ...(limitsOf.ofFirstListed?.(request) ?? [])];
        comparison.see(request, answer.rate, declared, adaptive?.isListed(request) === true);
      }
      const nameless = namelessPaceOf(request);
      const isOfNameless =
        nameless !== undefined &&
        answer.rate !== undefined &&
        answer.rate.calls === adaptive?.listedCalls(request) &&
        !limitsOf(request).some((bucket) => paceOf(bucket).calls === answer.rate?.calls);
      const counted = planProbe?.learn(request, answer, sentAt, now, isOfNameless);
      if (adaptive && planProbe && counted !== undefined) countTogether(adaptive, counted, planProbe);
      const rate = probe?.isOpen(request, answer, sentAt) === true ? undefined : answer.rate;
      const buckets = limitsOf(request).map((bucket) => ({ bucket, pace: paceOf(bucket) }));
      const isPlan = nameless?.calls === rate?.calls;
      nameless?.learn(answer, isOfNameless || isPlan ? rate : undefined, sentAt, now);
      const described = rate === undefined || isOfNameless ? [] : bucketsIn(rate, buckets);
      for (const bucket of buckets)
        bucket.pace.learn(answer, described.includes(bucket) ? rate : undefined, sentAt, now);
      // A server that asks to wait asks it of all calls, not of this one alone.
      if (answer.type === 'unknown' && answer.retryAfterS !== undefined)
        for (const { pace } of buckets) pace.hold(now + answer.retryAfterS * 1000);
      if (answer.type !== 'limited') return;
      if (nameless !== undefined && isOfNameless) {
        nameless.refuse(answer.retryAfterS, sentAt, now);
        return;
      }
      // Without headers, any of the buckets may be full.
      for (const bucket of described.length > 0 ? described : buckets)
        bucket.pace.refuse(answer.retryAfterS, sentAt, now);
    },

    announced: () => comparison.result(ratePlanWith) ?? measuredLimits(),

    status(): readonly BucketStatus[] {
      return [...applicationPaces].map(([name, pace]) => ({ name, callsPerSecond: pace.callsPerSecond }));
    },
  };
}

interface PacedBucket {
  readonly bucket: Bucket;
  readonly pace: BucketPace;
}

/**
 * Returns the buckets that the headers describe: those whose declared or learnt limit they state. If there is none, a
 * declared limit is wrong, most likely the tightest. But user rules are the same in every plan, so a larger limit is that
 * of the application (semantics §11).
 */
function bucketsIn(rate: RateHeaders, buckets: readonly PacedBucket[]): readonly PacedBucket[] {
  const perSecond = rate.calls / rate.windowS;
  const equal = buckets.filter(
    ({ bucket, pace }) =>
      (pace.calls === rate.calls && pace.windowMs === rate.windowS * 1000) ||
      (bucket.calls === rate.calls && bucket.windowS === rate.windowS),
  );
  if (equal.length > 0) return equal;
  const possible = buckets.filter(
    ({ bucket }) => !countsForOneUser(bucket) || perSecond < bucket.calls / bucket.windowS,
  );
  const tightest = (possible.length > 0 ? possible : buckets).reduce<PacedBucket | undefined>(
    (best, bucket) => (best === undefined || speed(bucket.pace) < speed(best.pace) ? bucket : best),
    undefined,
  );
  return tightest === undefined ? [] : [tightest];
}

function speed(pace: BucketPace): number {
  return pace.calls / pace.windowMs;
}

// Determines whether requests that name no user count for the first user that they list (platform §3).
//
// The first answer to such a request may state the limit of a user rule where that of the plan was expected. Then either the
// plan's limit is that low, or each first user has a separate counter. The next answers decide: if a call for another first
// user finds an unused counter although other calls were just counted, the counters belong to users.

/** The number of different users whose calls must find unused counters. */
const enoughUsers = 3;

class UserRuleProbe {
  readonly #limits: AdaptiveLimits;
  /** By route, the users' buckets met so far and when the last of these calls left. Undefined once the route is decided. */
  readonly #routes = new Map<string, { readonly met: Set<string>; lastAt: number } | undefined>();

  constructor(limits: AdaptiveLimits) {
    this.#limits = limits;
  }

  /** Whether it is still unknown which bucket the headers of this answer describe. */
  isOpen(request: ApiRequest, { type, rate }: Answer, sentAt: number): boolean {
    const [bucket] = this.#limits.ofFirstListed(request);
    if (bucket === undefined || rate === undefined || rate.calls <= enoughUsers) return false;
    const route = routeName(request);
    const isRule = rate.calls === bucket.calls && rate.windowS === bucket.windowS;
    const isPlan = this.#limits(request).some(({ calls }) => calls === rate.calls);
    if (!isRule || isPlan || type === 'limited') return false;
    const known = this.#routes.get(route);
    if (known === undefined) {
      if (this.#routes.has(route)) return false;
      this.#routes.set(route, { met: new Set([bucket.name]), lastAt: sentAt });
      return true;
    }
    const isUnused = rate.remaining === rate.calls - 1 && !known.met.has(bucket.name);
    // A shared counter may have recovered from the first call, which went alone, but not from one just before.
    const recoversMs = (rate.windowS * 1000) / rate.calls;
    const isRecent = known.met.size === 1 || Math.abs(sentAt - known.lastAt) < recoversMs / 2;
    known.lastAt = sentAt;
    if (!isUnused || !isRecent) {
      this.#routes.set(route, undefined);
      return false;
    }
    known.met.add(bucket.name);
    if (known.met.size < enoughUsers) return true;
    this.#limits.countFirstListed();
    return false;
  }
}
