// A pacer that knows the best guard from the start: even calls, n in one window plus that guard. What it reaches is possible.
import type { Answer, Clock, Pacer } from '../../../src/model/ports.ts';
import type { ApiRequest } from '../../../src/model/request.ts';
import { type Outcome, type Scenario, simulate } from '../../support/simulated-server.ts';

/** Small delays are caught up, unless the server wants even distances. */
export function evenPacer(clock: Clock, intervalMs: number, catchUpMs: number): Pacer {
  let due = 0;
  let heldUntil = 0;
  return {
    take(): number {
      const now = clock.now();
      const at = Math.max(due, heldUntil);
      if (at > now) return at - now;
      due = Math.max(due, now - catchUpMs) + intervalMs;
      return 0;
    },
    learn(_request: ApiRequest, answer: Answer): void {
      if (answer.type === 'limited') heldUntil = Math.max(heldUntil, clock.now() + (answer.retryAfterS ?? 0) * 1000);
    },
  };
}

export interface Possible {
  readonly utilisation: number;
  readonly refused: number;
  readonly foreignRefused: number;
}

/** A reached share, and the guard with which even calls reach it. */
export interface Best extends Possible {
  readonly guardMs: number;
}

/** The most that even calls reach with at most this share refused, over all seeds; found by halving the guard's range. */
export function possibleOf(scenario: Omit<Scenario, 'seed'>, seeds: readonly number[], mostRefused: number): Best {
  const windowMs = scenario.windowMs ?? 1000;
  const isStrict = scenario.window === 'strict_gcra';
  const run = (guardMs: number): Best => {
    const outcomes = seeds.map((seed) =>
      simulate({ ...scenario, seed }, (clock) =>
        evenPacer(clock, (windowMs + guardMs) / scenario.calls, isStrict ? 0 : 30),
      ),
    );
    return { ...pooled(outcomes, scenario.steps), guardMs };
  };
  let low = Math.log(0.1);
  let high = Math.log(64 * windowMs);
  let best = run(Math.exp(high));
  for (let round = 0; round < 10; round++) {
    const middle = (low + high) / 2;
    const found = run(Math.exp(middle));
    if (found.refused <= mostRefused) {
      high = middle;
      if (found.utilisation > best.utilisation) best = found;
    } else low = middle;
  }
  return best;
}

export function pooled(outcomes: readonly Outcome[], steps: number): Possible {
  const mean = (of: (outcome: Outcome) => number) =>
    outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length;
  return {
    utilisation: mean(({ utilisation }) => utilisation),
    refused: mean(({ limited }) => limited) / steps,
    foreignRefused: mean(({ foreignRefused }) => foreignRefused),
  };
}
