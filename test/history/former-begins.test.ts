// Tests that this version resolves the calls that a run of version 0.3 began. The golden has steps as 0.3 planned them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requestDigest } from '../../src/applier/doubt/begun-calls.ts';
import { inCurrentForm } from '../../src/applier/doubt/interrupted-calls.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { defaultMessagesPolicy } from '../../src/model/policy.ts';
import type { Step } from '../../src/model/step.ts';
import { archiveOfLines, archiveResource } from '../support/archives.ts';
import { kindNamed, openPolicy, planFor, resources, type State, stateOf } from '../support/planning/planning.ts';

const time = 1_600_000_000_000;
const estate = resources({
  user: { alice: {}, bob: {} },
  group_channel: { 'room-1': { members: { alice: {}, bob: {} } } },
});

function line(number: number, more: JsonObject = {}): JsonObject {
  return { message_type: 'MESG', timestamp: time + number, user_id: 'alice', message: `text ${number}`, ...more };
}

function history(lines: readonly JsonObject[]) {
  return archiveResource('group_channel', 'room-1', archiveOfLines('a.ndjson', lines, 3));
}

function stepsOf(after: readonly JsonObject[], state: State): readonly Step[] {
  const messages = { ...defaultMessagesPolicy, edited: 'update', deleted: 'delete', late: 'insert' } as const;
  return [...planFor([...estate, history(after)], state, { policy: { ...openPolicy, messages } }).plan.steps];
}

const lines = [1, 2, 3, 4, 5, 6, 7].map((number) => line(number));
const arrays = { sorted_metaarray: [{ key: 'k', value: ['v'] }] };
const marked = { reactions: { up: ['bob'] }, pinned: true };
/** Line 2 is edited, line 4 is gone, and two lines before others are new. */
const corrected = [
  line(0),
  line(1),
  line(1),
  line(2, { message: 'edited', ...arrays }),
  line(3),
  line(5),
  line(6),
  line(7, marked),
];

const scenarios: Readonly<Record<string, readonly Step[]>> = {
  'new messages of a channel that may have some': stepsOf(lines, stateOf(estate)),
  'more messages': stepsOf(lines, stateOf([...estate, history(lines.slice(0, 2))])),
  'corrections, reactions and pins': stepsOf(corrected, stateOf([...estate, history(lines)])),
};

const former = JSON.parse(readFileSync(new URL('goldens/steps-of-0.3.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, readonly Step[]>
>;

test.for(Object.keys(scenarios))('reads a begin of version 0.3 as one of this version: %s', (name) => {
  const steps = former[name] ?? [];
  expect(steps.length).toBeGreaterThan(0);
  const begins = steps.map(({ needs: _needs, ...step }) => {
    const planned = { ...step, needs: [] };
    const request = step.request === undefined ? '' : requestDigest(step.request);
    return inCurrentForm({ step: step.id, address: step.address, request, at: '', planned }, () =>
      kindNamed('messages'),
    );
  });
  expect(begins.map(({ planned }) => planned)).toEqual(scenarios[name]?.map((step) => ({ ...step, needs: [] })));
  const digests = scenarios[name]?.map(({ request }) => (request === undefined ? '' : requestDigest(request)));
  expect(begins.map(({ request }) => request)).toEqual(digests);
});
