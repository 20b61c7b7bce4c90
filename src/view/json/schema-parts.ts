// The parts that the published schemas share.

import type { JsonObject } from '../../lib/json.ts';
import { actions } from '../../model/action.ts';

export const text: JsonObject = { type: 'string' };
export const wholeNumber: JsonObject = { type: 'integer', minimum: 0 };
export const seconds: JsonObject = { type: 'number', minimum: 0 };
export const moment: JsonObject = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$',
  description: 'ISO 8601, in UTC.',
};
export const formatVersionSchema: JsonObject = {
  type: 'string',
  pattern: '^1\\.\\d+$',
  description: 'MAJOR.MINOR. Readers ignore unknown keys and refuse another MAJOR.',
};
export const action: JsonObject = { enum: actions };
export const method: JsonObject = { enum: ['GET', 'POST', 'PUT', 'DELETE'] };
export const route: JsonObject = {
  type: 'string',
  description: 'The route template, by which limits count: /users/{user_id}.',
};
export const address: JsonObject = { type: 'string', pattern: '^[a-z_]+\\.', description: 'kind.key: user.alice.' };
export const runOutcome: JsonObject = {
  enum: ['done', 'incomplete', 'interrupted', 'out_of_time', 'authentication', 'conflict', 'refused'],
};

export const position = object(
  {
    file: withDescription(text, 'The path as given to chatform, with /.'),
    line: withDescription(wholeNumber, 'From 1.'),
    column: withDescription(wholeNumber, 'From 1, in UTF-16 units.'),
  },
  {},
);

export const diagnostic = object(
  {
    severity: { enum: ['error', 'warning', 'note'] },
    code: withDescription(text, 'Stable and documented: manifest.unknown-key.'),
    summary: withDescription(text, 'A fixed text per code.'),
    detail: withDescription(text, 'What is wrong, why, and what to do.'),
  },
  { address, source: position, excerpt: withDescription(text, 'The source line.') },
);

export const failure = object(
  {
    address,
    action,
    status: withDescription(wholeNumber, 'HTTP status; 0 when there was no answer.'),
    code: withDescription(wholeNumber, "The platform's code; 0 when there is none."),
    message: text,
  },
  {
    call: withDescription(text, 'POST /users. Absent if only state was to change.'),
    advice: withDescription(text, "What to do about it, if the platform's code is known."),
  },
);

export function withDescription(schema: JsonObject, description: string): JsonObject {
  return { ...schema, description };
}

/** An object with these keys. Others may be added at any time. */
export function object(required: JsonObject, optional: JsonObject): JsonObject {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } };
}

export function arrayOf(items: JsonObject): JsonObject {
  return { type: 'array', items };
}

export function schemaDocument(title: string, description: string, schema: JsonObject): JsonObject {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, description, ...schema };
}
