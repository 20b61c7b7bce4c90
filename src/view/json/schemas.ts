// What do the documents look like that chatform writes for machines? The sources of schema/*.schema.json.
import type { JsonObject } from '../../lib/json.ts';
import {
  action,
  address,
  arrayOf,
  diagnostic,
  failure,
  formatVersionSchema,
  method,
  moment,
  object,
  position,
  route,
  runOutcome,
  schemaDocument,
  seconds,
  text,
  wholeNumber,
  withDescription,
} from './schema-parts.ts';

const attributeChange = object(
  {
    path: withDescription(text, 'metadata.team, members."a.b": a part that is no plain word is quoted as JSON.'),
    how: {
      enum: ['set', 'reset', 'release'],
      description:
        'set: to what is declared. reset: the line was removed, the neutral value takes its place. release: the line was removed, the value stays and is no longer managed.',
    },
  },
  {
    before: { description: 'Any value; absent when it was not managed.' },
    after: { description: 'Any value; absent when management ends.' },
  },
);

const requestCount = object({ method, route, count: wholeNumber }, {});

const change = object(
  {
    address,
    actions: withDescription(arrayOf(action), 'What befalls the object, in order.'),
    attributes: arrayOf(attributeChange),
    reason: withDescription(text, 'One sentence for people.'),
    reversibility: {
      enum: ['reversible', 'lossy', 'irreversible'],
      description: 'Can another apply undo the effect: wholly, with a loss, or not at all?',
    },
    dangerous: { type: 'boolean', description: 'Takes something from people or gives it back: to be reviewed first.' },
    notes: arrayOf(text),
    requests: withDescription(arrayOf(requestCount), 'The calls that it causes.'),
  },
  {
    cause: {
      enum: ['request', 'pending'],
      description: 'With --base-ref: caused by what is under review, or waiting already before it.',
    },
    live: withDescription(
      object({}, { members: wholeNumber, last_message_at: moment }),
      'Of a channel that is closed or deleted, after a refresh.',
    ),
    source: withDescription(position, 'Where the object is declared; absent when it is declared no more.'),
  },
);

const drift = object(
  {
    address,
    type: {
      enum: ['changed', 'missing', 'departed'],
      description:
        'changed: managed attributes differ. missing: the object is gone. departed: declared members who left by themselves.',
    },
    attributes: withDescription(arrayOf(attributeChange), 'before is as last applied, after as it is now.'),
    note: withDescription(text, 'One sentence for people: what an apply makes of it.'),
  },
  { source: withDescription(position, 'Where the object is declared.') },
);

export const planSchema: JsonObject = schemaDocument(
  'chatform plan --format json',
  'What an apply would do.',
  object(
    {
      format_version: formatVersionSchema,
      application: withDescription(text, 'What the plan is for: host and path, or emulator: and its path.'),
      summary: {
        type: 'object',
        propertyNames: action,
        additionalProperties: wholeNumber,
        description: 'Objects by action; one that is created and frozen counts for both.',
      },
      changes: withDescription(arrayOf(change), 'Sorted by address.'),
      requests: withDescription(arrayOf(requestCount), 'Calls by method and route.'),
      duration: object(
        {
          lower_bound_s: withDescription(seconds, 'The shortest possible duration.'),
          buckets: withDescription(
            arrayOf(
              object(
                {
                  name: text,
                  calls: wholeNumber,
                  rate: withDescription({ type: 'number' }, 'Calls a second.'),
                  seconds,
                },
                {},
              ),
            ),
            'What each rate limit has to let through, the slowest first.',
          ),
        },
        {
          bottleneck: withDescription(text, 'What holds it, in words; absent when there is nothing to send.'),
          others: withDescription(wholeNumber, 'How many buckets are left out: each is done sooner than those listed.'),
          chain: withDescription(
            object({ calls: wholeNumber, from: address, to: address }, {}),
            'The most calls that have to wait for one another, and the objects of its first and its last.',
          ),
        },
      ),
      warnings: arrayOf(diagnostic),
      hash: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'For apply --approved-hash.' },
    },
    {
      lineage: withDescription(text, 'The state that the plan was made against; absent for an empty one.'),
      drift: withDescription(
        arrayOf(drift),
        'What was found to differ from state on the platform, by address; absent without a refresh.',
      ),
      refusals: withDescription(arrayOf(diagnostic), 'Why it may not be applied as it is; absent when it may.'),
      refreshed: withDescription(
        object({ objects: wholeNumber, requests: wholeNumber }, {}),
        'What reading the platform cost.',
      ),
      omitted: withDescription(
        object({}, { changes: wholeNumber, drift: wholeNumber, refusals: wholeNumber, warnings: wholeNumber }),
        'With --max-bytes: how many there are besides those that are listed.',
      ),
    },
  ),
);

export const reportSchema: JsonObject = schemaDocument(
  'chatform apply --report FILE',
  'What a run did; written on failure too.',
  object(
    {
      format_version: formatVersionSchema,
      outcome: runOutcome,
      exit_code: wholeNumber,
      steps: object(
        {
          planned: wholeNumber,
          succeeded: wholeNumber,
          failed: wholeNumber,
          unknown: withDescription(wholeNumber, 'Nobody can say whether they took effect; the next run finds out.'),
          skipped: withDescription(wholeNumber, 'Not tried, since they need one that failed.'),
        },
        {},
      ),
      requests: arrayOf(
        object(
          {
            method,
            route,
            sent: wholeNumber,
            retried: withDescription(wholeNumber, 'Repeats after an unknown outcome.'),
            limited: withDescription(wholeNumber, 'Answered with 429.'),
          },
          {},
        ),
      ),
      started_at: moment,
      finished_at: moment,
      duration_s: seconds,
      lower_bound_s: withDescription(seconds, 'The shortest possible duration, by the plan.'),
      failures: arrayOf(failure),
    },
    {
      left_open: withDescription(
        arrayOf(address),
        'Opened for work on them, and not closed again: the next run closes them. Absent when there are none.',
      ),
    },
  ),
);

const step: JsonObject = { step: withDescription(text, 'The id of the step, unique in the plan.'), address };
const lane = withDescription(text, 'The lane of its call: `POST /users`. Absent when only state changes.');

export const eventsSchema: JsonObject = schemaDocument(
  'chatform apply --events FILE: one line',
  'One JSON object a line. Readers ignore types that they do not know.',
  {
    type: 'object',
    required: ['type', 'at'],
    properties: { at: moment },
    oneOf: [
      event('run.started', { format_version: formatVersionSchema, steps: wholeNumber, lower_bound_s: seconds }),
      event('step.started', { ...step, action }, { route: lane }),
      event('step.retried', { ...step, attempt: wholeNumber, why: text }),
      event(
        'step.ended',
        { ...step, action, outcome: { enum: ['succeeded', 'failed', 'unknown', 'skipped'] } },
        {
          route: lane,
          failure,
          note: withDescription(text, 'How the effect was known when it was not the plain answer.'),
        },
      ),
      event('rate.limited', { route: text, retry_after_s: seconds }),
      event('run.stopping', { why: text }),
      event('run.ended', { outcome: runOutcome }),
    ],
  },
);

export const diagnosticsSchema: JsonObject = schemaDocument(
  'chatform validate --format json',
  'All problems of the manifests, in the order in which people see them.',
  object(
    {
      format_version: formatVersionSchema,
      summary: object({ errors: wholeNumber, warnings: wholeNumber, notes: wholeNumber }, {}),
      diagnostics: arrayOf(diagnostic),
    },
    {},
  ),
);

function event(type: string, required: JsonObject, optional: JsonObject = {}): JsonObject {
  return object({ type: { const: type }, ...required }, optional);
}
