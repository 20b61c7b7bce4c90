// The rate limiter: says when a request may leave. A request takes a slot in all its buckets at once, or in none. The
// pacing of one bucket is in bucket-pace.ts.

import type { Bucket, LimitsOf } from '../model/limits.ts';
import type { Answer, Clock, Pacer, RateHeaders } from '../model/ports.ts';
import type { ApiRequest } from '../model/request.ts';
import { BucketPace } from './bucket-pace.ts';
import { type AdaptiveLimits, countsForOneUser } from './limits.ts';
import { UserRuleProbe } from './user-rule-probe.ts';

export interface PacerOptions {
  /** Of `limitsOf`, or fixed ones. */
  readonly limitsOf: LimitsOf | AdaptiveLimits;
  readonly clock: Clock;
}

/** What a progress view shows for a bucket. */
interface BucketStatus {
  readonly name: string;
  /** Calls a second at the current pace. */
  readonly callsPerSecond: number;
  /** The calls of the last window, as a share of those allowed. */
  readonly used: number;
}

export interface StatusPacer extends Pacer {
  /** The buckets of the application, without those of single users, which are too many to show. */
  status(): readonly BucketStatus[];
}

/** A run may use thousands of single users' buckets. Idle ones are dropped when there are this many. */
const sweepAt = 1024;

export function createPacer({ limitsOf, clock }: PacerOptions): StatusPacer {
  const applicationPaces = new Map<string, BucketPace>();
  const userPaces = new Map<string, BucketPace>();
  let sweepNext = sweepAt;
  const probe = 'countFirstListed' in limitsOf ? new UserRuleProbe(limitsOf) : undefined;

  function paceOf(bucket: Bucket): BucketPace {
    // The user rules are the same in every plan, so that a user's first call need not go alone.
    const forOneUser = countsForOneUser(bucket);
    const paces = forOneUser ? userPaces : applicationPaces;
    let pace = paces.get(bucket.name);
    if (pace === undefined) {
      pace = new BucketPace(bucket, forOneUser);
      paces.set(bucket.name, pace);
    }
    return pace;
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
      const paces = limitsOf(request).map(paceOf);
      const wait = paces.reduce((longest, pace) => Math.max(longest, pace.wait(now)), 0);
      if (wait > 0) return wait;
      for (const pace of paces) pace.take(now);
      return 0;
    },

    learn(request: ApiRequest, answer: Answer, sentAt: number): void {
      const now = clock.now();
      const rate = probe?.isOpen(request, answer, sentAt) === true ? undefined : answer.rate;
      const buckets = limitsOf(request).map((bucket) => ({ bucket, pace: paceOf(bucket) }));
      const described = rate === undefined ? [] : bucketsIn(rate, buckets);
      for (const one of buckets) one.pace.learn(answer, described.includes(one) ? rate : undefined, sentAt, now);
      if (answer.type !== 'limited') return;
      // Without headers any of the buckets may be the full one.
      for (const one of described.length > 0 ? described : buckets) one.pace.refuse(answer.retryAfterS, sentAt, now);
    },

    status(): readonly BucketStatus[] {
      const now = clock.now();
      return [...applicationPaces].map(([name, pace]) => ({
        name,
        callsPerSecond: pace.callsPerSecond,
        used: pace.used(now),
      }));
    },
  };
}

interface PacedBucket {
  readonly bucket: Bucket;
  readonly pace: BucketPace;
}

/**
 * The buckets that the headers describe: those whose limit they state, as declared or as learnt. If there is none, the
 * declared limit of one bucket is wrong, most likely the tightest one's. But the user rules are the same in every plan, so
 * that a larger figure is the application's limit (semantics §11).
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
    (best, one) => (best === undefined || speed(one.pace) < speed(best.pace) ? one : best),
    undefined,
  );
  return tightest === undefined ? [] : [tightest];
}

function speed(pace: BucketPace): number {
  return pace.calls / pace.windowMs;
}
