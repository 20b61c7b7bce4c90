// Tests how calls that a killed run had begun are resolved before anything is planned, without sending what may have been
// withdrawn since.
import { expect, test } from 'vitest';
import type { DoubtKind } from '../../src/applier/doubt/kinds.ts';
import { recover } from '../../src/applier/recover.ts';
import type { ApiRequest } from '../../src/model/request.ts';
import type { Step } from '../../src/model/step.ts';
import { type Fault, refused } from './support/fake-platform.ts';
import { type RigOptions, rig } from './support/rig.ts';
import { create, patch, update } from './support/steps.ts';

const thing: DoubtKind = {
  keyName: 'key',
  disabledState: { disable: 'freeze', enable: 'unfreeze', field: 'freeze' },
  view: (key) => ({ method: 'GET', route: '/things/{key}', params: { key } }),
};

interface Found extends RigOptions {
  /** Default: a creation. */
  readonly begun?: Step;
  readonly hasSink?: boolean;
  readonly at?: string;
  readonly maxDurationMs?: number;
  readonly settleMs?: number;
  /** The steps planned afterwards. */
  readonly planned?: readonly Step[];
}

async function recovered({ begun = creation, hasSink = true, at, settleMs = 0, planned = [], ...found }: Found) {
  const { maxDurationMs, ...given } = found;
  const { clock, state, platform, pacer } = rig(given);
  const begin = { step: begun.id, address: begun.address, request: 'digest', at: at ?? clock.date().toISOString() };
  state.disk.pending.set(begun.id, { ...begin, planned: begun });
  const limit = maxDurationMs === undefined ? {} : { maxDurationMs };
  const options = { random: () => 0.5, kindOf: () => thing, readList: async () => [], settleMs, hasSink, ...limit };
  const work = recover({ platform, pacer, state, clock }, options).then(async (recovery) => {
    await recovery.forgetUnplanned(planned);
    return recovery.settled;
  });
  const settled = await clock.run(work.catch((error: unknown) => error));
  return {
    settled,
    calls: platform.calls,
    pending: [...state.disk.pending.keys()],
    records: [...state.disk.records.values()],
    tookMs: clock.now(),
    at: state.disk.pending.get(begun.id)?.at,
  };
}

const creation = create('a');
const made = { address: 'thing.a', attributes: { name: 'a' } } as const;
const [get, put] = ['GET /things/{key} a', 'PUT /things/{key} a'];
const live = { a: { name: 'a' } };
const deletion: Step = { ...update('a'), action: 'delete', entry: { type: 'delete', address: 'thing.a' } };
const creationPending = ['thing.a#0'];
const updatePending = ['thing.a#1'];
const old = '2020-01-01T00:00:00.000Z';
const freezing: ApiRequest = { ...thing.view('a'), method: 'PUT', body: { freeze: true } };
const closing = update('a', 1, { action: 'freeze', request: freezing, entry: patch('a', 1) });
const lost = (): Fault => 'lost before';

test.for<readonly [title: string, found: Found, seen: object]>([
  ['a creation that took effect is recorded', { live }, { settled: 1, calls: [get], pending: [], records: [made] }],
  [
    'a creation that is absent and planned again stays begun, because it may still arrive',
    { planned: [creation] },
    { settled: 1, calls: [get], pending: creationPending, records: [] },
  ],
  ['a creation that is absent and no longer planned is forgotten', {}, { settled: 1, calls: [get], pending: [] }],
  [
    'a creation that has not arrived after a long time is treated as lost',
    { planned: [creation], at: '2025-12-31T00:00:00Z' },
    { pending: [] },
  ],
  [
    'a creation that meets another object is left to the plan',
    { live: { a: { name: 'other' } } },
    { settled: 1, pending: creationPending, records: [] },
  ],
  [
    'a creation whose token would have no destination is left to the plan',
    { begun: create('a', { sink: { field: 'access_token', user_id: 'a' } }), live, hasSink: false },
    { settled: 0, calls: [] },
  ],
  [
    'a call that is safe to repeat is sent once more, and its entry is written',
    { begun: update('a'), live: { a: {} } },
    { settled: 1, calls: [put], pending: [] },
  ],
  [
    'a repeated call that is refused because it took effect is done, and its entry is written',
    {
      begun: { ...update('a'), entry: { type: 'put', record: made }, doneAgainOn: [400202] },
      live,
      fault: () => refused(400202),
    },
    { settled: 1, calls: [put], pending: [], records: [made] },
  ],
  [
    'a repeated call that is refused now is planned anew',
    { begun: update('a') },
    { settled: 1, calls: [put], pending: [], records: [] },
  ],
  [
    'a repeated call waits for a 429 and for a platform that does not answer',
    {
      begun: update('a'),
      live: { a: {} },
      answers: [{ type: 'limited', retryAfterS: 1 }, 'lost before', 'lost before'],
    },
    { settled: 1, calls: [put, put, put, put], pending: [] },
  ],
  ...(
    [
      ['does not answer', 'lost before', 4],
      ['cannot be reached', { type: 'unsent', message: 'connection refused' }, 4],
    ] as const
  ).map(([what, fault, exitCode]): [string, Found, object] => [
    `a call stays begun, and nothing else may be sent, if the platform ${what}`,
    { begun: update('a'), live: { a: {} }, fault: () => fault },
    { settled: { name: 'Refusal', code: 'state.unsettled', exitCode }, pending: updatePending },
  ]),
  ...[0, 15_000].map((settleMs): [string, Found, object] => [
    `a call stays begun, and the token is named, if the platform refuses it, without a wait of ${settleMs} ms`,
    { begun: update('a'), live: { a: {} }, fault: () => refused(400401, 'Invalid API token.'), settleMs },
    {
      settled: {
        code: 'token.refused',
        exitCode: 3,
        message:
          'The platform refuses the API token: Invalid API token. The outcome of 1 interrupted call is still unknown.',
        advice: expect.stringContaining('Check CHATFORM_API_TOKEN'),
      },
      calls: [settleMs === 0 ? put : get],
      tookMs: expect.toSatisfy((ms: number) => ms < 100),
      pending: updatePending,
    },
  ]),
  [
    'a call that may still arrive is read only to check the token before it has settled',
    { live, settleMs: 15_000, planned: [creation] },
    { settled: 1, calls: [get, get], records: [made] },
  ],
  [
    'a call stays begun with exit code 9 if the platform does not answer in time',
    { begun: update('a'), live: { a: {} }, fault: lost, maxDurationMs: 1_000 },
    { settled: { code: 'state.unsettled', exitCode: 9 }, pending: updatePending },
  ],
  [
    'a deletion is removed from state when a read shows that the object is gone',
    { begun: deletion },
    { settled: 1, calls: [get], pending: [] },
  ],
  [
    'a deletion is not repeated when the object still exists',
    { begun: deletion, live },
    { settled: 1, calls: [get], pending: [] },
  ],
  ...[true, false].map((freeze): [string, Found, object] => [
    `a freeze or unfreeze is read, frozen: ${freeze}`,
    { begun: closing, live: { a: { freeze } } },
    { settled: 1, calls: [get], pending: [] },
  ]),
  ['a call that may still arrive is not read before it has settled', { live, settleMs: 15_000 }, { tookMs: 15_021 }],
  ['a call has settled if it was begun long ago', { settleMs: 15_000, at: old }, { tookMs: 22 }],
  [
    'a call stays unresolved, without a wait, if the time limit ends first',
    { settleMs: 15_000, maxDurationMs: 2_000 },
    { settled: { exitCode: 9 }, calls: [], tookMs: 0 },
  ],
  ['a call keeps its begin when it is read', { fault: lost, at: old }, { at: old }],
  [
    'a call gets a new begin when it is sent again',
    { begun: update('a'), fault: lost, at: old },
    { at: expect.not.stringMatching(old) },
  ],
])('%s', async ([, found, seen]) => {
  expect(await recovered(found)).toMatchObject(seen);
});
