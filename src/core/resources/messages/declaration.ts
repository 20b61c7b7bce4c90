// The schema of `messages` in a channel's block, which names the archive to migrate into it.
import type { JsonSchema } from '../../kinds/definition/kind.ts';
import { userIdSchema } from '../../kinds/definition/schemas.ts';

export const declaredMessages: JsonSchema = {
  type: 'object',
  description: 'Message history to migrate into this channel.',
  required: ['file'],
  properties: {
    file: {
      type: 'string',
      minLength: 1,
      description: 'The history file, relative to this file: one message a line, as JSON; may be packed with gzip.',
    },
    threads: {
      enum: ['flat', 'send'],
      default: 'flat',
      description:
        'How lines with a parent are sent. send: as replies in its thread, each with a call of its own. flat, the default: as messages of the channel.',
    },
    mark_as_read: {
      description:
        'true: all members have read what was migrated. A list of members: a call marks it for each of them. Group channels only.',
      anyOf: [{ const: true }, { type: 'array', items: userIdSchema, uniqueItems: true }],
    },
  },
  additionalProperties: false,
};
