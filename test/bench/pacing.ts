// Measures what requests without a user cost if the platform counts them together, in virtual time.
import { playLimited } from '../core/platform/support/limited-run.ts';
import { type Row, rounded } from './measure.ts';

const seeds = [1, 2, 3, 4, 5];

/** 150 users and 80 channels, half of them without an inviter, which the platform counts together at 5 a second. */
export async function benchPacing(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const headers of [true, false]) {
    const run = { planLimits: 'endpoint', window: 'sliding', plan: '100k_mau', userScope: 'application' } as const;
    const calls = { '/users': 150, '/group_channels': 80 };
    let [refused, seconds] = [0, 0];
    for (const seed of seeds) {
      const inviters = { invitersOf: 'every_second' } as const;
      const outcome = await playLimited({ ...run, ...inviters, headers, seed, calls, latencyMs: [5, 60] });
      refused += outcome.share / seeds.length;
      seconds += outcome.seconds / seeds.length;
    }
    // A sliding window admits the first five at once.
    const idealS = (calls['/group_channels'] / 2 - 5) / 5;
    rows.push({
      headers: headers ? 'sent' : 'none',
      refused: rounded(refused, 3),
      'seconds / ideal': rounded(seconds / idealS, 2),
    });
  }
  return rows;
}
