// Measures how much of a rate limit is used and how many calls are refused: for every usual algorithm in virtual time, and,
// when it is run alone, over HTTP.
import type { Clock, Pacer } from '../../src/model/ports.ts';
import { createPacer } from '../../src/platform/rate-limiter.ts';
import { fairBeside, possibleBeside, possibleOf } from '../platform/support/even-pacer.ts';
import { type Scenario, simulate, type WindowName } from '../support/simulated-server.ts';
import { fixedPacer } from './apply-fixed.ts';
import { benchNetwork } from './apply-network.ts';
import { type Row, rounded } from './table.ts';

const windows: readonly WindowName[] = ['fixed', 'sliding', 'gcra', 'token_bucket', 'strict_gcra'];
const rates = [5, 10, 100, 200];
const seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

const conditions = [
  { name: 'alone', arrivalJitterMs: 3, foreignShare: 0 },
  { name: 'jitter of 50 ms', arrivalJitterMs: 50, foreignShare: 0 },
  { name: 'jitter of 150 ms', arrivalJitterMs: 150, foreignShare: 0 },
  { name: 'another client, 30 %', arrivalJitterMs: 3, foreignShare: 0.3 },
] as const;

export async function benchPacing(most: number): Promise<Row[]> {
  const virtual = conditions.flatMap((condition) =>
    windows.flatMap((window) =>
      rates.map((calls): Row => {
        const steps = calls >= 100 ? 2000 : calls * 100;
        const { name, ...rest } = condition;
        const measure = (makePacer: (clock: Clock, seed: number) => Pacer) => {
          const outcomes = seeds.map((seed) =>
            simulate({ window, calls, steps, ...rest, seed }, (clock) => makePacer(clock, seed)),
          );
          const used = outcomes.map(({ utilisation, foreignShare }) => utilisation / (1 - foreignShare));
          return {
            used: rounded(median(used), 3),
            worst: rounded(Math.min(...used), 3),
            refused: rounded(median(outcomes.map(({ limited }) => limited)) / steps, 4),
          };
        };
        const limitsOf = () => [{ name: 'POST /users', calls, windowS: 1, share: 1 }];
        const ours = measure((clock) => createPacer({ clock, limitsOf }));
        const scenario = { window, calls, steps, ...rest };
        const possible =
          rest.foreignShare === 0 ? possibleOf(scenario, seeds.slice(0, 2), 0.01) : besideOther(scenario);
        const left = 1 - rest.foreignShare;
        const fixed = measure((clock, seed) => fixedPacer(clock, () => (seed * 0.37) % 1));
        return {
          conditions: name,
          window,
          'a second': calls,
          'used of what is left': ours.used,
          'worst of ten': ours.worst,
          possible: possible === undefined ? '' : rounded(possible.utilisation / left, 3),
          '429 a step': ours.refused,
          'parallelism 10: used': fixed.used,
          'parallelism 10: 429 a step': fixed.refused,
        };
      }),
    ),
  );
  return most < 1_000_000 ? virtual : [...virtual, ...(await benchNetwork())];
}

/** At most 3 % of calls are refused, below 100 a second 10 %, and the other client loses no more than beside a fair one. */
function besideOther(scenario: Omit<Scenario, 'seed'> & { readonly foreignShare: number }) {
  const { foreignRefused } = fairBeside(scenario, seeds.slice(0, 2));
  return possibleBeside(scenario, 1, scenario.calls >= 100 ? 0.03 : 0.1, foreignRefused + 0.015);
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
