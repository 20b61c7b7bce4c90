// Makes the JSON Schema of the `policy` block.

import type { JsonSchema, KindDefinition } from '../../kinds/definition/kind.ts';
import { notifyEffect } from '../../model/people/notices.ts';
import {
  adjustableCodes,
  defaultUndoPolicy,
  diagnosticLevels,
  historyDecisions,
  refreshHabits,
  secretValueCode,
} from '../../model/policy.ts';
import { blockProperties, onRemoveSchema, withSection } from './block-schema.ts';
import { countableEffects, effectsOfKinds } from './effects.ts';

const reopenSchema: JsonSchema = { enum: ['allow', 'refuse'] };

/** `place` is where another schema has this one, so that equal parts can refer to one. Absent: they are repeated. */
export function policySchema(kinds: readonly KindDefinition[], place?: string): JsonSchema {
  return {
    type: 'object',
    description: 'What plans may do. At most once in all files; give this file its own code owners.',
    properties: {
      on_remove: {
        type: 'object',
        description: 'What happens to objects that are removed from the manifest, by kind.',
        properties: Object.fromEntries(withSection(kinds).map((kind) => [kind.name, onRemoveSchema(kind)])),
        additionalProperties: false,
      },
      removals: {
        type: 'object',
        description:
          "A plan that removes more than both of these is refused, as is one that takes away a large part of a kind's objects.",
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
            description: 'A smaller number is refused only when it is a large part of the objects.',
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
      adopt: {
        type: 'array',
        description:
          'Addresses, or globs of addresses such as group_channel.support-*, of declared objects that an apply takes into state if they exist as declared. It reads those that are not in state first.',
        items: { type: 'string', minLength: 1 },
        uniqueItems: true,
      },
      external: {
        type: 'object',
        description:
          'Regular expressions, in the syntax of RE2, for ids that are managed elsewhere and may be named here.',
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
        description: 'How to report e-mail addresses and phone numbers in ids and metadata.',
      },
      departed: {
        enum: ['leave_alone', 'reinvite'],
        default: 'leave_alone',
        description: 'What to do about declared members who have left.',
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
      read_each: {
        type: 'integer',
        minimum: 0,
        default: 1000,
        description:
          'How many objects a refresh may read one by one for attributes that no list shows, such as auto_accept. With more of them, such attributes are not compared, and a note says so.',
      },
      messages: {
        type: 'object',
        description: 'What to do when a history file that was sent has changed since, as after a later export.',
        properties: {
          edited: {
            enum: ['refuse', 'update', 'keep'],
            default: 'refuse',
            description: 'Messages that were edited: change them on the platform, or leave them as they were sent.',
          },
          deleted: {
            enum: ['refuse', 'delete', 'keep'],
            default: 'refuse',
            description: 'Messages whose lines are gone: delete them on the platform, or leave them there.',
          },
          late: {
            enum: ['refuse', 'insert'],
            default: 'refuse',
            description: 'New lines before lines that were sent: insert their messages at their time.',
          },
        },
        additionalProperties: false,
      },
      history: {
        type: 'object',
        description:
          'What was decided about messages that people may not see, or that may expire. While it is undecided, a plan lists it among its dangers and a cutover is not ready.',
        properties: {
          hidden: historyDecision('Members do not see messages from before they joined (display_past_message).'),
          expires: historyDecision('Messages are older than the platform keeps them (message_retention_hours).'),
          unknown: historyDecision('The platform does not say which of these is true.'),
        },
        additionalProperties: false,
      },
      notify: {
        type: 'object',
        description:
          'How many people may notice something of a plan, by invitations, messages or channels that appear again. A plan of which more would is refused without an acknowledgement of people.notify.',
        required: ['at_most'],
        properties: { at_most: { type: 'integer', minimum: 0, description: 'The largest number of people.' } },
        additionalProperties: false,
      },
      approvals: {
        type: 'object',
        description:
          'Who approves plans by a signature, which apply checks: with --require-signature, and for plans with more dangers than dangers says.',
        required: ['signers'],
        properties: {
          signers: {
            type: ['array', 'string'],
            minItems: 1,
            minLength: 1,
            items: { type: 'string' },
            description:
              'Names and public keys of ssh, one a line, as in a file of allowed signers: ann@example.com ssh-ed25519 AAAA…, or with valid-before="20270101" between name and key. Or the path of such a file in the repository, relative to this manifest.',
          },
          dangers: {
            type: 'integer',
            minimum: 0,
            description: 'The largest number of dangers of a plan without a signature. 0: any danger needs one.',
          },
          signatures: {
            type: 'integer',
            minimum: 1,
            default: 1,
            description: 'How many different signers have to sign a plan that needs a signature.',
          },
        },
        additionalProperties: false,
      },
      undo: {
        type: 'object',
        description:
          'What state keeps for chatform undo: the values that objects had before the last runs. The oldest are dropped first.',
        properties: {
          runs: undoLimit('runs', 100, 'How many runs. 0 keeps nothing.'),
          days: undoLimit('days', 3650, 'How old a run may be when the next one begins.'),
          megabytes: undoLimit('megabytes', 256, 'How large all of it may be. Nothing is kept for a larger run.'),
        },
        additionalProperties: false,
      },
      refresh: {
        enum: [...refreshHabits],
        default: 'never',
        description:
          'When live objects are read without --refresh: always; on_apply, also for plans that are saved; or never.',
      },
      diagnostics: diagnosticsSchema(place),
      rules: rulesSchema(kinds),
      may_loosen: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        uniqueItems: true,
        description: 'Keys of the policy that manifests which extend this one may loosen: [removals, existing].',
      },
      trust_dedup: {
        type: 'boolean',
        default: false,
        description:
          'true: messages whose outcome is unknown and cannot be read are sent again. Set it only if the platform is known to drop duplicates.',
      },
    },
    additionalProperties: false,
  };
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

function historyDecision(description: string): JsonSchema {
  return { enum: [...historyDecisions], default: 'undecided', description };
}

function undoLimit(name: keyof typeof defaultUndoPolicy, maximum: number, description: string): JsonSchema {
  return { type: 'integer', minimum: 0, maximum, default: defaultUndoPolicy[name], description };
}

function externalSchema({ keyName }: KindDefinition): JsonSchema {
  const description = `Regular expressions, in the syntax of RE2, that are searched in the ${keyName}: ^sys- matches all that begin with sys-.`;
  return { type: 'array', items: { type: 'string', minLength: 1 }, description };
}

function restrictionSchema(kinds: readonly KindDefinition[]): JsonSchema {
  const declared = withSection(kinds);
  const fieldsOf = (kind: KindDefinition) =>
    Object.keys(blockProperties(kind)).filter((name) => kind.aliases?.[name] === undefined);
  return {
    type: 'object',
    required: ['files'],
    properties: {
      files: {
        type: 'string',
        minLength: 1,
        description:
          'A glob with **, *, ?, [ab] and {a,b}, relative to the folder of this file: teams/support/**. One that begins with ** matches anywhere.',
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
        message: { type: 'string', minLength: 1, description: 'What is wrong, and what to do.' },
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
