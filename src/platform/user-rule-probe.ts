// Determines whether requests that name no user count for the first user that they list (platform §3).
//
// The first answer to such a request may state the limit of a user rule where that of the plan was expected. Then either the
// plan's limit is that low, or each first user has a separate counter. The next answers decide: if a call for another first
// user finds an unused counter although other calls were just counted, the counters belong to users.
import type { Answer } from '../model/ports.ts';
import { type ApiRequest, routeName } from '../model/request.ts';
import type { AdaptiveLimits } from './limits.ts';

/** The number of different users whose calls must find unused counters. */
const enoughUsers = 3;

export class UserRuleProbe {
  readonly #limits: AdaptiveLimits;
  /** By route, the users' buckets met so far and when the last of these calls left. Undefined once the route is decided. */
  readonly #routes = new Map<string, { readonly met: Set<string>; lastAt: number } | undefined>();

  constructor(limits: AdaptiveLimits) {
    this.#limits = limits;
  }

  /** Whether it is still unknown which bucket the headers of this answer describe. */
  isOpen(request: ApiRequest, { type, rate }: Answer, sentAt: number): boolean {
    const [bucket] = this.#limits.ofFirstListed(request);
    if (bucket === undefined || rate === undefined || rate.calls <= enoughUsers) return false;
    const route = routeName(request);
    const isRule = rate.calls === bucket.calls && rate.windowS === bucket.windowS;
    const isPlan = this.#limits(request).some(({ calls }) => calls === rate.calls);
    if (!isRule || isPlan || type === 'limited') return false;
    const known = this.#routes.get(route);
    if (known === undefined) {
      if (this.#routes.has(route)) return false;
      this.#routes.set(route, { met: new Set([bucket.name]), lastAt: sentAt });
      return true;
    }
    const isUnused = rate.remaining === rate.calls - 1 && !known.met.has(bucket.name);
    // A shared counter may have recovered from the first call, which went alone, but not from one just before.
    const recoversMs = (rate.windowS * 1000) / rate.calls;
    const isRecent = known.met.size === 1 || Math.abs(sentAt - known.lastAt) < recoversMs / 2;
    known.lastAt = sentAt;
    if (!isUnused || !isRecent) {
      this.#routes.set(route, undefined);
      return false;
    }
    known.met.add(bucket.name);
    if (known.met.size < enoughUsers) return true;
    this.#limits.countFirstListed();
    return false;
  }
}
