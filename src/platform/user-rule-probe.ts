// Finds out whether requests that name no user count for the first user that they list (platform §3).
//
// The first answer to such a request states the limit of a user rule where the plan's was expected. Either the plan's limit
// is really that low, or each first user has a counter of their own. The next answers tell: if a call for another first
// user finds a counter that nobody has used, although other calls were just counted, the counters are those of users.
import type { Answer } from '../model/ports.ts';
import { type ApiRequest, routeName } from '../model/request.ts';
import type { AdaptiveLimits } from './limits.ts';

/** So many calls for different users must find unused counters. One window's calls admit as many whatever counts. */
const enoughUsers = 3;

export class UserRuleProbe {
  readonly #limits: AdaptiveLimits;
  /** By route: the users' buckets met so far, and when the last of these calls left; undefined once the route is decided. */
  readonly #routes = new Map<string, { readonly met: Set<string>; lastAt: number } | undefined>();

  constructor(limits: AdaptiveLimits) {
    this.#limits = limits;
  }

  /** True while nobody knows what the headers of this answer describe. */
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
    // A shared counter may have recovered from the first call, which went alone, but not from a call just before.
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
