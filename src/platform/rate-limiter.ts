// When may a request leave, so that the platform never has to refuse it? All its buckets at once, or none.
// How one bucket is paced stands in bucket-pace.ts.

import type { Bucket, LimitsOf } from '../model/limits.ts';
import type { Answer, Clock, Pacer, RateHeaders } from '../model/ports.ts';
import type { ApiRequest } from '../model/request.ts';
import { BucketPace } from './bucket-pace.ts';
import { countsForOneUser } from './limits.ts';

export interface PacerOptions {
  readonly limitsOf: LimitsOf;
  readonly clock: Clock;
}

/** What a progress view shows of one bucket. */
interface BucketStatus {
  readonly name: string;
  /** Calls a second at the pace in force. */
  readonly callsPerSecond: number;
  /** Calls of the last window, as a share of those allowed. */
  readonly used: number;
}

export interface StatusPacer extends Pacer {
  /** The buckets of the application; those of single users are too many to show. */
  status(): readonly BucketStatus[];
}

/** Buckets of single users come and go by the thousand: idle ones are forgotten each time so many are there. */
const sweepAt = 1024;

export function createPacer({ limitsOf, clock }: PacerOptions): StatusPacer {
  const ofApplication = new Map<string, BucketPace>();
  const ofUsers = new Map<string, BucketPace>();
  let sweepNext = sweepAt;

  function paceOf(bucket: Bucket): BucketPace {
    // The user rules are the same in every plan, so that no first call has to go alone for each user.
    const forOneUser = countsForOneUser(bucket);
    const paces = forOneUser ? ofUsers : ofApplication;
    let pace = paces.get(bucket.name);
    if (pace === undefined) {
      pace = new BucketPace(bucket, forOneUser);
      paces.set(bucket.name, pace);
    }
    return pace;
  }

  function sweep(now: number): void {
    if (ofUsers.size < sweepNext) return;
    for (const [name, pace] of ofUsers) if (pace.isIdle(now)) ofUsers.delete(name);
    sweepNext = Math.max(sweepAt, 2 * ofUsers.size);
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
      const buckets = limitsOf(request).map((bucket) => ({ bucket, pace: paceOf(bucket) }));
      const meant = answer.rate === undefined ? [] : meantBy(answer.rate, buckets);
      for (const one of buckets) {
        one.pace.learn(answer, meant.includes(one) ? answer.rate : undefined, sentAt, now);
      }
      if (answer.type !== 'limited') return;
      // Without headers nobody knows which bucket is full.
      for (const one of meant.length > 0 ? meant : buckets) one.pace.refuse(answer.retryAfterS, sentAt, now);
    },

    status(): readonly BucketStatus[] {
      const now = clock.now();
      return [...ofApplication].map(([name, pace]) => ({
        name,
        callsPerSecond: pace.callsPerSecond(now),
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
 * Which buckets do the headers speak of? Those whose limit they state, as declared or as learnt before. When there is
 * none, the limit of one is not what we thought: of the tightest one. But a rule for users is the same in every plan, so
 * a larger figure is about the application's limit beside it (semantics §11).
 */
function meantBy(rate: RateHeaders, buckets: readonly PacedBucket[]): readonly PacedBucket[] {
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
