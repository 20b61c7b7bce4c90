// The platform's rate limits as data (base, Limits), and the buckets that a request counts against.

import { InternalError } from '../lib/errors.ts';
import type { Bucket, LimitsOf, RatePlan, RateSettings } from '../model/limits.ts';
import { type ApiRequest, type Method, routeName } from '../model/request.ts';

/** Plan-based limits: calls a second, for each endpoint and application (base, Limits). */
const planLimits: Readonly<Record<string, Readonly<Record<Method, number>>>> = {
  free_trial: { GET: 10, POST: 5, PUT: 5, DELETE: 5 },
  '5k_mau': { GET: 60, POST: 10, PUT: 10, DELETE: 10 },
  '10k_mau': { GET: 100, POST: 20, PUT: 20, DELETE: 20 },
  '25k_mau': { GET: 200, POST: 40, PUT: 40, DELETE: 40 },
  '50k_mau': { GET: 400, POST: 100, PUT: 100, DELETE: 100 },
  '100k_mau': { GET: 600, POST: 200, PUT: 200, DELETE: 200 },
} satisfies Record<RatePlan, unknown>;

/** A limit that is stricter than the plan's and the same in every plan. A call counts against both. */
interface StrictRule {
  /** As `routeName` writes it. */
  readonly route: string;
  readonly scope: 'application' | 'user';
  readonly calls: number;
}

/** Stricter limits (base, Limits). */
export const strictRules: readonly StrictRule[] = [
  { route: 'POST /migration/{channel_url}', scope: 'application', calls: 5 },
  { route: 'PUT /users/{user_id}', scope: 'user', calls: 5 },
  { route: 'POST /group_channels', scope: 'user', calls: 5 },
  { route: 'POST /group_channels/{channel_url}/invite', scope: 'user', calls: 5 },
  { route: 'POST /{channel_type}/{channel_url}/messages', scope: 'user', calls: 5 },
  { route: 'PUT /group_channels/{channel_url}/messages/mark_as_read', scope: 'user', calls: 5 },
];

/** All limits of the tables are by the second. */
const windowS = 1;

/** Separates the rule and the user in the name of a bucket that counts for one user. */
const userMark = ' · user ';

/** True for a bucket that counts for one user, not for the whole application. */
export function countsForOneUser(bucket: Bucket): boolean {
  return bucket.name.includes(userMark);
}

/**
 * The limits in force. `settings.limits` replaces the figure of a method (`POST`) or of the tightest rule of one route
 * (`POST /migration/{channel_url}`). Other keys are not rates and are ignored.
 */
export function limitsOf(settings: RateSettings): LimitsOf {
  const plan = planLimits[settings.ratePlan];
  if (plan === undefined) throw new InternalError(`the rate plan ${settings.ratePlan} reached the limits unchecked`);
  const bucket = (name: string, calls: number): Bucket => ({ name, calls, windowS, share: settings.share });

  const rules = new Map(strictRules.map((rule) => [rule.route, rule]));
  const applicationBuckets = new Map<string, readonly Bucket[]>();

  /** The buckets that all requests of a route share: the plan's, and a stricter one that counts for the application. */
  function ofApplication(route: string, method: Method): readonly Bucket[] {
    const known = applicationBuckets.get(route);
    if (known !== undefined) return known;
    const rule = rules.get(route);
    const ofMethod = settings.limits[method] ?? plan?.[method] ?? 0;
    const ofRoute = settings.limits[route];
    const buckets = [bucket(route, rule === undefined ? (ofRoute ?? ofMethod) : ofMethod)];
    if (rule?.scope === 'application') buckets.push(bucket(`${route} · strict`, ofRoute ?? rule.calls));
    applicationBuckets.set(route, buckets);
    return buckets;
  }

  return (request) => {
    const route = routeName(request);
    const shared = ofApplication(route, request.method);
    const rule = rules.get(route);
    if (rule?.scope !== 'user') return shared;
    const user = userOf(request);
    if (user === undefined) return shared;
    return [...shared, bucket(`${route}${userMark}${user}`, settings.limits[route] ?? rule.calls)];
  };
}

/**
 * The user for whom a rule of user scope counts: the path's user, else the inviter, else the body's user (platform §3;
 * semantics §11). A request that names none counts for the application alone.
 */
function userOf(request: Pick<ApiRequest, 'params' | 'body'>): string | undefined {
  const candidates = [request.params?.user_id, request.body?.inviter_id, request.body?.user_id];
  return candidates.find((value): value is string => typeof value === 'string' && value !== '');
}
