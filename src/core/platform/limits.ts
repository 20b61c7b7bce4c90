// The platform's rate limits as data (base, Limits), and the buckets that a request counts against.

import { InternalError } from '../../lib/errors.ts';
import { isList, isObject } from '../../lib/json.ts';
import {
  type Bucket,
  type CountedRequest,
  type LimitsOf,
  type RatePlan,
  type RateSettings,
  ratePlans,
} from '../model/limits.ts';
import { type ApiRequest, type Method, routeName } from '../model/request.ts';

/** Calls per second for each endpoint and application, by rate plan (base, Limits). */
const planLimits: Readonly<Record<string, Readonly<Record<Method, number>>>> = {
  free_trial: { GET: 10, POST: 5, PUT: 5, DELETE: 5 },
  '5k_mau': { GET: 60, POST: 10, PUT: 10, DELETE: 10 },
  '10k_mau': { GET: 100, POST: 20, PUT: 20, DELETE: 20 },
  '25k_mau': { GET: 200, POST: 40, PUT: 40, DELETE: 40 },
  '50k_mau': { GET: 400, POST: 100, PUT: 100, DELETE: 100 },
  '100k_mau': { GET: 600, POST: 200, PUT: 200, DELETE: 200 },
} satisfies Record<RatePlan, unknown>;

/** A limit that is stricter than that of the plan and the same in every plan. A call counts against both. */
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

/** All limits in the tables are per second. */
const tableWindowS = 1;

/** Separates the rule and the user in the name of a bucket that counts for one user. */
const userMark = ' · user ';

/** Marks the limit of one route, next to that of the rate plan. */
const routeMark = ' · route limit';

/** Marks the bucket of the calls of one route that name no user. */
const namelessMark = ' · no user';

/** Whether the bucket counts for one user instead of the whole application. */
export function countsForOneUser(bucket: Bucket): boolean {
  return bucket.name.includes(userMark);
}

/**
 * Limits that leave two questions to the answers (platform §3). At first a request that names no user counts for the
 * application alone, and the plan's limit counts the calls of each endpoint. Once answers show that such a request counts
 * for the first user that it lists, or that the plan counts all calls of a method, all limits follow: those of the pacer,
 * of the applier's lanes and of the time left.
 */
export type AdaptiveLimits = Required<LimitsOf> &
  LimitsOf & {
    /** Makes requests that name no user count for the first one that they list, from now on. */
    readonly countFirstListed: () => void;
    /** Makes the plan count all calls of a method together from now on, or all but those of listed endpoints. */
    readonly countTogether: (planLimits: 'method' | 'unlisted') => void;
    /** The bucket that a call shares with other endpoints if the plan counts a method; none for a route with its own limit. */
    readonly ofShared: (request: CountedRequest) => Bucket | undefined;
    /**
     * The bucket of a call that names no user, where the platform may count all such calls of a route together under the stricter
     * limit. It has the limit of the plan until answers show the stricter one. None once it is known whom such calls count for.
     */
    readonly ofNameless: (request: CountedRequest) => Bucket | undefined;
    /** Calls per second of the stricter limit that is listed for the route of the call. */
    readonly listedCalls: (request: CountedRequest) => number | undefined;
    /** Whether a stricter limit is listed for the route of the call. */
    readonly isListed: (request: CountedRequest) => boolean;
  };

/**
 * Returns the limits in force. `settings.limits` replaces the limit of a method (`POST`) or of the tightest rule of one
 * route (`POST /migration/{channel_url}`). Other keys are ignored.
 */
export function limitsOf(settings: RateSettings): AdaptiveLimits {
  const plan = planLimits[settings.ratePlan];
  if (plan === undefined) throw new InternalError(`the rate plan ${settings.ratePlan} reached the limits unchecked`);
  const bucket = (name: string, calls: number, windowS = tableWindowS): Bucket => ({
    name,
    calls,
    windowS,
    share: settings.share,
  });

  const rules = new Map(strictRules.map((rule) => [rule.route, rule]));
  const applicationBuckets = new Map<string, readonly Bucket[]>();
  const { known = {} } = settings;
  let countsFirstListed = known.userScope === 'first_listed';
  let counts = known.planLimits ?? 'endpoint';

  /** Returns the limit that was raised for one route alone. For a route with a stricter rule, it is the rule that was raised. */
  function raisedFor(route: string): number | undefined {
    return rules.has(route) ? undefined : settings.limits[route];
  }

  /** A limit that was raised for one route alone counts that route alone. */
  function ofPlan(route: string, method: Method): Bucket {
    const ofRoute = raisedFor(route);
    if (ofRoute !== undefined) return bucket(route, ofRoute);
    const isShared = counts === 'method' || (counts === 'unlisted' && !rules.has(route));
    return ofMethod(isShared ? method : route, method);
  }

  /** Returns a bucket with the limit of the plan. What the user declares outweighs what the platform states. */
  function ofMethod(name: string, method: Method): Bucket {
    const declared = settings.limits[method];
    const stated = known.planWindow;
    if (declared === undefined && stated !== undefined)
      return bucket(name, method === 'GET' ? stated.reads : stated.changes, stated.windowS);
    return bucket(name, declared ?? plan?.[method] ?? 0);
  }

  /** Returns the buckets that all requests of a route share: that of the plan, and a stricter one for the application. */
  function ofApplication(route: string, method: Method): readonly Bucket[] {
    const cached = applicationBuckets.get(route);
    if (cached !== undefined) return cached;
    const rule = rules.get(route);
    const buckets = [ofPlan(route, method)];
    if (rule?.scope === 'application')
      buckets.push(bucket(`${route}${routeMark}`, settings.limits[route] ?? rule.calls));
    applicationBuckets.set(route, buckets);
    return buckets;
  }

  function ofUser(request: CountedRequest, whose: (request: CountedRequest) => string | undefined) {
    const route = routeName(request);
    const rule = rules.get(route);
    if (rule?.scope !== 'user') return [];
    const user = whose(request);
    const calls = settings.limits[route] ?? rule.calls;
    if (user !== undefined) return [bucket(`${route}${userMark}${user}`, calls)];
    return known.userScope === 'application' ? [bucket(`${route}${routeMark}`, calls)] : [];
  }

  const limits: LimitsOf = (request) => {
    const shared = ofApplication(routeName(request), request.method);
    const forUser = ofUser(request, (call) => userOf(call) ?? (countsFirstListed ? firstListed(call) : undefined));
    return forUser.length === 0 ? shared : [...shared, ...forUser];
  };
  const ofShared = (request: CountedRequest): Bucket | undefined =>
    raisedFor(routeName(request)) === undefined ? ofMethod(request.method, request.method) : undefined;
  return Object.assign(limits, {
    known,
    ofFirstListed: (request: CountedRequest) =>
      known.userScope === 'application'
        ? []
        : ofUser(request, (call) => (userOf(call) === undefined && !countsFirstListed ? firstListed(call) : undefined)),
    countsFirstListed: () => countsFirstListed,
    countFirstListed: () => {
      countsFirstListed = true;
    },
    ofNameless: (request: CountedRequest) => {
      const rule = rules.get(routeName(request));
      if (known.userScope !== undefined || countsFirstListed || rule?.scope !== 'user') return undefined;
      return userOf(request) === undefined ? ofMethod(`${rule.route}${namelessMark}`, request.method) : undefined;
    },
    listedCalls: (request: CountedRequest) =>
      settings.limits[routeName(request)] ?? rules.get(routeName(request))?.calls,
    ofShared,
    ofMethod: (request: CountedRequest) => {
      const shared = counts === 'method' ? undefined : ofShared(request);
      return shared === undefined ? [] : [shared];
    },
    isListed: (request: CountedRequest) => rules.has(routeName(request)),
    countsMethods: () => counts === 'method',
    countTogether: (planLimits: 'method' | 'unlisted') => {
      counts = planLimits;
      applicationBuckets.clear();
    },
  });
}

/** Calls per second of one key of `limits` (`METHOD` or `METHOD /route`), by default those of its rule or of the rate plan. */
export function callsOfLimit(
  key: string,
  {
    rate_plan: ratePlan = ratePlans[0],
    limits = {},
  }: { readonly rate_plan?: string; readonly limits?: Readonly<Record<string, number>> },
): number {
  const [method = ''] = key.split(' ');
  const rule = strictRules.find(({ route }) => route === key);
  return limits[key] ?? rule?.calls ?? limits[method] ?? planLimits[ratePlan]?.[method as Method] ?? 0;
}

/** Returns the rate plan that has these limits, the smallest if several have them. */
export function ratePlanWith(limits: ReadonlyMap<Method, number>): RatePlan | undefined {
  return ratePlans.find((name) => [...limits].every(([method, calls]) => planLimits[name]?.[method] === calls));
}

/**
 * Returns the user that a rule of user scope counts for: the user in the path, else the inviter, else the user in the body
 * (platform §3; semantics §11). A request without one counts for the application alone, unless answers show otherwise.
 */
function userOf(request: Pick<ApiRequest, 'params' | 'body'>): string | undefined {
  const candidates = [request.params?.user_id, request.body?.inviter_id, request.body?.user_id];
  return candidates.find((value): value is string => typeof value === 'string' && value !== '');
}

function firstListed({ body }: Pick<ApiRequest, 'body'>): string | undefined {
  const list = body?.user_ids ?? body?.users;
  const first = isList(list) ? list[0] : undefined;
  const id = isObject(first) ? first.user_id : first;
  return typeof id === 'string' ? id : undefined;
}
