// Tests that the pacer finds out whether a platform counts the calls that name no user together, and slows down no others.
import { describe, expect, test } from 'vitest';
import { inSuite } from '../../support/suite.ts';
import { playLimited } from './support/limited-run.ts';

/**
 * Without headers only refused calls show the stricter limit. `mostTimes` is the longest duration in shortest possible times of
 * the calls that name no user.
 */
const runs = [
  { inviters: 'every second', headers: true, mostRefused: 0.05, mostTimes: 1.1 },
  { inviters: 'none', headers: true, mostRefused: 0.05, mostTimes: 1.3 },
  { inviters: 'every second', headers: false, mostRefused: 0.1, mostTimes: 1.1 },
  { inviters: 'none', headers: false, mostRefused: 0.45, mostTimes: 2.7 },
].flatMap((run) => Array.from({ length: inSuite(2, 8) }, (_, place) => ({ ...run, seed: place + 1 })));

describe('a platform that counts channels without an inviter together', () => {
  test.for(runs)(
    'refuses a share of at most $mostRefused and holds up no users: inviters $inviters, headers $headers, seed $seed',
    async ({ inviters, headers, mostRefused, mostTimes, seed }) => {
      const run = { planLimits: 'endpoint', window: 'sliding', plan: '100k_mau', userScope: 'application' } as const;
      const calls = { '/users': 150, '/group_channels': 80 };
      const invitersOf = inviters === 'none' ? {} : ({ invitersOf: 'every_second' } as const);
      const outcome = await playLimited({ ...run, ...invitersOf, headers, seed, calls, latencyMs: [5, 60] });
      const nameless = inviters === 'none' ? 80 : 40;
      expect(outcome.share).toBeLessThanOrEqual(mostRefused);
      expect(outcome.endS['/users']).toBeLessThanOrEqual(1.5);
      expect(outcome.seconds).toBeLessThanOrEqual((mostTimes * nameless) / 5);
      expect(outcome.learnt).toBe('endpoint');
    },
  );

  test('is told from one that counts only named users, at full speed', async () => {
    for (const headers of [true, false]) {
      const run = { planLimits: 'endpoint', window: 'sliding', plan: '100k_mau', userScope: 'named' } as const;
      const calls = { '/users': 150, '/group_channels': 80 };
      const outcome = await playLimited({ ...run, headers, calls, latencyMs: [5, 60] });
      expect(outcome.refused).toBe(0);
      expect(outcome.seconds).toBeLessThanOrEqual(1.5);
    }
  });
});
