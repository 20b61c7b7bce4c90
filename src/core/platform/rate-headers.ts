// Parses the rate-limit headers of an answer (base, Rate-limit response headers) and the standard Retry-After (RFC 9110), and compares
// the limits that they announce with the declared ones.

import type { AnnouncedLimit, AnnouncedLimits, Bucket } from '../model/limits.ts';
import type { RateHeaders } from '../model/ports.ts';
import { type ApiRequest, type Method, routeName } from '../model/request.ts';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Returns all values, or undefined without a usable limit. An odd value of another header leaves out only what it says. */
export function parseRateHeaders(headers: Headers): RateHeaders | undefined {
  const limit = /^(\d{1,9})\s*;\s*w\s*=\s*(\d{1,9}(?:\.\d{1,9})?)$/u.exec(text(headers, 'x-ratelimit-limit') ?? '');
  const calls = Number(limit?.[1] ?? 0);
  const windowS = Number(limit?.[2] ?? 0);
  if (calls < 1 || windowS <= 0) return undefined;
  // A reset that is past is now. Without a usable one, the window may have just begun.
  const resetS = /^-/u.test(text(headers, 'x-ratelimit-reset') ?? '') ? 0 : seconds(headers, 'x-ratelimit-reset');
  return {
    calls,
    windowS,
    // A count that never changes shows nothing (header-counts.ts).
    remaining: seconds(headers, 'x-ratelimit-remaining') ?? calls - 1,
    resetS: resetS ?? windowS,
    // Some servers omit the header if there is nothing to wait for.
    retryAfterS: vendorRetryAfter(headers) ?? 0,
  };
}

/** Retry-After has whole seconds, so it may ask for up to a second more than the vendor's header means. */
const roundingS = 1;

/**
 * Returns the seconds that an answer asks to wait. The longer of both headers counts, because a gateway in front of the
 * platform may add its own. Where the standard header only rounds, the vendor's counts, which is exact to the fraction. A date
 * is compared with the Date of the answer, which comes from the same clock, or else with `now`.
 */
export function parseRetryAfter(headers: Headers, now: () => Date): number | undefined {
  const vendor = vendorRetryAfter(headers);
  const standard = standardRetryAfter(headers, now);
  if (vendor === undefined || standard === undefined) return vendor ?? standard;
  return standard <= vendor + roundingS ? vendor : standard;
}

/** A 429 may have it without the other headers. */
function vendorRetryAfter(headers: Headers): number | undefined {
  return seconds(headers, 'x-ratelimit-retryafter');
}

function standardRetryAfter(headers: Headers, now: () => Date): number | undefined {
  const at = httpDate(headers, 'retry-after');
  if (at === undefined) return seconds(headers, 'retry-after');
  return Math.max(0, (at - (httpDate(headers, 'date') ?? now().getTime())) / 1000);
}

/** Returns Unix milliseconds. Servers must send the fixed form, `Sun, 06 Nov 1994 08:49:37 GMT`. */
export function httpDate(headers: Headers, name: string): number | undefined {
  const value = text(headers, name) ?? '';
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/u.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : at;
}

function seconds(headers: Headers, name: string): number | undefined {
  const value = text(headers, name);
  return value !== undefined && /^\d{1,9}(?:\.\d{1,18})?$/u.test(value) ? Number(value) : undefined;
}

/** In undici, header names are in lower case and a repeated header is a list. */
function text(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : undefined;
}

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
