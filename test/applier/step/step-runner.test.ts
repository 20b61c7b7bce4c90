// Tests how a step ends for every answer of the platform: journal, retries, reads, adoption.
import { describe, expect, test } from 'vitest';
import { requestDigest } from '../../../src/applier/doubt/begun-calls.ts';
import { backoffMs } from '../../../src/applier/step/step-state.ts';
import { Refusal } from '../../../src/model/errors.ts';
import type { ApiRequest } from '../../../src/model/request.ts';
import { bucket } from '../support/fake-pacer.ts';
import { type Fault, refused } from '../support/fake-platform.ts';
import { type RigOptions, rig } from '../support/rig.ts';
import { create, stateOnly, update } from '../support/steps.ts';

/** Faults for the first calls, in order. */
function faults(...list: Fault[]): Pick<RigOptions, 'fault'> {
  return { fault: () => list.shift() };
}

const thing = (value: Record<string, string>) => ({ made: 1, changed: 0, value });
const { resolve: _read, ...blind } = create('a');

function pendingOf(step: {
  readonly id: string;
  readonly address: `${string}.${string}`;
  readonly request?: ApiRequest;
}) {
  const request = requestDigest(step.request ?? { method: 'GET', route: '' });
  return { step: step.id, address: step.address, request, at: '2026-01-01T00:00:00.000Z' };
}

describe('429', () => {
  test('waits for the exact delay, is not an attempt and leaves no begin', async () => {
    const limits = Array.from({ length: 20 }, (): Fault => ({ type: 'limited', retryAfterS: 5 }));
    const { run, state, clock, events } = rig(faults(...limits));
    const { report } = await run([create('a')]);
    expect(report).toMatchObject({
      outcome: 'done',
      requests: [{ method: 'POST', route: '/things', sent: 21, retried: 0, limited: 20 }],
    });
    expect(clock.now()).toBeGreaterThan(100_000);
    expect(clock.now()).toBeLessThan(101_000);
    expect(state.log.slice(0, 3)).toEqual(['begin thing.a#0', 'undone thing.a#0', 'begin thing.a#0']);
    expect(events.filter(({ type }) => type === 'rate.limited')).toHaveLength(20);
    expect(events.filter(({ type }) => type === 'step.started')).toHaveLength(1);
  });
});

describe('a lost answer', () => {
  test('to a creation that took effect is resolved by a read', async () => {
    const { run, platform, state, events } = rig(faults('lost after'));
    const { report } = await run([create('a')]);
    expect(platform.calls).toEqual(['POST /things a', 'GET /things/{key} a']);
    expect(report.outcome).toBe('done');
    expect(state.log).toEqual(['begin thing.a#0', 'done thing.a#0']);
    expect(events).toContainEqual(expect.objectContaining({ type: 'step.ended', note: 'resolved by reading' }));
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'step.retried', attempt: 2, why: 'connection reset' }),
    );
  });

  test('to a creation without an effect is resolved by a read and sent again', async () => {
    const { run, platform, state } = rig(faults('lost before'));
    const { report } = await run([create('a')]);
    expect(platform.calls).toEqual(['POST /things a', 'GET /things/{key} a', 'POST /things a']);
    expect(report.requests).toEqual([
      { method: 'GET', route: '/things/{key}', sent: 1, retried: 0, limited: 0 },
      { method: 'POST', route: '/things', sent: 2, retried: 1, limited: 0 },
    ]);
    expect(state.log).toEqual(['begin thing.a#0', 'begin thing.a#0', 'done thing.a#0']);
  });

  test('is recognised as our creation when the key is taken later', async () => {
    const things = new Map();
    const { run, platform } = rig({
      things,
      // The read finds nothing, and then the first request arrives after all.
      fault: (request, nth) => {
        if (request.method === 'POST' && nth === 0) return 'lost before';
        if (request.method === 'POST') things.set('a', thing({ name: 'a' }));
        return undefined;
      },
    });
    const { report } = await run([create('a')]);
    expect(report.outcome).toBe('done');
    expect(platform.calls.map((call) => call.split(' ')[0])).toEqual(['POST', 'GET', 'POST', 'GET']);
  });

  test('to a step that is safe to repeat is sent again', async () => {
    const { run, platform, state } = rig({
      ...faults('lost after', { type: 'unknown', message: 'cut' }),
      things: new Map([['a', thing({})]]),
    });
    const { report } = await run([update('a')]);
    expect(report.outcome).toBe('done');
    expect(platform.calls).toHaveLength(3);
    expect(state.log).toEqual([...Array(3).fill('begin thing.a#1'), 'done thing.a#1']);
  });

  test('to a step that is not safe to repeat and cannot be read stays unknown, with its begin', async () => {
    const { run, platform, state } = rig(faults('lost after'));
    const { report } = await run([blind, update('a', 1, { needs: ['thing.a#0'] })]);
    expect(platform.calls).toHaveLength(1);
    expect(report).toMatchObject({ outcome: 'incomplete', exit_code: 4, steps: { unknown: 1, skipped: 1 } });
    expect(state.pending).toHaveLength(1);
  });

  test('is unknown after eight attempts within five minutes, and its begin stays', async () => {
    const { run, platform, state, clock } = rig({ fault: () => 'lost before' });
    const { report } = await run([create('a')]);
    expect(platform.calls).toHaveLength(8);
    expect(report).toMatchObject({
      steps: { unknown: 1 },
      failures: [{ message: 'gave up after 8 attempts: connection reset' }],
    });
    expect(state.pending).toHaveLength(1);
    expect(clock.now()).toBeLessThan(300_000);
  });

  test('is unknown after three answers that the time-out cut off', async () => {
    const dripping: Fault = { type: 'unknown', status: 200, message: 'took too long to end', isUnfinished: true };
    const { run, platform } = rig({ fault: () => dripping });
    const { report } = await run([create('a')]);
    expect(platform.calls).toHaveLength(3);
    expect(report).toMatchObject({ failures: [{ message: 'gave up after 3 attempts: took too long to end' }] });
  });

  test('is unknown after five minutes', async () => {
    const { run, platform } = rig({ fault: () => 'lost before', latencyMs: () => 90_000 });
    const { report } = await run([create('a')]);
    expect(platform.calls).toHaveLength(5);
    expect(report.steps.unknown).toBe(1);
  });
});

describe('a request that never left', () => {
  test('is repeated without a read, and its begin is undone', async () => {
    const { run, platform, state } = rig(faults({ type: 'unsent', message: 'connection refused' }));
    const { report } = await run([create('a')]);
    expect(report).toMatchObject({ outcome: 'done', requests: [{ sent: 1, retried: 1 }] });
    expect(platform.calls).toEqual(['POST /things a', 'POST /things a']);
    expect(state.log).toEqual(['begin thing.a#0', 'undone thing.a#0', 'begin thing.a#0', 'done thing.a#0']);
  });

  test('fails after eight attempts, because nothing can have happened', async () => {
    const { run, state } = rig({ fault: () => ({ type: 'unsent', message: 'connection refused' }) });
    const { report } = await run([create('a')]);
    expect(report).toMatchObject({ steps: { failed: 1, unknown: 0 }, requests: [] });
    expect(state.pending).toEqual([]);
  });

  test('fails only its step if a placeholder cannot be filled, and releases its slot', async () => {
    const gone = new Refusal('hole.changed', 4, 'The file a.png changed.', 'Plan again.');
    const { run, state, pacer } = rig({ fault: (request) => (request.body?.key === 'a' ? gone : undefined) });
    const { report, refusal } = await run([create('a'), create('b')]);
    expect(refusal).toBeUndefined();
    expect(report).toMatchObject({ outcome: 'incomplete', steps: { succeeded: 1, failed: 1 } });
    expect(report.failures[0]).toMatchObject({ status: 0, code: 0, message: 'The file a.png changed. Plan again.' });
    expect(state.pending).toEqual([]);
    expect(pacer.learned.toSorted()).toEqual(['ok', 'unsent']);
  });
});

describe('a creation that meets an object', () => {
  const live = (name: string): RigOptions => ({ things: new Map([['a', thing({ key: 'a', name })]]) });

  test('is a conflict by default, and leaves no begin', async () => {
    const { run, state } = rig(live('a'));
    const { report } = await run([create('a')]);
    expect(report).toMatchObject({ outcome: 'incomplete', failures: [{ status: 400, code: 400202 }] });
    expect(report.failures[0]?.message).toContain('thing.a already exists but is not in state');
    expect(state.log).toEqual(['begin thing.a#0', 'undone thing.a#0']);
  });

  test('adopt_equal: adopts an object that equals the declaration', async () => {
    const { run, state, events } = rig(live('a'));
    expect((await run([create('a')], { existing: 'adopt_equal' })).report.outcome).toBe('done');
    expect(events).toContainEqual(expect.objectContaining({ type: 'step.ended', note: 'adopted' }));
    expect(state.get('thing.a')).toBeDefined();
  });

  test('adopt_equal: is a conflict if the object differs', async () => {
    const { run } = rig(live('b'));
    const { report } = await run([create('a')], { existing: 'adopt_equal' });
    expect(report.failures[0]?.message).toContain('name is "b" instead of "a"');
  });

  test('adopt: runs the steps of the adoption, then the rest of the plan', async () => {
    const { run, platform, state, ends } = rig(live('b'));
    const steps = [create('a'), update('a', 1, { needs: ['thing.a#0'] })];
    const { report } = await run(steps, {
      existing: 'adopt',
      adopt: (step, found) => {
        expect(found).toMatchObject({ name: 'b' });
        return [
          stateOnly('a', 100, { entry: step.entry }),
          update('a', 101, {
            request: { method: 'PUT', route: '/things/{key}', params: { key: 'a' }, body: { name: 'a' } },
          }),
        ];
      },
    });
    expect(report).toMatchObject({ outcome: 'done', steps: { planned: 2, succeeded: 2 } });
    expect(platform.things.get('a')?.value).toMatchObject({ name: 'a', field1: true });
    expect(state.log.slice(2)).toEqual([
      'done thing.a#100',
      'begin thing.a#101',
      'done thing.a#101',
      'begin thing.a#1',
      'done thing.a#1',
    ]);
    expect(ends).toEqual(['thing.a#0 succeeded', 'thing.a#1 succeeded']);
  });

  test('adopt: is a conflict if the object differs and its kind cannot adopt', async () => {
    const { report } = await rig(live('b')).run([create('a')], { existing: 'adopt' });
    expect(report.steps.failed).toBe(1);
  });

  test('ends after eight attempts if a read never finds the object', async () => {
    const { run } = rig({ fault: (request) => (request.method === 'POST' ? refused(400202) : undefined) });
    expect((await run([create('a')], { existing: 'adopt_equal' })).report.steps.failed).toBe(1);
  });
});

describe('a begin of an earlier run', () => {
  test('that took effect is resolved by a read before anything is sent', async () => {
    const { run, platform, state } = rig({ things: new Map([['a', thing({ name: 'a' })]]) });
    state.disk.pending.set('thing.a#0', pendingOf(create('a')));
    expect((await run([create('a')])).report.outcome).toBe('done');
    expect(platform.calls).toEqual(['GET /things/{key} a']);
    expect(state.pending).toEqual([]);
  });

  test('that had no effect is resolved by a read before anything is sent', async () => {
    const { run, platform, state } = rig();
    state.disk.pending.set('thing.a#0', pendingOf(create('a')));
    await run([create('a')]);
    expect(platform.calls).toEqual(['GET /things/{key} a', 'POST /things a']);
    expect(state.pending).toEqual([]);
  });

  test('whose object differs is a conflict, and stays', async () => {
    const { run, state } = rig({ things: new Map([['a', thing({ name: 'b' })]]) });
    state.disk.pending.set('thing.a#0', pendingOf(create('a')));
    const { report } = await run([create('a')]);
    expect(report.failures[0]).toMatchObject({ code: 0, status: 0 });
    expect(state.pending).toHaveLength(1);
  });

  test('is recognised by its object and request when its position has shifted', async () => {
    const { run, platform, state } = rig({ things: new Map([['a', thing({ name: 'a' })]]) });
    state.disk.pending.set('thing.a#4', { ...pendingOf(create('a')), step: 'thing.a#4' });
    expect((await run([create('a')])).report.outcome).toBe('done');
    expect(platform.calls).toEqual(['GET /things/{key} a']);
    expect(state.log).toEqual(['done thing.a#0', 'undone thing.a#4']);
  });

  test('that cannot be read is unknown and is not sent', async () => {
    const { run, platform, state } = rig();
    state.disk.pending.set('thing.a#0', pendingOf(blind));
    expect((await run([blind])).report.steps.unknown).toBe(1);
    expect(platform.calls).toEqual([]);
    expect(state.pending).toHaveLength(1);
  });

  test('that does not occur in this plan is kept and reported', async () => {
    const { run, state } = rig();
    const other = pendingOf(create('z'));
    state.disk.pending.set(other.step, other);
    expect((await run([create('a')])).leftPending).toEqual([other]);
    expect(state.pending).toEqual([other]);
  });
});

describe('back-off', () => {
  test.for([
    [1, 250, 500],
    [2, 500, 1_000],
    [7, 15_000, 30_000],
    [20, 15_000, 30_000],
  ] as const)('after %i tries between %i and %i ms', ([tries, least, most]) => {
    expect(backoffMs(tries, () => 0)).toBe(least);
    expect(backoffMs(tries, () => 1)).toBe(most);
  });
});

describe('a stalled state', () => {
  test('makes calls queue for new slots instead of leaving in a burst', async () => {
    const departures: number[] = [];
    const { run, state, clock } = rig({
      limits: () => [bucket('all', 20)],
      onCall: () => departures.push(clock.now()),
    });
    const begin = state.begin.bind(state);
    state.begin = async (pending) => {
      if (clock.now() >= 1_000 && clock.now() < 7_000) await clock.sleep(7_000 - clock.now());
      return begin(pending);
    };
    const { report } = await run(Array.from({ length: 200 }, (_, place) => create(`a${place}`)));
    expect(report.steps.succeeded).toBe(200);
    for (const [place, at] of departures.entries()) {
      expect((departures[place + 20] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThan(800);
    }
    // Each begin is written once, however often its step queued.
    expect(state.log.filter((line) => line.startsWith('begin'))).toHaveLength(200);
    expect(departures.find((at) => at > 1_100)).toBeGreaterThan(7_000);
  });
});
