// The AI chatbot of a bot: its model and its prompt (platform §9.3).

import { isObject, type JsonObject } from '../../../lib/json.ts';
import type { AttributeDefinition, JsonSchema } from '../../kinds/definition/kind.ts';
import { flagSchema } from '../../kinds/definition/schemas.ts';
import { pick } from '../../kinds/definition/values.ts';

const text = (description: string): JsonSchema => ({ type: 'string', description });
const number = (description: string): JsonSchema => ({ type: 'number', description });

/** Only the names are documented, so the platform checks the values. */
const entries = {
  backend: text('Who runs the model, such as chatgpt.'),
  model: text('The name of the model at the backend.'),
  system_message: text('The prompt: who the bot is and how it responds.'),
  system_message_for_context_prefix: text('The text before the context that the platform adds to the prompt.'),
  instruction_mode: text('How the platform combines the prompt with its own instructions.'),
  temperature: number('How much responses vary.'),
  top_p: number('The share of likely words that responses use.'),
  presence_penalty: number('How much words that occurred are avoided.'),
  frequency_penalty: number('How much frequent words are avoided.'),
  max_tokens: { type: 'integer', minimum: 1, description: 'The maximum length of a response in tokens.' },
  stream: flagSchema('true: responses appear word by word.'),
  feedback: flagSchema('true: people can rate responses.'),
};

export const aiAttribute = {
  schema: {
    type: 'object',
    properties: entries,
    minProperties: 1,
    additionalProperties: false,
    description:
      'Makes the bot an AI chatbot. An application may have 10 of them at first. Undeclared entries are not changed. Some applications show ai, but ignore it in requests (behaviour botAi).',
  },
  change: 'mutable',
  removed: { how: 'release' },
  shape: 'map',
  sentBy: 'steps',
  shown: { as: 'compared', lacked: 'gone' },
  people: ['elsewhere'],
} as const satisfies AttributeDefinition;

/** Returns the entries that can be declared. A view may have more. */
export function observeAi({ ai }: JsonObject): JsonObject {
  return isObject(ai) ? { ai: pick(ai, Object.keys(entries)) } : {};
}
