// Tests when a run starts no more steps: failures, a refused token, interruption, time limit, lease, full disk.
import { describe, expect, test } from 'vitest';
import { InternalError } from '../../src/lib/errors.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { Refusal } from '../../src/model/errors.ts';
import type { ApiRequest } from '../../src/model/request.ts';
import { bucket } from './support/fake-pacer.ts';
import { refused } from './support/fake-platform.ts';
import { rig } from './support/rig.ts';
import { create, update } from './support/steps.ts';

const many = (count: number) => Array.from({ length: count }, (_, place) => create(`a${place}`));
const tenPerSecond = () => [bucket('all', 10)];
const found = (key: string): [string, { made: number; changed: number; value: JsonObject }] => [
  key,
  { made: 1, changed: 0, value: {} },
];

describe('failures', () => {
  test('stop the run when the first 20 calls fail alike', async () => {
    const { run, platform } = rig({ limits: tenPerSecond, fault: () => refused(400105) });
    const { report } = await run(many(100));
    expect(report).toMatchObject({ outcome: 'incomplete', exit_code: 4, steps: { failed: 20, skipped: 0 } });
    expect(platform.calls).toHaveLength(20);
  });

  test('stop it after 50 if one of the first 20 succeeded', async () => {
    const { run, events } = rig({
      limits: tenPerSecond,
      fault: (request) => (request.body?.key === 'a7' ? undefined : refused(400105)),
    });
    const { report } = await run(many(100));
    expect(report.steps).toMatchObject({ succeeded: 1, failed: 50 });
    expect(events).toContainEqual(expect.objectContaining({ type: 'run.stopping' }));
  });

  test('stop it after 50 if they differ', async () => {
    const { run } = rig({
      limits: tenPerSecond,
      fault: (request) => refused(request.body?.key === 'a7' ? 400110 : 400105),
    });
    expect((await run(many(100))).report.steps.failed).toBe(50);
  });

  /** `o` opens, `w` works, `c` closes; many run at once, so that some objects are open when the rule applies. */
  const brackets = (count: number) =>
    Array.from({ length: count }, (_, place) => {
      const [key, opener, work] = [`a${place}`, `thing.a${place}#0`, `thing.a${place}#1`];
      return [
        update(key, 0, { phase: 'open' }),
        update(key, 1, { needs: [opener] }),
        update(key, 2, { phase: 'freeze', after: [work] }),
        update(key, 3, { phase: 'deactivate', needs: [`thing.${key}#2`] }),
      ];
    }).flat();
  const things = (count: number) => new Map(Array.from({ length: count }, (_, place) => found(`a${place}`)));
  const isWork = (request: ApiRequest) => request.body?.field1 === true;

  test('let the run close the objects that it opened', async () => {
    const { run, platform, ends } = rig({
      things: things(100),
      limits: tenPerSecond,
      latencyMs: () => 700,
      fault: (request) => (isWork(request) ? refused(400108) : undefined),
    });
    const { report } = await run(brackets(100));
    expect(report).toMatchObject({ outcome: 'incomplete', exit_code: 4 });
    expect(report.left_open).toBeUndefined();
    const made = (field: string) => [...platform.things.values()].filter(({ value }) => value[field] === true).length;
    const opened = ends.filter((end) => end.endsWith('#0 succeeded')).map((end) => end.replace('#0', '#2'));
    expect(ends.filter((end) => end.includes('#2 succeeded')).toSorted()).toEqual(opened.toSorted());
    expect(made('field2')).toBe(made('field0'));
    expect(made('field3')).toBeLessThan(made('field2'));
    expect(made('field0')).toBeGreaterThan(20);
    expect(made('field0')).toBeLessThan(100);
  });

  test.each(['an interruption', 'a refused token'])('%s does not wait for open objects', async (end) => {
    const stop = new AbortController();
    const { run, platform } = rig({
      things: things(100),
      limits: tenPerSecond,
      latencyMs: () => 700,
      fault: (request) => {
        if (isWork(request) && end === 'an interruption') stop.abort();
        return isWork(request) ? refused(end === 'an interruption' ? 400108 : 400401) : undefined;
      },
    });
    const { report } = await run(brackets(100), { signal: stop.signal });
    expect(report.outcome).toBe(end === 'an interruption' ? 'interrupted' : 'authentication');
    const made = [...platform.things.values()];
    expect(made.some(({ value }) => value.field0 === true)).toBe(true);
    expect(made.some(({ value }) => value.field2 === true)).toBe(false);
    const open = [...platform.things].filter(([, { value }]) => value.field0 === true).map(([key]) => `thing.${key}`);
    expect(report.left_open).toEqual(open.toSorted());
  });

  test('are reported with the objects that stayed open', async () => {
    const { run } = rig({
      things: things(3),
      fault: (request) => (request.body?.field2 === true ? refused(400108) : undefined),
    });
    expect((await run(brackets(3))).report.left_open).toEqual(['thing.a0', 'thing.a1', 'thing.a2']);
  });

  test('are reported with objects that an earlier run left open', async () => {
    const { run, state } = rig({ things: things(3) });
    const openBefore = { address: 'thing.a1', attributes: {}, bracket: true } as const;
    state.disk.records.set('thing.a1', openBefore);
    const stop = AbortSignal.abort();
    expect((await run(brackets(3), { signal: stop })).report.left_open).toEqual(['thing.a1']);
    expect((await run(brackets(3))).report).toMatchObject({ outcome: 'done' });
    expect((await run(brackets(3))).report.left_open).toBeUndefined();
  });

  test('do not stop a run with keepGoing, and its report lists the first', async () => {
    const { run } = rig({ fault: () => refused(400105) });
    const { report } = await run(many(100), { keepGoing: true, maxFailuresListed: 30 });
    expect(report.steps.failed).toBe(100);
    expect(report.failures).toHaveLength(30);
  });

  test('stop the run at once for a refused token', async () => {
    const { run, platform } = rig({ limits: tenPerSecond, fault: () => refused(400401, 'Invalid API token.') });
    const { report } = await run(many(100), { keepGoing: true });
    expect(report).toMatchObject({ outcome: 'authentication', exit_code: 3, steps: { failed: 1 } });
    expect(platform.calls).toHaveLength(1);
  });

  test('suggest a lost state after 20 creations that all meet objects', async () => {
    const { run, events } = rig({ limits: tenPerSecond, fault: () => refused(400202) });
    const { report } = await run(many(100), { keepGoing: true });
    expect(report).toMatchObject({ outcome: 'conflict', exit_code: 6, steps: { failed: 20 } });
    expect(events).toContainEqual({ type: 'run.stopping', why: expect.stringContaining('state rebuild') });
  });
});

describe('an external stop', () => {
  test('finishes running calls and starts nothing new after an abort', async () => {
    const stop = new AbortController();
    const { run, state, platform } = rig({
      limits: tenPerSecond,
      latencyMs: () => 5_000,
      onEvent: (event) => {
        if (event.type === 'step.started' && event.step === 'thing.a30#0') stop.abort();
      },
    });
    const { report } = await run(many(100), { signal: stop.signal });
    expect(report).toMatchObject({
      outcome: 'interrupted',
      exit_code: 8,
      steps: { planned: 100, succeeded: 31, failed: 0 },
    });
    expect(state.disk.done.size).toBe(31);
    expect(platform.calls).toHaveLength(31);
    expect(state.pending).toEqual([]);
  });

  test('starts nothing after an abort before the start', async () => {
    const { report } = await rig().run(many(3), { signal: AbortSignal.abort() });
    expect(report).toMatchObject({ outcome: 'interrupted', steps: { succeeded: 0 } });
  });

  test('leaves a lost answer unknown for the next run after an abort', async () => {
    const stop = new AbortController();
    const { run, state } = rig({
      fault: () => 'lost after',
      onEvent: (event) => {
        if (event.type === 'step.retried') stop.abort();
      },
    });
    const { report } = await run(many(1), { signal: stop.signal });
    expect(report).toMatchObject({ outcome: 'interrupted', steps: { unknown: 1 } });
    expect(state.pending).toHaveLength(1);
  });

  test('does not interrupt a finished run', async () => {
    const stop = new AbortController();
    const { run } = rig({
      onEvent: (event) => {
        if (event.type === 'step.started') stop.abort();
      },
    });
    expect((await run(many(1), { signal: stop.signal })).report.outcome).toBe('done');
  });

  test('stops between steps exactly at the time limit', async () => {
    const { run, platform, clock } = rig({ limits: tenPerSecond });
    const { report } = await run(many(100), { maxDurationMs: 2_950 });
    expect(report).toMatchObject({ outcome: 'out_of_time', exit_code: 9, steps: { succeeded: 30 } });
    expect(platform.calls).toHaveLength(30);
    expect(clock.now()).toBe(2_950);
  });

  test('stops at the time limit while the maximum number of calls is running', async () => {
    const { run, platform } = rig({ latencyMs: () => 10_000 });
    const { report } = await run(many(10), { maxDurationMs: 2_000, maxInFlight: 2 });
    expect(report).toMatchObject({ outcome: 'out_of_time', steps: { succeeded: 2 } });
    expect(platform.calls).toHaveLength(2);
  });
});

describe('state', () => {
  test('sends nothing with a lease shorter than a request', async () => {
    const { run, state, platform } = rig({
      limits: tenPerSecond,
      onEvent: (event) => {
        if (event.type === 'step.ended' && event.step === 'thing.a9#0') state.lease = 30_500;
      },
    });
    const { report } = await run(many(100), {});
    expect(report).toMatchObject({ outcome: 'interrupted', exit_code: 8, steps: { succeeded: 10 } });
    expect(platform.calls).toHaveLength(10);
  });

  test('undoes a begin if the lease becomes short meanwhile', async () => {
    const { run, state, platform } = rig();
    state.lease = 40_000;
    state.refusal = () => {
      state.lease = 10_000;
      return undefined;
    };
    const { report } = await run(many(1));
    expect(report.outcome).toBe('interrupted');
    expect(platform.calls).toEqual([]);
    expect(state.pending).toEqual([]);
  });

  test('undoes a begin if the lease becomes short while the call waits for its connection', async () => {
    const { run, state, platform } = rig({
      queued: async () => {
        state.lease = 0;
      },
    });
    const { report } = await run(many(3));
    expect(report).toMatchObject({ outcome: 'interrupted', exit_code: 8 });
    expect(platform.calls).toEqual([]);
    expect(state.pending).toEqual([]);
  });

  test('ends the run on a full disk after the running calls, with the cause in the report', async () => {
    const full = new Refusal('state.full', 4, 'The disk is full.', 'Make room, then run again.');
    const { run, state, platform, events } = rig({ limits: tenPerSecond, latencyMs: () => 1_000 });
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
    const { run } = rig({ things: new Map([found('b')] as never), fault: () => new TypeError('oops') });
    const { report, refusal } = await run([update('b'), update('c')]);
    expect(refusal).toBeInstanceOf(InternalError);
    expect(report).toMatchObject({ outcome: 'incomplete', exit_code: 1 });
  });
});
