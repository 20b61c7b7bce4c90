// The schema of decisions.yaml, from the tables by which a conversion reads it.

import type { JsonSchema } from '../../core/kinds/definition/kind.ts';
import { choices, decisionsVersion, isAcceptable, renameAnswers } from '../../migration/convert/decision-checks.ts';
import { explanationOf } from '../../migration/convert/decisions.ts';
import { fieldDecisions } from '../../migration/convert/export/fields.ts';
import { reasonCodes, reasons } from '../../migration/convert/export/reasons.ts';

export function decisionsSchema(): JsonSchema {
  const groups = Object.entries(choices).map(([group, settings]) => {
    const properties = Object.entries(settings).map(([name, values]: [string, readonly string[]]) => [
      name,
      { description: explanationOf(group, name), enum: values, default: values[0] ?? '' },
    ]);
    return [group, closed(Object.fromEntries(properties))] as const;
  });
  const accepted = reasonCodes
    .filter(isAcceptable)
    .map((code) => [code, { description: reasons[code].summary, enum: ['yes', 'no'] }] as const);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'chatform decisions of a conversion',
    description:
      'What chatform convert proposes and people decide: ids, names, and what becomes of what has no counterpart.',
    required: ['format_version', 'source'],
    ...closed({
      format_version: { const: decisionsVersion },
      source: { description: 'The system that the export comes from.', type: 'string' },
      ...Object.fromEntries(groups),
      missing_time: {
        description: 'The time of messages that have none, as 2024-01-01T00:00:00Z. Without it they are left out.',
        type: 'string',
        format: 'date-time',
      },
      user_ids: textById('user_id by the id of the source. Never a name or an address.'),
      channel_urls: textById('channel_url by the id of the source; stays when the channel is renamed.'),
      folders: textById('The channel, by its id at the source, whose messages lie in a folder.'),
      merged: textById(
        'Accounts of one person: by the id of one account at the source, the id of the account that the person keeps. Messages, memberships and reactions then belong to that account.',
      ),
      renamed: {
        description:
          'Users and channels that got another name at a source whose ids are names (Mattermost). They keep the id of before.',
        ...closed({ users: renamed('user'), channels: renamed('channel') }),
      },
      left_out: {
        description: 'Who and what is left out, and why.',
        ...closed({
          users: textById('Why, by the id of the source.'),
          channels: textById('Why, by the id of the source.'),
        }),
      },
      fields: {
        description:
          'What fields mean that chatform does not know, by kind of row and name: message.own_field. undecided, as they are at first, and leave_out: the rows are converted without them. accepted: the data of messages and channels has them, which all members can read. restricts: rows that have it are left out or deactivated, as rows are with a restriction that chatform knows.',
        type: 'object',
        additionalProperties: { enum: fieldDecisions },
      },
      accepted: {
        description: 'yes: lines may be missing for this reason. --strict ends with 4 while any stands on no.',
        ...closed(Object.fromEntries(accepted)),
      },
    }),
  };
}

/** A misspelled name would be a decision that is not followed. */
function closed(properties: JsonSchema): JsonSchema {
  return { type: 'object', properties, additionalProperties: false };
}

function textById(description: string): JsonSchema {
  return { description, type: 'object', additionalProperties: { type: 'string' } };
}

function renamed(kind: 'user' | 'channel'): JsonSchema {
  return {
    description: 'By the id in the export.',
    type: 'object',
    additionalProperties: {
      required: ['was', 'same'],
      ...closed({
        was: { description: 'The id of before.', type: 'string', minLength: 1 },
        same: {
          description: `Whether it is the same ${kind}. Nothing is converted while it is undecided and the export asks for it.`,
          enum: renameAnswers,
        },
      }),
    },
  };
}
