// Tests which steps run when: needs, order, parallel lanes, the cap, and skipped steps.
import { describe, expect, test } from 'vitest';
import type { ApiRequest } from '../../src/model/request.ts';
import { routeName } from '../../src/model/request.ts';
import { bucket } from './support/fake-pacer.ts';
import { refused } from './support/fake-platform.ts';
import { rig } from './support/rig.ts';
import { create, stateOnly, update } from './support/steps.ts';

const onePerSecond = (request: ApiRequest) => [bucket(routeName(request), 1)];

describe('order', () => {
  test('makes a step wait for its needs and their durable entries', async () => {
    const { run, state, platform, ends } = rig({
      syncMs: 50,
      onCall: (request) => {
        if (request.method === 'PUT') expect(state.disk.done).toContain('thing.a#0');
      },
    });
    const { report } = await run([create('a'), update('a', 1, { needs: ['thing.a#0'] })]);
    expect(platform.calls).toEqual(['POST /things a', 'PUT /things/{key} a']);
    expect(state.log).toEqual(['begin thing.a#0', 'done thing.a#0', 'begin thing.a#1', 'done thing.a#1']);
    expect(ends).toEqual(['thing.a#0 succeeded', 'thing.a#1 succeeded']);
    expect(report).toMatchObject({ outcome: 'done', exit_code: 0, steps: { planned: 2, succeeded: 2 }, failures: [] });
  });

  test('prefers the longest remaining path, then the order of the plan', async () => {
    const steps = [
      create('a'),
      create('b'),
      update('b', 1, { needs: ['thing.b#0'] }),
      create('c'),
      update('c', 1, { needs: ['thing.c#0'] }),
      update('c', 2, { needs: ['thing.c#1'] }),
      create('d'),
    ];
    const { run, platform } = rig({ limits: onePerSecond });
    await run(steps);
    expect(platform.calls.filter((call) => call.startsWith('POST'))).toEqual(
      ['c', 'b', 'a', 'd'].map((key) => `POST /things ${key}`),
    );
  });

  test('runs lanes in parallel', async () => {
    const steps = Array.from({ length: 10 }, (_, place) => [create(`a${place}`), update(`b${place}`)]).flat();
    const { run, clock } = rig({
      limits: onePerSecond,
      things: new Map(Array.from({ length: 10 }, (_, place) => [`b${place}`, { made: 1, changed: 0, value: {} }])),
    });
    const { report } = await run(steps);
    expect(report.outcome).toBe('done');
    expect(clock.now()).toBeGreaterThan(9_000);
    expect(clock.now()).toBeLessThan(9_100);
  });

  test('keeps to the maximum number of concurrent calls', async () => {
    const { run, platform } = rig({ latencyMs: () => 1_000 });
    await run(
      Array.from({ length: 50 }, (_, place) => create(`a${place}`)),
      { maxInFlight: 7 },
    );
    expect(platform.maxInFlight).toBe(7);
  });

  test('only writes to state for steps without a request', async () => {
    const { run, platform, state } = rig();
    const { report } = await run([stateOnly('a'), stateOnly('b', 9, { needs: ['thing.a#9'] })]);
    expect(report.outcome).toBe('done');
    expect(platform.calls).toEqual([]);
    expect(state.log).toEqual(['done thing.a#9', 'done thing.b#9']);
  });

  test('treats a need outside the plan as done', async () => {
    const { run } = rig();
    const { report } = await run([create('a', { needs: ['user.gone#0'] })]);
    expect(report.outcome).toBe('done');
  });

  test('finishes an empty plan', async () => {
    const { report } = await rig().run([]);
    expect(report).toMatchObject({ outcome: 'done', exit_code: 0, requests: [] });
  });

  test('throws for a cycle', async () => {
    const { run } = rig();
    await expect(
      run([create('a', { needs: ['thing.a#1'] }), update('a', 1, { needs: ['thing.a#0'] })]),
    ).rejects.toThrow('circle');
  });
});

describe('failure of one step', () => {
  const reopening = [
    update('a', 0),
    update('a', 1, { needs: ['thing.a#0'] }),
    update('a', 2, { needs: ['thing.a#1'] }),
    update('a', 3, { needs: ['thing.a#0'], after: ['thing.a#1', 'thing.a#2'] }),
    update('b', 0),
  ];
  const things = () => new Map(['a', 'b'].map((key) => [key, { made: 1, changed: 0, value: {} }]));

  test('skips dependent steps, and still closes a reopened object', async () => {
    const { run, ends } = rig({
      things: things(),
      fault: (request) => (request.body?.field1 === true ? refused(400105) : undefined),
    });
    const { report } = await run(reopening);
    expect(ends.toSorted()).toEqual([
      'thing.a#0 succeeded',
      'thing.a#1 failed',
      'thing.a#2 skipped',
      'thing.a#3 succeeded',
      'thing.b#0 succeeded',
    ]);
    expect(report).toMatchObject({
      outcome: 'incomplete',
      exit_code: 4,
      steps: { planned: 5, succeeded: 3, failed: 1, unknown: 0, skipped: 1 },
      failures: [{ address: 'thing.a', action: 'update', status: 400, code: 400105, message: 'refused' }],
    });
  });

  test('does not close an object that did not reopen', async () => {
    const { run, ends } = rig({
      things: things(),
      fault: (request) => (request.body?.field0 === true ? refused(400105) : undefined),
    });
    await run(reopening);
    expect(ends.toSorted()).toEqual(
      ['a#0 failed', 'a#1 skipped', 'a#2 skipped', 'a#3 skipped', 'b#0 failed'].map((end) => `thing.${end}`),
    );
  });
});

describe('temporarily reopened objects', () => {
  test.for([
    ['PUT /things/{key}', 30],
    ['PUT /things/{key}/more', 20],
  ] as const)('are open no longer than %s takes', async ([route, seconds]) => {
    const count = 100;
    const open = new Set<string>();
    let most = 0;
    const key = (place: number) => `a${place}`;
    const request = (place: number) => ({
      method: 'PUT' as const,
      route: route.slice(4),
      params: { key: key(place) },
      body: {},
    });
    const all = Array.from({ length: count }, (_, place) => place);
    const steps = [
      ...all.map((place) => update(key(place), 0, { phase: 'open' })),
      ...all.map((place) => update(key(place), 1, { needs: [`thing.a${place}#0`], request: request(place) })),
      ...all.map((place) => update(key(place), 2, { phase: 'deactivate', after: [`thing.a${place}#1`] })),
    ];
    const { run, clock } = rig({
      limits: (call) => [bucket(routeName(call), 10)],
      latencyMs: () => 100,
      things: new Map(all.map((place) => [key(place), { made: 1, changed: 0, value: {} }])),
      onEvent: (event) => {
        if (event.type !== 'step.ended') return;
        if (event.step.endsWith('#0')) open.add(event.address);
        if (event.step.endsWith('#2')) open.delete(event.address);
        most = Math.max(most, open.size);
      },
    });
    expect((await run(steps)).report.outcome).toBe('done');
    expect(most).toBeLessThanOrEqual(3);
    // This costs nothing, because the busiest lane is always full.
    expect(clock.now()).toBeLessThan(seconds * 1_000 + 200);
  });
});
