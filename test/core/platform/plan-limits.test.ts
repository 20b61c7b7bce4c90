// Tests that the pacer finds out what the plan's limit counts: each endpoint, all calls of a method, or those of listed endpoints apart.
import { describe, expect, test } from 'vitest';
import { limitsOf } from '../../../src/core/platform/limits.ts';
import { PlanLimitsProbe } from '../../../src/core/platform/plan-limits-probe.ts';
import { fastTest, inSuite } from '../../support/suite.ts';
import { type LimitedOutcome, type LimitedRun, playLimited } from './support/limited-run.ts';

const windows = ['sliding', 'fixed', 'gcra', 'gcra_strict'];
const every = windows.flatMap((window, place) =>
  (['5k_mau', '100k_mau'] as const).flatMap((plan, size) =>
    // Each window with the slower plan, with headers or without, in the fast suite.
    [true, false].flatMap((headers, shown) =>
      inSuite(size === 0 && shown === place % 2, true) ? [{ window, plan, headers }] : [],
    ),
  ),
);

const threeRoutes = (count: number, last: number) => ({ '/users': count, '/open_channels': count, '/bots': last });

/** Any pacer needs time to learn the distance of calls that a platform without bursts requires. */
const mostTimes = (window: string) => (window === 'gcra_strict' ? 2 : 1.04);
/** In a minute of ten calls a second, this learning costs more than one call in a hundred. */
const mostRefused = (window: string) => (window === 'gcra_strict' ? 0.015 : 0.01);

describe('a platform that counts the calls of a method together', () => {
  test.for(every)('is recognised: $window, $plan, headers $headers', async ({ window, plan, headers }) => {
    const count = plan === '5k_mau' ? 300 : 2000;
    const result = await playLimited({ planLimits: 'method', window, plan, headers, calls: threeRoutes(count, count) });
    expect(result.learnt).toBe('method');
    expect(result.share).toBeLessThanOrEqual(mostRefused(window));
    expect(result.times).toBeLessThanOrEqual(mostTimes(window));
  });

  fastTest('is recognised when one endpoint begins late', async () => {
    const late = { planLimits: 'method', window: 'sliding', plan: '5k_mau', headers: false } as const;
    const result = await playLimited({ ...late, calls: { '/users': 300, '/open_channels': 100 }, lateMs: 15_000 });
    expect(result.learnt).toBe('method');
    expect(result.share).toBeLessThanOrEqual(0.02);
  });
});

describe('a platform that counts each endpoint', () => {
  test.for(every)(
    'is not mistaken for the other: $window, $plan, headers $headers',
    async ({ window, plan, headers }) => {
      const count = plan === '5k_mau' ? 300 : 2000;
      const result = await playLimited({
        planLimits: 'endpoint',
        window,
        plan,
        headers,
        calls: threeRoutes(count, count / 2),
      });
      expect(result.learnt).toBe('endpoint');
      expect(result.share).toBeLessThanOrEqual(mostRefused(window));
      expect(result.times).toBeLessThanOrEqual(mostTimes(window));
    },
  );
});

/** 120 users, 60 open and 40 group channels at 10 calls a second. Averages of several runs. */
async function runsOf(run: Pick<LimitedRun, 'planLimits' | 'headers' | 'foreignShare' | 'isKnown'>) {
  const calls = { '/users': 120, '/open_channels': 60, '/group_channels': 40 };
  const outcomes: LimitedOutcome[] = [];
  for (let seed = 1; seed <= inSuite(8, 12); seed++)
    outcomes.push(await playLimited({ ...run, window: 'sliding', plan: '5k_mau', calls, seed }));
  const mean = (of: (outcome: LimitedOutcome) => number) =>
    outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length;
  return { share: mean(({ share }) => share), times: mean(({ times }) => times) };
}

describe('a run of 220 calls', () => {
  fastTest.for([
    // The first calls go alone, until their answers state the limits.
    { planLimits: 'endpoint', headers: true, refused: 0, times: 1.05 },
    { planLimits: 'endpoint', headers: false, refused: 0, times: 1.03 },
    { planLimits: 'method', headers: true, refused: 0.01, times: 1.03 },
    { planLimits: 'method', headers: false, refused: 0.03, times: 1.03 },
    { planLimits: 'unlisted', headers: true, refused: 0.01, times: 1.045 },
    // Without headers, listed endpoints are taken to be counted with the others.
    { planLimits: 'unlisted', headers: false, refused: 0.03, times: 1.26 },
    { planLimits: 'unlisted', headers: true, isKnown: true, refused: 0.01, times: 1.03 },
    { planLimits: 'unlisted', headers: false, isKnown: true, refused: 0, times: 1.03 },
  ] as const)(
    'has few refused calls: limits by $planLimits, headers $headers, known $isKnown',
    async ({ refused, times, ...run }) => {
      const outcome = await runsOf(run);
      expect(outcome.share).toBeLessThanOrEqual(refused);
      expect(outcome.times).toBeLessThanOrEqual(times);
    },
  );
});

test('keeps no bodies of the calls of the watched windows', () => {
  const probe = new PlanLimitsProbe(limitsOf({ ratePlan: '5k_mau', share: 1, limits: {} }));
  const body = { user_ids: ['alice', 'bob'] };
  for (const at of [0, 1]) probe.take({ method: 'POST', route: '/group_channels', body }, at);
  probe.take({ method: 'PUT', route: '/users/{user_id}', params: { user_id: 'alice' } }, 2);
  const requests = probe.calls.map(({ request }) => request);
  expect(requests).toContainEqual({ method: 'POST', route: '/group_channels' });
  expect(requests.every((request) => !('body' in request || 'params' in request))).toBe(true);
});
