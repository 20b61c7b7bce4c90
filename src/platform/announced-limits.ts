// Compares the limits in rate-limit headers with the declared ones.

import type { AnnouncedLimit, AnnouncedLimits, Bucket } from '../model/limits.ts';
import type { RateHeaders } from '../model/ports.ts';
import { type ApiRequest, type Method, routeName } from '../model/request.ts';

interface RouteLimit extends Required<AnnouncedLimit> {
  /** Whether a stricter limit is listed for the route, which says nothing about the rate plan. */
  readonly isListed: boolean;
}

export class LimitComparison {
  /** By route, what its newest header announces. */
  readonly #routes = new Map<string, RouteLimit>();

  /** `declared` are the buckets of the request, that of the rate plan first. The header is about one of them. */
  see(request: ApiRequest, rate: RateHeaders, declared: readonly Bucket[], isListed: boolean): void {
    const [ofPlan] = declared;
    if (ofPlan === undefined) return;
    const { method, route } = request;
    const announced = rate.calls / rate.windowS;
    const equal = declared.find(({ calls, windowS }) => calls / windowS === announced);
    const { calls, windowS } = equal ?? ofPlan;
    const limit = { method, route, declared_per_s: calls / windowS, announced_per_s: announced, isListed };
    this.#routes.set(routeName(request), limit);
  }

  /** Undefined if nothing differs. `planOf` returns the rate plan with these limits by method. */
  result(planOf: (limits: ReadonlyMap<Method, number>) => string | undefined): AnnouncedLimits | undefined {
    const seen = [...this.#routes.entries()]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, limit]) => limit);
    const differing = seen.filter(({ declared_per_s, announced_per_s }) => declared_per_s !== announced_per_s);
    if (differing.length === 0) return undefined;
    const byMethod = new Map<Method, number>();
    const mixed = new Set<Method>();
    for (const { method, announced_per_s, isListed } of seen) {
      if (isListed) continue;
      if ((byMethod.get(method) ?? announced_per_s) !== announced_per_s) mixed.add(method);
      byMethod.set(method, announced_per_s);
    }
    const ofRoute = differing.filter(({ method, isListed }) => isListed || mixed.has(method));
    const ofMethod = differing.filter((limit) => !ofRoute.includes(limit));
    const methods = new Map(
      ofMethod.map(({ method, declared_per_s, announced_per_s }) => [
        method,
        { method, declared_per_s, announced_per_s },
      ]),
    );
    const limits = [...methods.values(), ...ofRoute.map(({ isListed: _listed, ...limit }) => limit)];
    const plan = ofRoute.length === 0 ? planOf(byMethod) : undefined;
    return { limits, ...(plan === undefined ? {} : { rate_plan: plan }) };
  }
}
