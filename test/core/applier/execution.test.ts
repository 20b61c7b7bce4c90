// Tests which steps run when: needs, order, parallel lanes, the cap, and skipped steps; the duration of a run against the
// shortest possible; and how the run sleeps.
import { describe, expect, test } from 'vitest';
import { ReopenedObjects } from '../../../src/core/applier/reopened-objects.ts';
import { Wake } from '../../../src/core/applier/schedule/wake.ts';
import type { LimitsOf } from '../../../src/core/model/limits.ts';
import { routeName } from '../../../src/core/model/request.ts';
import type { Step } from '../../../src/core/model/step.ts';
import { seededRandom } from '../../../src/emulator/random.ts';
import { VirtualClock } from '../../../src/tools/rehearsal/simulation/virtual-clock.ts';
import { bucket } from './support/fake-pacer.ts';
import { refused } from './support/fake-platform.ts';
import { keys, liveThings, play, type RigOptions, rig } from './support/rig.ts';
import { create, stateOnly, update } from './support/steps.ts';

const onePerSecond: LimitsOf = (request) => [bucket(routeName(request), 1)];

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
    const { calls } = await play({ steps, limits: onePerSecond });
    expect(calls.filter((call) => call.startsWith('POST'))).toEqual(
      ['c', 'b', 'a', 'd'].map((key) => `POST /things ${key}`),
    );
  });

  test('runs lanes in parallel', async () => {
    const steps = keys(10).flatMap((key) => [create(key), update(`b${key}`)]);
    const live = liveThings(keys(10).map((key) => `b${key}`));
    const { report, tookMs } = await play({ steps, live, limits: onePerSecond });
    expect(report.outcome).toBe('done');
    expect(tookMs).toBeGreaterThan(9_000);
    expect(tookMs).toBeLessThan(9_100);
  });

  test('keeps to the maximum number of concurrent calls', async () => {
    const steps = keys(50).map((key) => create(key));
    expect((await play({ steps, latencyMs: () => 1_000, options: { maxInFlight: 7 } })).maxInFlight).toBe(7);
  });

  test('only writes to state for steps without a request', async () => {
    expect(await play({ steps: [stateOnly('a'), stateOnly('b', 9, { needs: ['thing.a#9'] })] })).toMatchObject({
      report: { outcome: 'done' },
      calls: [],
      log: ['done thing.a#9', 'done thing.b#9'],
    });
  });

  test('treats a need outside the plan as done', async () => {
    expect((await play({ steps: [create('a', { needs: ['user.gone#0'] })] })).report.outcome).toBe('done');
  });

  test('finishes an empty plan', async () => {
    expect((await play({ steps: [] })).report).toMatchObject({ outcome: 'done', exit_code: 0, requests: [] });
  });
});

test.for([
  {
    of: 'the work',
    ends: ['a#0 succeeded', 'a#1 failed', 'a#2 skipped', 'a#3 succeeded', 'b#0 succeeded'],
    field: 'field1',
    counts: { planned: 5, succeeded: 3, failed: 1, unknown: 0, skipped: 1 },
  },
  {
    of: 'the reopening',
    ends: ['a#0 failed', 'a#1 skipped', 'a#2 skipped', 'a#3 skipped', 'b#0 failed'],
    field: 'field0',
    counts: { planned: 5, failed: 2, skipped: 3 },
  },
])('a failure of $of skips dependent steps, and an object is closed only if it was reopened', async (row) => {
  const steps = [
    update('a', 0),
    update('a', 1, { needs: ['thing.a#0'] }),
    update('a', 2, { needs: ['thing.a#1'] }),
    update('a', 3, { needs: ['thing.a#0'], after: ['thing.a#1', 'thing.a#2'] }),
    update('b', 0),
  ];
  const { report, ends } = await play({
    steps,
    live: { a: {}, b: {} },
    fault: ({ body }) => (body?.[row.field] === true ? refused(400105) : undefined),
  });
  expect(ends.toSorted()).toEqual(row.ends.map((end) => `thing.${end}`));
  expect(report).toMatchObject({ outcome: 'incomplete', exit_code: 4, steps: row.counts });
  expect(report.failures).toContainEqual(
    expect.objectContaining({ address: 'thing.a', action: 'update', status: 400, code: 400105, message: 'refused' }),
  );
});

describe('temporarily reopened objects', () => {
  test.for([
    ['PUT /things/{key}', 30],
    ['PUT /things/{key}/more', 20],
  ] as const)('are open no longer than %s takes', async ([route, seconds]) => {
    const open = new Set<string>();
    let most = 0;
    const all = keys(100);
    const request = (key: string) => ({ method: 'PUT' as const, route: route.slice(4), params: { key }, body: {} });
    const steps = [
      ...all.map((key) => update(key, 0, { phase: 'open' })),
      ...all.map((key) => update(key, 1, { needs: [`thing.${key}#0`], request: request(key) })),
      ...all.map((key) => update(key, 2, { phase: 'deactivate', after: [`thing.${key}#1`] })),
    ];
    const { report, tookMs } = await play({
      steps,
      limits: (call) => [bucket(routeName(call), 10)],
      latencyMs: () => 100,
      live: liveThings(all),
      onEvent: (event) => {
        if (event.type !== 'step.ended') return;
        if (event.step.endsWith('#0')) open.add(event.address);
        if (event.step.endsWith('#2')) open.delete(event.address);
        most = Math.max(most, open.size);
      },
    });
    expect(report.outcome).toBe('done');
    expect(most).toBeLessThanOrEqual(3);
    // This costs nothing, because the busiest lane is always full.
    expect(tookMs).toBeLessThan(seconds * 1_000 + 200);
  });

  test('are closed by their step, or stay open if it fails', () => {
    const brackets = new ReopenedObjects();
    brackets.opened('user.b', 7);
    brackets.opened('user.a', 3);
    expect([...brackets.closers]).toEqual([7, 3]);
    brackets.ended(3, false);
    brackets.ended(5, true);
    expect([...brackets.closers]).toEqual([7]);
    expect(brackets.leftOpen).toEqual(['user.a', 'user.b']);
    brackets.ended(7, true);
    expect(brackets.leftOpen).toEqual(['user.a']);
  });

  test('are not closed after giving up, not even those that a pending call opens', () => {
    const brackets = new ReopenedObjects();
    brackets.opened('user.a', 1);
    brackets.giveUp();
    brackets.opened('user.b', 2);
    expect(brackets.closers.size).toBe(0);
    expect(brackets.leftOpen).toEqual(['user.a', 'user.b']);
  });
});

const rates: Readonly<Record<string, number>> = {
  'POST /users': 25,
  'POST /channels': 10,
  'POST /channels/{key}/invite': 10,
  'POST /migration/{key}': 5,
  'PUT /channels/{key}/freeze': 10,
};

function call(id: `${string}.${string}`, route: string, key: string, needs: readonly string[]): Step {
  const method = route.includes('freeze') ? 'PUT' : 'POST';
  const request = { method, route, params: { key }, body: { key } } as const;
  return create(key, { address: id, id, needs, begin: !route.includes('{'), request });
}

/** Users, channels of two to ten users drawn at random, invitations, a chain of message batches for some, a freeze at the end. */
function estate(users: number, channels: number): Step[] {
  const random = seededRandom(users);
  const steps = Array.from({ length: users }, (_, user) => call(`user.${user}`, '/users', `${user}`, []));
  for (let channel = 0; channel < channels; channel++) {
    const members = Array.from({ length: 2 + (channel % 9) }, () => `user.${Math.floor(random() * users)}`);
    let last: string | undefined;
    const add = (id: `${string}.${string}`, route: string) => {
      steps.push(call(id, route, `${channel}`, last === undefined ? members : [last]));
      last = id;
    };
    add(`channel.${channel}`, '/channels');
    if (channel % 2 === 0) add(`invite.${channel}`, '/channels/{key}/invite');
    if (channel % 10 === 0)
      for (let batch = 0; batch < 4; batch++) add(`batch.${channel}-${batch}`, '/migration/{key}');
    if (channel % 3 === 0) add(`freeze.${channel}`, '/channels/{key}/freeze');
  }
  return steps;
}

function boundS(steps: readonly Step[]): number {
  const counts = new Map<string, number>();
  for (const { request } of steps) {
    const route = request === undefined ? '' : routeName(request);
    counts.set(route, (counts.get(route) ?? 0) + 1);
  }
  return Math.max(...[...counts].map(([route, count]) => count / (rates[route] ?? 10)));
}

/** Answers everything. */
const willing: RigOptions = { fault: () => ({ type: 'ok', body: {} }), latencyMs: () => 120 };

describe('duration', () => {
  test.for([
    { name: 'channels decide', users: 800, channels: 400 },
    { name: 'users decide', users: 1_500, channels: 300 },
  ])('is within 2 % of the lower bound: $name', async ({ users, channels }) => {
    const steps = estate(users, channels);
    const limits: LimitsOf = (request) => [bucket(routeName(request), rates[routeName(request)] ?? 10)];
    const { report, tookMs } = await play({ ...willing, steps, limits });
    expect(report.steps.succeeded).toBe(steps.length);
    const bound = boundS(steps);
    expect(tookMs / 1000).toBeGreaterThanOrEqual(bound - 1);
    expect(tookMs / 1000 / bound).toBeLessThan(1.02);
  });

  test('is the length of one long chain', async () => {
    const chain = Array.from({ length: 50 }, (_, place) =>
      update('a', place, { needs: place === 0 ? [] : [`thing.a#${place - 1}`] }),
    );
    const { tookMs } = await play({ ...willing, syncMs: 0, steps: [...chain, ...keys(20).map((key) => create(key))] });
    expect(tookMs).toBeLessThan(50 * 120 * 1.01);
  });

  test('is measured by the pacer from when slots were taken and when each call left', async () => {
    const { run, pacer } = rig({ ...willing, syncMs: 7 });
    await run([create('a'), update('b', 0)]);
    expect(pacer.departures).toEqual([
      { takenAt: 0, leftAt: 7 },
      { takenAt: 0, leftAt: 7 },
    ]);
  });
});

test('the run sleeps until a time or a signal, and an earlier signal is not lost', async () => {
  const clock = new VirtualClock(new Date(Date.UTC(2026, 0, 1)));
  const wake = new Wake(clock);
  await clock.run(wake.wait(500));
  expect(clock.now()).toBe(500);
  void clock.sleep(100).then(() => wake.signal());
  await clock.run(wake.wait(10_000));
  expect(clock.now()).toBe(600);
  wake.signal();
  await clock.run(wake.wait(undefined));
  expect(clock.now()).toBe(600);
  await clock.run(wake.wait(700));
  expect(clock.now()).toBe(700);
});
