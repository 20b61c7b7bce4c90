// The JSON Schema of `*.test.yaml`.

import type { JsonSchema } from '../../kinds/definition/kind.ts';
import { actions } from '../../model/action.ts';

const codes: JsonSchema = {
  type: 'array',
  items: { type: 'string', pattern: '^[a-z]+\\.[a-z-]+$' },
  uniqueItems: true,
};
const paths: JsonSchema = {
  anyOf: [
    { type: 'string', minLength: 1 },
    { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
  ],
};

const edit: JsonSchema = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', minLength: 1, description: 'The file, relative to the test.' },
    replace: { type: 'string', minLength: 1, description: 'A text that occurs exactly once in the file.' },
    with: { type: 'string', description: 'The text to put in its place.' },
    write: { type: 'string', description: 'The whole content of the file, which need not exist.' },
    remove: { const: true, description: 'true: the file is deleted.' },
  },
  additionalProperties: false,
  oneOf: [{ required: ['replace', 'with'] }, { required: ['write'] }, { required: ['remove'] }],
};

const liveChange: JsonSchema = {
  type: 'object',
  required: ['call'],
  properties: {
    call: {
      type: 'string',
      pattern: '^(POST|PUT|DELETE) /[^ ]+$',
      description: 'A call that somebody else makes: PUT /open_channels/lobby.',
    },
    body: { type: 'object', description: 'The body of the call.' },
  },
  additionalProperties: false,
};

const fault: JsonSchema = {
  type: 'object',
  required: ['fault'],
  properties: {
    fault: { type: 'string', description: 'As in the file of --faults: error_500_after, reset_before, hang_after.' },
    route: { type: 'string', description: 'POST /users. Default: every route.' },
    at: {
      type: 'array',
      items: { type: 'integer', minimum: 1 },
      description: 'Which requests of the route fail: [1].',
    },
    times: { type: 'integer', minimum: 1, description: 'How many in a row.' },
    ms: { type: 'number', minimum: 0, description: 'For latency and storms.' },
    probability: { type: 'number', minimum: 0, maximum: 1, description: 'The chance of the fault at a request.' },
  },
  additionalProperties: false,
};

const givenSchema: JsonSchema = {
  type: 'object',
  description: 'What the plan is made from. Every key is optional.',
  properties: {
    manifests: { ...paths, description: 'Files or folders, relative to the test. Default: its folder.' },
    applied: {
      anyOf: [{ const: false }, ...(paths.anyOf as JsonSchema[])],
      description: 'What was applied before: the manifests without the edits (default), others, or false for nothing.',
    },
    edit: { type: 'array', minItems: 1, items: edit, description: 'Edits of the manifests, in memory.' },
    live: { type: 'array', minItems: 1, items: liveChange, description: 'What others changed on the platform since.' },
    refresh: { type: 'boolean', description: 'Plan with the live objects. Default: true with live, else false.' },
    faults: { type: 'array', minItems: 1, items: fault, description: 'Faults in calls of the apply.' },
    kill: { type: 'integer', minimum: 1, description: 'The run is killed at this call, and started again.' },
    date: { type: 'string', format: 'date', description: 'Today, in UTC. Default: 2026-01-01.' },
    variables: {
      type: 'object',
      description: 'Values of variables.',
      additionalProperties: { type: ['string', 'number', 'boolean'] },
    },
  },
  additionalProperties: false,
};

const expected: JsonSchema = {
  type: 'object',
  description: 'The expected results, at least one.',
  minProperties: 1,
  properties: {
    counts: {
      type: 'object',
      description: 'How many objects have each action or effect, and no others: { create: 2, user.deactivate: 1 }.',
      propertyNames: {
        pattern: `^([a-z_]+\\.)?(${actions.join('|')})$`,
        description: 'an action, or a kind and an action.',
      },
      additionalProperties: { type: 'integer', minimum: 0 },
    },
    addresses: {
      type: 'array',
      items: { type: 'string' },
      uniqueItems: true,
      description: 'Exactly the objects that change.',
    },
    errors: { ...codes, description: 'Exactly the codes of the errors in the manifests.' },
    refusals: { ...codes, description: 'Exactly the codes of the refusals of the plan: [safety.over-budget].' },
    warnings: { ...codes, description: 'Codes that are among the warnings and notes.' },
    outcome: { enum: ['done', 'incomplete', 'refused', 'out_of_time'], description: 'How the apply ends.' },
    end: {
      type: 'object',
      minProperties: 1,
      description: 'After the apply: attributes of objects by address, or null for an object that is not in state.',
      additionalProperties: { type: ['object', 'null'] },
    },
    duration: {
      type: 'string',
      pattern: '^(\\d+h)?(\\d+m)?(\\d+s)?$',
      minLength: 2,
      description: 'The longest time that the apply may take: 5m.',
    },
  },
  additionalProperties: false,
};

export const testSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'chatform test',
  description: 'Tests of manifests, which chatform test runs on a simulated platform.',
  type: 'object',
  required: ['tests'],
  properties: {
    tests: {
      type: 'array',
      minItems: 1,
      description: 'The tests of this file, each by itself.',
      items: {
        type: 'object',
        required: ['name', 'expect'],
        properties: {
          name: { type: 'string', minLength: 1, description: 'What the test claims, as a sentence.' },
          given: givenSchema,
          expect: expected,
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};
