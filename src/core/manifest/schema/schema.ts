// Makes the JSON Schema of a manifest from the kinds, for editors and for the loader.

import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { JsonSchema, KindDefinition } from '../../kinds/definition/kind.ts';
import { messageLengths, ratePlans } from '../../model/limits.ts';
import { stateForms } from '../../model/stores/places.ts';
import { blockProperties, blockSchema, defaultsSchema, withSection } from './block-schema.ts';
import { absentDefinition, absentKey, overlaid, takesAway } from './overlay-schema.ts';
import { policySchema } from './policy-schema.ts';
import { forEachSchema, keysWithPlaceholders, variablesSchema, withPlaceholders } from './variables-schema.ts';

/** The schema of the whole manifest, for editors and for `chatform schema`. */
export function manifestSchema(kinds: readonly KindDefinition[]): JsonSchema {
  const layout = layoutSchema(kinds);
  const properties = isObject(layout.properties) ? layout.properties : {};
  const definitions = isObject(layout.$defs) ? layout.$defs : {};
  const differing = ['variables', 'application', 'policy', ...withSection(kinds).map(({ section }) => section)];
  const overlays = Object.fromEntries(
    ['application', 'policy', ...withSection(kinds).map(({ name: kind }) => kind)].map((name): [string, JsonValue] => {
      const definition = definitions[name];
      return [`${name}_overlay`, isObject(definition) ? overlaid(definition, kinds) : {}];
    }),
  );
  const completed = Object.fromEntries(
    withSection(kinds).flatMap(({ name }): [string, JsonValue][] => {
      const definition = definitions[name];
      if (!hasDemands(definition)) return [];
      return [[`${name}${completedSuffix}`, withoutDemands(definition, `${definitionsPath}${name}`)]];
    }),
  );
  const partsOf = (change: (schema: JsonSchema) => JsonSchema): JsonObject =>
    Object.fromEntries(
      differing.map((name): [string, JsonValue] => {
        const schema = properties[name];
        return [name, isObject(schema) ? change(schema) : {}];
      }),
    );
  const common = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      differing.includes(name) ? described(schema, definitions) : schema,
    ]),
  );
  const overlaidParts = partsOf((schema) => orTakenAway(referring(schema, (name) => `${name}_overlay`)));
  const completedParts = partsOf((schema) =>
    referring(schema, (name) => (`${name}${completedSuffix}` in completed ? `${name}${completedSuffix}` : name)),
  );
  return {
    ...layout,
    properties: common,
    if: { required: ['extends'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { ...overlaidParts, variables: overlaid(variablesSchema, kinds) } },
    else: {
      if: { required: ['defaults'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: completedParts },
      else: { properties: partsOf((schema) => schema) },
    },
    $defs: { ...definitions, ...overlays, ...completed, [absentKey]: absentDefinition },
  };
}

function described(schema: JsonValue, definitions: JsonObject): JsonSchema {
  const { $ref, description = '' } = isObject(schema) ? schema : {};
  const referred = typeof $ref === 'string' ? definitions[$ref.slice(definitionsPath.length)] : undefined;
  return { type: 'object', description: (isObject(referred) ? referred.description : undefined) ?? description };
}

const definitionsPath = '#/$defs/';
/** Ends the names of definitions whose blocks `defaults` may complete. */
const completedSuffix = '_with_defaults';

/** Refers to another definition, by the name of the one that a part or the entries of a section refer to. */
function referring(schema: JsonSchema, nameOf: (name: string) => string): JsonSchema {
  const { $ref, additionalProperties } = schema;
  const other = (reference: string) => `${definitionsPath}${nameOf(reference.slice(definitionsPath.length))}`;
  if (typeof $ref === 'string') return { ...schema, $ref: other($ref) };
  if (!isObject(additionalProperties) || typeof additionalProperties.$ref !== 'string') return schema;
  return { ...schema, additionalProperties: { $ref: other(additionalProperties.$ref) } };
}

function hasDemands(schema: JsonValue | undefined): schema is JsonSchema {
  if (!isObject(schema)) return false;
  const { required, allOf, properties } = schema;
  if (required !== undefined || allOf !== undefined) return true;
  return isObject(properties) && Object.values(properties).some(hasDemands);
}

/**
 * Leaves out what only a whole block must fulfil: required keys, also those of maps, which merge by key, and rules across keys.
 * Refers to the properties that stay the same, so that the schema stays small. `path` leads to the schema.
 */
function withoutDemands(schema: JsonSchema, path: string): JsonSchema {
  const { required: _required, allOf: _rules, ...undemanding } = schema;
  const { properties } = undemanding;
  if (!isObject(properties)) return undemanding;
  const open = Object.entries(properties).map(([name, property]): [string, JsonValue] => {
    const place = `${path}/properties/${name}`;
    return [name, hasDemands(property) ? withoutDemands(property, place) : { $ref: place }];
  });
  return { ...undemanding, properties: Object.fromEntries(open) };
}

/** Allows the removal of objects of a section. */
function orTakenAway(schema: JsonSchema): JsonSchema {
  const { additionalProperties } = schema;
  if (!isObject(additionalProperties)) return schema;
  return { ...schema, additionalProperties: { anyOf: [additionalProperties, takesAway] } };
}

const layouts = new WeakMap<readonly KindDefinition[], JsonSchema>();

/** The schema from which `fmt` takes the order of keys. It is made once for a list of kinds, because `fmt` asks for each file. */
export function layoutSchema(kinds: readonly KindDefinition[]): JsonSchema {
  const madeBefore = layouts.get(kinds);
  if (madeBefore !== undefined) return madeBefore;
  const layout = makeLayout(kinds);
  layouts.set(kinds, layout);
  return layout;
}

function makeLayout(kinds: readonly KindDefinition[]): JsonSchema {
  const definitions: Record<string, JsonValue> = {
    application: withPlaceholders(applicationSchema),
    policy: policySchema(kinds, '#/$defs/policy'),
    for_each: forEachSchema,
  };
  for (const kind of withSection(kinds)) {
    const block = withPlaceholders(blockSchema(kind));
    const properties = isObject(block.properties) ? block.properties : {};
    const repeated = kind.onlyKey === undefined ? { for_each: { $ref: '#/$defs/for_each' } } : {};
    definitions[kind.name] = { ...block, properties: { ...repeated, ...properties } };
    definitions[`${kind.name}_defaults`] = referringDefaults(kind);
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'chatform manifest',
    description: 'What should exist on the chat platform: users and channels, by the keys that you choose.',
    ...documentSchema(
      kinds,
      { application: { $ref: '#/$defs/application' }, policy: { $ref: '#/$defs/policy' } },
      (kind) =>
        kind.onlyKey === undefined
          ? {
              type: 'object',
              description: kind.description,
              propertyNames: keysWithPlaceholders(kind.keySchema),
              additionalProperties: { $ref: `#/$defs/${kind.name}` },
            }
          : { description: kind.description, $ref: `#/$defs/${kind.name}` },
      (kind) => ({ $ref: `#/$defs/${kind.name}_defaults` }),
    ),
    $defs: definitions,
  };
}

/**
 * The schema of a document without the content of its sections and its policy. Blocks are checked one by one, so that the
 * time stays linear. The policy has a validator of its own.
 */
export function outlineSchema(kinds: readonly KindDefinition[]): JsonSchema {
  const outline = () => ({ type: 'object' });
  const { description = '' } = policySchema(kinds);
  const policy = { type: 'object', description };
  return documentSchema(kinds, { application: applicationSchema, policy }, outline, outline);
}

export function renderSchema(schema: JsonSchema): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function referringDefaults(kind: KindDefinition): JsonSchema {
  const properties = Object.keys(blockProperties(kind)).map((name): [string, JsonValue] => [
    name,
    { $ref: `#/$defs/${kind.name}/properties/${encodeURIComponent(name)}` },
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
      extends: {
        type: 'string',
        minLength: 1,
        description:
          'The base, a folder or a file: ../base. This file declares only the differences. Maps merge by key, lists of ids by entry, and { absent: true } removes.',
      },
      variables: variablesSchema,
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
        description: 'Files with very many objects, one per line or row. They are never all in memory.',
        items: sourceSchema(kinds),
      },
      removed: {
        type: 'array',
        description: 'The effect of removing objects from the manifest.',
        items: removedSchema(kinds),
      },
    },
    additionalProperties: false,
  };
}

function sourceSchema(kinds: readonly KindDefinition[]): JsonSchema {
  return {
    type: 'object',
    required: ['kind', 'file'],
    properties: {
      kind: {
        // A kind with only one object needs no file of rows.
        enum: kinds.filter(({ onlyKey }) => onlyKey === undefined).map(({ name: kind }) => kind),
        description: 'The kind of the objects: user, for example, or messages.',
      },
      file: {
        type: 'string',
        description:
          'A .ndjson file with one object on each line, its user_id or channel_url among its keys; or a .csv file whose first line names the columns: user_id, nickname, metadata.team. In CSV an empty cell declares nothing, flags are true or false, and the ids of members and operators are separated by semicolons. Both may be packed with gzip: users.ndjson.gz. For messages a pattern, history/{channel_url}.ndjson: the history file of every channel that has one. Relative to this file.',
      },
      threads: {
        enum: ['flat', 'send'],
        description: 'For messages: send sends the lines with a parent as replies in threads, flat as other messages.',
      },
      mark_as_read: { const: true, description: 'For messages: marks the migrated messages as read by all members.' },
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
    state: {
      type: 'string',
      description: `Where the state is kept, without secrets and variables: ${stateForms}. A folder is relative to this file. --state and CHATFORM_STATE override it.`,
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
        message_length: {
          type: 'integer',
          minimum: messageLengths.least,
          maximum: messageLengths.most,
          description: 'Characters of one message: from 50 to 20,000. Default: 5,000.',
        },
        meta_arrays: {
          type: 'object',
          description:
            'Meta arrays of one message, checked before it is sent. The limits differ by application and are published nowhere, so ask the vendor. Default: not checked.',
          properties: {
            keys: { type: 'integer', minimum: 0, description: 'Keys of one message.' },
            values: { type: 'integer', minimum: 0, description: 'Values of one key.' },
            key_bytes: { type: 'integer', minimum: 1, description: 'Bytes of a key, in UTF-8.' },
            value_bytes: { type: 'integer', minimum: 1, description: 'Bytes of a value, in UTF-8.' },
          },
          additionalProperties: false,
        },
      },
      propertyNames: {
        pattern: '^((GET|POST|PUT|DELETE)( /[^ ]+)?|messages_per_migration|message_length|meta_arrays)$',
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
