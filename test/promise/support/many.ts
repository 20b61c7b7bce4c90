// Support: the test that thousands of schedules keep the promise.
import { expect, test } from 'vitest';
import { playMany } from './report.ts';

/** On two cores that the other long tests use as well. */
const minutes = 14;

/** Plays the schedules of consecutive seeds. */
export function keepsPromise(firstSeed: number, schedules: number): void {
  test(
    `the promise is kept in ${schedules} schedules`,
    async () => {
      const startedMs = performance.now();
      const tally = await playMany(firstSeed, schedules);
      const seconds = (performance.now() - startedMs) / 1000;
      process.stdout.write(
        `${tally.schedules} schedules, ${tally.runs} runs, ${tally.limited} answers 429, ${Math.round(tally.schedules / seconds)} schedules a second\n`,
      );
      expect(tally.schedules).toBe(schedules);
    },
    minutes * 60_000,
  );
}
