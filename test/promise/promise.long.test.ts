// Tests the promise over ten thousand schedules, each from a seed of its own.
import { expect, test } from 'vitest';
import { playMany } from './support/report.ts';

const schedules = 10_000;
/** On two cores that the other long tests use as well. */
const minutes = 14;

test(
  `the promise is kept in ${schedules} schedules`,
  async () => {
    const startedMs = performance.now();
    const tally = await playMany(1_000_000, schedules);
    const seconds = (performance.now() - startedMs) / 1000;
    process.stdout.write(
      `${tally.schedules} schedules, ${tally.runs} runs, ${tally.limited} answers 429, ${Math.round(tally.schedules / seconds)} schedules a second\n`,
    );
    expect(tally.schedules).toBe(schedules);
  },
  minutes * 60_000,
);
