// Rate limits are buckets of calls. A request counts against one or more of them.

import type { Rate } from '../../lib/json.ts';
import { firstOf } from '../../lib/words.ts';
import type { ApiRequest, Method } from './request.ts';
import type { SourcePosition } from './source.ts';

/** One counter of the platform. Requests with equal `name` share it. */
export interface Bucket {
  /** `POST /group_channels`, or `POST /group_channels · inviter alice` for a rule that counts by user. */
  readonly name: string;
  /** Calls per window under the declared rate plan, before `rate_share`. */
  readonly calls: number;
  readonly windowS: number;
  /** The share of the calls that chatform may use, in (0, 1]. */
  readonly share: number;
}

/** Answers to the open questions on limits (platform §3). Absent ones are learnt from the platform's answers. */
export interface KnownLimits {
  /** What the plan counts: each endpoint, each method, or each listed endpoint and the rest of each method (platform §3). */
  readonly planLimits?: 'endpoint' | 'method' | 'unlisted';
  /** Where a call counts that names no user: for no user, for the first that it lists, or with all such calls together. */
  readonly userScope?: 'named' | 'first_listed' | 'application';
  readonly admitsNoBurst?: true;
  /** The limits of the plan as the platform states them, which may count longer windows than a second. */
  readonly planWindow?: { readonly windowS: number; readonly reads: number; readonly changes: number };
}

/** Returns the buckets of a request, under the rate plan and the manifest's `limits`. */
export interface LimitsOf {
  (request: CountedRequest): readonly Bucket[];
  /** The additional buckets of a request that names no user, if it counts for the first user that it lists (platform §3). */
  readonly ofFirstListed?: (request: CountedRequest) => readonly Bucket[];
  /** True once answers have shown that such a request counts for the first user that it lists. */
  readonly countsFirstListed?: () => boolean;
  /** The bucket of the plan if it counts all calls of a method together (platform §3); none for a route with its own limit. */
  readonly ofMethod?: (request: CountedRequest) => readonly Bucket[];
  /** True once answers have shown that the plan counts all calls of a method together. */
  readonly countsMethods?: () => boolean;
  /** The answers known before the first request. */
  readonly known?: KnownLimits;
}

/** The parts of a request that decide where it counts. */
export type CountedRequest = Pick<ApiRequest, 'method' | 'route' | 'params' | 'body'>;

/** The values of `application.rate_plan`, from small to large (base, Limits). */
export const ratePlans = ['free_trial', '5k_mau', '10k_mau', '25k_mau', '50k_mau', '100k_mau'] as const;
export type RatePlan = (typeof ratePlans)[number];

/** The maximum number of characters of one message: the default, and the range of the setting (base, max_length_message; platform §13.2). */
export const messageLengths = { usual: 5000, least: 50, most: 20_000 };

/** The limits of the meta arrays of one message, which differ by application and are published nowhere (platform §16.4). */
export interface MetaArrayLimits {
  readonly keys?: number;
  /** The values of one key. */
  readonly values?: number;
  readonly key_bytes?: number;
  readonly value_bytes?: number;
}

/** The group channels that a user can be in (platform §5.7), and the number from which a warning says so. */
export const channelsOfUser = { many: 1900, most: 2000 };

/** A user who is in many group channels, or will be. */
export interface CrowdedUser {
  readonly id: string;
  readonly channels: number;
  /** The user's block, or else a channel that names the user. */
  readonly source: SourcePosition;
  /** Whether the platform counted the channels, so that undeclared ones are among them. */
  readonly isCounted?: true;
}

/** `application.rate_plan` and the settings beside it (base, Limits). */
export interface RateSettings {
  /** The known behaviours of the platform (chatform-behaviours.json). */
  readonly known?: KnownLimits;
  readonly ratePlan: string;
  /** Calls per second, by method or by `METHOD /route/{template}`. */
  readonly limits: Readonly<Record<string, number>>;
  readonly share: number;
  /** The maximum number of characters of a message, if it is declared. */
  readonly messageLength?: number;
  /** The limits of the meta arrays of a message, if they are declared. */
  readonly metaArrays?: MetaArrayLimits;
  /** The largest number of messages of one migration call, if it is declared. */
  readonly messagesPerCall?: number;
}

/** A limit in rate-limit headers that differs from the declared one. */
export interface AnnouncedLimit {
  readonly method: Method;
  /** The route template. Absent: every route of the method that was called announced this limit. */
  readonly route?: string;
  readonly declared_per_s: Rate;
  readonly announced_per_s: Rate;
}

export interface AnnouncedLimits {
  /**
   * At least one. Sorted by method and route.
   * @minItems 1
   */
  readonly limits: readonly AnnouncedLimit[];
  /** No header stated the limits. They are the calls that the platform admitted before it refused others. */
  readonly measured?: true;
  /** The value of application.rate_plan that has the announced limits. Absent: none has them all, so application.limits must name them. */
  readonly rate_plan?: string;
}

/** The limits that are named, because a manifest can only declare so many at a glance. */
const maxNamed = 6;

/** `The platform announces other limits than declared: 40 instead of 10 POST calls a second. Write …` */
export function announcedInWords({ limits, rate_plan: plan, measured }: AnnouncedLimits): string {
  const differences = limits.map((limit) => {
    const { declared_per_s: declared, announced_per_s: announced, method, route } = limit;
    return `${rounded(announced)} instead of ${rounded(declared)} ${method}${route === undefined ? '' : ` ${route}`} calls a second`;
  });
  if (measured === true)
    return `The platform seems to admit fewer calls than declared, and no header states its limits: about ${firstOf(differences, maxNamed, ', and')}. Compare application.rate_plan and application.limits with your contract.`;
  const entries = limits.slice(0, maxNamed).map(({ method, route, announced_per_s }) => {
    return `${route === undefined ? method : JSON.stringify(`${method} ${route}`)}: ${rounded(announced_per_s)}`;
  });
  const advice =
    plan === undefined
      ? `Write application: {limits: {${entries.join(', ')}}} in the manifest`
      : `Write application: {rate_plan: ${plan}} in the manifest, or pass --rate-plan ${plan}`;
  return `The platform announces other limits than declared: ${firstOf(differences, maxNamed, ', and')}. ${advice}.`;
}

/** At most two decimals, never more than is allowed. */
function rounded(perSecond: number): number {
  return Math.max(0.01, Math.floor(perSecond * 100 + 1e-6) / 100);
}
