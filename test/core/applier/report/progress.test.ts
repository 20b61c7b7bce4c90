// Tests the progress of a run: counts, rates and an honest remaining time.
import { describe, expect, test } from 'vitest';
import {
  createProgress,
  lowerBoundS,
  type ProgressMeter,
  RecentRate,
} from '../../../../src/core/applier/report/progress.ts';
import { buildGraph } from '../../../../src/core/applier/schedule/graph.ts';
import type { ApplyEvent } from '../../../../src/core/model/event.ts';
import type { LimitsOf } from '../../../../src/core/model/limits.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { routeName } from '../../../../src/core/model/request.ts';
import type { Step } from '../../../../src/core/model/step.ts';
import { atOnce } from '../../../../src/lib/slices.ts';
import { bucket } from '../support/fake-pacer.ts';
import { refused } from '../support/fake-platform.ts';
import { keys, rig } from '../support/rig.ts';
import { create, update } from '../support/steps.ts';

const limits: LimitsOf = (request) => [bucket(routeName(request), request.method === 'POST' ? 10 : 20)];
const planOf = (steps: readonly Step[], lower_bound_s: number) => ({ steps, duration: { lower_bound_s } });
type Duration = Pick<Plan['duration'], 'lower_bound_s' | 'user_rules'>;

/** Returns a meter that has seen the beginning of a run. */
function begun(steps: readonly Step[], duration: Duration, known = limits): ProgressMeter {
  const meter = createProgress({ steps, duration }, known);
  const { planned } = atOnce(buildGraph(steps, known));
  meter.see({ type: 'run.started', steps: steps.length, lower_bound_s: duration.lower_bound_s, routes: planned }, 0);
  return meter;
}

const creates = (count: number) => keys(count).map((key) => create(key));
const estate = keys(300).flatMap((key) => [create(key), update(key, 1, { needs: [`thing.${key}#0`] })]);
const user_rules = { assumed: 'named', other: 'first_listed', other_lower_bound_s: 20 } as const;

describe('progress', () => {
  test('counts what is done, running, failed and skipped', async () => {
    const steps = [create('a'), update('a', 1, { needs: ['thing.a#0'] }), create('b')];
    const meter = createProgress(planOf(steps, 1), limits);
    const run = rig({
      onEvent: (event) => meter.see(event, 0),
      fault: (request) => (request.body?.key === 'a' ? refused(400105) : undefined),
    });
    expect(meter.read(0)).toMatchObject({ total: 3, done: 0, running: 0, leftS: 1 });
    await run.run(steps);
    expect(meter.read(0)).toMatchObject({ total: 3, done: 1, failed: 1, skipped: 1, running: 0, leftS: 0 });
  });

  test('shows the busiest lane first, with its rate and its limit', async () => {
    const meter = createProgress(planOf(estate, 30), limits);
    const all = rig({ limits, onEvent: (event) => meter.see(event, all.clock.now()) });
    await all.run(estate, { maxDurationMs: 15_000 });
    const [first, second] = meter.read(all.clock.now()).lanes;
    expect(first).toMatchObject({ route: 'POST /things', total: 300, remaining: 150, running: 0, allowedPerS: 10 });
    expect(second).toMatchObject({ route: 'PUT /things/{key}', allowedPerS: 20 });
    expect(first?.ratePerS).toBeCloseTo(10, 0);
  });

  test.for<[whose: string, limits: LimitsOf, post: number, put: number]>([
    [
      'the migration, not the rate plan',
      ({ method }) => [bucket(`plan ${method}`, 40), bucket(`strict ${method}`, 5)],
      5,
      5,
    ],
    [
      'one user, when many calls count for them',
      ({ method }) => [bucket(`plan ${method}`, 40), ...(method === 'POST' ? [bucket('ann', 5)] : [])],
      5,
      40,
    ],
  ])('names the binding limit: that of %s', ([, known, post, put]) => {
    expect(begun(estate, { lower_bound_s: 60 }, known).read(0).lanes).toMatchObject([
      { route: 'POST /things', allowedPerS: post },
      { route: 'PUT /things/{key}', allowedPerS: put },
    ]);
  });

  test('changes the limit when answers show that calls count for the first listed user', () => {
    let reading = 'named';
    const behaviours: LimitsOf = Object.assign(() => [bucket('POST /things', 40)], {
      ofFirstListed: () => (reading === 'named' ? [bucket('POST /things · user ann', 5)] : []),
      countsFirstListed: () => reading === 'first_listed',
    });
    const meter = begun(creates(101), { lower_bound_s: 2.5, user_rules }, behaviours);
    expect(meter.read(0)).toMatchObject({ leftS: 2.5, lanes: [{ allowedPerS: 40 }] });
    reading = 'first_listed';
    expect(meter.read(0)).toMatchObject({ leftS: 20, lanes: [{ allowedPerS: 5 }] });
  });

  test('lets the remaining time fall to zero with the clock', async () => {
    const meter = createProgress(planOf(estate, 30), limits);
    const left: { atS: number; leftS: number }[] = [];
    const all = rig({
      limits,
      onEvent: (event: ApplyEvent) => {
        meter.see(event, all.clock.now());
        if (event.type === 'step.ended')
          left.push({ atS: all.clock.now() / 1000, leftS: meter.read(all.clock.now()).leftS });
      },
    });
    await all.run(estate);
    const endS = all.clock.now() / 1000;
    for (const { atS, leftS } of left) expect(Math.abs(atS + leftS - endS)).toBeLessThan(1);
    expect(left.at(-1)?.leftS).toBe(0);
  });

  test('doubles the remaining time at half the rate', () => {
    const steps = creates(100);
    const meter = begun(steps, { lower_bound_s: 10 });
    for (const [place, step] of steps.slice(0, 60).entries()) {
      const named = { step: step.id, address: step.address, action: step.action, route: 'POST /things' };
      meter.see({ type: 'step.started', ...named }, place * 200);
      meter.see({ type: 'step.ended', ...named, outcome: 'succeeded' }, place * 200 + 100);
    }
    expect(meter.read(12_000).leftS).toBeCloseTo(8, 0);
    expect(meter.read(12_000).ratePerS).toBeCloseTo(5, 0);
  });

  test('keeps the bound of a long chain when its lane is nearly empty', () => {
    const meter = begun([create('a'), create('b')], { lower_bound_s: 100 });
    const ended = { step: 'thing.a#0', address: 'thing.a', action: 'create', route: 'POST /things' } as const;
    meter.see({ type: 'step.ended', ...ended, outcome: 'succeeded' }, 1_000);
    expect(meter.read(1_000).leftS).toBe(99);
  });
});

describe('recent rate', () => {
  test('ignores calls older than ten seconds', () => {
    const rate = new RecentRate();
    expect(rate.perS(0)).toBe(0);
    for (let ms = 0; ms < 20_000; ms += 50) rate.add(ms);
    expect(rate.perS(20_000)).toBeCloseTo(20, 0);
    expect(rate.perS(25_000)).toBeCloseTo(9, 0);
    expect(rate.perS(40_000)).toBe(0);
  });

  test('does not extrapolate from the first second', () => {
    const rate = new RecentRate();
    rate.add(5_200);
    expect(rate.perS(5_200)).toBe(1);
  });
});

const limitsOf = (isFirstListed: boolean): LimitsOf =>
  Object.assign(() => [], { countsFirstListed: () => isFirstListed });

test.for([
  { limits: undefined, duration: { lower_bound_s: 2.5, user_rules }, bound: 2.5 },
  { limits: limitsOf(false), duration: { lower_bound_s: 2.5, user_rules }, bound: 2.5 },
  { limits: limitsOf(true), duration: { lower_bound_s: 2.5, user_rules }, bound: 20 },
  { limits: limitsOf(true), duration: { lower_bound_s: 2.5 }, bound: 2.5 },
])('the bound is $bound s by the rules that hold for users', ({ limits, duration, bound }) => {
  expect(lowerBoundS({ steps: [], duration }, limits)).toBe(bound);
});
