// Support: pacers to compare with. One knows the best guard from the start and sends n calls evenly in a window plus that
// guard, which is the possible throughput. The other is fair to another client: it asks for the remainder at random times.

import type { Answer, Clock, Pacer } from '../../../../src/core/model/ports.ts';
import type { ApiRequest } from '../../../../src/core/model/request.ts';
import { seededRandom } from '../../../../src/emulator/random.ts';
import { type Outcome, type Scenario, simulate } from '../../../support/simulated-server.ts';

/** Small delays are caught up, unless the server requires even distances. */
function evenPacer(clock: Clock, intervalMs: number, catchUpMs: number): Pacer {
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

/** Asks at random times, every `intervalMs` on average, and ignores refusals, like the other client. */
function randomPacer(clock: Clock, intervalMs: number, random: () => number): Pacer {
  let due = 0;
  return {
    take(): number {
      const now = clock.now();
      if (due > now) return due - now;
      due = Math.max(due, now - 30) - Math.log(1 - random()) * intervalMs;
      return 0;
    },
    learn(): void {},
  };
}

export interface Possible {
  readonly utilisation: number;
  readonly refused: number;
  readonly foreignRefused: number;
}

/** A throughput as a share of the limit, and the guard with which even calls reach it. */
export interface Best extends Possible {
  readonly guardMs: number;
}

/** Returns the most that even calls reach over all seeds with at most this share refused, by bisecting the guard. */
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

/** Shares of the remainder beside another client. */
const sharesOfRest = [0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1, 1.05];

/**
 * Returns the most that even calls of one of these rates reach beside another client with at most this share refused, while
 * that client loses at most `mostLost`. Undefined if every rate is too much.
 */
export function possibleBeside(
  scenario: Omit<Scenario, 'seed'> & { readonly foreignShare: number },
  seed: number,
  mostRefused: number,
  mostLost: number,
): Possible | undefined {
  const windowMs = scenario.windowMs ?? 1000;
  const restMs = windowMs / (scenario.calls * (1 - scenario.foreignShare));
  const found = sharesOfRest
    .map((share) => simulate({ ...scenario, seed }, (clock) => evenPacer(clock, restMs / share, 30)))
    .map((outcome) => pooled([outcome], scenario.steps))
    .filter(({ refused, foreignRefused }) => refused <= mostRefused && foreignRefused <= mostLost);
  return found.sort((left, right) => right.utilisation - left.utilisation)[0];
}

/** Returns the throughput of a second client that asks for exactly what the first one leaves, and the loss of the first. */
export function fairBeside(
  scenario: Omit<Scenario, 'seed'> & { readonly foreignShare: number },
  seeds: readonly number[],
): Possible {
  const restMs = (scenario.windowMs ?? 1000) / (scenario.calls * (1 - scenario.foreignShare));
  const outcomes = seeds.map((seed) =>
    simulate({ ...scenario, seed }, (clock) => randomPacer(clock, restMs, seededRandom(seed + 1000))),
  );
  return pooled(outcomes, scenario.steps);
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
