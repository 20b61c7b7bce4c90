// Support: the test that thousands of schedules keep the promise.
import { expect, test } from 'vitest';
import { playMany } from './report.ts';
import type { Scenario } from './scenario.ts';

/** The number of schedules that a file plays. The time limit of the suite allows this many; use more before a release. */
const schedules = Number(process.env.PROMISE_SCHEDULES ?? 1_200);
/** Generous, because schedules are limited by number. Time-outs only end hanging runs. */
const msPerSchedule = 1_000;

/** Plays the schedules of consecutive seeds. */
export function keepsPromise(firstSeed: number, scenarioFrom?: (seed: number) => Scenario): void {
  test(
    `the promise is kept in ${schedules} schedules`,
    async () => {
      const startedMs = performance.now();
      const tally = await playMany(firstSeed, schedules, scenarioFrom);
      const seconds = (performance.now() - startedMs) / 1000;
      process.stdout.write(
        `${tally.schedules} schedules, ${tally.runs} runs, ${tally.limited} answers 429, ${Math.round(tally.schedules / seconds)} schedules a second\n`,
      );
      expect(tally.schedules).toBe(schedules);
    },
    schedules * msPerSchedule,
  );
}
