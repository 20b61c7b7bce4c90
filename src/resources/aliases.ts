// Fields of the platform's requests that a block may use instead of an attribute. A warning names the attribute to write.

import type { BlockProblem, JsonSchema } from '../kinds/definition/kind.ts';
import { flagSchema, idListSchema, userIdSchema } from '../kinds/definition/schemas.ts';
import { idsIn, idsOf, mapOf } from '../kinds/definition/values.ts';
import { maxOperators, operatorIdSchema } from '../kinds/parts/operators.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import { hiddenStatusSchema, invitationStatusSchema, maxSupergroupMembers } from './group-channel/attributes.ts';
import { platformDefault } from './user/attributes.ts';

export interface Alias {
  readonly schema: JsonSchema;
  /** The attribute to write instead. */
  readonly use: string;
  /** Returns the value of the attribute, if any. In `block`, earlier aliases of the table are already replaced by attributes. */
  read(value: JsonValue, block: JsonObject): JsonValue | undefined;
  /** Returns problems of the field in this block that its schema cannot express. */
  problems?(value: JsonValue, block: JsonObject): readonly BlockProblem[];
}

const operatorIds: Alias = {
  schema: idListSchema(maxOperators, 'The name of operators in the API.', operatorIdSchema),
  use: 'operators',
  read: (ids) => ids,
};

const membersOf = (ids: readonly string[]): JsonObject => Object.fromEntries(ids.map((id) => [id, {}]));

/** An alias for a status by user, which belongs beside the member. */
function statusAlias(name: string, values: JsonSchema): Alias {
  return {
    schema: {
      type: 'object',
      additionalProperties: values,
      description: 'The form of the API. Write the status beside the member instead.',
    },
    use: 'members',
    read(value, block) {
      const members = mapOf(block, 'members');
      const known = Object.entries(isObject(value) ? value : {}).filter(([id]) => Object.hasOwn(members, id));
      return known.length === 0 ? undefined : Object.fromEntries(known.map(([id, status]) => [id, { [name]: status }]));
    },
    // The platform accepts the status of a user who is not invited (platform §5.7), but here it is most likely a mistake.
    problems(value, block) {
      const members = mapOf(block, 'members');
      const outside = Object.keys(isObject(value) ? value : {}).filter((id) => !Object.hasOwn(members, id));
      return outside.map((id) => ({
        severity: 'error',
        code: 'group_channel.status-outside',
        summary: 'A status names a user who is not a member',
        detail: `${id} is listed under ${name} but not under members. Write the status beside the member: members: {${id}: {${name}: …}}.`,
        path: [name, id],
      }));
    },
  };
}

const movedModeration: Alias = {
  schema: { type: 'object', description: 'Moved to the section custom_types.' },
  use: 'all_channels',
  read: () => undefined,
  problems: (types) => [
    {
      severity: 'error',
      code: 'settings.moderation-moved',
      summary: 'Settings of custom types have their own section',
      detail: `Move the lines below settings.moderation to the section custom_types: at the top of the file. The platform already has these settings, so adopt them: chatform adopt ${
        isObject(types)
          ? Object.keys(types)
              .map((type) => `custom_type.${type}`)
              .join(' ')
          : 'custom_type.TYPE'
      }.`,
      path: ['moderation'],
    },
  ],
};

/** By kind and field (base, POST /group_channels). */
const aliases: Readonly<Record<string, Readonly<Record<string, Alias>>>> = {
  user: {
    issue_session_token: {
      schema: flagSchema('Deprecated by the platform; write session_token.'),
      use: 'session_token',
      // Without an end, the token ends after the platform's default of seven days (base, User).
      read: (value, { session_token_expires_at: end }) =>
        value === true && end === undefined ? { expires_at: platformDefault } : undefined,
    },
    session_token_expires_at: {
      schema: {
        type: 'integer',
        minimum: 1_000_000_000_000,
        maximum: 9_999_999_999_999,
        description: 'Deprecated by the platform (Unix milliseconds); write session_token.',
      },
      use: 'session_token',
      read: (end, { issue_session_token }) =>
        issue_session_token === true ? { expires_at: new Date(Number(end)).toISOString() } : undefined,
    },
  },
  settings: { moderation: movedModeration },
  open_channel: { operator_ids: operatorIds },
  group_channel: {
    operator_ids: operatorIds,
    user_ids: {
      schema: idListSchema(maxSupergroupMembers, "The API's form of members."),
      use: 'members',
      read: (ids) => membersOf(idsOf({ ids }, 'ids')),
    },
    users: {
      schema: {
        type: 'array',
        maxItems: maxSupergroupMembers,
        items: { type: 'object', properties: { user_id: userIdSchema }, required: ['user_id'] },
        description: "The API's form of members.",
      },
      use: 'members',
      read: (users) => membersOf(idsIn(users)),
    },
    invitation_status: statusAlias('invitation_status', invitationStatusSchema),
    hidden_status: statusAlias('hidden_status', hiddenStatusSchema),
  },
};

const none: Readonly<Record<string, Alias>> = {};

/** Returns the aliases of a kind by field. */
export function aliasesOf({ name }: { readonly name: string }): Readonly<Record<string, Alias>> {
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? none) : none;
}

/** Replaces the aliases in a block by attributes. A line of the attribute itself takes precedence. */
export function withoutAliases(kind: { readonly name: string }, declared: JsonObject): JsonObject {
  const block: Record<string, JsonValue> = { ...declared };
  const used = Object.entries(aliasesOf(kind)).filter(([name]) => declared[name] !== undefined);
  for (const [name, { use, read }] of used) {
    const meant = read(declared[name] ?? null, block);
    if (meant !== undefined) block[use] = joined(block[use], meant);
  }
  for (const [name] of used) delete block[name];
  return block;
}

function joined(declared: JsonValue | undefined, meant: JsonValue): JsonValue {
  if (declared === undefined || declared === null) return meant;
  if (isList(declared) && isList(meant)) return [...declared, ...meant];
  if (!isObject(declared) || !isObject(meant)) return declared;
  const parts = Object.entries(meant).map(([key, value]): [string, JsonValue] => [key, joined(declared[key], value)]);
  return { ...declared, ...Object.fromEntries(parts) };
}
