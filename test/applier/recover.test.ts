// Tests how calls that a killed run had begun are resolved before anything is planned, without sending what may have been
// withdrawn since.
import { describe, expect, test } from 'vitest';
import { inCurrentForm } from '../../src/applier/doubt/interrupted-calls.ts';
import type { DoubtKind } from '../../src/applier/doubt/kinds.ts';
import { recover } from '../../src/applier/recover.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { Refusal } from '../../src/model/errors.ts';
import type { ApiRequest } from '../../src/model/request.ts';
import type { Step } from '../../src/model/step.ts';
import { type Fault, refused } from './support/fake-platform.ts';
import { rig } from './support/rig.ts';
import { create, patch, update } from './support/steps.ts';

const thing: DoubtKind = {
  keyName: 'key',
  disabledState: { disable: 'freeze', enable: 'unfreeze', field: 'freeze' },
  view: (key) => ({ method: 'GET', route: '/things/{key}', params: { key } }),
};

interface Found {
  /** The begins of the killed run. */
  readonly begun: Step;
  /** The things on the platform. */
  readonly live?: JsonObject;
  readonly fault?: (nth: number) => Fault;
  readonly hasSink?: boolean;
  readonly at?: string;
  readonly maxDurationMs?: number;
  readonly settleMs?: number;
  /** The steps planned afterwards. */
  readonly planned?: readonly Step[];
}

async function recovered({ begun, live, fault, hasSink = true, at, maxDurationMs, settleMs = 0, planned = [] }: Found) {
  const things = new Map(live === undefined ? [] : [['a', { made: 1, changed: 0, value: live }]]);
  const { clock, state, platform, pacer } = rig({ things, fault: (_request, nth) => fault?.(nth) });
  const begin = { step: begun.id, address: begun.address, request: 'digest', at: at ?? clock.date().toISOString() };
  state.disk.pending.set(begun.id, { ...begin, planned: begun });
  const limit = maxDurationMs === undefined ? {} : { maxDurationMs };
  const options = { random: () => 0.5, kindOf: () => thing, lines: async () => [], settleMs, hasSink, ...limit };
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

const made = { address: 'thing.a', attributes: { name: 'a' } } as const;
const get = 'GET /things/{key} a';
const put = 'PUT /things/{key} a';
const deletion: Step = { ...update('a'), action: 'delete', entry: { type: 'delete', address: 'thing.a' } };
describe('a creation', () => {
  test('that took effect is recorded in state and not sent', async () => {
    expect(await recovered({ begun: create('a'), live: { name: 'a' } })).toMatchObject({
      settled: 1,
      calls: [get],
      pending: [],
      records: [made],
    });
  });

  test('that is absent and planned again stays begun, because it may still arrive', async () => {
    const found = await recovered({ begun: create('a'), planned: [create('a')] });
    expect(found).toMatchObject({ settled: 1, calls: [get], pending: ['thing.a#0'], records: [] });
  });

  test('that is absent and no longer planned is forgotten', async () => {
    expect(await recovered({ begun: create('a') })).toMatchObject({ settled: 1, calls: [get], pending: [] });
  });

  test('that has not arrived after a long time is treated as lost', async () => {
    const found = await recovered({ begun: create('a'), planned: [create('a')], at: '2025-12-31T00:00:00Z' });
    expect(found.pending).toEqual([]);
  });

  test('that meets another object is left to the plan', async () => {
    expect(await recovered({ begun: create('a'), live: { name: 'other' } })).toMatchObject({
      settled: 1,
      pending: ['thing.a#0'],
      records: [],
    });
  });

  test('whose token would have no destination is left to the plan', async () => {
    const begun = create('a', { sink: { field: 'access_token', user_id: 'a' } });
    expect(await recovered({ begun, live: { name: 'a' }, hasSink: false })).toMatchObject({ settled: 0, calls: [] });
  });
});

describe('a call that is safe to repeat', () => {
  test('is sent once more, and its entry is written', async () => {
    expect(await recovered({ begun: update('a'), live: {} })).toMatchObject({ settled: 1, calls: [put], pending: [] });
  });

  test('that is refused because it took effect before is done, and its entry is written', async () => {
    const begun: Step = { ...update('a'), entry: { type: 'put', record: made }, doneAgainOn: [400202] };
    const found = await recovered({ begun, live: { name: 'a' }, fault: () => refused(400202) });
    expect(found).toMatchObject({ settled: 1, calls: [put], pending: [], records: [made] });
  });

  test('that is refused now is planned anew', async () => {
    expect(await recovered({ begun: update('a') })).toMatchObject({
      settled: 1,
      calls: [put],
      pending: [],
      records: [],
    });
  });

  test('waits for a 429 and for a platform that does not answer', async () => {
    const fault = (nth: number): Fault =>
      nth === 0 ? { type: 'limited', retryAfterS: 1 } : nth < 3 ? 'lost before' : undefined;
    const found = await recovered({ begun: update('a'), live: {}, fault });
    expect(found).toMatchObject({ settled: 1, calls: [put, put, put, put], pending: [] });
  });

  test.for<[name: string, fault: Fault, exit: number]>([
    ['does not answer', 'lost before', 4],
    ['cannot be reached', { type: 'unsent', message: 'connection refused' }, 4],
    ['refuses the token', refused(400401), 3],
  ])('of a platform that %s: nothing else may be sent, and it stays begun', async ([, fault, exit]) => {
    const { settled, pending } = await recovered({ begun: update('a'), live: {}, fault: () => fault });
    expect(settled).toBeInstanceOf(Refusal);
    expect(settled).toMatchObject({ code: 'state.unsettled', exitCode: exit });
    expect(pending).toEqual(['thing.a#1']);
  });

  test('ends with 9 and stays begun when the platform does not answer in time', async () => {
    const found = await recovered({ begun: update('a'), live: {}, fault: () => 'lost before', maxDurationMs: 1_000 });
    expect(found.settled).toMatchObject({ code: 'state.unsettled', exitCode: 9 });
    expect(found.pending).toEqual(['thing.a#1']);
  });
});

describe('a deletion', () => {
  test('is removed from state when a read shows that the object is gone', async () => {
    expect(await recovered({ begun: deletion })).toMatchObject({ settled: 1, calls: [get], pending: [] });
  });

  test('is not repeated when the object still exists', async () => {
    const found = await recovered({ begun: deletion, live: { key: 'a' } });
    expect(found).toMatchObject({ settled: 1, calls: [get], pending: [] });
  });
});

describe('a freeze or unfreeze is read', () => {
  const request: ApiRequest = { ...thing.view('a'), method: 'PUT', body: { freeze: true } };
  const closing = update('a', 1, { action: 'freeze', request, entry: patch('a', 1) });

  test.for([true, false])('frozen: %s', async (freeze) => {
    const found = await recovered({ begun: closing, live: { freeze } });
    expect(found).toMatchObject({ settled: 1, calls: [get], pending: [] });
  });
});

describe('a call that may still arrive', () => {
  test('is not read before it has settled', async () => {
    const { tookMs } = await recovered({ begun: create('a'), live: { name: 'a' }, settleMs: 15_000 });
    expect(tookMs).toBeGreaterThanOrEqual(15_000);
  });

  test('has settled if it was begun long ago', async () => {
    const { tookMs } = await recovered({ begun: create('a'), settleMs: 15_000, at: '2020-01-01T00:00:00.000Z' });
    expect(tookMs).toBeLessThan(1_000);
  });

  test('stays unresolved if the time limit ends first', async () => {
    const { settled, calls, tookMs } = await recovered({ begun: create('a'), settleMs: 15_000, maxDurationMs: 2_000 });
    expect({ settled, calls, tookMs }).toMatchObject({ settled: { exitCode: 9 }, calls: [], tookMs: 2_000 });
  });

  test('gets a new begin when it is sent again, but not when it is read', async () => {
    const old = '2020-01-01T00:00:00.000Z';
    const lost = { fault: (): Fault => 'lost before', at: old };
    expect((await recovered({ begun: update('a'), ...lost })).at).not.toBe(old);
    expect((await recovered({ begun: create('a'), ...lost })).at).toBe(old);
  });
});

test('a begin of version 0.2 keeps the placeholders of its request', () => {
  const placeholder = { type: 'secret', field: 'access_code', variable: 'CODE' } as const;
  const { request = { method: 'PUT', route: '' }, ...step } = update('a');
  const begin = { step: step.id, address: step.address, request: 'digest', at: '2026-01-01T00:00:00Z' };
  const former = { ...begin, planned: { ...step, request: { ...request, holes: [placeholder] } } };
  expect(inCurrentForm(former).planned?.request).toEqual({ ...request, placeholders: [placeholder] });
});
