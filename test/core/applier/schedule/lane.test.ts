// Tests that a lane starts steps past one user's full bucket, the cost of choosing the next step, and upcoming steps.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Lane } from '../../../../src/core/applier/schedule/lane.ts';
import type { ApplyEvent } from '../../../../src/core/model/event.ts';
import type { LimitsOf } from '../../../../src/core/model/limits.ts';
import type { Step } from '../../../../src/core/model/step.ts';
import { fastTest, inSuite } from '../../../support/suite.ts';
import { bucket } from '../support/fake-pacer.ts';
import { play, type RigOptions, rig } from '../support/rig.ts';
import { update } from '../support/steps.ts';

const willing: RigOptions = { fault: () => ({ type: 'ok', body: {} }), latencyMs: () => 120 };

describe('buckets of users', () => {
  /** Ten a second for all, two a second for one user. */
  const byUser: LimitsOf = ({ body }) => [bucket('all', 10), bucket(`user ${body?.user}`, 2)];
  const calls = (count: number, userAt: (place: number) => string): Step[] =>
    Array.from({ length: count }, (_, place) => {
      const user = userAt(place);
      const key = `${user}${place}`;
      return update(key, 0, { request: { method: 'PUT', route: '/invite', params: { key }, body: { user } } });
    });

  fastTest.for([1, 30, 100])(
    'a full bucket of one user does not hold up the others, with a state of %i ms',
    async (syncMs) => {
      const steps = [...calls(40, () => 'a'), ...calls(120, (place) => `b${place % 8}`)];
      expect((await play({ ...willing, steps, limits: byUser, syncMs })).tookMs).toBeLessThan(20_300 + 2 * syncMs);
    },
  );

  fastTest('does not scan the long queue of one user at every slot', async () => {
    const steps = [...calls(1_000, () => 'a'), ...calls(100, (place) => `b${place % 5}`)];
    let firstOtherMs: number | undefined;
    const { run, pacer, clock } = rig({
      ...willing,
      limits: byUser,
      onEvent: (event) => {
        if (event.type === 'step.started' && event.step.startsWith('thing.b')) firstOtherMs ??= clock.now();
      },
    });
    await run(steps);
    expect(firstOtherMs).toBeLessThan(600);
    expect(pacer.taken).toBe(steps.length);
    expect(pacer.asked).toBeLessThan(4 * steps.length);
  });

  fastTest('starts all steps after answers changed their buckets', async () => {
    let isRenamed = false;
    const changing: LimitsOf = () => [bucket(isRenamed ? 'method' : 'route', 10)];
    const onEvent = ({ type }: ApplyEvent) => {
      isRenamed ||= type === 'step.ended';
    };
    const { report } = await play({ ...willing, steps: calls(20, () => 'a'), limits: changing, onEvent });
    expect(report.steps.succeeded).toBe(20);
  });

  fastTest('asks a few times per slot when each step has its own bucket', async () => {
    const steps = calls(500, (place) => `u${place}`);
    const { tookMs, pacer } = await play({ ...willing, steps, limits: byUser });
    expect(tookMs).toBeLessThan(50_500);
    expect(pacer.asked).toBeLessThan(6 * steps.length);
  });
});

describe('upcoming steps', () => {
  /** A lane of steps in two groups, even and odd. `free` is the number of slots that each group has now. */
  function lane() {
    const free = [0, 0];
    const asked: number[] = [];
    const made = new Lane({
      before: (left, right) => left < right,
      bucketsOf: (index) => String(index % 2),
      take: (index) => {
        asked.push(index);
        const group = index % 2;
        const slots = free[group] ?? 0;
        if (slots === 0) return 100;
        free[group] = slots - 1;
        return 0;
      },
    });
    return { made, free, asked };
  }

  fastTest('are one more than started before, taken from each group in turn', () => {
    const { made, free } = lane();
    for (let index = 0; index < 40; index++) made.add(index);
    free.fill(2);
    const started = [0, 0, 0, 0].map(() => made.next(0));
    expect(started).toEqual([0, 1, 2, 3]);
    expect(made.next(0)).toBeUndefined();
    expect(made.upcoming(0, 50)).toEqual([4, 5, 6, 7, 8]);
    expect(made.upcoming(0, 50)).toEqual([]);
    expect(made.upcoming(60, 50)).toEqual([]);
  });

  fastTest('precede steps of their group that become ready later, but not those of another group', () => {
    const { made, free } = lane();
    for (const index of [10, 12, 13]) made.add(index);
    expect(made.next(0)).toBeUndefined();
    expect(made.upcoming(0, 50)).toEqual([10]);
    made.add(0);
    made.add(1);
    free.fill(9);
    // Without upcoming steps the order would be 0, 1, 10, 12, 13.
    expect(Array.from({ length: 5 }, () => made.next(200))).toEqual([1, 10, 0, 12, 13]);
  });

  fastTest('include no step of a group that is closed for long', () => {
    const { made } = lane();
    const closed = new Lane({ before: (left, right) => left < right, bucketsOf: () => '', take: () => 60_000 });
    for (const one of [made, closed]) {
      one.add(0);
      expect(one.next(0)).toBeUndefined();
    }
    expect(made.upcoming(0, 50)).toEqual([0]);
    expect(closed.upcoming(0, 50)).toEqual([]);
    expect(closed.upcoming(59_500, 50)).toEqual([0]);
  });

  test('each step starts once and is upcoming at most once', () => {
    const move = fc.oneof(
      fc.record({ type: fc.constant('add' as const), index: fc.nat(1_000) }),
      fc.record({ type: fc.constant('slots' as const), group: fc.nat(1), count: fc.nat(4) }),
      fc.record({ type: fc.constant('next' as const), afterMs: fc.nat(150) }),
      fc.record({ type: fc.constant('upcoming' as const), withinMs: fc.integer({ min: 1, max: 300 }) }),
    );
    fc.assert(
      fc.property(fc.array(move, { maxLength: 80 }), (moves) => {
        const { made, free } = lane();
        const added = new Set<number>();
        const started: number[] = [];
        const named: number[] = [];
        let now = 0;
        const start = () => {
          for (let index = made.next(now); index !== undefined; index = made.next(now)) started.push(index);
        };
        for (const one of moves) {
          if (one.type === 'add' && !added.has(one.index)) {
            added.add(one.index);
            made.add(one.index);
          }
          if (one.type === 'slots') free[one.group] = one.count;
          if (one.type === 'next') {
            now += one.afterMs;
            start();
          }
          if (one.type === 'upcoming') {
            const found = made.upcoming(now, one.withinMs);
            for (const index of found) expect(started).not.toContain(index);
            named.push(...found);
          }
        }
        for (let round = 0; round < 10; round++) {
          now += 200;
          free.fill(100);
          start();
        }
        expect(started.toSorted()).toEqual([...added].toSorted());
        expect(new Set(named).size).toBe(named.length);
      }),
      { numRuns: inSuite(100, 800) },
    );
  });
});
