// Does the pacer keep the promises of its table, against every usual way of counting? In virtual time, from fixed seeds.
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/model/ports.ts';
import { createPacer } from '../../src/platform/rate-limiter.ts';
import { type Outcome, type Scenario, simulate, type WindowName } from './simulation.ts';

const seeds = [1, 2, 3];

/** Every window that admits a burst of one window's calls; `sliding` in two ways of stating X-RateLimit-Reset. */
const windows: readonly WindowName[] = ['fixed', 'sliding', 'sliding_newest', 'gcra', 'token_bucket'];
const rates = [5, 10, 100, 200];

interface Row {
  readonly window: WindowName;
  readonly calls: number;
}

const everyRow: readonly Row[] = windows.flatMap((window) => rates.map((calls) => ({ window, calls })));

function runAll(scenario: Omit<Scenario, 'seed'>, declared: number, share = 1): Outcome[] {
  const makePacer = (clock: Clock) =>
    createPacer({ clock, limitsOf: () => [{ name: 'POST /users', calls: declared, windowS: 1, share }] });
  return seeds.map((seed) => simulate({ ...scenario, seed }, makePacer));
}

/** The worst of all seeds. */
function run(scenario: Omit<Scenario, 'seed'>, declared = scenario.calls): Outcome {
  const outcomes = runAll(scenario, declared);
  return {
    utilisation: Math.min(...outcomes.map((outcome) => outcome.utilisation)),
    limited: Math.max(...outcomes.map((outcome) => outcome.limited)),
    sentAt: [],
    foreignRefused: 0,
  };
}

/** Ten to a hundred windows: short runs are harder, since all learning is at the start. */
function steps(calls: number): number {
  return calls >= 100 ? 2000 : calls * 100;
}

describe('alone, with 20 to 300 ms latency and up to 3 ms arrival jitter', () => {
  test.for(everyRow)('$window at $calls a second: 99 % and no 429', ({ window, calls }) => {
    const outcome = run({ window, calls, steps: steps(calls) });
    expect(outcome.limited).toBe(0);
    expect(outcome.utilisation).toBeGreaterThanOrEqual(0.99);
  });

  test.for(everyRow)('$window at $calls a second without headers: 99 % and no 429', ({ window, calls }) => {
    const outcome = run({ window, calls, steps: steps(calls), headers: false });
    expect(outcome.limited).toBe(0);
    expect(outcome.utilisation).toBeGreaterThanOrEqual(0.99);
  });

  test.for(everyRow)('$window at $calls a second with timers 1 to 15 ms late: 98 % and no 429', ({ window, calls }) => {
    const outcome = run({ window, calls, steps: steps(calls), latenessMs: [1, 15] });
    expect(outcome.limited).toBe(0);
    expect(outcome.utilisation).toBeGreaterThanOrEqual(0.98);
  });
});

describe('with a wrong idea of the plan', () => {
  test.for(everyRow)(
    '$window at $calls a second, four times as many declared: 99 % and no 429',
    ({ window, calls }) => {
      const outcome = run({ window, calls, steps: steps(calls) }, calls * 4);
      expect(outcome.limited).toBe(0);
      expect(outcome.utilisation).toBeGreaterThanOrEqual(0.99);
    },
  );

  test.for(everyRow)('$window at $calls a second, one a second declared: 99 % and no 429', ({ window, calls }) => {
    const outcome = run({ window, calls, steps: steps(calls) }, 1);
    expect(outcome.limited).toBe(0);
    expect(outcome.utilisation).toBeGreaterThanOrEqual(0.99);
  });
});

describe('a GCRA that admits no burst', () => {
  // At 100 calls a second two calls are 10 ms apart: 3 ms of jitter and late timers leave no 90 % to anybody.
  test.for([5, 10, 20])('at %i a second: 90 % and at most 1 % of 429', (calls) => {
    const outcome = run({ window: 'strict_gcra', calls, steps: steps(calls) });
    expect(outcome.limited).toBeLessThanOrEqual(steps(calls) / 100);
    expect(outcome.utilisation).toBeGreaterThanOrEqual(0.9);
  });

  // Two calls may come closer than they left by as much as their jitter and the lateness of a timer, 5 ms in all: half of
  // what lies between two calls at 100 a second, all of it at 200. The most that any spacing reaches is 79 % at 100.
  test.for([
    { calls: 100, share: 0.73, limited: 0.02 },
    { calls: 200, share: 0.6, limited: 0.045 },
  ])('at $calls a second, where jitter fills the gaps: $share of the rate', ({ calls, share, limited }) => {
    const outcome = run({ window: 'strict_gcra', calls, steps: 2000 });
    expect(outcome.limited).toBeLessThanOrEqual(2000 * limited);
    expect(outcome.utilisation).toBeGreaterThanOrEqual(share);
  });

  test('at 100 a second with little jitter: 85 % and at most 1.7 % of 429', () => {
    const outcome = run({ window: 'strict_gcra', calls: 100, steps: 2000, arrivalJitterMs: 0.5 });
    expect(outcome.limited).toBeLessThanOrEqual(34);
    expect(outcome.utilisation).toBeGreaterThanOrEqual(0.85);
  });
});

describe('with an arrival jitter of 200 ms', () => {
  // At 5 a second ten answers must show the jitter before the small guard is tried. In one run of twenty they do not,
  // and a single 429 does it instead.
  test.for(everyRow)('$window at $calls a second: 75 % and no 429', ({ window, calls }) => {
    const outcome = run({ window, calls, steps: steps(calls), arrivalJitterMs: 200 });
    expect(outcome.limited).toBeLessThanOrEqual(calls === 5 ? 1 : 0);
    expect(outcome.utilisation).toBeGreaterThanOrEqual(0.75);
  });
});

describe('with another client that asks for 30 %', () => {
  // Its calls come at random. At 5 and 10 a second their number in a window varies so much that up to a fifth of ours
  // meets a full window; whoever wants fewer 429 has to leave more of the limit unused.
  test.for(everyRow)('$window at $calls a second: nearly all that is left, few 429', ({ window, calls }) => {
    const outcomes = runAll({ window, calls, steps: steps(calls), foreignShare: 0.3 }, calls);
    const [worst = 0, median = 0] = outcomes.map(({ utilisation }) => utilisation).sort((left, right) => left - right);
    expect(worst).toBeGreaterThanOrEqual(0.7 * 0.92);
    expect(median).toBeGreaterThanOrEqual(0.7 * 0.95);
    const limited = Math.max(...outcomes.map((outcome) => outcome.limited));
    expect(limited).toBeLessThanOrEqual(steps(calls) * (calls < 100 ? 0.22 : 0.07));
  });
});

describe('a share of the limit', () => {
  test.for(everyRow)('$window at $calls a second, 0.6 of it: never more in any window', ({ window, calls }) => {
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
