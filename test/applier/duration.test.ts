// Tests the duration of a run against the shortest possible, and the cost of choosing the next step.
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/emulator/random.ts';
import type { LimitsOf } from '../../src/model/limits.ts';
import { routeName } from '../../src/model/request.ts';
import type { Step } from '../../src/model/step.ts';
import { bucket } from './support/fake-pacer.ts';
import { type RigOptions, rig } from './support/rig.ts';
import { create, update } from './support/steps.ts';

const rates: Readonly<Record<string, number>> = {
  'POST /users': 25,
  'POST /channels': 10,
  'POST /channels/{key}/invite': 10,
  'POST /migration/{key}': 5,
  'PUT /channels/{key}/freeze': 10,
};

const byRoute: LimitsOf = (request) => [bucket(routeName(request), rates[routeName(request)] ?? 10)];

function call(id: `${string}.${string}`, route: string, key: string, needs: readonly string[]): Step {
  const step = create(key, { address: id, needs });
  return {
    ...step,
    id,
    begin: !route.includes('{'),
    request: { method: route.includes('freeze') ? 'PUT' : 'POST', route, params: { key }, body: { key } },
  };
}

/** Users, channels of two to ten users drawn at random, invitations, a chain of message batches for some, a freeze at the end. */
function estate(users: number, channels: number): Step[] {
  const steps: Step[] = [];
  const random = seededRandom(users);
  for (let user = 0; user < users; user++) steps.push(call(`user.${user}`, '/users', `${user}`, []));
  for (let channel = 0; channel < channels; channel++) {
    const members = Array.from({ length: 2 + (channel % 9) }, () => `user.${Math.floor(random() * users)}`);
    const made = `channel.${channel}`;
    steps.push(call(`channel.${channel}`, '/channels', `${channel}`, members));
    let last = made;
    if (channel % 2 === 0) {
      last = `invite.${channel}`;
      steps.push(call(`invite.${channel}`, '/channels/{key}/invite', `${channel}`, [made]));
    }
    if (channel % 10 === 0) {
      for (let batch = 0; batch < 4; batch++) {
        const id = `batch.${channel}-${batch}` as const;
        steps.push(call(id, '/migration/{key}', `${channel}`, [last]));
        last = id;
      }
    }
    if (channel % 3 === 0) steps.push(call(`freeze.${channel}`, '/channels/{key}/freeze', `${channel}`, [last]));
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
    const { run, clock } = rig({ ...willing, limits: byRoute });
    const { report } = await run(steps);
    expect(report.steps.succeeded).toBe(steps.length);
    const bound = boundS(steps);
    expect(clock.now() / 1000).toBeGreaterThanOrEqual(bound - 1);
    expect(clock.now() / 1000 / bound).toBeLessThan(1.02);
  });

  test('is the length of one long chain', async () => {
    const steps = Array.from({ length: 50 }, (_, place) =>
      update('a', place, { needs: place === 0 ? [] : [`thing.a#${place - 1}`] }),
    );
    const { run, clock } = rig({ ...willing, syncMs: 0 });
    await run([...steps, ...Array.from({ length: 20 }, (_, place) => create(`b${place}`))]);
    expect(clock.now()).toBeLessThan(50 * 120 * 1.01);
  });
});

test('tells the pacer when slots were taken and when each call left', async () => {
  const { run, pacer } = rig({ ...willing, syncMs: 7 });
  await run([create('a'), update('b', 0)]);
  expect(pacer.departures.toSorted((left, right) => (left.leftAt ?? 0) - (right.leftAt ?? 0))).toEqual([
    { takenAt: 0, leftAt: 7 },
    { takenAt: 0, leftAt: 7 },
  ]);
});
