// What do the JSON documents look like that chatform writes? Draft 2020-12, the source of schema/*.schema.json.
import { actions } from '../model/action.ts';
import type { JsonObject } from '../model/json.ts';

const draft = 'https://json-schema.org/draft/2020-12/schema';
const text: JsonObject = { type: 'string' };
const whole: JsonObject = { type: 'integer', minimum: 0 };
const seconds: JsonObject = { type: 'number', minimum: 0, description: 'Seconds.' };
const action: JsonObject = { enum: actions };
const method: JsonObject = { enum: ['GET', 'POST', 'PUT', 'DELETE'] };
const outcomes: JsonObject = {
  enum: ['done', 'incomplete', 'interrupted', 'out_of_time', 'authentication', 'conflict', 'refused'],
};
const address: JsonObject = { type: 'string', pattern: '^[a-z_]+\\.', description: 'kind.key, as user.alice.' };

function object(required: JsonObject, optional: JsonObject = {}, description?: string): JsonObject {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    ...(description === undefined ? {} : { description }),
  };
}

function list(items: JsonObject): JsonObject {
  return { type: 'array', items };
}

const position = object({ file: text, line: whole, column: whole }, {}, 'Counted from 1.');

const diagnostic = object(
  { severity: { enum: ['error', 'warning', 'note'] }, code: text, summary: text, detail: text },
  { address, source: position, excerpt: text },
);

export const planSchema: JsonObject = {
  $schema: draft,
  title: 'chatform plan --format json',
  description: 'Readers ignore keys that they do not know and refuse another major format_version.',
  ...object({
    format_version: text,
    application: text,
    summary: {
      type: 'object',
      propertyNames: action,
      additionalProperties: whole,
      description: 'Objects by action; one that is created and frozen counts under both.',
    },
    changes: list(
      object(
        {
          address,
          actions: list(action),
          attributes: list(
            object(
              { path: { type: 'string', description: 'As metadata.team; parts that are no plain word are quoted.' } },
              {
                before: { description: 'Absent when it was not managed.' },
                after: { description: 'Absent when management ends.' },
                how: { enum: ['set', 'reset', 'release'] },
              },
            ),
          ),
          reason: text,
        },
        {
          source: position,
          reversibility: { enum: ['reversible', 'lossy', 'irreversible'] },
          dangerous: { type: 'boolean' },
          notes: list(text),
        },
      ),
    ),
    requests: list(object({ method, route: text, count: whole })),
    duration: object({ lower_bound_s: seconds }, { bottleneck: text }),
    warnings: list(diagnostic),
    hash: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'For apply --approved-hash.' },
  }),
};

const failure = object({
  address,
  action,
  status: { ...whole, description: 'HTTP status; 0 when there was no answer.' },
  code: { ...whole, description: "The platform's code; 0 when there is none." },
  message: text,
});

export const reportSchema: JsonObject = {
  $schema: draft,
  title: 'chatform apply --report FILE',
  description: 'Written on failure too.',
  ...object({
    format_version: text,
    outcome: outcomes,
    exit_code: whole,
    steps: object({ planned: whole, succeeded: whole, failed: whole, unknown: whole, skipped: whole }),
    requests: list(object({ method, route: text, sent: whole, retried: whole, limited: whole })),
    started_at: { type: 'string', format: 'date-time' },
    finished_at: { type: 'string', format: 'date-time' },
    duration_s: seconds,
    lower_bound_s: seconds,
    failures: list(failure),
  }),
};

const step: JsonObject = { step: text, address };

export const eventsSchema: JsonObject = {
  $schema: draft,
  title: 'chatform apply --events FILE: one line of it',
  description: 'The first line names the format. Readers ignore types that they do not know.',
  type: 'object',
  required: ['at', 'type'],
  properties: { at: { type: 'string', format: 'date-time' } },
  oneOf: [
    eventOf('format', { format_version: text }),
    eventOf('run.started', { steps: whole, lower_bound_s: seconds }),
    eventOf('step.started', { ...step, action }),
    eventOf('step.retried', { ...step, attempt: whole, why: text }),
    eventOf(
      'step.ended',
      { ...step, action, outcome: { enum: ['succeeded', 'failed', 'unknown', 'skipped'] } },
      { failure, note: text },
    ),
    eventOf('rate.limited', { route: text, retry_after_s: seconds }),
    eventOf('run.stopping', { why: text }),
    eventOf('run.ended', { outcome: outcomes }),
  ],
};

function eventOf(type: string, required: JsonObject, optional: JsonObject = {}): JsonObject {
  return object({ type: { const: type }, ...required }, optional);
}
