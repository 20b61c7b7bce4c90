// Counts the calls of each route and each bucket, and computes their shortest duration.
import { BucketLoads, perSecond } from '../../model/calls/loads.ts';
import type { PlannedRoute } from '../../model/event.ts';
import type { Bucket, LimitsOf } from '../../model/limits.ts';
import { type ApiRequest, routeName } from '../../model/request.ts';

/**
 * The maximum number of buckets per route. Those of the application come first; further buckets of single users never decide
 * and are not counted.
 */
const maxBuckets = 256;

interface RouteLoad {
  readonly number: number;
  readonly buckets: Map<string, Bucket>;
  calls: number;
}

/** Numbers the routes in the order of `add`. */
export class LaneLoads {
  readonly #limits: LimitsOf | undefined;
  readonly #routes = new Map<string, RouteLoad>();
  readonly #loads = new BucketLoads();

  constructor(limits: LimitsOf | undefined) {
    this.#limits = limits;
  }

  /** `POST /users`; '' for steps that only write to state. */
  get routes(): readonly string[] {
    return [...this.#routes.keys()];
  }

  /** Counts a step's call and returns the number of its route. */
  add(request: ApiRequest | undefined): number {
    const name = request === undefined ? '' : routeName(request);
    let route = this.#routes.get(name);
    if (route === undefined) {
      route = { number: this.#routes.size, buckets: new Map(), calls: 0 };
      this.#routes.set(name, route);
    }
    if (request === undefined) return route.number;
    route.calls++;
    for (const bucket of this.#limits?.(request) ?? []) {
      if (route.buckets.size < maxBuckets) route.buckets.set(bucket.name, bucket);
      if (route.buckets.has(bucket.name)) this.#loads.add(bucket);
    }
    return route.number;
  }

  /** Returns the shortest time in seconds for each route's calls, with one second per call if no limit is known. */
  seconds(): Float64Array {
    return Float64Array.from(this.#routes.values(), ({ buckets, calls }) => {
      if (buckets.size === 0) return calls;
      return Math.max(...Array.from(buckets, ([name, bucket]) => this.#loads.callsOf(name) / perSecond(bucket)));
    });
  }

  /** `other` are the loads of the same calls under the other interpretation of the user rules. */
  planned(other?: LaneLoads): PlannedRoute[] {
    const allowed = this.#allowedPerS();
    const otherwise = other === undefined ? [] : other.#allowedPerS();
    return [...this.#routes].flatMap(([route, { number, calls }]): PlannedRoute[] => {
      if (route === '') return [];
      const [allowed_per_s, other_allowed_per_s] = [allowed[number], otherwise[number]];
      return [
        {
          route,
          calls,
          ...(allowed_per_s === undefined ? {} : { allowed_per_s }),
          ...(other_allowed_per_s === undefined || other_allowed_per_s === allowed_per_s
            ? {}
            : { other_allowed_per_s }),
        },
      ];
    });
  }

  /** Returns calls per second for each route under its tightest limit, such as 5 for migrations instead of the plan's 40. */
  #allowedPerS(): (number | undefined)[] {
    if (this.#limits === undefined) return [];
    return Array.from(this.secondsPerCall(), (seconds) => (seconds <= 0 ? undefined : Math.round(10 / seconds) / 10));
  }

  /** Returns the seconds between two calls for each route. */
  secondsPerCall(): Float64Array {
    const calls = [...this.#routes.values()].map((route) => Math.max(route.calls, 1));
    return this.seconds().map((load, route) => load / (calls[route] ?? 1));
  }
}
