// Support: the test that thousands of schedules keep the promise.
import { expect, test } from 'vitest';
import { playMany } from './report.ts';
import type { Scenario } from './scenario.ts';

/** Generous, because schedules are limited by number. Time-outs only end hanging runs. */
const msPerSchedule = 1_000;

/** Plays the schedules of `count` consecutive seeds, or of as many as PROMISE_SCHEDULES says, such as more before a release. */
export function keepsPromise(firstSeed: number, count: number, scenarioFrom?: (seed: number) => Scenario): void {
  const schedules = Number(process.env.PROMISE_SCHEDULES ?? count);
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
