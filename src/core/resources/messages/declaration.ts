// The schema of `messages` in a channel's block, which names the history file to migrate into it.
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
        'How chatform sends lines with a parent. send: as replies in its thread, one request each. flat, the default: as messages of the channel.',
    },
    mark_as_read: {
      description:
        'true: all members have read the migrated messages. A list of members: one request marks them as read for each. Group channels only.',
      anyOf: [{ const: true }, { type: 'array', items: userIdSchema, uniqueItems: true }],
    },
  },
  additionalProperties: false,
};
