// Tests that the pacer finds out whether a platform counts the calls that name no user together, and slows down no others.
import { describe, expect, test } from 'vitest';
import { inSuite } from '../../support/suite.ts';
import { playLimited } from './support/limited-run.ts';

const runs = (['every_second', undefined] as const).flatMap((invitersOf) =>
  [true, false].flatMap((headers) =>
    Array.from({ length: inSuite(2, 8) }, (_, place) => ({ invitersOf, headers, seed: place + 1 })),
  ),
);

describe('a platform that counts channels without an inviter together', () => {
  test.for(runs)(
    'costs at most 5 %% of 429 and holds up no users: inviters $invitersOf, headers $headers, seed $seed',
    async ({ invitersOf, headers, seed }) => {
      const run = { planLimits: 'endpoint', window: 'sliding', plan: '100k_mau', userScope: 'application' } as const;
      const calls = { '/users': 150, '/group_channels': 80 };
      const inviters = invitersOf === undefined ? {} : { invitersOf };
      const outcome = await playLimited({ ...run, ...inviters, headers, seed, calls, latencyMs: [5, 60] });
      const nameless = invitersOf === undefined ? 80 : 40;
      expect(outcome.share).toBeLessThanOrEqual(0.05);
      expect(outcome.endS['/users']).toBeLessThanOrEqual(1.5);
      expect(outcome.seconds).toBeLessThanOrEqual(((headers ? 1.1 : 2) * nameless) / 5);
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
