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
