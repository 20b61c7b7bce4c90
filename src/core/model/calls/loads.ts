// Adds up calls by the buckets that they count against, and computes the shortest time for them.

import { compareText } from '../../../lib/json.ts';
import { IntColumn, NameTable } from '../../../lib/typed-arrays.ts';
import type { Bucket, CountedRequest, LimitsOf } from '../limits.ts';
import type { BucketLoad } from '../plan.ts';

/** Calls per second that chatform may send. */
export function perSecond({ calls, windowS, share }: Bucket): number {
  return (calls / windowS) * share;
}

/** Calls per second under the tightest limit of a request. Undefined without limits. */
export function tightestPerS(buckets: readonly Bucket[]): number | undefined {
  return buckets.length === 0 ? undefined : Math.min(...buckets.map(perSecond));
}

/** A number of equal requests. */
export interface RepeatedCall extends CountedRequest {
  readonly calls: number;
}

/** The shortest time in seconds for all of the calls: that of their busiest bucket. */
export function lowerBoundOf(repeated: Iterable<RepeatedCall>, limitsOf: LimitsOf): number {
  const loads = new BucketLoads();
  for (const request of repeated) for (const bucket of limitsOf(request)) loads.add(bucket, request.calls);
  return loads.slowest().buckets[0]?.seconds ?? 0;
}

/** The maximum number of buckets that are listed. */
const maxListed = 32;

interface Load {
  readonly name: string;
  readonly number: number;
  readonly rate: number;
  calls: number;
}

/** Every user may have separate buckets, so the call counts are kept in detail for the slowest buckets only. */
export class BucketLoads {
  readonly #table = new NameTable();
  /** The number of calls of each bucket when it left the slowest. */
  readonly #calls = new IntColumn();
  /** The slowest buckets so far. Loads only grow, so the order of calls does not matter. */
  readonly #slowest = new Map<string, Load>();
  /** The bucket with the smallest load among the slowest, or undefined if it must be determined again. */
  #quickest: Load | undefined;

  add(bucket: Bucket, calls = 1): void {
    if (calls === 0) return;
    const { name } = bucket;
    const known = this.#slowest.get(name);
    if (known !== undefined) {
      known.calls += calls;
      if (known === this.#quickest) this.#quickest = undefined;
      return;
    }
    const number = this.#table.add(name);
    const load = { name, number, rate: perSecond(bucket), calls: (this.#calls.at(number) ?? 0) + calls };
    this.#calls.set(number, load.calls);
    if (this.#slowest.size === maxListed) {
      this.#quickest ??= [...this.#slowest.values()].sort(compareLoads).at(-1) ?? load;
      if (compareLoads(load, this.#quickest) > 0) return;
      this.#calls.set(this.#quickest.number, this.#quickest.calls);
      this.#slowest.delete(this.#quickest.name);
    }
    this.#slowest.set(name, load);
    this.#quickest = undefined;
  }

  /** Returns 0 for an unknown bucket. */
  callsOf(name: string): number {
    const number = this.#table.find(name);
    return this.#slowest.get(name)?.calls ?? (number === undefined ? 0 : (this.#calls.at(number) ?? 0));
  }

  /** Slowest first. */
  slowest(): { readonly buckets: readonly BucketLoad[]; readonly others: number } {
    const loads = [...this.#slowest.values()].sort(compareLoads);
    const buckets = loads.map(
      (load): BucketLoad => ({
        name: load.name,
        calls: load.calls,
        rate: round(load.rate, 100),
        seconds: round(secondsOf(load), 1000),
      }),
    );
    return { buckets, others: this.#table.size - buckets.length };
  }
}

function compareLoads(left: Load, right: Load): number {
  return secondsOf(right) - secondsOf(left) || compareText(left.name, right.name);
}

/** Returns the duration in seconds. The first call may leave at once. */
function secondsOf({ calls, rate }: Load): number {
  return (calls - 1) / rate;
}

function round(figure: number, parts: number): number {
  return Math.round(figure * parts) / parts;
}
