// The JSON Schema of `chatform-behaviours.json`.

import type { JsonSchema } from '../../kinds/definition/kind.ts';
import { type Behaviour, behaviours, behavioursFileName } from '../../model/behaviours.ts';

const results = Object.entries<Behaviour>(behaviours).map(([name, { question, values }]): [string, JsonSchema] => [
  name,
  {
    type: 'object',
    description: `${question[0]?.toUpperCase()}${question.slice(1)}.`,
    properties: {
      value:
        values === undefined
          ? { type: 'integer', minimum: 1, maximum: 1_000_000, description: 'The answer of the platform.' }
          : { enum: values, description: 'The answer of the platform.' },
      evidence: { type: 'string', maxLength: 2000, description: 'The calls that decided it, with their outcomes.' },
      undecided: { type: 'string', maxLength: 2000, description: 'Why nothing was decided.' },
    },
    additionalProperties: false,
    oneOf: [{ required: ['value', 'evidence'] }, { required: ['undecided'] }],
  },
]);

export const behavioursSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: behavioursFileName,
  description: 'How a platform answers where its documentation is unclear. Written by chatform calibrate.',
  type: 'object',
  required: ['format_version', 'application', 'date', 'chatform', 'behaviours'],
  properties: {
    format_version: { const: '1.0' },
    application: {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      description: 'Host and path of the base URL. The file counts for this application alone.',
    },
    date: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$' },
    chatform: { type: 'string', maxLength: 100, description: 'The version of chatform that examined the platform.' },
    behaviours: { type: 'object', properties: Object.fromEntries(results), additionalProperties: false },
  },
  additionalProperties: false,
};
