// What does a code of the platform mean to the person who reads the message, and what is to be done? (api§2)

export interface CodeExplanation {
  /** The platform's own name of the error. */
  readonly name: string;
  /** What it means here and what to do, in full sentences. */
  readonly advice: string;
}

const wrongType =
  'A value has the wrong type. This is a defect of chatform or a change of the platform: please report it.';

const explanations: Readonly<Record<number, CodeExplanation>> = {
  400100: { name: 'UnexpectedParameterType', advice: wrongType },
  400101: { name: 'UnexpectedParameterType', advice: wrongType },
  400102: { name: 'UnexpectedParameterType', advice: wrongType },
  400103: { name: 'UnexpectedParameterType', advice: wrongType },
  400104: { name: 'UnexpectedParameterType', advice: wrongType },
  400105: {
    name: 'MissingRequiredParameters',
    advice: 'The platform wants a value that is not declared. Its message names the field: declare it.',
  },
  400106: { name: 'NegativeNumberNotAllowed', advice: 'The value must be positive. Correct it in the manifest.' },
  400107: { name: 'PositiveNumberNotAllowed', advice: 'The value must be negative. Correct it in the manifest.' },
  400108: {
    name: 'UnauthorizedRequest',
    advice:
      'The token or the plan of the application does not allow this action. Check in the dashboard that the feature is part of the plan and is switched on.',
  },
  400109: { name: 'ExpiredPageToken', advice: 'A listing took too long between two pages. Run the command again.' },
  400110: { name: 'ParameterValueLengthExceeded', advice: 'A value is too long. Shorten it in the manifest.' },
  400111: {
    name: 'InvalidValue',
    advice:
      'The platform does not accept a value: characters that a channel_url may not have, or with `strict` a member that does not exist. Correct the value, or declare the missing user.',
  },
  400112: { name: 'IncompatibleValues', advice: 'Two values must differ and are equal. Change one in the manifest.' },
  400113: { name: 'ParameterValueOutOfRange', advice: 'A value is outside its range. Correct it in the manifest.' },
  400114: {
    name: 'InvalidURLOfResource',
    advice: 'The object that the address names does not exist. Run `chatform plan --refresh` to see what is there.',
  },
  400151: {
    name: 'NotAllowedCharacter',
    advice: 'A value is empty or holds a character that is not allowed. Correct it in the manifest.',
  },
  400201: {
    name: 'ResourceNotFound',
    advice:
      'The object is not on the platform: somebody removed it, or it was never created. Run `chatform plan --refresh` to see what is there.',
  },
  400202: {
    name: 'ResourceAlreadyExists',
    advice:
      'An object with this id was there before. Take it over with `chatform adopt`, or choose another id; `policy: {existing: adopt_equal}` takes over objects that are equal to the declaration.',
  },
  400203: { name: 'TooManyItemsInParameter', advice: 'A list has too many entries. Shorten it in the manifest.' },
  400300: {
    name: 'DeactivatedUserNotAccessible',
    advice: 'The user is there, but deactivated. Declare `deactivated: false` to reactivate the user first.',
  },
  400301: {
    name: 'UserNotFound',
    advice: 'The user does not exist or was deleted. Declare the user, or remove the mention.',
  },
  400302: {
    name: 'InvalidAccessToken',
    advice: 'The access token of a user is not valid. Issue another by raising its revision.',
  },
  400304: {
    name: 'ApplicationNotFound',
    advice: 'There is no such application. Check the application id in the base URL; it is case-sensitive.',
  },
  400305: { name: 'UserIdLengthExceeded', advice: 'A user_id has more than 80 characters. Shorten it.' },
  400306: {
    name: 'PaidQuotaExceeded',
    advice:
      "The quota of the application's plan is used up. Raise it in the dashboard, then run the same command again.",
  },
  400307: {
    name: 'DomainNotAllowed',
    advice:
      "The application's domain filter does not allow the address of this image. Use an image of an allowed domain, upload it with profile_file or cover_file, or change the filter in the dashboard.",
  },
  400401: {
    name: 'InvalidApiToken',
    advice:
      'The platform does not accept the API token. Check CHATFORM_API_TOKEN against the dashboard, for this application.',
  },
  400402: {
    name: 'MissingSomeParameters',
    advice: 'The platform wants a value that is not declared. Its message names it.',
  },
  400403: {
    name: 'InvalidJsonRequestBody',
    advice: 'The platform could not read the request. This is a defect of chatform: please report it.',
  },
  400404: {
    name: 'InvalidRequestURL',
    advice: 'The platform does not know this address. Check that the base URL ends in /v3.',
  },
  400700: {
    name: 'BlockedUser.SendNotAllowed',
    advice:
      'The sender is blocked or deactivated, or the text is too long or was filtered. Correct the archive or the user.',
  },
  400701: {
    name: 'BlockedUser.InvitedNotAllowed',
    advice: 'One user has blocked the other. Remove one of them from the members.',
  },
  400702: {
    name: 'BlockedUser.InviteNotAllowed',
    advice: 'One user has blocked the other. Remove one of them from the members.',
  },
  400750: {
    name: 'BannedUser.EnterChannelNotAllowed',
    advice: 'The user is banned from the channel. Lift the ban, or remove the user.',
  },
  400751: {
    name: 'BannedUser.EnterCustomChannelNotAllowed',
    advice: 'The user is banned from such channels. Lift the ban, or remove the user.',
  },
  400920: {
    name: 'Unacceptable',
    advice:
      'Each value is valid, their combination is not; or the application is in read-only mode. Compare the declaration with the documentation, and look into the dashboard.',
  },
  400930: {
    name: 'InvalidEndpoint',
    advice: 'The platform no longer has this call. Look for a newer version of chatform.',
  },
  403100: { name: 'ApplicationNotAvailable', advice: 'The application is not available. Look into the dashboard.' },
  500901: {
    name: 'InternalError',
    advice: 'The platform failed. What was done is recorded: run the same command again later.',
  },
  500910: {
    name: 'RateLimitExceeded',
    advice:
      'Too many requests. Another program may use the same application: lower application.rate_share, or try later.',
  },
  900050: {
    name: 'ChannelFrozen',
    advice: 'The channel is frozen. Unfreeze it, or wait until its archive is migrated.',
  },
};

/** What a code means and what to do about it; undefined for one that is not documented for this interface. */
export function explainCode(code: number): CodeExplanation | undefined {
  return Object.hasOwn(explanations, code) ? explanations[code] : undefined;
}
