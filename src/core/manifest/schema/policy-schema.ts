// Makes the JSON Schema of the `policy` block.

import type { JsonSchema, KindDefinition } from '../../kinds/definition/kind.ts';
import { notifyEffect } from '../../model/people/effects.ts';
import { adjustableCodes, diagnosticLevels, policyKeys, secretValueCode } from '../../model/policy.ts';
import type { PolicyKey } from '../../model/policy-keys.ts';
import { blockProperties, onRemoveSchema, withSection } from './block-schema.ts';
import { countableEffects, effectsOfKinds } from './effects.ts';

/** A key whose schema depends on the kinds, by its path. */
type SpecialSchema = (kinds: readonly KindDefinition[], place: string | undefined) => JsonSchema;

/** The keys whose value is read specially, at the top level and below `approvals`. */
export type SpecialName =
  | SpecialNames<typeof policyKeys>
  | `approvals.${SpecialNames<typeof policyKeys.approvals.parts>}`;
type SpecialNames<Table> = {
  [Name in keyof Table]: Table[Name] extends { readonly type: 'special' } ? Name & string : never;
}[keyof Table];

const specialSchemas: Readonly<Record<SpecialName, SpecialSchema>> = {
  on_remove: (kinds) => ({
    type: 'object',
    description: 'The effect of removing objects from the manifest, by kind.',
    properties: Object.fromEntries(withSection(kinds).map((kind) => [kind.name, onRemoveSchema(kind)])),
    additionalProperties: false,
  }),
  acknowledge: (kinds) => ({
    type: 'array',
    description: 'Effects that were reviewed.',
    items: acknowledgementSchema(kinds),
  }),
  adopt: () => ({
    type: 'array',
    description:
      'Addresses, or globs of addresses such as group_channel.support-*, of declared objects that an apply takes into state if they exist as declared. The apply first reads the ones that are not in state.',
    items: { type: 'string', minLength: 1 },
    uniqueItems: true,
  }),
  external: (kinds) => ({
    type: 'object',
    description: 'Regular expressions, in the syntax of RE2, for ids that are managed elsewhere and may be named here.',
    properties: Object.fromEntries(withSection(kinds).map((kind) => [kind.section, externalSchema(kind)])),
    additionalProperties: false,
  }),
  restrictions: (kinds) => ({
    type: 'array',
    description:
      'Which files may declare and change what. The first entry whose glob matches a file applies; a file that none matches may declare anything. End with {files: "**"} to forbid the rest.',
    items: restrictionSchema(kinds),
  }),
  'approvals.signers': () => ({
    type: ['array', 'string'],
    minItems: 1,
    minLength: 1,
    items: { type: 'string' },
    description:
      'Names and public keys of ssh, one a line, as in a file of allowed signers: ann@example.com ssh-ed25519 AAAA…, or with valid-before="20270101" between name and key. Or the path of such a file in the repository, relative to this manifest.',
  }),
  diagnostics: (_kinds, place) => diagnosticsSchema(place),
  rules: rulesSchema,
};

/** `place` is where another schema has this one, so that equal parts can refer to one. Absent: they are repeated. */
export function policySchema(kinds: readonly KindDefinition[], place?: string): JsonSchema {
  const schemaOf = (path: string, key: PolicyKey): JsonSchema => {
    if (key.type === 'value') return key.schema;
    if (key.type === 'special') return specialSchemas[path as SpecialName](kinds, place);
    const { text, parts, required } = key;
    const before = required === undefined ? {} : { required };
    return { type: 'object', description: text, ...before, ...propertiesOf(parts, `${path}.`) };
  };
  const propertiesOf = (keys: Readonly<Record<string, PolicyKey>>, before: string) => ({
    properties: Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, schemaOf(before + name, key)])),
    additionalProperties: false,
  });
  const text = 'Limits for plans. At most once in all files; give this file its own code owners.';
  return { type: 'object', description: text, ...propertiesOf(policyKeys, '') };
}

function diagnosticsSchema(place: string | undefined): JsonSchema {
  const [first, ...others] = adjustableCodes.filter((code) => code !== secretValueCode);
  const setting = diagnosticSetting({});
  const same = place === undefined ? setting : { $ref: `${place}/properties/diagnostics/properties/${first}` };
  return {
    type: 'object',
    description:
      'Switches off or raises warnings and notes, by code. schema/diagnostics.md explains the codes. Errors cannot be switched off.',
    $comment: 'Its keys are the codes of warnings and notes. Errors cannot be switched off.',
    properties: {
      ...(first === undefined ? {} : { [first]: setting }),
      ...Object.fromEntries(others.map((code) => [code, same])),
      [secretValueCode]: diagnosticSetting({ except: exceptSchema }),
    },
    additionalProperties: false,
  };
}

function diagnosticSetting(more: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const level = { type: 'string', enum: [...diagnosticLevels] };
  return {
    description: 'off: only counted; error: manifests and plans with it are refused.',
    anyOf: [
      level,
      {
        type: 'object',
        properties: {
          level: { ...level, description: 'off, warning or error. Default: as it is.' },
          reason: { type: 'string', minLength: 1, description: 'Why, for reviewers. The report shows it.' },
          ...more,
        },
        additionalProperties: false,
      },
    ],
  };
}

const exceptSchema: JsonSchema = {
  type: 'array',
  items: { type: 'string', minLength: 1 },
  uniqueItems: true,
  description: 'Globs of values that are not secrets, as ADDRESS.PATH: user.bot-*.metadata.public_token.',
};

function externalSchema({ keyName }: KindDefinition): JsonSchema {
  const description = `Regular expressions, in the syntax of RE2, that chatform searches in the ${keyName}: ^sys- matches all that start with sys-.`;
  return { type: 'array', items: { type: 'string', minLength: 1 }, description };
}

function restrictionSchema(kinds: readonly KindDefinition[]): JsonSchema {
  const declared = withSection(kinds);
  const fieldsOf = (kind: KindDefinition) =>
    Object.keys(blockProperties(kind)).filter((name) => kind.spellings?.[name] === undefined);
  return {
    type: 'object',
    required: ['files'],
    properties: {
      files: {
        type: 'string',
        minLength: 1,
        description:
          'A glob with **, *, ?, [ab] and {a,b}, relative to the folder of this file: teams/support/**. A glob that starts with ** matches anywhere.',
      },
      ...Object.fromEntries(declared.map((kind) => [kind.section, keysSchema(kind)])),
      verbs: {
        type: 'array',
        items: { enum: ['create', 'update', 'remove'] },
        uniqueItems: true,
        description:
          'The verbs that these files may cause in a plan. chatform refuses a plan with others. Default: all.',
      },
      fields: {
        type: 'object',
        description: 'The attributes that may be declared, by kind. For an absent kind: all.',
        properties: Object.fromEntries(
          declared.map((kind) => [
            kind.section,
            {
              type: 'array',
              items: { enum: fieldsOf(kind) },
              uniqueItems: true,
              description: `The attributes of ${kind.section}.`,
            },
          ]),
        ),
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  };
}

function keysSchema({ section, keyName }: KindDefinition): JsonSchema {
  const description = `Regular expressions, in the syntax of RE2; each ${keyName} must match one: ^support-. When absent, no ${section} may be declared.`;
  return { type: 'array', items: { type: 'string', minLength: 1 }, description };
}

function acknowledgementSchema(kinds: readonly KindDefinition[]): JsonSchema {
  return {
    type: 'object',
    required: ['effect', 'count'],
    properties: {
      effect: {
        enum: [...countableEffects(kinds), notifyEffect],
        description: 'A kind and an action: user.deactivate.',
      },
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

function rulesSchema(kinds: readonly KindDefinition[]): JsonSchema {
  return {
    type: 'array',
    description: 'Conditions under which a plan is refused, or has a warning. Judged for every plan, offline.',
    items: {
      type: 'object',
      required: ['name', 'when', 'message'],
      properties: {
        name: { type: 'string', pattern: '^[a-z0-9-]+$', description: 'Lower-case letters, digits and hyphens.' },
        on: {
          type: 'array',
          minItems: 1,
          items: { enum: [...kinds.map(({ name: kind }) => kind), ...effectsOfKinds(kinds)] },
          uniqueItems: true,
          description: 'The kinds or effects that the rule covers: [user, group_channel.delete]. Default: all.',
        },
        when: {
          type: 'string',
          minLength: 1,
          maxLength: 4000,
          description:
            'A CEL expression over change and plan. True: the rule applies. change.kind == "user" && change.attributes.exists(a, a.path == "nickname")',
        },
        message: { type: 'string', minLength: 1, description: 'The problem, and the remedy.' },
        level: {
          enum: ['error', 'warning'],
          default: 'error',
          description: 'error: the plan is refused (5). Default: error.',
        },
      },
      additionalProperties: false,
    },
  };
}
