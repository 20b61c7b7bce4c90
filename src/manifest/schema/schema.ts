// Makes the JSON Schema of a manifest from the kinds, for editors and for the loader's own checks.

import type { JsonObject, JsonValue } from '../../lib/json.ts';
import { ratePlans } from '../../model/limits.ts';
import type { JsonSchema, KindDefinition } from '../../resources/define.ts';

/** The whole manifest, for editors and for `chatform schema`. */
export function manifestSchema(kinds: readonly KindDefinition[]): JsonSchema {
  const definitions: Record<string, JsonValue> = { application: applicationSchema, policy: policySchema(kinds) };
  for (const kind of withSection(kinds)) {
    definitions[kind.kind] = blockSchema(kind);
    definitions[`${kind.kind}_defaults`] = referringDefaults(kind);
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'chatform manifest',
    description: 'What should exist on the chat platform: users and channels, by the keys that you choose.',
    ...documentSchema(
      kinds,
      { application: { $ref: '#/$defs/application' }, policy: { $ref: '#/$defs/policy' } },
      (kind) => ({
        type: 'object',
        description: kind.description,
        propertyNames: kind.keySchema,
        additionalProperties: { $ref: `#/$defs/${kind.kind}` },
      }),
      (kind) => ({ $ref: `#/$defs/${kind.kind}_defaults` }),
    ),
    $defs: definitions,
  };
}

/** The document without the content of its sections. Blocks are checked one by one, which keeps the time linear. */
export function outlineSchema(kinds: readonly KindDefinition[]): JsonSchema {
  const outline = () => ({ type: 'object' });
  return documentSchema(kinds, { application: applicationSchema, policy: policySchema(kinds) }, outline, outline);
}

/** One declared object. */
export function blockSchema(kind: KindDefinition): JsonSchema {
  return {
    type: 'object',
    title: kind.title,
    description: kind.description,
    properties: blockProperties(kind),
    ...(kind.required.length > 0 ? { required: kind.required } : {}),
    additionalProperties: false,
    ...(kind.rules.length > 0 ? { allOf: kind.rules } : {}),
  };
}

/** A block of `defaults`: the same keys, none required. Rules across attributes apply to the merged blocks. */
export function defaultsSchema(kind: KindDefinition): JsonSchema {
  return { type: 'object', properties: blockProperties(kind), additionalProperties: false };
}

export function renderSchema(schema: JsonSchema): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function referringDefaults(kind: KindDefinition): JsonSchema {
  const properties = Object.keys(blockProperties(kind)).map((name): [string, JsonValue] => [
    name,
    { $ref: `#/$defs/${kind.kind}/properties/${name}` },
  ]);
  return { ...defaultsSchema(kind), properties: Object.fromEntries(properties) };
}

function documentSchema(
  kinds: readonly KindDefinition[],
  parts: JsonObject,
  section: (kind: KindDefinition) => JsonSchema,
  defaults: (kind: KindDefinition) => JsonSchema,
): JsonSchema {
  const bySection = (schemaOf: (kind: KindDefinition) => JsonSchema) =>
    Object.fromEntries(withSection(kinds).map((kind) => [kind.section, schemaOf(kind)]));
  return {
    type: 'object',
    required: ['version'],
    properties: {
      version: { const: 1, description: 'The version of this language: 1.' },
      ...parts,
      defaults: {
        type: 'object',
        description: 'Values for the resources of this file. Maps merge by key, lists replace.',
        properties: bySection(defaults),
        additionalProperties: false,
      },
      ...bySection(section),
      sources: {
        type: 'array',
        description: 'Files with very many objects, one on each line or row. They are never held in memory.',
        items: sourceSchema(kinds),
      },
      removed: {
        type: 'array',
        description: 'What happens to objects that are removed from the manifest.',
        items: removedSchema(kinds),
      },
    },
    additionalProperties: false,
  };
}

/** Children are declared in the blocks of their parents and have no section. */
export function withSection(kinds: readonly KindDefinition[]): readonly KindDefinition[] {
  return kinds.filter(({ isChild }) => isChild !== true);
}

function blockProperties(kind: KindDefinition): JsonObject {
  const attributes = Object.entries(kind.attributes).map(([name, { schema }]): [string, JsonValue] => [name, schema]);
  const deprecated = Object.entries(kind.deprecated).map(([name, { schema, use }]): [string, JsonValue] => [
    name,
    { deprecated: true, deprecationMessage: `Write ${use}.`, ...schema },
  ]);
  return Object.fromEntries([
    ...attributes,
    ...deprecated,
    ...Object.entries(kind.children ?? {}),
    ['lifecycle', lifecycleSchema(kind)],
  ]);
}

function lifecycleSchema(kind: KindDefinition): JsonSchema {
  return {
    type: 'object',
    description: 'How chatform treats this object.',
    properties: {
      protect: { type: 'boolean', description: 'true: a plan that removes it is refused.' },
      ignore_changes: {
        type: 'array',
        items: { enum: Object.keys(kind.attributes) },
        uniqueItems: true,
        description: 'Attributes that are set at creation and then left alone.',
      },
      on_remove: onRemoveSchema(kind),
    },
    additionalProperties: false,
  };
}

function onRemoveSchema(kind: KindDefinition): JsonSchema {
  return {
    enum: kind.removals,
    description: `What happens to a ${kind.title} that is removed from the manifest. Default: ${kind.removals[0]}.`,
  };
}

function sourceSchema(kinds: readonly KindDefinition[]): JsonSchema {
  return {
    type: 'object',
    required: ['kind', 'file'],
    properties: {
      kind: {
        enum: kinds.map(({ kind }) => kind),
        description: 'The kind of the objects: user, for example, or messages.',
      },
      file: {
        type: 'string',
        description:
          'A .ndjson file with one object on each line, its user_id or channel_url among its keys; or a .csv file whose first line names the columns: user_id, nickname, metadata.team. In CSV an empty cell declares nothing, flags are true or false, and the ids of members and operators are separated by semicolons. Both may be packed with gzip: users.ndjson.gz. For messages a pattern, history/{channel_url}.ndjson: the archive of every channel that has one. Relative to this file.',
      },
      mark_as_read: { const: true, description: 'For messages: marks what was migrated as read by all members.' },
    },
    additionalProperties: false,
    allOf: [
      {
        if: { properties: { kind: { const: 'messages' } }, required: ['kind'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: {
          properties: {
            file: {
              pattern: '\\{channel_url\\}[^/]*$',
              description: 'A name with {channel_url}: history/{channel_url}.ndjson.',
            },
          },
        },
        else: {
          properties: {
            file: {
              pattern: '\\.(ndjson|csv)(\\.gz)?$',
              description: 'A name that ends in .ndjson, .csv, .ndjson.gz or .csv.gz.',
            },
          },
        },
      },
    ],
  };
}

function removedSchema(kinds: readonly KindDefinition[]): JsonSchema {
  const removals = [...new Set(kinds.flatMap(({ removals }) => removals))];
  return {
    type: 'object',
    required: ['address'],
    properties: {
      address: { type: 'string', description: 'The kind and the key: user.mallory.' },
      on_remove: { enum: removals, description: 'Overrides the lifecycle and the policy.' },
    },
    additionalProperties: false,
  };
}

const applicationSchema: JsonSchema = {
  type: 'object',
  description: 'The application, and the speed of calls. At most once in all files.',
  properties: {
    base_url: {
      type: 'string',
      pattern: '^(https?://|emulator:|\\$\\{)',
      description:
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of manifests
        "https://api-${APP_ID}.sendbird.com/v3, where ${APP_ID} is the environment's CHATFORM_VAR_APP_ID; or emulator:PATH.",
    },
    rate_plan: { enum: [...ratePlans], description: 'The rate plan of the application, which sets its limits.' },
    limits: {
      type: 'object',
      description: 'Limits that support raised: calls per second by method, or by method and route.',
      properties: {
        messages_per_migration: {
          type: 'integer',
          minimum: 1,
          description: 'Messages in one migration request. Default: 100.',
        },
      },
      propertyNames: {
        pattern: '^((GET|POST|PUT|DELETE)( /[^ ]+)?|messages_per_migration)$',
        description: 'POST, or POST /migration/{channel_url}.',
      },
      additionalProperties: { type: 'number', exclusiveMinimum: 0 },
    },
    rate_share: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 1,
      default: 1,
      description: 'Use at most this share of the limits; the rest is for production traffic.',
    },
  },
  additionalProperties: false,
};

const reopenSchema: JsonSchema = { enum: ['allow', 'refuse'] };

function policySchema(kinds: readonly KindDefinition[]): JsonSchema {
  return {
    type: 'object',
    description: 'What plans may do. At most once in all files; give this file its own code owners.',
    properties: {
      on_remove: {
        type: 'object',
        description: 'What happens to objects that are removed from the manifest, by kind.',
        properties: Object.fromEntries(withSection(kinds).map((kind) => [kind.kind, onRemoveSchema(kind)])),
        additionalProperties: false,
      },
      removals: {
        type: 'object',
        description: 'A plan that removes more than both of these is refused.',
        properties: {
          max_share: {
            type: 'number',
            minimum: 0,
            maximum: 1,
            default: 0.1,
            description: 'Share of the objects in state.',
          },
          min_count: {
            type: 'integer',
            minimum: 0,
            default: 10,
            description: 'Removals up to this number are never refused.',
          },
        },
        additionalProperties: false,
      },
      acknowledge: { type: 'array', description: 'Effects that were reviewed.', items: acknowledgementSchema(kinds) },
      existing: {
        enum: ['refuse', 'adopt_equal', 'adopt'],
        default: 'refuse',
        description: 'What to do when an object to create already exists on the platform.',
      },
      external: {
        type: 'object',
        description: 'Regular expressions for ids that are managed elsewhere and may be named here.',
        properties: Object.fromEntries(withSection(kinds).map((kind) => [kind.section, externalSchema(kind)])),
        additionalProperties: false,
      },
      restrictions: {
        type: 'array',
        description:
          'Which files may declare and change what. The first entry whose glob matches a file applies; a file that none matches may declare anything. End with {files: "**"} to forbid the rest.',
        items: restrictionSchema(kinds),
      },
      personal_data: {
        enum: ['error', 'warn'],
        default: 'error',
        description: 'How to report e-mail addresses in ids and metadata.',
      },
      departed: {
        enum: ['leave_alone', 'reinvite'],
        default: 'leave_alone',
        description: 'What to do about declared members who left.',
      },
      reopen: {
        type: 'object',
        description: 'Whether frozen or deactivated objects may be reopened while calls need them.',
        properties: {
          frozen: { ...reopenSchema, default: 'allow' },
          deactivated: { ...reopenSchema, default: 'refuse' },
        },
        additionalProperties: false,
      },
      leave_channels_on_deactivation: {
        type: 'boolean',
        default: false,
        description: 'true: deactivated users leave their channels.',
      },
      trust_dedup: {
        type: 'boolean',
        default: false,
        description:
          'true: messages in doubt that may not be listed are sent again; the platform is known to drop those that it has.',
      },
    },
    additionalProperties: false,
  };
}

function externalSchema({ keyName }: KindDefinition): JsonSchema {
  const description = `Regular expressions that are searched in the ${keyName}: ^sys- matches all that begin with sys-.`;
  return { type: 'array', items: { type: 'string', minLength: 1 }, description };
}

function restrictionSchema(kinds: readonly KindDefinition[]): JsonSchema {
  const declared = withSection(kinds);
  const fieldsOf = (kind: KindDefinition) =>
    Object.keys(blockProperties(kind)).filter((name) => !(name in kind.deprecated));
  return {
    type: 'object',
    required: ['files'],
    properties: {
      files: {
        type: 'string',
        minLength: 1,
        description:
          'A glob, relative to the folder of this file: teams/support/**. One that begins with ** matches anywhere.',
      },
      ...Object.fromEntries(declared.map((kind) => [kind.section, keysSchema(kind)])),
      verbs: {
        type: 'array',
        items: { enum: ['create', 'update', 'remove'] },
        uniqueItems: true,
        description: 'What plans may do because of these files; a plan that does more is refused. Default: all.',
      },
      fields: {
        type: 'object',
        description: 'The attributes that may be declared, by kind. For an absent kind: all.',
        properties: Object.fromEntries(
          declared.map((kind) => [
            kind.section,
            { type: 'array', items: { enum: fieldsOf(kind) }, uniqueItems: true, description: `Of ${kind.section}.` },
          ]),
        ),
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  };
}

function keysSchema({ section, keyName }: KindDefinition): JsonSchema {
  const description = `Regular expressions; each ${keyName} must match one: ^support-. When absent, no ${section} may be declared.`;
  return { type: 'array', items: { type: 'string', minLength: 1 }, description };
}

function acknowledgementSchema(kinds: readonly KindDefinition[]): JsonSchema {
  return {
    type: 'object',
    required: ['effect', 'count'],
    properties: {
      effect: { enum: effectsOf(kinds), description: 'A kind and an action: user.deactivate.' },
      count: { type: 'integer', minimum: 1, description: 'How many, done and remaining.' },
      expires: {
        type: 'string',
        format: 'date',
        description: 'The last day on which it is valid, in UTC: 2026-12-01.',
      },
    },
    additionalProperties: false,
  };
}

/** The effects that `acknowledge` can count (semantics §4.1). */
function effectsOf(kinds: readonly KindDefinition[]): string[] {
  return kinds.flatMap(({ kind, disabledState, removals, memberships, isChild }) => [
    ...(isChild === true ? [] : [`${kind}.${disabledState.disable}`, `${kind}.${disabledState.enable}`]),
    ...(removals.includes('delete') ? [`${kind}.delete`] : []),
    // Needed when every object of a kind goes.
    ...(removals.includes('forget') ? [`${kind}.forget`] : []),
    ...(memberships === undefined ? [] : [`${kind}.leave`]),
  ]);
}
