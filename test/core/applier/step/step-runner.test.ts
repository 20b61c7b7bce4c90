// Tests how a step ends for every answer of the platform: journal, retries, reads, adoption, lists that are split.
import { describe, expect, test } from 'vitest';
import { requestDigest } from '../../../../src/core/applier/doubt/begun-calls.ts';
import { backOffMs } from '../../../../src/core/model/calls/back-off.ts';
import { Refusal } from '../../../../src/core/model/errors.ts';
import type { PendingBegin } from '../../../../src/core/model/ports.ts';
import type { ApiRequest } from '../../../../src/core/model/request.ts';
import type { Step } from '../../../../src/core/model/step.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { bucket } from '../support/fake-pacer.ts';
import { type Fault, refused } from '../support/fake-platform.ts';
import { eventWith, keys, play, rig, type Scene } from '../support/rig.ts';
import { create, stateOnly, update } from '../support/steps.ts';

const [post, get, put] = ['POST /things a', 'GET /things/{key} a', 'PUT /things/{key} a'];
const [begin, undone, done] = ['begin thing.a#0', 'undone thing.a#0', 'done thing.a#0'];
const { resolve: _read, ...blind } = create('a');
const unsent: Fault = { type: 'unsent', message: 'connection refused' };
const failure = (message: string | RegExp) => ({ failures: [{ message: expect.stringMatching(message) }] });

function begun(step: Step, id = step.id): PendingBegin {
  const request = requestDigest(step.request ?? { method: 'GET', route: '' });
  return { step: id, address: step.address, request, at: '2026-01-01T00:00:00.000Z', planned: step };
}

/** A run and what is seen of it, compared as by toMatchObject. */
type Row = readonly [title: string, scene: Scene, seen: object];

function rows(...table: readonly Row[]): void {
  test.for(table)('%s', async ([, scene, seen]) => {
    expect(await play(scene)).toMatchObject(seen);
  });
}

test('a 429 is waited for exactly, is not an attempt and leaves no begin', async () => {
  const limits = Array.from({ length: 20 }, (): Fault => ({ type: 'limited', retryAfterS: 5 }));
  const { report, log, tookMs, events } = await play({ answers: limits });
  expect(report).toMatchObject({
    outcome: 'done',
    requests: [{ method: 'POST', route: '/things', sent: 21, retried: 0, limited: 20 }],
  });
  expect(tookMs).toBeGreaterThan(100_000);
  expect(tookMs).toBeLessThan(101_000);
  expect(log.slice(0, 3)).toEqual([begin, undone, begin]);
  expect(events.filter(({ type }) => type === 'rate.limited')).toHaveLength(20);
  expect(events.filter(({ type }) => type === 'step.started')).toHaveLength(1);
});

describe('a lost answer', () => {
  rows(
    [
      'to a creation that took effect is resolved by a read',
      { answers: ['lost after'] },
      { report: { outcome: 'done' }, calls: [post, get], log: [begin, done] },
    ],
    [
      'appears in the events with its attempt and outcome',
      { answers: ['lost after'] },
      {
        events: expect.arrayContaining([
          expect.objectContaining({ type: 'step.ended', note: 'resolved by reading' }),
          expect.objectContaining({ type: 'step.retried', attempt: 2, why: 'connection reset' }),
        ]),
      },
    ],
    [
      'to a creation without an effect is resolved by a read and sent again',
      { answers: ['lost before'] },
      {
        calls: [post, get, post],
        log: [begin, begin, done],
        report: {
          requests: [
            { method: 'GET', route: '/things/{key}', sent: 1, retried: 0, limited: 0 },
            { method: 'POST', route: '/things', sent: 2, retried: 1, limited: 0 },
          ],
        },
      },
    ],
    [
      'to a step that is safe to repeat is sent again',
      { steps: [update('a')], live: { a: {} }, answers: ['lost after', { type: 'unknown', message: 'cut' }] },
      {
        report: { outcome: 'done' },
        calls: [put, put, put],
        log: [...Array(3).fill('begin thing.a#1'), 'done thing.a#1'],
      },
    ],
    [
      'to a step that is not safe to repeat and cannot be read stays unknown, with its begin',
      { steps: [blind, update('a', 1, { needs: ['thing.a#0'] })], answers: ['lost after'] },
      {
        report: { outcome: 'incomplete', exit_code: 4, steps: { unknown: 1, skipped: 1 } },
        calls: [post],
        pending: [{ step: 'thing.a#0' }],
      },
    ],
    [
      'is unknown after eight attempts, and its begin stays',
      { fault: () => 'lost before' },
      {
        report: { steps: { unknown: 1 }, ...failure('^gave up after 8 attempts: connection reset$') },
        calls: { length: 8 },
        pending: [{ step: 'thing.a#0' }],
      },
    ],
    [
      'is unknown after three answers that the time-out cut off',
      { fault: () => ({ type: 'unknown', status: 200, message: 'took too long to end', isUnfinished: true }) },
      { report: failure('^gave up after 3 attempts: took too long to end$'), calls: { length: 3 } },
    ],
    [
      'is unknown after five minutes',
      { fault: () => 'lost before', latencyMs: () => 90_000 },
      { report: { steps: { unknown: 1 } }, calls: { length: 5 } },
    ],
  );

  test('is recognised as our creation when the key is taken later', async () => {
    // The read finds nothing, and then the first request arrives after all.
    const late: Fault[] = ['lost before', undefined, refused(400202, 'taken')];
    const { report, calls } = await play({ answers: [...late, { type: 'ok', body: { key: 'a', name: 'a' } }] });
    expect(report.outcome).toBe('done');
    expect(calls).toEqual([post, get, post, get]);
  });

  test('is given up within five minutes', async () => {
    expect((await play({ fault: () => 'lost before' })).tookMs).toBeLessThan(300_000);
  });

  test.for([
    [1, 250, 500],
    [2, 500, 1_000],
    [7, 15_000, 30_000],
    [20, 15_000, 30_000],
  ] as const)('after %i tries is followed by a pause of %i to %i ms', ([tries, least, most]) => {
    expect(backOffMs(tries, () => 0)).toBe(least);
    expect(backOffMs(tries, () => 1)).toBe(most);
  });
});

describe('a request that never left', () => {
  const gone = new Refusal('hole.changed', 4, 'The file a.png changed.', 'Plan again.');
  rows(
    [
      'is repeated without a read, and its begin is undone',
      { answers: [unsent] },
      {
        report: { outcome: 'done', requests: [{ sent: 1, retried: 1 }] },
        calls: [post, post],
        log: [begin, undone, begin, done],
      },
    ],
    [
      'fails after eight attempts, because nothing can have happened',
      { fault: () => unsent },
      { report: { steps: { failed: 1, unknown: 0 }, requests: [] }, pending: [] },
    ],
    [
      'fails only its step if a placeholder cannot be filled, and releases its slot',
      { steps: [create('a'), create('b')], fault: ({ body }) => (body?.key === 'a' ? gone : undefined) },
      {
        refusal: undefined,
        report: {
          outcome: 'incomplete',
          steps: { succeeded: 1, failed: 1 },
          failures: [{ status: 0, code: 0, message: 'The file a.png changed. Plan again.' }],
        },
        pending: [],
        learned: ['ok', 'unsent'],
      },
    ],
  );
});

test('a creation of an object in state that a read did not show says so, and leaves state as it is', async () => {
  const there = rig();
  await there.run([create('a')]);
  const before = [...there.state.records()];
  const { report } = await there.run([create('a')]);
  expect(report).toMatchObject(failure('exists, although a read did not show it .* and state has it'));
  expect([...there.state.records()]).toEqual(before);
});

describe('a creation that meets an object', () => {
  const live = (name: string) => ({ live: { a: { key: 'a', name } } });
  rows(
    [
      'is a conflict by default, and leaves no begin',
      live('a'),
      {
        report: {
          outcome: 'incomplete',
          failures: [
            { status: 400, code: 400202, message: expect.stringContaining('already exists but is not in state') },
          ],
        },
        log: [begin, undone],
      },
    ],
    [
      'adopt_equal: adopts an object that equals the declaration',
      { ...live('a'), options: { existing: 'adopt_equal' } },
      {
        report: { outcome: 'done' },
        events: eventWith({ type: 'step.ended', note: 'adopted' }),
        records: [{ address: 'thing.a' }],
      },
    ],
    [
      'adopt_equal: is a conflict if the object differs',
      { ...live('b'), options: { existing: 'adopt_equal' } },
      { report: failure('name is "b" instead of "a"') },
    ],
    [
      'adopt: is a conflict if the object differs and its kind cannot adopt',
      { ...live('b'), options: { existing: 'adopt' } },
      { report: { steps: { failed: 1 } } },
    ],
    [
      'ends after eight attempts if a read never finds the object',
      {
        fault: ({ method }) => (method === 'POST' ? refused(400202) : undefined),
        options: { existing: 'adopt_equal' },
      },
      { report: { steps: { failed: 1 } } },
    ],
  );

  test('adopt: runs the steps of the adoption, then the rest of the plan', async () => {
    const request: ApiRequest = { method: 'PUT', route: '/things/{key}', params: { key: 'a' }, body: { name: 'a' } };
    const met: JsonObject[] = [];
    const { report, things, log, ends } = await play({
      ...live('b'),
      steps: [create('a'), update('a', 1, { needs: ['thing.a#0'] })],
      options: {
        existing: 'adopt',
        adopt: (step, found) => {
          met.push(found);
          return [stateOnly('a', 100, { entry: step.entry }), update('a', 101, { request })];
        },
      },
    });
    expect(met).toMatchObject([{ name: 'b' }]);
    expect(report).toMatchObject({ outcome: 'done', steps: { planned: 2, succeeded: 2 } });
    expect(things.get('a')?.value).toMatchObject({ name: 'a', field1: true });
    expect(log.slice(2)).toEqual([
      'done thing.a#100',
      'begin thing.a#101',
      'done thing.a#101',
      'begin thing.a#1',
      'done thing.a#1',
    ]);
    expect(ends).toEqual(['thing.a#0 succeeded', 'thing.a#1 succeeded']);
  });
});

describe('a begin of an earlier run', () => {
  const own = [begun(create('a'))];
  const other = begun(create('z'));
  rows(
    [
      'that took effect is resolved by a read before anything is sent',
      { live: { a: { name: 'a' } }, begun: own },
      { report: { outcome: 'done' }, calls: [get], pending: [] },
    ],
    [
      'that had no effect is resolved by a read before anything is sent',
      { begun: own },
      { calls: [get, post], pending: [] },
    ],
    [
      'whose object differs is a conflict, and stays',
      { live: { a: { name: 'b' } }, begun: own },
      { report: { failures: [{ code: 0, status: 0 }] }, pending: own },
    ],
    [
      'is recognised by its object and request when its position has shifted',
      { live: { a: { name: 'a' } }, begun: [begun(create('a'), 'thing.a#4')] },
      { report: { outcome: 'done' }, calls: [get], log: [done, 'undone thing.a#4'] },
    ],
    [
      'that cannot be read is unknown and is not sent',
      { steps: [blind], begun: [begun(blind)] },
      { report: { steps: { unknown: 1 } }, calls: [], pending: [{ step: 'thing.a#0' }] },
    ],
    [
      'that does not occur in this plan is kept and reported',
      { begun: [other] },
      { leftPending: [other], pending: [other] },
    ],
  );
});

describe('a list with an id that the platform refuses', () => {
  const leaving = { method: 'PUT', route: '/group_channels/{channel_url}/leave', code: 400201 } as const;
  const cancelling = { method: 'DELETE', route: '/group_channels/{channel_url}/operators', code: 400111 } as const;
  const idsOf = ({ body, query }: ApiRequest) =>
    [body?.user_ids ?? String(query?.operator_ids ?? '').split(',')].flat();

  /** Sends a list that is refused as long as it contains y. `of` decides about other lists. */
  async function send(
    { method, route, code }: typeof leaving | typeof cancelling,
    ids = ['x', 'y', 'z'],
    of: (ids: readonly unknown[]) => Fault = () => undefined,
    declining: (id: unknown) => Fault = () => refused(400201),
  ) {
    const fields = method === 'PUT' ? { body: { user_ids: ids } } : { query: { operator_ids: ids.join(',') } };
    const request: ApiRequest = { method, route, params: { channel_url: 'a' }, ...fields };
    const sent: string[] = [];
    const fault = (call: ApiRequest): Fault => {
      if (call.route.endsWith('/decline')) {
        sent.push(`decline ${call.body?.user_id}`);
        return declining(call.body?.user_id);
      }
      if (call.route !== route) return undefined;
      sent.push(idsOf(call).join(','));
      return of(idsOf(call)) ?? (idsOf(call).includes('y') ? refused(code) : { type: 'ok', body: {} });
    };
    const edits = ids.map((id) => ({ op: 'set' as const, path: ['members', id], value: 'left' }));
    const entry = { type: 'patch' as const, address: 'thing.a' as const, edits };
    const step = update('a', 1, { request, entry, needs: ['thing.a#0'] });
    return { sent, ...(await play({ steps: [create('a'), step], fault })) };
  }

  test('is one call when none is refused', async () => {
    const { report, sent, log } = await send(leaving, ['x', 'z']);
    expect({ outcome: report.outcome, sent }).toEqual({ outcome: 'done', sent: ['x,z'] });
    expect(log).toContain('done thing.a#1');
  });

  test.for([
    [leaving, ['decline y']],
    [cancelling, []],
  ] as const)('is sent for each id to $0.method $0.route', async ([call, further]) => {
    const { report, sent, log } = await send(call);
    expect({ outcome: report.outcome, sent }).toEqual({ outcome: 'done', sent: ['x,y,z', 'x', 'y', ...further, 'z'] });
    expect(log.filter((line) => line === 'done thing.a#1')).toHaveLength(1);
  });

  const ok: Fault = { type: 'ok', body: {} };
  test.for<[leave: number, decline: Fault, outcome: string, left: string[]]>([
    [400201, ok, 'done', ['x', 'y']],
    [400111, ok, 'done', ['x', 'y']],
    [400201, refused(400201), 'done', ['x', 'y']],
    [400201, refused(400111), 'done', ['x', 'y']],
    [400111, refused(400201), 'done', ['x', 'y']],
    [400111, refused(400111), 'failed', ['x']],
    [400201, refused(400108), 'failed', ['x']],
  ])('ends an invitation whose leave has %i, if its decline has %j', async ([code, decline, outcome, left]) => {
    const call = { ...leaving, code } as typeof leaving;
    const { report, sent, records } = await send(call, ['x', 'y'], undefined, () => decline);
    expect(sent).toEqual(['x,y', 'x', 'y', 'decline y']);
    expect(report.failures.length > 0 ? 'failed' : 'done').toBe(outcome);
    expect(records).toMatchObject([{ attributes: { members: Object.fromEntries(left.map((id) => [id, 'left'])) } }]);
    if (!left.includes('y')) expect(records).not.toMatchObject([{ attributes: { members: { y: 'left' } } }]);
  });

  test('records the others when one is refused for another reason', async () => {
    const { report, log, records } = await send(leaving, ['x', 'y', 'z'], ([id, ...others]) =>
      id === 'x' && others.length === 0 ? refused(400108, 'no') : undefined,
    );
    expect(report.failures[0]).not.toHaveProperty('outcome');
    expect(report.failures).toMatchObject([
      { address: 'thing.a', code: 400108, message: 'x: no. The call succeeded without it' },
    ]);
    expect(log.filter((line) => line === 'done thing.a#1')).toHaveLength(1);
    expect(records).toMatchObject([{ attributes: { members: { y: 'left', z: 'left' } } }]);
    expect(records).not.toMatchObject([{ attributes: { members: { x: 'left' } } }]);
  });

  test('waits for the rate limit with each part', async () => {
    let limited = 0;
    const { report, tookMs } = await send(leaving, ['x', 'y', 'z'], ([id]) =>
      id === 'z' && limited++ === 0 ? { type: 'limited', retryAfterS: 7 } : undefined,
    );
    expect(report.outcome).toBe('done');
    expect(tookMs).toBeGreaterThan(7_000);
  });
});

test('calls queue for new slots after a stall of state instead of leaving in a burst', async () => {
  const departures: number[] = [];
  const { run, state, clock } = rig({ limits: () => [bucket('all', 20)], onCall: () => departures.push(clock.now()) });
  const begin = state.begin.bind(state);
  state.begin = async (pending) => {
    if (clock.now() >= 1_000 && clock.now() < 7_000) await clock.sleep(7_000 - clock.now());
    return begin(pending);
  };
  const { report } = await run(keys(200).map((key) => create(key)));
  expect(report.steps.succeeded).toBe(200);
  for (const [place, at] of departures.entries()) {
    expect((departures[place + 20] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThan(800);
  }
  // Each begin is written once, however often its step queued.
  expect(state.log.filter((line) => line.startsWith('begin'))).toHaveLength(200);
  expect(departures.find((at) => at > 1_100)).toBeGreaterThan(7_000);
});
