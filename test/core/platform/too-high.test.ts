// Tests that the pacer measures a limit that is far below the declared one, where no header states it, and forgets it again.
import { describe, expect, test } from 'vitest';
import { announcedInWords } from '../../../src/core/model/limits.ts';
import { inSuite } from '../../support/suite.ts';
import { playLimited } from './support/limited-run.ts';

const seeds = Array.from({ length: inSuite(2, 8) }, (_, place) => place + 1);
const silent = { headers: false, saysWhen: false, planLimits: 'endpoint', latencyMs: [5, 60] } as const;
const windows = ['sliding', 'fixed', 'gcra'] as const;

describe('a rate plan that is declared too high, on a platform without headers', () => {
  /** Without the measurement, these runs took 3.5 to 7.3 shortest possible times, and up to 38 % of the calls were refused. */
  const plans = [
    { plan: '5k_mau', users: 210, mostTimes: 1.1 },
    { plan: '10k_mau', users: 600, mostTimes: 1.1 },
    { plan: '10k_mau', users: 210, mostTimes: 1.1 },
    // A limit of a fifth is near the point where a refusal may have other causes.
    { plan: '25k_mau', users: 400, mostTimes: 1.4 },
  ] as const;

  test.for(plans.flatMap((row) => windows.flatMap((window) => seeds.map((seed) => ({ ...row, window, seed })))))(
    'costs at most 5 % of the calls and hardly time: $plan as 100k_mau, $users users, $window, seed $seed',
    async ({ plan, users, mostTimes, window, seed }) => {
      const calls = { '/users': users };
      const outcome = await playLimited({ ...silent, plan, declared: '100k_mau', window, calls, seed });
      expect(outcome.share).toBeLessThanOrEqual(0.05);
      expect(outcome.times).toBeLessThanOrEqual(mostTimes);
    },
  );

  test('is reported with what the platform admits', async () => {
    const run = { ...silent, plan: '10k_mau', declared: '100k_mau', window: 'sliding' } as const;
    const { announced } = await playLimited({ ...run, calls: { '/users': 210 } });
    expect(announced && announcedInWords(announced)).toBe(
      'The platform seems to admit fewer calls than declared, and no header states its limits: about 20 instead of 200 POST /users calls a second. Compare application.rate_plan and application.limits with your contract.',
    );
  });
});

describe('a platform that refuses every call for a while, at the right plan', () => {
  /** 3,000 users need 15 s. Without the measurement, the first row took 79 s and the second 57 s. */
  test.for([
    { refuses: 'at once', refusesMs: [[0, 1_000]], mostTimes: 1.5 },
    { refuses: 'early', refusesMs: [[100, 1_100]], mostTimes: 1.8 },
    { refuses: 'at full speed', refusesMs: [[5_000, 6_000]], mostTimes: 1.15 },
    {
      refuses: 'three times',
      refusesMs: [
        [500, 1_500],
        [3_000, 4_000],
        [5_000, 6_000],
      ],
      mostTimes: 1.6,
    },
    { refuses: 'for ten seconds', refusesMs: [[2_000, 12_000]], mostTimes: 2.1 },
  ] as const)('is soon used at full speed again: $refuses', async ({ refusesMs, mostTimes }) => {
    for (const window of ['sliding', 'gcra']) {
      const run = { ...silent, plan: '100k_mau', declared: '100k_mau', window, refusesMs } as const;
      const outcome = await playLimited({ ...run, calls: { '/users': 3_000 } });
      expect(outcome.share).toBeLessThanOrEqual(0.03);
      expect(outcome.times).toBeLessThanOrEqual(mostTimes);
      expect(outcome.announced).toBeUndefined();
    }
  });
});
