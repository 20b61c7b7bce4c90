// What does a plan cost: which calls, and how long at least?

import type { RequestCount } from '../model/change.ts';
import { compareText } from '../model/json.ts';
import type { Bucket, LimitsOf } from '../model/limits.ts';
import type { BucketLoad, PlanDuration } from '../model/plan.ts';
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
  const loads = Array.from(buckets.values(), ({ bucket, count }): BucketLoad => {
    const rate = perSecond(bucket);
    // The first call may leave at once.
    return { name: bucket.name, calls: count, rate: round(rate, 100), seconds: round((count - 1) / rate, 1000) };
  }).sort((left, right) => right.seconds - left.seconds || compareText(left.name, right.name));
  const [busiest] = loads;
  if (busiest === undefined) return { lower_bound_s: 0, buckets: [] };
  return { lower_bound_s: busiest.seconds, bottleneck: `${busiest.name} at ${busiest.rate}/s`, buckets: loads };
}

function round(figure: number, parts: number): number {
  return Math.round(figure * parts) / parts;
}

function perSecond({ calls, windowS, share }: Bucket): number {
  return (calls / windowS) * share;
}
