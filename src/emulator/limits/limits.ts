// The rate limits as data: requests per second by endpoint, plan and user (base, Limits).

import type { PlatformRequest } from '../api/request.ts';
import { isObject } from '../fields/params.ts';
import { type Match, routeKey } from '../routes/router.ts';
import { ROUTES } from '../routes/routes.ts';

export const RATE_PLANS = ['free_trial', '5k_mau', '10k_mau', '25k_mau', '50k_mau', '100k_mau'] as const;
export type RatePlan = (typeof RATE_PLANS)[number];

const PLAN_LIMITS: Readonly<Record<RatePlan, { readonly GET: number; readonly others: number }>> = {
  free_trial: { GET: 10, others: 5 },
  '5k_mau': { GET: 60, others: 10 },
  '10k_mau': { GET: 100, others: 20 },
  '25k_mau': { GET: 200, others: 40 },
  '50k_mau': { GET: 400, others: 100 },
  '100k_mau': { GET: 600, others: 200 },
};

const MIGRATION = 'POST /migration/{channel_url}';
const STRICT_PER_SECOND = 5;

/** The user whose requests a stricter limit of the user scope counts together. */
const USER_SCOPE: Readonly<Record<string, (request: PlatformRequest, match: Match) => string | undefined>> = {
  'PUT /users/{user_id}': (_, { params }) => params.get('user_id'),
  'POST /group_channels': ({ body }) => bodyText(body, 'inviter_id'),
  'POST /group_channels/{channel_url}/invite': ({ body }) => bodyText(body, 'inviter_id'),
  'POST /open_channels/{channel_url}/messages': ({ body }) => bodyText(body, 'user_id'),
  'POST /group_channels/{channel_url}/messages': ({ body }) => bodyText(body, 'user_id'),
  'PUT /group_channels/{channel_url}/messages/mark_as_read': ({ body }) => bodyText(body, 'user_id'),
};

/** The base document has one row for both kinds of channel. */
const RULE_OF_ROUTE: Readonly<Record<string, string>> = {
  'POST /open_channels/{channel_url}/messages': 'POST /{channel_type}/{channel_url}/messages',
  'POST /group_channels/{channel_url}/messages': 'POST /{channel_type}/{channel_url}/messages',
};

/** Requests a second that the vendor's support allows, by method or by "METHOD route" as in the base document. */
export type RaisedRates = Readonly<Record<string, number>>;

/** Whether a raised rate of this name ("METHOD route") has an effect. */
export function isLimitedRoute(name: string): boolean {
  return ROUTES.some(({ method, template }) => {
    const key = `${method} ${template}`;
    return name === (RULE_OF_ROUTE[key] ?? key);
  });
}

export interface Allowance {
  /** Requests with the same key share one count. */
  readonly key: string;
  readonly perSecond: number;
}

export interface LimitSettings {
  readonly plan: RatePlan;
  readonly raised: RaisedRates;
  readonly userScope: 'named' | 'first_listed' | 'application';
  /**
   * Whether the plan's limits count the calls of one endpoint together, all calls of one method, or the calls of each endpoint
   * with a stricter limit and all others of its method.
   */
  readonly planLimits: 'endpoint' | 'method' | 'unlisted';
}

/** All allowances that a request counts against: the plan's for its endpoint, and any stricter one. */
export function allowancesOf(
  settings: LimitSettings,
  request: PlatformRequest,
  matched: Match | undefined,
): readonly Allowance[] {
  const key = routeKey(matched);
  const { plan, raised } = settings;
  const planned = request.method === 'GET' ? PLAN_LIMITS[plan].GET : PLAN_LIMITS[plan].others;
  const endpoint: Allowance = {
    key: isCountedByMethod(settings.planLimits, key) ? request.method : key,
    perSecond: raised[request.method] ?? planned,
  };
  if (matched === undefined) return [endpoint];
  const rule = RULE_OF_ROUTE[key] ?? key;
  const strict = raised[rule] ?? STRICT_PER_SECOND;
  if (key === MIGRATION) return [endpoint, { key: `application ${key}`, perSecond: strict }];
  const userOf = USER_SCOPE[key];
  if (userOf === undefined) return raised[key] === undefined ? [endpoint] : [{ key, perSecond: raised[key] }];
  const named = userOf(request, matched);
  if (named !== undefined) return [endpoint, { key: `user ${rule} ${named}`, perSecond: strict }];
  if (settings.userScope === 'application') return [endpoint, { key: `application ${rule}`, perSecond: strict }];
  const listed = settings.userScope === 'first_listed' ? firstListed(request) : undefined;
  return listed === undefined ? [endpoint] : [endpoint, { key: `user ${rule} ${listed}`, perSecond: strict }];
}

function isCountedByMethod(planLimits: LimitSettings['planLimits'], key: string): boolean {
  const isListed = key === MIGRATION || USER_SCOPE[key] !== undefined;
  return planLimits === 'method' || (planLimits === 'unlisted' && !isListed);
}

function bodyText(body: PlatformRequest['body'], name: string): string | undefined {
  if (body.type === 'json') {
    const value = isObject(body.value) ? body.value[name] : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  }
  return body.type === 'multipart' ? body.fields.find(([field]) => field === name)?.[1] : undefined;
}

/** The other interpretation of "user": without `inviter_id`, the first user in the request (platform §3). */
function firstListed({ body }: PlatformRequest): string | undefined {
  if (body.type !== 'json' || !isObject(body.value)) return undefined;
  const { user_ids: ids, users } = body.value;
  const first: unknown = Array.isArray(ids) ? ids[0] : Array.isArray(users) ? users[0] : undefined;
  if (typeof first === 'string') return first;
  return isObject(first) && typeof first.user_id === 'string' ? first.user_id : undefined;
}
