// Tests when a run starts no more steps: failures, a refused token, interruption, time limit, lease, full disk.
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/core/model/errors.ts';
import type { ApplyEvent } from '../../../src/core/model/event.ts';
import type { ApiRequest } from '../../../src/core/model/request.ts';
import { InternalError } from '../../../src/lib/errors.ts';
import { bucket } from './support/fake-pacer.ts';
import { refused } from './support/fake-platform.ts';
import { eventWith, keys, liveThings, play, rig, type Scene } from './support/rig.ts';
import { create, update } from './support/steps.ts';

const many = (count: number) => keys(count).map((key) => create(key));
const limits = () => [bucket('all', 10)];
const hundred = { steps: many(100), limits };
const askedToWait = (retryAfterS: number) => ({ type: 'limited', retryAfterS }) as const;
const unavailable = (retryAfterS: number) =>
  ({ type: 'unknown', status: 503, message: 'unavailable', retryAfterS }) as const;
const isOf = (key: string, { body }: ApiRequest) => body?.key === key;

test.for<readonly [title: string, scene: Scene, seen: object]>([
  [
    'the first 20 calls that fail alike stop the run',
    { ...hundred, fault: () => refused(400105) },
    { report: { outcome: 'incomplete', exit_code: 4, steps: { failed: 20, skipped: 0 } }, calls: { length: 20 } },
  ],
  [
    '50 failures stop it if one of the first 20 succeeded',
    { ...hundred, fault: (request) => (isOf('a7', request) ? undefined : refused(400105)) },
    { report: { steps: { succeeded: 1, failed: 50 } }, events: eventWith({ type: 'run.stopping' }) },
  ],
  [
    '50 failures stop it if they differ',
    { ...hundred, fault: (request) => refused(isOf('a7', request) ? 400110 : 400105) },
    { report: { steps: { failed: 50 } } },
  ],
  [
    'no failures stop a run with keepGoing, and its report lists the first',
    { steps: many(100), fault: () => refused(400105), options: { keepGoing: true, maxFailuresListed: 30 } },
    { report: { steps: { failed: 100 }, failures: { length: 30 } } },
  ],
  [
    'a refused token stops the run at once',
    { ...hundred, fault: () => refused(400401, 'Invalid API token.'), options: { keepGoing: true } },
    { report: { outcome: 'authentication', exit_code: 3, steps: { failed: 1 } }, calls: { length: 1 } },
  ],
  [
    '20 creations that all meet objects suggest a lost state',
    { ...hundred, fault: () => refused(400202), options: { keepGoing: true } },
    {
      report: { outcome: 'conflict', exit_code: 6, stop_cause: 'not_in_state', steps: { failed: 20 } },
      events: eventWith({ type: 'run.stopping', why: expect.stringContaining('already exist but are not in state') }),
    },
  ],
  [
    'an abort before the start starts nothing',
    { steps: many(3), options: { signal: AbortSignal.abort() } },
    { report: { outcome: 'interrupted', steps: { succeeded: 0 } } },
  ],
  [
    'the time limit stops the run exactly, between steps',
    { ...hundred, options: { maxDurationMs: 2_950 } },
    {
      report: { outcome: 'out_of_time', exit_code: 9, steps: { succeeded: 30 } },
      calls: { length: 30 },
      tookMs: 2_950,
    },
  ],
  [
    'the time limit stops the run while the maximum number of calls is running',
    { steps: many(10), latencyMs: () => 10_000, options: { maxDurationMs: 2_000, maxInFlight: 2 } },
    { report: { outcome: 'out_of_time', steps: { succeeded: 2 } }, calls: { length: 2 } },
  ],
  [
    'a wait that passes the time limit ends the run at once',
    { steps: many(3), fault: () => askedToWait(120), options: { maxDurationMs: 60_000 } },
    {
      report: { outcome: 'out_of_time', exit_code: 9 },
      tookMs: expect.toSatisfy((ms: number) => ms < 1_000),
      events: eventWith({ type: 'run.stopping', why: 'the time limit would pass during a wait of 120 s' }),
    },
  ],
  [
    'a wait that ends before the time limit is kept',
    { steps: many(1), answers: [askedToWait(120)], options: { maxDurationMs: 150_000 } },
    { report: { outcome: 'done' }, calls: { length: 2 } },
  ],
  [
    '15 minutes in which every call is refused end the run',
    { steps: many(3), fault: () => askedToWait(120) },
    {
      report: { outcome: 'incomplete', exit_code: 4, steps: { succeeded: 0, failed: 0 }, refused_s: 960 },
      // Each step is sent at 0, 2, 4, … 14 minutes, and one of them at 16.
      calls: { length: expect.toSatisfy((count: number) => count >= 25 && count <= 27) },
      tookMs: expect.toSatisfy((ms: number) => ms >= 900_000 && ms < 1_030_000),
      events: eventWith({
        type: 'run.stopping',
        why: 'the platform has refused every call for 16 min with "too many requests"',
      }),
    },
  ],
  [
    '15 minutes without a stated wait end it, too',
    { steps: many(1), fault: () => ({ type: 'limited', retryAfterS: undefined }) },
    { report: { exit_code: 4, refused_s: 900 }, tookMs: expect.toSatisfy((ms: number) => ms < 905_000) },
  ],
  [
    'one accepted call begins them again',
    { steps: many(2), fault: (request, nth) => (nth < (isOf('a1', request) ? 12 : 4) ? askedToWait(120) : undefined) },
    // The first step is accepted after 8 minutes, the second after 24.
    { report: { outcome: 'done', refused_s: 840 } },
  ],
  [
    'a longer wait than 15 minutes is waited if the server asks for it',
    { steps: many(1), answers: [askedToWait(3_600), askedToWait(1_200)] },
    { report: { outcome: 'done', refused_s: 3_600 }, calls: { length: 3 } },
  ],
  [
    'a wait of more than a day ends the run at once',
    { steps: many(1), fault: () => askedToWait(1_000_000) },
    {
      report: { outcome: 'incomplete', exit_code: 4 },
      calls: { length: 1 },
      events: eventWith({
        type: 'run.stopping',
        why: 'the platform asks to wait 278 h, which is more than a day',
      }),
    },
  ],
  [
    'a server error may ask to wait longer than a step tries',
    { steps: many(1), answers: Array.from({ length: 4 }, () => unavailable(200)) },
    { report: { outcome: 'done' }, tookMs: expect.toSatisfy((ms: number) => ms >= 800_000) },
  ],
])('%s', async ([, scene, seen]) => {
  expect(await play(scene)).toMatchObject(seen);
});

describe('objects that a run reopened', () => {
  /** `o` opens, `w` works, `c` closes; many run at once, so that some objects are open when a rule applies. */
  const brackets = (count: number) =>
    keys(count).flatMap((key) => [
      update(key, 0, { phase: 'open' }),
      update(key, 1, { needs: [`thing.${key}#0`] }),
      update(key, 2, { phase: 'freeze', after: [`thing.${key}#1`] }),
      update(key, 3, { phase: 'deactivate', needs: [`thing.${key}#2`] }),
    ]);
  const slow = { steps: brackets(100), live: liveThings(keys(100)), limits, latencyMs: () => 700 };
  const few = { steps: brackets(3), live: liveThings(keys(3)) };
  const isWork = (request: ApiRequest) => request.body?.field1 === true;

  test('are closed when failures stop the run', async () => {
    const fault = (request: ApiRequest) => (isWork(request) ? refused(400108) : undefined);
    const { report, things, ends } = await play({ ...slow, fault });
    expect(report).toMatchObject({ outcome: 'incomplete', exit_code: 4 });
    expect(report.left_open).toBeUndefined();
    const made = (field: string) => [...things.values()].filter(({ value }) => value[field] === true).length;
    const opened = ends.filter((end) => end.endsWith('#0 succeeded')).map((end) => end.replace('#0', '#2'));
    expect(ends.filter((end) => end.includes('#2 succeeded')).toSorted()).toEqual(opened.toSorted());
    expect(made('field2')).toBe(made('field0'));
    expect(made('field3')).toBeLessThan(made('field2'));
    expect(made('field0')).toBeGreaterThan(20);
    expect(made('field0')).toBeLessThan(100);
  });

  test.for([
    ['an interruption', 'interrupted', 400108],
    ['a refused token', 'authentication', 400401],
  ] as const)('are not waited for after %s', async ([, outcome, code]) => {
    const stop = new AbortController();
    const fault = (request: ApiRequest) => {
      if (!isWork(request)) return undefined;
      if (outcome === 'interrupted') stop.abort();
      return refused(code);
    };
    const { report, things } = await play({ ...slow, fault, options: { signal: stop.signal } });
    expect(report.outcome).toBe(outcome);
    const open = [...things].filter(([, { value }]) => value.field0 === true).map(([key]) => `thing.${key}`);
    expect(open).not.toEqual([]);
    expect([...things.values()].some(({ value }) => value.field2 === true)).toBe(false);
    expect(report.left_open).toEqual(open.toSorted());
  });

  test('are reported if they stay open', async () => {
    const fault = ({ body }: ApiRequest) => (body?.field2 === true ? refused(400108) : undefined);
    expect((await play({ ...few, fault })).report.left_open).toEqual(['thing.a0', 'thing.a1', 'thing.a2']);
  });

  test('are reported if an earlier run left them open', async () => {
    const { run, state } = rig(few);
    state.disk.records.set('thing.a1', { address: 'thing.a1', attributes: {}, bracket: true });
    expect((await run(few.steps, { signal: AbortSignal.abort() })).report.left_open).toEqual(['thing.a1']);
    expect((await run(few.steps)).report).toMatchObject({ outcome: 'done' });
    expect((await run(few.steps)).report.left_open).toBeUndefined();
  });
});

describe('an abort', () => {
  /** Aborts the run at this event. */
  function aborted(scene: Scene, at: (event: ApplyEvent) => boolean) {
    const stop = new AbortController();
    const onEvent = (event: ApplyEvent) => (at(event) ? stop.abort() : undefined);
    return play({ ...scene, onEvent, options: { signal: stop.signal } });
  }

  test('finishes running calls and starts nothing new', async () => {
    const { report, log, calls, pending } = await aborted(
      { ...hundred, latencyMs: () => 5_000 },
      (event) => event.type === 'step.started' && event.step === 'thing.a30#0',
    );
    expect(report).toMatchObject({
      outcome: 'interrupted',
      exit_code: 8,
      steps: { planned: 100, succeeded: 31, failed: 0 },
    });
    expect(log.filter((line) => line.startsWith('done'))).toHaveLength(31);
    expect([calls.length, pending.length]).toEqual([31, 0]);
  });

  test('leaves a lost answer unknown for the next run', async () => {
    const found = await aborted({ fault: () => 'lost after' }, ({ type }) => type === 'step.retried');
    expect(found).toMatchObject({
      report: { outcome: 'interrupted', steps: { unknown: 1 }, failures: [{ outcome: 'unknown' }] },
      pending: [{ step: 'thing.a#0' }],
    });
  });

  test('does not interrupt a finished run', async () => {
    expect((await aborted({}, ({ type }) => type === 'step.started')).report.outcome).toBe('done');
  });
});

describe('state', () => {
  test('sends nothing with a lease shorter than a request', async () => {
    const { run, state, platform } = rig({
      limits,
      onEvent: (event) => {
        if (event.type === 'step.ended' && event.step === 'thing.a9#0') state.lease = 30_500;
      },
    });
    const { report } = await run(many(100));
    expect(report).toMatchObject({ outcome: 'interrupted', exit_code: 8, steps: { succeeded: 10 } });
    expect(platform.calls).toHaveLength(10);
  });

  test.for(['the begin is written', 'the call waits for its connection'])(
    'undoes a begin if the lease becomes short while %s',
    async (moment) => {
      const isQueued = moment.startsWith('the call');
      const { run, state, platform } = rig({
        queued: async () => {
          if (isQueued) state.lease = 0;
        },
      });
      state.refusal = () => {
        if (!isQueued) state.lease = 10_000;
        return undefined;
      };
      state.lease = 40_000;
      expect((await run(many(3))).report).toMatchObject({ outcome: 'interrupted', exit_code: 8 });
      expect(platform.calls).toEqual([]);
      expect(state.pending).toEqual([]);
    },
  );

  test('ends the run on a full disk after the running calls, with the cause in the report', async () => {
    const full = new Refusal('state.full', 4, 'The disk is full.', 'Make room, then run again.');
    const { run, state, platform, events } = rig({ limits, latencyMs: () => 1_000 });
    state.refusal = (what) => (what === 'done thing.a5#0' ? full : undefined);
    const { report, refusal } = await run(many(100));
    expect(refusal).toBe(full);
    expect(report).toMatchObject({ outcome: 'incomplete', exit_code: 4, steps: { unknown: 1 } });
    expect(report.steps.succeeded).toBe(platform.calls.length - 1);
    expect(state.pending.map(({ step }) => step)).toEqual(['thing.a5#0']);
    expect(events).toContainEqual({ type: 'run.stopping', why: 'The disk is full' });
  });

  test('counts a lost lease as an interruption', async () => {
    const lost = new Refusal('state.lease-lost', 8, 'The lock is lost.', 'Run again.');
    const { run, state } = rig();
    state.refusal = () => lost;
    const { report, refusal } = await run(many(3));
    expect(refusal).toBe(lost);
    expect(report).toMatchObject({ outcome: 'interrupted', exit_code: 8 });
  });

  test('reports a bug as a bug', async () => {
    const { report, refusal } = await play({
      steps: [update('b'), update('c')],
      live: { b: {} },
      fault: () => new TypeError('oops'),
    });
    expect(refusal).toBeInstanceOf(InternalError);
    expect(report).toMatchObject({ outcome: 'incomplete', exit_code: 1 });
  });
});
