// The platform's error codes that chatform handles by name (platform §2).

export const platformCode = {
  /** The rate plan or the application does not allow the call, or the feature is disabled. */
  notAllowed: 400108,
  /** A page's token is no longer valid. */
  expiredPage: 400109,
  tooLong: 400110,
  invalidValue: 400111,
  noLongerThere: 400114,
  notFound: 400201,
  /** The key is taken. For an invitation: the user is already a member. */
  taken: 400202,
  tooManyItems: 400203,
  deactivatedUser: 400300,
  quotaUsedUp: 400306,
  refusedDomain: 400307,
  wrongToken: 400401,
  unknownRoute: 400404,
  blockedSender: 400700,
  blockedByUser: 400701,
  blockedUser: 400702,
  bannedFromChannel: 400750,
  bannedFromType: 400751,
  conflictingValues: 400920,
  unavailable: 403100,
  rateLimitExceeded: 500910,
  frozenChannel: 900050,
} as const;

/**
 * Whether the platform names something in a request by this code: a field, an object, a person or a rule of the application
 * (platform §2). Codes from 400400 on are about the token and the address, and 403100 about the whole application.
 */
export function isOfRequest(code: number): boolean {
  return (code >= 400_100 && code < 400_400) || (code >= 400_700 && code < 401_000) || code > 900_010;
}

/** Codes of a request that the application does not offer: its plan lacks the feature, or the platform lacks the route. */
const notOfferedCodes: ReadonlySet<number> = new Set([platformCode.notAllowed, platformCode.unknownRoute]);
/** The same for an answer whose code says nothing of an object, as a gateway or an older platform gives it. */
const notOfferedStatuses: ReadonlySet<number> = new Set([403, 404]);

/** Whether the platform refused a read because it does not offer it, and not because of the object that was asked for. */
export function isNotOffered({ status, code }: { readonly status: number; readonly code: number }): boolean {
  return notOfferedCodes.has(code) || (notOfferedStatuses.has(status) && code !== platformCode.notFound);
}
