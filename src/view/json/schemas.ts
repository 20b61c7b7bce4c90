// What do the documents look like that chatform writes for machines? The sources of schema/*.schema.json.
import type { JsonObject } from '../../lib/json.ts';
import {
  action,
  address,
  described,
  diagnostic,
  document,
  failure,
  formatVersion,
  list,
  method,
  moment,
  object,
  position,
  route,
  runOutcome,
  seconds,
  text,
  whole,
} from './schema-parts.ts';

const attributeChange = object(
  {
    path: described(text, 'metadata.team, members."a.b": a part that is no plain word is quoted as JSON.'),
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

const requestCount = object({ method, route, count: whole }, {});

const change = object(
  {
    address,
    actions: described(list(action), 'What befalls the object, in order.'),
    attributes: list(attributeChange),
    reason: described(text, 'One sentence for people.'),
    reversibility: {
      enum: ['reversible', 'lossy', 'irreversible'],
      description: 'Can another apply undo the effect: wholly, with a loss, or not at all?',
    },
    dangerous: { type: 'boolean', description: 'Takes something from people or gives it back: to be reviewed first.' },
    notes: list(text),
    requests: described(list(requestCount), 'The calls that it causes.'),
  },
  {
    cause: {
      enum: ['request', 'pending'],
      description: 'With --base-ref: caused by what is under review, or waiting already before it.',
    },
    live: described(
      object({}, { members: whole, last_message_at: moment }),
      'Of a channel that is closed or deleted, after a refresh.',
    ),
    source: described(position, 'Where the object is declared; absent when it is declared no more.'),
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
    attributes: described(list(attributeChange), 'before is as last applied, after as it is now.'),
    note: described(text, 'One sentence for people: what an apply makes of it.'),
  },
  { source: described(position, 'Where the object is declared.') },
);

export const planSchema: JsonObject = document(
  'chatform plan --format json',
  'What an apply would do.',
  object(
    {
      format_version: formatVersion,
      application: described(text, 'What the plan is for: host and path, or emulator: and its path.'),
      summary: {
        type: 'object',
        propertyNames: action,
        additionalProperties: whole,
        description: 'Objects by action; one that is created and frozen counts for both.',
      },
      changes: described(list(change), 'Sorted by address.'),
      requests: described(list(requestCount), 'Calls by method and route.'),
      duration: object(
        {
          lower_bound_s: described(seconds, 'The shortest possible duration.'),
          buckets: described(
            list(
              object({ name: text, calls: whole, rate: described({ type: 'number' }, 'Calls a second.'), seconds }, {}),
            ),
            'What each rate limit has to let through, the slowest first.',
          ),
        },
        {
          bottleneck: described(text, 'What holds it, in words; absent when there is nothing to send.'),
          others: described(whole, 'How many buckets are left out: each is done sooner than those listed.'),
          chain: described(
            object({ calls: whole, from: address, to: address }, {}),
            'The most calls that have to wait for one another, and the objects of its first and its last.',
          ),
        },
      ),
      warnings: list(diagnostic),
      hash: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'For apply --approved-hash.' },
    },
    {
      lineage: described(text, 'The state that the plan was made against; absent for an empty one.'),
      drift: described(
        list(drift),
        'What was found to differ from state on the platform, by address; absent without a refresh.',
      ),
      refusals: described(list(diagnostic), 'Why it may not be applied as it is; absent when it may.'),
      refreshed: described(object({ objects: whole, requests: whole }, {}), 'What reading the platform cost.'),
      omitted: described(
        object({}, { changes: whole, drift: whole, refusals: whole, warnings: whole }),
        'With --max-bytes: how many there are besides those that are listed.',
      ),
    },
  ),
);

export const reportSchema: JsonObject = document(
  'chatform apply --report FILE',
  'What a run did; written on failure too.',
  object(
    {
      format_version: formatVersion,
      outcome: runOutcome,
      exit_code: whole,
      steps: object(
        {
          planned: whole,
          succeeded: whole,
          failed: whole,
          unknown: described(whole, 'Nobody can say whether they took effect; the next run finds out.'),
          skipped: described(whole, 'Not tried, since they need one that failed.'),
        },
        {},
      ),
      requests: list(
        object(
          {
            method,
            route,
            sent: whole,
            retried: described(whole, 'Repeats after an unknown outcome.'),
            limited: described(whole, 'Answered with 429.'),
          },
          {},
        ),
      ),
      started_at: moment,
      finished_at: moment,
      duration_s: seconds,
      lower_bound_s: described(seconds, 'The shortest possible duration, by the plan.'),
      failures: list(failure),
    },
    {
      left_open: described(
        list(address),
        'Opened for work on them, and not closed again: the next run closes them. Absent when there are none.',
      ),
    },
  ),
);

const step: JsonObject = { step: described(text, 'The id of the step, unique in the plan.'), address };
const lane = described(text, 'The lane of its call: `POST /users`. Absent when only state changes.');

export const eventsSchema: JsonObject = document(
  'chatform apply --events FILE: one line',
  'One JSON object a line. Readers ignore types that they do not know.',
  {
    type: 'object',
    required: ['type', 'at'],
    properties: { at: moment },
    oneOf: [
      event('run.started', { format_version: formatVersion, steps: whole, lower_bound_s: seconds }),
      event('step.started', { ...step, action }, { route: lane }),
      event('step.retried', { ...step, attempt: whole, why: text }),
      event(
        'step.ended',
        { ...step, action, outcome: { enum: ['succeeded', 'failed', 'unknown', 'skipped'] } },
        { route: lane, failure, note: described(text, 'How the effect was known when it was not the plain answer.') },
      ),
      event('rate.limited', { route: text, retry_after_s: seconds }),
      event('run.stopping', { why: text }),
      event('run.ended', { outcome: runOutcome }),
    ],
  },
);

export const diagnosticsSchema: JsonObject = document(
  'chatform validate --format json',
  'All problems of the manifests, in the order in which people see them.',
  object(
    {
      format_version: formatVersion,
      summary: object({ errors: whole, warnings: whole, notes: whole }, {}),
      diagnostics: list(diagnostic),
    },
    {},
  ),
);

function event(type: string, required: JsonObject, optional: JsonObject = {}): JsonObject {
  return object({ type: { const: type }, ...required }, optional);
}
