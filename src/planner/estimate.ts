// What does a plan cost: which calls, and how long at least?

import { compareText } from '../model/json.ts';
import type { Bucket, LimitsOf } from '../model/limits.ts';
import type { PlanDuration, RequestCount } from '../model/plan.ts';
import type { ApiRequest } from '../model/request.ts';
import { routeName } from '../model/request.ts';
import type { Step } from '../model/step.ts';

/** Calls by route, the most numerous first. */
export function countRequests(steps: Iterable<Step>): RequestCount[] {
  const counts = new Map<string, RequestCount>();
  for (const { request } of steps) {
    if (request === undefined) continue;
    const name = routeName(request);
    counts.set(name, { method: request.method, route: request.route, count: (counts.get(name)?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort(
    (left, right) => right.count - left.count || compareText(routeName(left), routeName(right)),
  );
}

/**
 * The shortest possible duration: every call counts in all its buckets, and no bucket lets more through than its limit
 * times the share that is ours. Calls are evenly spread. The busiest bucket decides.
 */
export function estimateDuration(requests: Iterable<ApiRequest>, limitsOf: LimitsOf): PlanDuration {
  const buckets = new Map<string, { bucket: Bucket; count: number }>();
  for (const request of requests) {
    for (const bucket of limitsOf(request)) {
      const entry = buckets.get(bucket.name);
      if (entry === undefined) buckets.set(bucket.name, { bucket, count: 1 });
      else entry.count += 1;
    }
  }
  let busiest: { seconds: number; bucket: Bucket } | undefined;
  for (const { bucket, count } of buckets.values()) {
    // The first call may leave at once.
    const seconds = (count - 1) / perSecond(bucket);
    if (busiest === undefined || seconds > busiest.seconds) busiest = { seconds, bucket };
  }
  if (busiest === undefined) return { lower_bound_s: 0 };
  const rate = Math.round(perSecond(busiest.bucket) * 100) / 100;
  return {
    lower_bound_s: Math.round(busiest.seconds * 1000) / 1000,
    bottleneck: `${busiest.bucket.name} at ${rate}/s`,
  };
}

function perSecond({ calls, windowS, share }: Bucket): number {
  return (calls / windowS) * share;
}
