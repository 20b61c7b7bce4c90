// Tests that a lane starts steps past a full bucket of one user, and what finding the next step costs.
import { describe, expect, test } from 'vitest';
import type { LimitsOf } from '../../../src/model/limits.ts';
import type { Step } from '../../../src/model/step.ts';
import { bucket } from '../support/fake-pacer.ts';
import { type RigOptions, rig } from '../support/rig.ts';
import { update } from '../support/steps.ts';

const willing: RigOptions = { fault: () => ({ type: 'ok', body: {} }), latencyMs: () => 120 };

describe('buckets of users', () => {
  /** Ten a second for all, two a second for one user. */
  const byUser: LimitsOf = ({ body }) => [bucket('all', 10), bucket(`user ${body?.user}`, 2)];
  const of = (user: string, place: number): Step =>
    update(`${user}${place}`, 0, {
      request: { method: 'PUT', route: '/invite', params: { key: `${user}${place}` }, body: { user } },
    });

  test('a full bucket of one user does not hold up the others', async () => {
    const steps = [
      ...Array.from({ length: 40 }, (_, place) => of('a', place)),
      ...Array.from({ length: 120 }, (_, place) => of(`b${place % 8}`, place)),
    ];
    const { run, clock } = rig({ ...willing, limits: byUser });
    await run(steps);
    expect(clock.now()).toBeLessThan(20_500);
  });

  test('a long queue of one user is not walked through at every slot', async () => {
    const count = 3_000;
    const steps = [
      ...Array.from({ length: count }, (_, place) => of('a', place)),
      ...Array.from({ length: 100 }, (_, place) => of(`b${place % 5}`, place)),
    ];
    const firstOther = { atMs: 0 };
    const { run, pacer, clock } = rig({
      ...willing,
      limits: byUser,
      onEvent: (event) => {
        if (event.type === 'step.started' && event.step.startsWith('thing.b') && firstOther.atMs === 0)
          firstOther.atMs = clock.now();
      },
    });
    await run(steps);
    expect(firstOther.atMs).toBeLessThan(600);
    expect(pacer.taken).toBe(steps.length);
    expect(pacer.asked).toBeLessThan(4 * steps.length);
  });

  test('as many buckets as steps: a few questions a slot', async () => {
    const steps = Array.from({ length: 500 }, (_, place) => of(`u${place}`, place));
    const { run, pacer, clock } = rig({ ...willing, limits: byUser });
    await run(steps);
    expect(clock.now()).toBeLessThan(50_500);
    expect(pacer.asked).toBeLessThan(6 * steps.length);
  });
});
