// Tests the bounds that calls have under the limits of their buckets.
import { expect, test } from 'vitest';
import { lowerBoundOf, tightestPerS } from '../../../../src/core/model/calls/loads.ts';
import type { Bucket } from '../../../../src/core/model/limits.ts';
import { limitsOf } from '../../../../src/core/platform/limits.ts';

const settings = { ratePlan: '5k_mau', limits: {}, share: 1 };
const reads = (route: string, calls: number) => ({ method: 'GET' as const, route, calls });

test.for<[title: string, calls: readonly (readonly [string, number])[], seconds: number]>([
  ['is zero without calls', [['/users', 0]], 0],
  ['is zero for one call, which leaves at once', [['/users', 1]], 0],
  [
    'is that of the busiest endpoint',
    [
      ['/users', 61],
      ['/bots', 121],
    ],
    2,
  ],
  [
    'adds up the calls of one endpoint',
    [
      ['/users', 61],
      ['/users', 60],
    ],
    2,
  ],
])('the shortest time %s', ([, calls, seconds]) => {
  expect(
    lowerBoundOf(
      calls.map(([route, count]) => reads(route, count)),
      limitsOf(settings),
    ),
  ).toBe(seconds);
});

test('the shortest time counts all endpoints together if the plan is known to limit methods', () => {
  const limits = limitsOf({ ...settings, known: { planLimits: 'method' } });
  expect(lowerBoundOf([reads('/users', 61), reads('/bots', 60)], limits)).toBe(2);
});

test('the tightest limit of a request decides, with the share that may be used', () => {
  const bucket = (calls: number, share: number): Bucket => ({ name: `${calls}`, calls, windowS: 2, share });
  expect(tightestPerS([bucket(40, 1), bucket(60, 0.5)])).toBe(15);
  expect(tightestPerS([])).toBeUndefined();
});
