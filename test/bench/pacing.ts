// Measures in virtual time what two mistakes cost: requests without a user that the platform counts together, and a rate plan
// that is declared ten times too high where no header states the limits.
import { playLimited } from '../core/platform/support/limited-run.ts';
import { type Row, rounded } from './measure.ts';

const seeds = [1, 2, 3, 4, 5];

export async function benchPacing(): Promise<Row[]> {
  return [...(await nameless()), await tooHigh()];
}

/** 210 users at 20 a second, declared as 200 a second. */
async function tooHigh(): Promise<Row> {
  const plans = { plan: '10k_mau', declared: '100k_mau' } as const;
  const run = { ...plans, planLimits: 'endpoint', window: 'sliding', headers: false, saysWhen: false } as const;
  let [refused, times] = [0, 0];
  for (const seed of seeds) {
    const outcome = await playLimited({ ...run, seed, calls: { '/users': 210 }, latencyMs: [5, 60] });
    refused += outcome.share / seeds.length;
    times += outcome.times / seeds.length;
  }
  return {
    mistake: 'plan too high',
    headers: 'none',
    refused: rounded(refused, 3),
    'seconds / ideal': rounded(times, 2),
  };
}

/** 150 users and 80 channels, half of them without an inviter, which the platform counts together at 5 a second. */
async function nameless(): Promise<Row[]> {
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
      mistake: 'calls without a user',
      headers: headers ? 'sent' : 'none',
      refused: rounded(refused, 3),
      'seconds / ideal': rounded(seconds / idealS, 2),
    });
  }
  return rows;
}
