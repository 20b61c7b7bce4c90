// Tests the throughput of the pacer for every usual rate-limit algorithm, in virtual time with fixed seeds.
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/core/model/ports.ts';
import { createPacer } from '../../../src/core/platform/rate-limiter.ts';
import {
  type HeaderStyle,
  mostOfStrictGcra,
  type Outcome,
  type Scenario,
  simulate,
  type WindowName,
} from '../../support/simulated-server.ts';
import { fastTest, inSuite } from '../../support/suite.ts';
import { pooled, possibleOf } from './support/even-pacer.ts';

const seeds = [1, 2, 3];
/** For rows where chance matters more. */
const manySeeds = Array.from({ length: inSuite(1, 10) }, (_, index) => index + 1);

/** Every window that admits a burst of a whole window. `sliding` occurs with two meanings of X-RateLimit-Reset. */
const windows: readonly WindowName[] = ['fixed', 'sliding', 'sliding_newest', 'gcra'];
const rates = [5, 10, 100, 200];

interface Row {
  readonly window: WindowName;
  readonly calls: number;
}

/** The fast suite plays each window at one rate, and each rate once. */
const everyRow: readonly Row[] = windows.flatMap((window, place) =>
  rates.filter((_, index) => inSuite(index === place % rates.length, true)).map((calls) => ({ window, calls })),
);

function runAll(scenario: Omit<Scenario, 'seed'>, declared: number, share = 1, among = seeds): Outcome[] {
  const makePacer = (clock: Clock) =>
    createPacer({ clock, limitsOf: () => [{ name: 'POST /users', calls: declared, windowS: 1, share }] });
  return among.map((seed) => simulate({ ...scenario, seed }, makePacer));
}

/** The worst result of all seeds. */
function run(
  scenario: Omit<Scenario, 'seed'>,
  declared = scenario.calls,
  among = seeds.slice(0, inSuite(1, 3)),
): Outcome {
  const outcomes = runAll(scenario, declared, 1, among);
  return {
    utilisation: Math.min(...outcomes.map((outcome) => outcome.utilisation)),
    limited: Math.max(...outcomes.map((outcome) => outcome.limited)),
    sentAt: [],
    admittedAt: [],
    foreignRefused: 0,
    foreignShare: 0,
  };
}

/** Ten to a hundred windows. Short runs are harder, because all learning is at the start. */
function steps(calls: number): number {
  return calls >= 100 ? 2000 : calls * 100;
}

describe.each<{ name: string; more?: Partial<Scenario>; declared?: (calls: number) => number; least: number }>([
  { name: 'alone, with 20 to 300 ms latency and up to 3 ms arrival jitter', least: 0.99 },
  { name: 'without headers', more: { headers: 'none' }, least: 0.99 },
  { name: 'with timers 1 to 15 ms late', more: { latenessMs: [1, 15] }, least: 0.98 },
  { name: 'with four times as many declared', declared: (calls) => calls * 4, least: 0.99 },
  { name: 'with one a second declared', declared: () => 1, least: 0.99 },
])('$name', ({ more, declared = (calls) => calls, least }) => {
  test.for(everyRow)('$window at $calls a second is nearly filled, without a 429', ({ window, calls }) => {
    const outcome = run({ window, calls, steps: steps(calls), ...more }, declared(calls));
    expect(outcome.limited).toBe(0);
    expect(outcome.utilisation).toBeGreaterThanOrEqual(least);
  });
});

describe('delayed on the way', () => {
  // A window that was opened late shows only in slow answers: those of calls that left together, or of one
  // call for a short time.
  test.for([
    { calls: 5, forMs: 25 },
    { calls: 10, forMs: 25 },
    { calls: 100, forMs: 25 },
    { calls: 100, forMs: 150 },
    { calls: 200, forMs: 25 },
    { calls: 200, forMs: 150 },
  ])('for $forMs ms in the first window, at $calls a second: no 429', ({ calls, forMs }) => {
    for (const fromMs of [150, 300, 450, 600]) {
      const scenario = { window: 'sliding', calls, steps: calls * 5, latencyMs: [100, 102] } as const;
      const outcome = run({ ...scenario, arrivalJitterMs: 1, heldUpMs: [fromMs, fromMs + forMs] });
      expect(outcome.limited).toBe(0);
    }
  });
});

describe('a GCRA that admits no burst', () => {
  test.for([5, 10, 20])('reaches 90 % with at most 1 % of 429 at %i a second', (calls) => {
    const outcome = run({ window: 'strict_gcra', calls, steps: steps(calls) }, calls, manySeeds);
    expect(outcome.limited).toBeLessThanOrEqual(steps(calls) / 100);
    expect(outcome.utilisation).toBeGreaterThanOrEqual(0.9);
  });

  test.for([100, 200])('reaches 95 % of the possible with at most 1 % of 429 at %i a second', (calls) => {
    const outcome = run({ window: 'strict_gcra', calls, steps: 2000 }, calls, manySeeds);
    expect(outcome.limited).toBeLessThanOrEqual(2000 / 100);
    expect(outcome.utilisation).toBeGreaterThanOrEqual(0.95 * mostOfStrictGcra(calls));
  });

  fastTest('makes more than 90 % impossible at 100 a second', () => {
    expect([5, 10, 20, 100, 200].map((calls) => Math.round(100 * mostOfStrictGcra(calls)))).toEqual([
      98, 96, 93, 76, 62,
    ]);
  });

  test('reaches 85 % with at most 1 % of 429 at 100 a second with little jitter', () => {
    const outcome = run({ window: 'strict_gcra', calls: 100, steps: 2000, arrivalJitterMs: 0.5 });
    expect(outcome.limited).toBeLessThanOrEqual(20);
    expect(outcome.utilisation).toBeGreaterThanOrEqual(0.85);
  });
});

describe('over a real network', () => {
  // pacing.long.test.ts has every algorithm, rate and kind of header, and writes goldens/pacing.md.
  test.for([
    { window: 'sliding', calls: 10, least: 0.97 },
    { window: 'fixed', calls: 100, least: 0.99 },
  ] as const)(
    '$window at $calls a second with up to 150 ms of jitter: near the possible, and at most 1 % of 429',
    (row) => {
      const { window, calls, least } = row;
      for (const headers of inSuite<readonly HeaderStyle[]>(['honest', 'none'], ['honest', 'one', 'all', 'none'])) {
        const scenario = { window, calls, steps: Math.max(3000, calls * 60), arrivalJitterMs: 150, headers };
        const found = pooled(runAll(scenario, calls), scenario.steps);
        // Short runs spend part of their time learning: a hundredth of the limit more than long ones.
        expect(found.utilisation).toBeGreaterThanOrEqual((least - 0.01) * possibleOf(scenario, [1], 0.01).utilisation);
        expect(found.refused).toBeLessThanOrEqual(0.011);
      }
    },
  );

  fastTest.for([10, 100])('returns to the full rate within seconds after three 429, at %i a second', (calls) => {
    const scenario = { window: 'sliding', calls, steps: calls * 60, hiccupAtCall: calls * 20 } as const;
    for (const { admittedAt, limited } of runAll(scenario, calls)) {
      expect(limited).toBe(3);
      const from = (admittedAt[calls * 20] ?? 0) + 5000;
      const later = admittedAt.filter((at) => at >= from);
      const seconds = ((later.at(-1) ?? 0) - (later[0] ?? 0)) / 1000;
      expect((later.length - 1) / seconds / calls).toBeGreaterThanOrEqual(0.98);
    }
  });

  test('fills a window of a minute as evenly as one of a second', () => {
    const scenario = { window: 'sliding', calls: 100, windowMs: 60_000, steps: 1000, arrivalJitterMs: 50 } as const;
    for (const seed of seeds) {
      const outcome = simulate({ ...scenario, seed }, (clock) =>
        createPacer({ clock, limitsOf: () => [{ name: 'POST /users', calls: 100, windowS: 1, share: 1 }] }),
      );
      expect(outcome.utilisation).toBeGreaterThanOrEqual(0.98);
      expect(outcome.limited).toBeLessThanOrEqual(12);
    }
  });
});

describe('after a pause of six seconds', () => {
  fastTest.for(['fixed', 'sliding', 'gcra'] as const)('no burst follows: %s', (window) => {
    const [from, until] = [20_000, 26_000];
    let refused = 0;
    let sent = 0;
    simulate({ window, calls: 100, steps: 4000, arrivalJitterMs: 50, seed: 1 }, (clock) => {
      const limitsOf = () => [{ name: 'POST /users', calls: 100, windowS: 1, share: 1 }];
      const pacer = createPacer({ clock, limitsOf });
      return {
        take: (request) => {
          const now = clock.now();
          return now > from && now < until ? until - now : pacer.take(request);
        },
        learn: (request, answer, sentAt) => {
          pacer.learn(request, answer, sentAt);
          if (sentAt < until || sentAt > until + 2000) return;
          sent += 1;
          if (answer.type === 'limited') refused += 1;
        },
      };
    });
    expect(sent).toBeGreaterThan(180);
    expect(refused).toBeLessThanOrEqual(sent / 50);
  });
});

describe('beside another client', () => {
  // As above: the long test has every share, algorithm and rate, and the possible throughput.
  test.for([0.6])(
    'that uses %d of a sliding log, the pacer gets most of the rest with at most 3 %% of 429',
    (foreignShare) => {
      const scenario = { window: 'sliding', calls: 100, steps: 6000, foreignShare } as const;
      const outcomes = runAll(scenario, 100);
      const found = pooled(outcomes, scenario.steps);
      const left = outcomes.reduce((sum, outcome) => sum + 1 - outcome.foreignShare, 0) / outcomes.length;
      expect(found.utilisation / left).toBeGreaterThanOrEqual(0.93);
      expect(found.refused).toBeLessThanOrEqual(0.03);
      // By Erlang's loss formula the pacer loses 7.6 % beside a client that asks for the rest at random times.
      expect(found.foreignRefused).toBeLessThanOrEqual(0.076 + 0.015);
    },
  );

  fastTest.for([0.6])('that uses %d without headers, the pacer does not stop', (foreignShare) => {
    const scenario = { window: 'sliding', calls: 10, steps: 2000, foreignShare, headers: 'none' } as const;
    expect(pooled(runAll(scenario, 10), scenario.steps).utilisation).toBeGreaterThanOrEqual(0.4 * (1 - foreignShare));
  });
});

describe('a share of the limit', () => {
  test.for(everyRow)('is never exceeded in any window: $window at $calls a second, share 0.6', ({ window, calls }) => {
    for (const { sentAt, limited } of runAll(
      { window, calls, steps: steps(calls) / 2, latenessMs: [0, 0] },
      calls,
      0.6,
    )) {
      expect(limited).toBe(0);
      const allowed = calls * 0.6;
      for (let last = allowed; last < sentAt.length; last++) {
        expect((sentAt[last] ?? 0) - (sentAt[last - allowed] ?? 0)).toBeGreaterThan(1000);
      }
      const seconds = ((sentAt.at(-1) ?? 0) - (sentAt[0] ?? 0)) / 1000;
      expect((sentAt.length - 1) / seconds / allowed).toBeGreaterThan(0.98);
    }
  });
});
