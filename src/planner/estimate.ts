// What does a plan cost: which calls, and how long at least?

import type { Address } from '../model/address.ts';
import type { RequestCount } from '../model/change.ts';
import { compareText } from '../model/json.ts';
import type { Bucket, LimitsOf } from '../model/limits.ts';
import { NameTable } from '../model/name-table.ts';
import type { BucketLoad, CallChain, PlanDuration } from '../model/plan.ts';
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

/** So many buckets are told one by one. */
const maxListed = 32;

/**
 * The shortest possible duration: every call counts in all its buckets, and no bucket lets more through than its limit
 * times the share that is ours. Calls are evenly spread. The busiest bucket decides; the longest chain of calls is told
 * beside it. One walk over the steps, with a few numbers for each bucket and each step.
 */
export function estimateDuration(steps: Iterable<Step>, limitsOf: LimitsOf): PlanDuration {
  const loads = new BucketLoads();
  const chains = new Chains();
  for (const step of steps) {
    for (const bucket of step.request === undefined ? [] : limitsOf(step.request)) loads.add(bucket);
    chains.add(step);
  }
  const { buckets, others } = loads.slowest();
  const chain = chains.longest(steps);
  const [busiest] = buckets;
  return {
    lower_bound_s: busiest?.seconds ?? 0,
    ...(busiest === undefined ? {} : { bottleneck: `${busiest.name} at ${busiest.rate}/s` }),
    buckets,
    ...(others === 0 ? {} : { others }),
    ...(chain === undefined ? {} : { chain }),
  };
}

/** A bucket that takes one call is quick, so its name is kept only while there are few. */
class BucketLoads {
  readonly #table = new NameTable();
  readonly #buckets = new Map<number, { readonly bucket: Bucket; calls: number }>();

  add(bucket: Bucket): void {
    const before = this.#table.size;
    const number = this.#table.add(bucket.name);
    const known = this.#buckets.get(number);
    if (known !== undefined) known.calls++;
    else if (number === before && this.#buckets.size >= maxListed) return;
    else this.#buckets.set(number, { bucket, calls: number === before ? 1 : 2 });
  }

  slowest(): { readonly buckets: readonly BucketLoad[]; readonly others: number } {
    const loads = Array.from(this.#buckets.values(), ({ bucket, calls }): BucketLoad => {
      const rate = perSecond(bucket);
      // The first call may leave at once.
      return { name: bucket.name, calls, rate: round(rate, 100), seconds: round((calls - 1) / rate, 1000) };
    }).sort((left, right) => right.seconds - left.seconds || compareText(left.name, right.name));
    const buckets = loads.slice(0, maxListed);
    return { buckets, others: this.#table.size - buckets.length };
  }
}

/** By step, how many calls the longest chain up to it has, and the place of its first. */
class Chains {
  readonly #table = new NameTable();
  readonly #calls: number[] = [];
  readonly #first: number[] = [];
  #longest: { readonly calls: number; readonly from: number; readonly to: Address } | undefined;

  /** In the order of the plan, where what a step waits for stands before it. */
  add({ id, address, needs, after = [], request }: Step): void {
    const place = this.#table.add(id);
    let calls = 0;
    let from = place;
    for (const names of [needs, after]) {
      for (const name of names) {
        const earlier = this.#table.find(name) ?? place;
        if ((this.#calls[earlier] ?? 0) <= calls) continue;
        calls = this.#calls[earlier] ?? 0;
        from = this.#first[earlier] ?? place;
      }
    }
    if (request !== undefined) calls++;
    this.#calls[place] = calls;
    this.#first[place] = from;
    if (calls > (this.#longest?.calls ?? 0)) this.#longest = { calls, from, to: address };
  }

  /** Of the same steps. */
  longest(steps: Iterable<Step>): CallChain | undefined {
    if (this.#longest === undefined) return undefined;
    const { calls, from, to } = this.#longest;
    let place = 0;
    for (const { address } of steps) if (place++ === from) return { calls, from: address, to };
    return undefined;
  }
}

function round(figure: number, parts: number): number {
  return Math.round(figure * parts) / parts;
}

function perSecond({ calls, windowS, share }: Bucket): number {
  return (calls / windowS) * share;
}
