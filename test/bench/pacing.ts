// Measures what wrong declarations of limits cost, in virtual time: the refused share of requests and the time beside the ideal.
import { createPacer } from '../../src/core/platform/rate-limiter.ts';
import { pooled } from '../core/platform/support/even-pacer.ts';
import { playLimited } from '../core/platform/support/limited-run.ts';
import { simulate } from '../support/simulated-server.ts';
import { type Row, rounded } from './measure.ts';

const seeds = [1, 2, 3, 4, 5];
const perSecond = 20;
const minute = 60 * perSecond;

export async function benchPacing(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const headers of ['none', 'only_wait'] as const) {
    for (const times of [2, 10]) {
      const outcomes = seeds.map((seed) =>
        simulate({ window: 'sliding', calls: perSecond, steps: minute, headers, seed, latencyMs: [5, 60] }, (clock) => {
          const limit = { name: 'POST /users', calls: times * perSecond, windowS: 1, share: 1 };
          return createPacer({ clock, limitsOf: () => [limit] });
        }),
      );
      const { refused, utilisation } = pooled(outcomes, minute);
      rows.push(row(`rate plan declared ${times} times too high`, headers, refused, 1 / utilisation));
    }
  }
  for (const headers of [true, false]) rows.push(await mixedInviters(headers));
  return rows;
}

/** 150 users and 80 channels, half of them without an inviter, which the platform counts together at 5 a second. */
async function mixedInviters(headers: boolean): Promise<Row> {
  const run = { planLimits: 'endpoint', window: 'sliding', plan: '100k_mau', userScope: 'application' } as const;
  const calls = { '/users': 150, '/group_channels': 80 };
  let [share, seconds] = [0, 0];
  for (const seed of seeds) {
    const outcome = await playLimited({ ...run, invitersOf: 'every_second', headers, seed, calls, latencyMs: [5, 60] });
    share += outcome.share / seeds.length;
    seconds += outcome.seconds / seeds.length;
  }
  const idealS = (calls['/group_channels'] / 2 - 1) / 5;
  return row('mixed inviters, userScope=application', headers ? 'sent' : 'none', share, seconds / idealS);
}

function row(declared: string, headers: string, refused: number, times: number): Row {
  return { declared, headers, refused: rounded(refused), 'seconds / ideal': rounded(times, 2) };
}
