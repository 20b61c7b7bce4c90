// Estimates the calls and the shortest duration of a plan. Keeps only a few numbers per step.

import { compareText } from '../../../lib/json.ts';
import { NameTable } from '../../../lib/typed-arrays.ts';
import type { Address } from '../../model/address.ts';
import { BucketLoads } from '../../model/calls/loads.ts';
import type { RequestCount } from '../../model/change.ts';
import type { LimitsOf } from '../../model/limits.ts';
import type { CallChain, PlanDuration, PlanLimitsReading, UserRulesReading } from '../../model/plan.ts';
import { type ApiRequest, routeName } from '../../model/request.ts';
import { comparePlaces, phaseRank, type Step } from '../../model/step.ts';

/** Counts calls by route, most frequent first. */
export function countRequests(steps: Iterable<Step>): RequestCount[] {
  const tally = new RequestTally();
  for (const step of steps) tally.add(step);
  return tally.counts();
}

export class RequestTally {
  readonly #counts = new Map<
    string,
    { readonly method: RequestCount['method']; readonly route: string; count: number }
  >();

  add(step: Step): void {
    for (const request of requestsOf(step)) {
      const { method, route } = request;
      const name = routeName(request);
      const requestCount = this.#counts.get(name);
      if (requestCount === undefined) this.#counts.set(name, { method, route, count: 1 });
      else requestCount.count += 1;
    }
  }

  counts(): RequestCount[] {
    const counts = Array.from(this.#counts.values(), (count): RequestCount => ({ ...count }));
    if (counts.length < 2) return counts;
    return counts.sort((left, right) => right.count - left.count || compareText(routeName(left), routeName(right)));
  }
}

/** Returns the calls of a step that succeeds, including a search that precedes its request. */
function requestsOf({ request, search }: Step): ApiRequest[] {
  if (request === undefined) return [];
  const isSearched = search?.unsure === true || search?.fresh?.isFirst === true;
  return search !== undefined && isSearched ? [search.read, request] : [request];
}

/** Steps may come in any order. */
export function estimateDuration(steps: Iterable<Step>, limitsOf: LimitsOf): PlanDuration {
  const tally = new DurationTally(limitsOf);
  for (const step of steps) tally.add(step);
  return tally.duration();
}

/**
 * Computes the shortest possible duration. Every call counts in all of its buckets, and no bucket admits more than its limit
 * times the share that chatform may use. Calls are evenly spread. The busiest bucket decides. The longest chain of calls is
 * reported separately.
 */
export class DurationTally {
  readonly #limitsOf: LimitsOf;
  readonly #loads = new BucketLoads();
  /** Additional loads if calls without a user count for the first user that they list. */
  readonly #firstListed = new BucketLoads();
  /** The loads if the plan's limits count all calls of a method together. */
  readonly #methods = new BucketLoads();
  readonly #chains = new Chains();

  constructor(limitsOf: LimitsOf) {
    this.#limitsOf = limitsOf;
  }

  add(step: Step): void {
    const { known, ofFirstListed, ofMethod } = this.#limitsOf;
    for (const request of requestsOf(step)) {
      for (const bucket of this.#limitsOf(request)) this.#loads.add(bucket);
      if (known?.userScope === undefined)
        for (const bucket of ofFirstListed?.(request) ?? []) this.#firstListed.add(bucket);
      if (known?.planLimits === undefined) for (const bucket of ofMethod?.(request) ?? []) this.#methods.add(bucket);
    }
    this.#chains.add(step);
  }

  /** Nothing may be added afterwards. */
  duration(): PlanDuration {
    const { buckets, others } = this.#loads.slowest();
    const chain = this.#chains.end();
    const [busiest] = buckets;
    const lowerBound = busiest?.seconds ?? 0;
    const user_rules = otherReading(this.#loads, this.#firstListed, lowerBound);
    const plan_limits = otherPlanLimits(this.#methods, lowerBound);
    return {
      lower_bound_s: lowerBound,
      ...(busiest === undefined ? {} : { bottleneck: `${busiest.name} at ${busiest.rate}/s` }),
      ...(user_rules === undefined ? {} : { user_rules }),
      ...(plan_limits === undefined ? {} : { plan_limits }),
      buckets,
      ...(others === 0 ? {} : { others }),
      ...(chain === undefined ? {} : { chain }),
    };
  }
}

/** Returns the bound if calls without a user count for the first user that they list (platform §3). */
function otherReading(loads: BucketLoads, firstListed: BucketLoads, seconds: number): UserRulesReading | undefined {
  const { buckets } = firstListed.slowest();
  const other = Math.max(0, ...buckets.map((bucket) => bucket.seconds + loads.callsOf(bucket.name) / bucket.rate));
  if (other <= seconds) return undefined;
  return { assumed: 'named', other: 'first_listed', other_lower_bound_s: Math.round(other * 1000) / 1000 };
}

/** Returns the bound if the plan's limits count all calls of a method together (platform §3). */
function otherPlanLimits(methods: BucketLoads, seconds: number): PlanLimitsReading | undefined {
  const [slowest] = methods.slowest().buckets;
  if (slowest === undefined || slowest.seconds <= seconds) return undefined;
  return { assumed: 'endpoint', other: 'method', other_lower_bound_s: slowest.seconds };
}

interface ChainLink {
  readonly calls: number;
  readonly from: Address;
}

interface Longest extends CallChain {
  readonly rank: number;
}

/** Keeps for each step the length of the longest chain up to it and the object where that chain begins. */
class Chains {
  /** Only steps whose chain has other calls than their own, which are few in a large plan. */
  readonly #links = new Map<string, ChainLink>();
  readonly #linkedSteps = new NameTable();
  /** Steps that wait for steps not yet added. */
  readonly #early: Step[] = [];
  #longest: Longest | undefined;

  add(step: Step): void {
    const isKnown = (name: string) => this.#linkedSteps.find(name) !== undefined;
    if (step.needs.every(isKnown) && (step.after?.every(isKnown) ?? true)) this.#link(step);
    else this.#early.push(step);
  }

  end(): CallChain | undefined {
    for (const step of this.#early.sort(comparePlaces)) this.#link(step);
    if (this.#longest === undefined) return undefined;
    const { calls, from, to } = this.#longest;
    return { calls, from, to };
  }

  #link({ id, address, phase, needs, after = [], request }: Step): void {
    let calls = 0;
    let from = address;
    for (const names of [needs, after]) {
      for (const name of names) {
        const link = this.#links.get(name) ?? (calls === 0 ? this.#ownCall(name) : undefined);
        if (link === undefined || link.calls <= calls) continue;
        calls = link.calls;
        from = link.from;
      }
    }
    if (request !== undefined) calls++;
    this.#linkedSteps.add(id);
    if (calls !== 1 || from !== address) this.#links.set(id, { calls, from });
    if (calls === 0 || calls < (this.#longest?.calls ?? 0)) return;
    // Among chains of equal length, use the one that ends first in the order of a plan.
    const rank = phaseRank[phase];
    const longest = this.#longest;
    const isFirst =
      longest === undefined ||
      calls > longest.calls ||
      rank < longest.rank ||
      (rank === longest.rank && address < longest.to);
    if (isFirst) this.#longest = { calls, from, to: address, rank };
  }

  /** Without a link, the chain of a step is its own call. A step that was never added counts as done. */
  #ownCall(step: string): ChainLink | undefined {
    if (this.#linkedSteps.find(step) === undefined) return undefined;
    return { calls: 1, from: step.slice(0, step.lastIndexOf('#')) as Address };
  }
}
