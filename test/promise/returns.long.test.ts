// Tests the promise where channels and archives are removed and come back between kills, each schedule from a seed of its own.
import { expect, test } from 'vitest';
import { playMany } from './support/report.ts';
import { returningScenarioOf } from './support/returns.ts';

const schedules = 5_000;
/** On two cores that the other long tests use as well. */
const minutes = 12;

test(
  `the promise is kept in ${schedules} schedules`,
  async () => {
    const tally = await playMany(1_000_000, schedules, returningScenarioOf);
    expect(tally.schedules).toBe(schedules);
  },
  minutes * 60_000,
);
