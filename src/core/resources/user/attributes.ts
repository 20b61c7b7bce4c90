// The attributes of users (base, User; platform §4).

import { isObject, type JsonValue } from '../../../lib/json.ts';
import type { AttributeDefinition, OwnCall, Spelling } from '../../kinds/definition/kind.ts';
import { flagSchema, imageFileSchema } from '../../kinds/definition/schemas.ts';
import { knownIfSame, rememberFile, textOf } from '../../kinds/definition/values.ts';
import { metadataAttribute } from '../../kinds/parts/metadata.ts';
import { nameAttribute, pictureAttribute } from '../../kinds/parts/people.ts';
import { addressOf } from '../../model/address.ts';

const invitationPreference: OwnCall = {
  route: '/users/{user_id}/channel_invitation_preference',
  field: 'auto_accept',
};

/** The end of a session token that the platform chooses, seven days after it is issued (base, User). Only the deprecated form means it. */
export const platformDefault = 'platform_default';

export const userAttributes = {
  nickname: nameAttribute,
  profile_url: pictureAttribute,
  profile_file: {
    schema: imageFileSchema('Profile image to upload: a JPG or PNG of at most 5 MB, relative to this file.'),
    change: 'mutable',
    removed: { how: 'release' },
    // State keeps the profile_url that the answer to the upload named. Another one is another image.
    shown: { as: 'in_part', by: 'observe', proves: 'same_upload' },
    asKnown: knownIfSame,
    people: [],
    remember: rememberFile,
    sentBy: 'steps',
    alsoSets: 'profile_url',
  },
  metadata: metadataAttribute('Up to 5 strings by key; no comma in a key. Must not contain personal data.'),
  discovery_keys: {
    schema: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      uniqueItems: true,
      description: 'Keys that help friends find the user. Must not contain personal data. Replaced as a whole.',
    },
    change: 'mutable',
    removed: { how: 'reset', to: [] },
    shown: { as: 'compared', by: 'observe' },
    people: [],
    // The documents do not say how to send a list with an upload (platform §8.1), so creates send none.
    sentBy: 'update',
  },
  preferred_languages: {
    schema: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      uniqueItems: true,
      maxItems: 4,
      description: 'Up to 4 languages for translated messages, in order of preference.',
    },
    change: 'mutable',
    removed: { how: 'reset', to: [] },
    shown: { as: 'compared' },
    people: [],
    // Only the update has the field (platform §4.4).
    sentBy: 'update',
    personal: false,
  },
  auto_accept: {
    schema: flagSchema(
      'The invitation preference. true: an invitation makes the user a member. false: the user accepts or declines it.',
    ),
    change: 'mutable',
    // The server assigns the default of the application (platform §4.2).
    removed: { how: 'release' },
    shown: { as: 'compared', by: invitationPreference, costs: 'each' },
    people: ['enter', 'read'],
    rights: 'grants',
    sentBy: invitationPreference,
    initial: true,
    initialFrom: {
      of: addressOf('settings', 'application'),
      path: ['default_channel_invitation_preference', 'auto_accept'],
    },
    comesFirst: true,
  },
  issue_access_token: {
    schema: {
      description:
        'true: an access token is issued once. {revision: 2}: a new token is issued, which revokes the previous one. Tokens are written only to --tokens-out.',
      oneOf: [
        { type: 'boolean' },
        {
          type: 'object',
          properties: {
            revision: { type: 'integer', minimum: 1, description: 'Increase the number to issue a new token.' },
          },
          required: ['revision'],
          additionalProperties: false,
        },
      ],
    },
    change: 'start',
    removed: { how: 'release' },
    // A list may show "" although a token was issued, so that alone proves nothing (platform §4.1).
    shown: { as: 'in_part', by: 'observe', proves: 'same_token' },
    asKnown: (known, shown, seen) => (seen === undefined || seen === shown ? known : null),
    people: ['connect'],
  },
  session_token: {
    schema: {
      type: 'object',
      properties: {
        expires_at: {
          type: 'string',
          format: 'date-time',
          description: 'When the token expires, such as 2027-01-01T00:00:00Z.',
        },
      },
      required: ['expires_at'],
      additionalProperties: false,
      description: 'A session token is issued once for each value and written to --tokens-out.',
    },
    change: 'start',
    removed: { how: 'release' },
    shown: { as: 'not', why: 'no_answer' },
    people: ['connect'],
    endsAt: (value) => Date.parse((isObject(value) ? textOf(value, 'expires_at') : undefined) ?? ''),
  },
  deactivated: {
    schema: flagSchema('true: the user is deactivated by a separate request, after everything else. Memberships stay.'),
    change: 'closed',
    removed: { how: 'reset', to: false },
    shown: { as: 'compared', by: 'observe' },
    people: ['connect', 'read', 'write', 'moderate'],
    rights: 'withholds',
  },
} as const satisfies Record<string, AttributeDefinition>;

/** The form of POST /users for session_token, and the flag that answers show (base, User). */
export const userSpellings: Readonly<Record<string, Spelling>> = {
  is_active: { use: 'deactivated', form: 'opposite' },
  issue_session_token: {
    use: 'session_token',
    form: {
      schema: flagSchema('Deprecated by the platform; write session_token.'),
      // Without an end, the token ends after the platform's default of seven days (base, User).
      read: (value, { session_token_expires_at: end }) =>
        value === true && end === undefined ? { expires_at: platformDefault } : undefined,
    },
    isDeprecated: true,
  },
  session_token_expires_at: {
    use: 'session_token',
    form: {
      schema: {
        type: 'integer',
        minimum: 1_000_000_000_000,
        maximum: 9_999_999_999_999,
        description: 'Deprecated by the platform (Unix milliseconds); write session_token.',
      },
      read: (end, { issue_session_token }) =>
        issue_session_token === true ? { expires_at: new Date(Number(end)).toISOString() } : undefined,
    },
    isDeprecated: true,
  },
};

/** Returns the revision. `true` means 1, and false means that no token is issued. */
export function revisionOf(value: JsonValue | undefined): number | undefined {
  if (value === true) return 1;
  const revision = isObject(value) ? value.revision : undefined;
  return typeof revision === 'number' ? revision : undefined;
}
