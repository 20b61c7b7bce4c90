// The platform's errors: HTTP status, code and message (base, Errors; platform §1.2 and §2).
// Messages in ((double parentheses)) are made up: the real ones were never observed.

import type { PlatformResponse } from './request.ts';

const TABLE = {
  notAString: [400, 400100, '"{}" must be a string.'],
  notANumber: [400, 400101, '"{}" must be a number.'],
  notAList: [400, 400102, '"{}" must be a list.'],
  notAnObject: [400, 400103, '"{}" must be a JSON.'],
  notABoolean: [400, 400104, '"{}" must be a boolean.'],
  missing: [400, 400105, '"{}" must be required.'],
  negative: [400, 400106, '"{}" must be a positive number.'],
  notAuthorized: [400, 400108, 'Not authorized. "{}".'],
  expiredToken: [400, 400109, '"{}" has expired.'],
  tooLong: [400, 400110, '"{}" exceeds the maximum length.'],
  invalidValue: [400, 400111, 'Invalid value: "{}".'],
  outOfRange: [400, 400113, '"{}" is out of range.'],
  notAllowedCharacter: [400, 400151, '"{}" contains characters that are not allowed.'],
  notFound: [400, 400201, '"{}" not found.'],
  alreadyExists: [400, 400202, '"{}" violates unique constraint.'],
  tooManyItems: [400, 400203, '"{}" contains too many items.'],
  deactivatedUser: [400, 400300, 'Deactivated user is not accessible: "{}".'],
  quotaExceeded: [400, 400306, '((The quota of the plan is used up.))'],
  domainNotAllowed: [400, 400307, 'Domain is not allowed: "{}".'],
  invalidApiToken: [400, 400401, 'Invalid API token.'],
  missingSome: [400, 400402, 'Missing parameters: "{}".'],
  invalidJsonBody: [400, 400403, 'Invalid value: "JSON body.".'],
  invalidUrl: [400, 400404, 'Invalid request URL.'],
  unknownRoute: [404, 400404, 'Invalid request URL.'],
  sendNotAllowed: [400, 400700, 'Sending is not allowed: "{}".'],
  bannedUser: [400, 400750, 'Banned user cannot enter the channel: "{}".'],
  unacceptable: [400, 400920, 'Unacceptable: "{}".'],
  notAMember: [400, 900020, 'Not a member of the channel: "{}".'],
  tooManyMetaKeys: [400, 900027, '((Too many keys: "{}".))'],
  tooManyMetaValues: [400, 900028, '((Too many values: "{}".))'],
  tooManyMetaArrays: [400, 900029, '((Too many arrays: "{}".))'],
  mutedSender: [400, 900041, 'The sender is muted in the channel: "{}".'],
  frozenChannel: [400, 900050, 'Channel is frozen: "{}".'],
  bannedSender: [400, 900100, 'The sender is banned from the channel: "{}".'],
  bodyTooLarge: [413, 400110, '((The body is larger than {} bytes.))'],
  urlTooLong: [414, 400404, '((The URL is too long.))'],
  malformedRequest: [400, 400404, '((The request could not be read as HTTP.))'],
  tooManyRequests: [429, 500910, 'Too many requests.'],
  internal: [500, 500901, 'Internal server error.'],
  unavailable: [503, 500901, 'Service unavailable.'],
} as const satisfies Record<string, readonly [status: number, code: number, message: string]>;

export type ErrorName = keyof typeof TABLE;

/** Thrown by an operation that refuses its request, before anything takes effect. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(name: ErrorName, detail = '') {
    const [status, code, message] = TABLE[name];
    super(message.replace('{}', () => detail));
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
  }
}

export function errorResponse(refusal: ApiError): PlatformResponse {
  return { status: refusal.status, body: { message: refusal.message, code: refusal.code, error: true } };
}
