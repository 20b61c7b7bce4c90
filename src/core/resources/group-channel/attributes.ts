// The attributes of group channels (base, POST /group_channels; platform §5).

import { isObject, type JsonValue } from '../../../lib/json.ts';
import { yamlWord } from '../../../lib/tools/pasted-words.ts';
import type { AttributeDefinition, JsonSchema, Spelling } from '../../kinds/definition/kind.ts';
import { flagSchema, modeSchema, userIdSchema } from '../../kinds/definition/schemas.ts';
import { knownIfSet, mapOf, pick } from '../../kinds/definition/values.ts';
import { channelAttributes, channelSpellings } from '../../kinds/parts/channel.ts';

const invitationStatuses = ['joined', 'invited_by_friend', 'invited_by_non_friend'] as const;
const hiddenStatuses = ['unhidden', 'hidden_allow_auto_unhide', 'hidden_prevent_auto_unhide'] as const;
export const maxMembers = 100;
export const maxSupergroupMembers = 2000;

const invitationStatusSchema: JsonSchema = {
  enum: invitationStatuses,
  description: 'How the membership starts: joined (default), or invited.',
};
const hiddenStatusSchema: JsonSchema = {
  enum: hiddenStatuses,
  description:
    "unhidden (default): in the user's channel list. hidden_allow_auto_unhide: until the next message. hidden_prevent_auto_unhide: stays hidden.",
};

const { operators, operators_mode, banned, muted, frozen, ...described } = channelAttributes;

/** Sorted as `fmt` writes them. */
export const groupChannelAttributes = {
  ...described,
  name: { ...described.name, isChangedByMembers: true },
  cover_url: { ...described.cover_url, isChangedByMembers: true },
  // An event message may tell members of these (platform §16.6).
  data: { ...described.data, people: ['notice'] },
  metadata: { ...described.metadata, people: ['notice'] },
  members: {
    schema: {
      type: 'object',
      propertyNames: userIdSchema,
      additionalProperties: {
        type: ['object', 'null'],
        description: 'The user by id, with an invitation and a hidden status, or nothing.',
        properties: { invitation_status: invitationStatusSchema, hidden_status: hiddenStatusSchema },
        additionalProperties: false,
      },
      description: 'Users in the channel, one per line: up to 100, or up to 2,000 with is_super.',
    },
    change: 'mutable',
    removed: { how: 'each' },
    shown: { as: 'compared', by: 'observe' },
    people: ['enter', 'read', 'write', 'notice'],
    rights: 'grants',
    parts: {
      '*.invitation_status': { shown: { as: 'in_part', by: 'observe', proves: 'joined' }, people: ['read', 'write'] },
      '*.hidden_status': { shown: { as: 'not', why: 'each_user' }, people: ['notice'] },
    },
    shape: 'map',
    sentBy: 'steps',
    actions: ['invite', 'leave'],
    personal: false,
  },
  members_mode: {
    schema: modeSchema('members'),
    change: 'mode',
    removed: { how: 'release' },
    shown: { as: 'not', why: 'rule' },
    people: [],
  },
  operators,
  operators_mode,
  banned,
  muted,
  is_distinct: {
    schema: flagSchema(
      'true: the same members share one channel. Set it to false to add or remove members; not with is_super.',
    ),
    change: 'mutable',
    removed: { how: 'release' },
    shown: { as: 'compared' },
    people: [],
    isChangedByPlatform: true,
  },
  is_public: {
    schema: flagSchema('true: users join without an invitation.'),
    change: 'mutable',
    removed: { how: 'reset', to: false },
    shown: { as: 'compared' },
    people: ['enter', 'read'],
    rights: 'grants',
  },
  is_super: {
    schema: flagSchema('true: a supergroup of up to 2,000 members. Cannot go back to false.'),
    change: 'one_way',
    removed: { how: 'release' },
    shown: { as: 'compared' },
    people: ['notice'],
  },
  access_code: {
    schema: {
      type: 'object',
      properties: {
        env: {
          type: 'string',
          pattern: '^[A-Z][A-Z0-9_]*$',
          description: 'Read from CHATFORM_VAR_<env> when it is sent.',
        },
        revision: { type: 'integer', minimum: 1, description: 'Increase the number to send a new code.' },
      },
      required: ['env', 'revision'],
      additionalProperties: false,
      description:
        'The code that users enter to join a public channel. Write the name of a variable, never the code itself.',
    },
    change: 'mutable',
    removed: { how: 'release' },
    shown: { as: 'in_part', by: 'observe', proves: 'is_set' },
    // A channel shows whether it demands a code.
    asKnown: knownIfSet,
    people: ['enter', 'read'],
    rights: 'withholds',
    // State keeps only the revision, neither the code nor its variable.
    remember: (value: JsonValue) => (isObject(value) ? pick(value, ['revision']) : value),
    sentBy: 'steps',
    guards: 'is_public',
    personal: false,
  },
  inviter_id: {
    schema: { ...userIdSchema, description: 'The user who invites the others. Not a member because of that.' },
    change: 'noted',
    removed: { how: 'release' },
    shown: { as: 'not', why: 'argument' },
    people: ['notice'],
    personal: false,
  },
  strict: {
    schema: flagSchema('true (default of chatform): a member who does not exist is an error.'),
    change: 'noted',
    removed: { how: 'release' },
    shown: { as: 'not', why: 'argument' },
    people: [],
    sentBy: 'steps',
    initial: true,
  },
  block_sdk_user_channel_join: {
    schema: flagSchema('true: users join only through the platform API. Cannot be changed after creation.'),
    change: 'create_only',
    removed: { how: 'keep' },
    shown: { as: 'not', why: 'no_answer' },
    people: ['enter', 'read'],
    rights: 'withholds',
  },
  frozen,
} as const satisfies Record<string, AttributeDefinition>;

/** Combinations that the platform refuses (base, POST /group_channels). */
export const groupChannelRules: readonly JsonSchema[] = [
  {
    if: { properties: { is_super: { const: true } }, required: ['is_super'] },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: {
      properties: { members: { maxProperties: maxSupergroupMembers } },
      not: { properties: { is_distinct: { const: true } }, required: ['is_distinct'] },
      $comment: 'not both of is_super and is_distinct',
    },
    else: { properties: { members: { maxProperties: maxMembers } } },
  },
  {
    if: { required: ['access_code'] },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: {
      properties: { is_public: { const: true } },
      required: ['is_public'],
      $comment: 'access_code only with is_public: true',
    },
  },
  // Exclusive lists would remove users who join a public channel (semantics §2.4).
  ...['members_mode', 'operators_mode'].map((mode) => ({
    not: {
      properties: { is_public: { const: true }, [mode]: { const: 'exclusive' } },
      required: ['is_public', mode],
    },
    $comment: `not both of is_public and ${mode}: exclusive`,
  })),
];

/** A status by user, which `members` has in the line of the user. */
function statusSpelling(name: string): Spelling {
  return {
    use: 'members',
    form: { part: name },
    // The platform accepts the status of a user who is not invited (platform §5.7), but here it is most likely a mistake.
    problems(value, block) {
      const members = mapOf(block, 'members');
      const outside = Object.keys(isObject(value) ? value : {}).filter((id) => !Object.hasOwn(members, id));
      return outside.map((id) => ({
        severity: 'error',
        code: 'group_channel.status-outside',
        summary: 'A status names a user who is not a member',
        detail: `${id} is listed under ${name} but not under members. Write the status beside the member: members: {${yamlWord(id)}: {${name}: …}}.`,
        path: [name, id],
      }));
    },
  };
}

/** The spellings of POST /group_channels (base). */
export const groupChannelSpellings: Readonly<Record<string, Spelling>> = {
  user_ids: { use: 'members', form: 'ids' },
  users: { use: 'members', form: 'users' },
  invitation_status: statusSpelling('invitation_status'),
  hidden_status: statusSpelling('hidden_status'),
  ...channelSpellings,
};
