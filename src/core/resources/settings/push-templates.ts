// The texts of push notifications, of the application and of a custom type (platform §13.5).

import { isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import type { AttributeDefinition, JsonSchema, KindChange, StepDraft } from '../../kinds/definition/kind.ts';
import { textOf } from '../../kinds/definition/values.ts';
import { asDeclared } from '../../kinds/parts/channel-settings.ts';

const route = '/applications/push/message_templates';
const text = (description: string): JsonSchema => ({ type: 'string', minLength: 1, description });

const template = (description: string): JsonSchema => ({
  type: 'object',
  properties: {
    MESG: text('For text messages: {sender_name}: {message}.'),
    FILE: text('For files: {filename}, or {file_type_friendly} for Audio, Image or Video.'),
    ADMM: text('For admin messages: {message}.'),
  },
  // The call requires all of them.
  required: ['MESG', 'FILE', 'ADMM'],
  additionalProperties: false,
  description,
});

export const pushTemplatesAttribute = {
  schema: {
    type: 'object',
    properties: {
      default: template('For users who chose no template.'),
      alternative: template('For users who chose the alternative, which usually hides the message.'),
    },
    additionalProperties: false,
    description: 'The wording of push notifications.',
  },
  change: 'mutable',
  removed: { how: 'release' },
  shape: 'map',
  sentBy: 'steps',
  shown: { as: 'compared', by: { route, answerField: 'push_message_templates' } },
  people: ['notice'],
  initial: {
    default: { MESG: '{sender_name}: {message}', FILE: '{filename}', ADMM: '{message}' },
    alternative: { MESG: 'New message arrived!', FILE: 'New file delivered!', ADMM: 'New announcement!' },
  },
  asKnown: asDeclared,
} as const satisfies AttributeDefinition;

export function templateSteps({ attributes }: KindChange): StepDraft[] {
  return attributes.flatMap(({ path, after, how }): StepDraft[] => {
    const [name, key] = path;
    if (name !== 'push_templates' || key === undefined || after === undefined || how === 'release') return [];
    return [
      {
        action: 'update',
        phase: 'settings',
        request: {
          method: 'PUT',
          route: `${route}/{template_name}`,
          params: { template_name: key },
          body: { template: after },
        },
        edits: [{ op: 'set', path, value: after }],
      },
    ];
  });
}

export function templatesIn(list: JsonValue | undefined): JsonObject {
  const items = isList(list) ? list.filter(isObject) : [];
  return Object.fromEntries(
    items.flatMap((item): [string, JsonValue][] => {
      const name = textOf(item, 'template_name');
      return name === undefined || item.template === undefined ? [] : [[name, item.template]];
    }),
  );
}
