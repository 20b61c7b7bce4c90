// The schemas of the documents that chatform writes for machines: the sources of schema/*.schema.json.
import type { JsonObject } from '../../lib/json.ts';
import { totalled } from '../../model/migration-report.ts';
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
    path: withDescription(text, 'metadata.team, members."a.b": a part that is not a plain word is quoted as JSON.'),
    how: {
      enum: ['set', 'reset', 'release'],
      description:
        'set: to the declared value. reset: the line was removed and the value becomes neutral. release: the line was removed, the value stays and is no longer managed.',
    },
  },
  {
    before: { description: 'Any value. Absent if it was not managed.' },
    after: { description: 'Any value. Absent if it is no longer managed.' },
  },
);

const requestCount = object({ method, route, count: wholeNumber }, {});

const change = object(
  {
    address,
    actions: withDescription(arrayOf(action), 'What happens to the object, in order.'),
    attributes: arrayOf(attributeChange),
    reason: withDescription(text, 'One sentence for people.'),
    reversibility: {
      enum: ['reversible', 'lossy', 'irreversible'],
      description: 'Whether another apply can undo the effect: completely, with a loss, or not at all.',
    },
    dangerous: { type: 'boolean', description: 'Restricts or restores access: review it first.' },
    notes: arrayOf(text),
    requests: withDescription(arrayOf(requestCount), 'The calls that the change causes.'),
  },
  {
    cause: {
      enum: ['request', 'pending'],
      description: 'With --base-ref: caused by the request under review, or already pending before it.',
    },
    live: withDescription(
      object({}, { members: wholeNumber, last_message_at: moment }),
      'For a channel that is frozen or deleted, after a refresh.',
    ),
    source: withDescription(position, 'Where the object is declared. Absent if it was removed from the manifest.'),
  },
);

const drift = object(
  {
    address,
    type: {
      enum: ['changed', 'missing', 'departed'],
      description:
        'changed: managed attributes differ. missing: the object is gone. departed: declared members have left.',
    },
    attributes: withDescription(arrayOf(attributeChange), 'before is the value last applied, after the current one.'),
    note: withDescription(text, 'One sentence for people: what an apply does about it.'),
  },
  { source: withDescription(position, 'Where the object is declared.') },
);

export const planSchema: JsonObject = schemaDocument(
  'chatform plan --format json',
  'What an apply would do.',
  object(
    {
      format_version: formatVersionSchema,
      application: withDescription(text, 'The application of the plan: host and path, or emulator: and its path.'),
      summary: {
        type: 'object',
        propertyNames: action,
        additionalProperties: wholeNumber,
        description: 'Objects by action. An object that is created and frozen counts for both.',
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
                  rate: withDescription({ type: 'number' }, 'Calls per second.'),
                  seconds,
                },
                {},
              ),
            ),
            'The calls that each rate limit has to let through, the slowest limit first.',
          ),
        },
        {
          bottleneck: withDescription(text, 'The slowest rate limit, in words. Absent if there is nothing to send.'),
          others: withDescription(
            wholeNumber,
            'How many rate limits are left out. Each takes less time than those listed.',
          ),
          chain: withDescription(
            object({ calls: wholeNumber, from: address, to: address }, {}),
            'The longest chain of calls that wait for one another, and the objects of its first and last call.',
          ),
        },
      ),
      warnings: arrayOf(diagnostic),
      hash: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'For apply --approved-hash.' },
    },
    {
      lineage: withDescription(
        text,
        'The lineage of the state that the plan was made against. Absent if the state is empty.',
      ),
      drift: withDescription(
        arrayOf(drift),
        'Differences between state and the platform, by address. Absent without a refresh.',
      ),
      refusals: withDescription(arrayOf(diagnostic), 'Why the plan may not be applied. Absent if it may.'),
      refreshed: withDescription(
        object({ objects: wholeNumber, requests: wholeNumber }, {}),
        'What reading the platform cost.',
      ),
      omitted: withDescription(
        object({}, { changes: wholeNumber, drift: wholeNumber, refusals: wholeNumber, warnings: wholeNumber }),
        'With --max-bytes: how many there are in addition to those listed.',
      ),
    },
  ),
);

export const reportSchema: JsonObject = schemaDocument(
  'chatform apply --report FILE',
  'What a run did. Also written after a failure.',
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
          unknown: withDescription(wholeNumber, 'Their outcome is unknown. The next run finds out.'),
          skipped: withDescription(wholeNumber, 'Not tried because a step they need failed.'),
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
        'Objects that were temporarily reopened and are still open. The next run closes them. Absent if there are none.',
      ),
    },
  ),
);

const step: JsonObject = { step: withDescription(text, 'The id of the step, unique in the plan.'), address };
const lane = withDescription(text, 'The method and route of its call: `POST /users`. Absent if only state changes.');

export const eventsSchema: JsonObject = schemaDocument(
  'chatform apply --events FILE: one line',
  'One JSON object per line. Readers ignore unknown types.',
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
          note: withDescription(text, 'How the effect was confirmed, if not by the plain answer.'),
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

const counts = Object.fromEntries(totalled.map((name) => [name, wholeNumber]));

/** The schema of `chatform verify --format json` and of its report file. */
export const migrationSchema: JsonObject = schemaDocument(
  'chatform verify --format json',
  'Whether every declared message is on the platform exactly once and in order.',
  object(
    {
      format_version: formatVersionSchema,
      application: withDescription(text, 'Host and path, or emulator: and its path.'),
      exit_code: wholeNumber,
      started_at: moment,
      finished_at: moment,
      requests: withDescription(wholeNumber, 'Read requests that were sent.'),
      totals: object(
        { ...counts, channels: wholeNumber, matched: wholeNumber, mismatched: wholeNumber, unreadable: wholeNumber },
        {},
      ),
      channels: withDescription(
        arrayOf(
          object(
            {
              channel_url: text,
              file: text,
              outcome: { enum: ['matched', 'mismatched', 'unreadable'] },
              ...counts,
              findings: withDescription(
                arrayOf(
                  object(
                    {
                      what: { enum: ['missing', 'deleted', 'doubled', 'moved', 'altered', 'out_of_order'] },
                      timestamp: wholeNumber,
                    },
                    { sender: text },
                  ),
                ),
                'The first ones only. The counts include all.',
              ),
            },
            {
              there: withDescription(wholeNumber, 'Messages that the platform counts, including those of others.'),
              first: withDescription(wholeNumber, 'Unix milliseconds.'),
              last: wholeNumber,
              note: text,
            },
          ),
        ),
        'Sorted by channel_url.',
      ),
    },
    {},
  ),
);

function event(type: string, required: JsonObject, optional: JsonObject = {}): JsonObject {
  return object({ type: { const: type }, ...required }, optional);
}
