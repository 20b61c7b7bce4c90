// Tests that weekly exports converge: whatever was edited, deleted, restored or found late between them, and wherever runs
// are killed, the channel ends like the last export and nothing is doubled (semantics §7).
import { expect, test } from 'vitest';
import { inSuite, seedOfRun } from '../support/suite.ts';
import { exportScenario } from './support/exports.ts';
import { playMany } from './support/report.ts';

const schedules = inSuite(5, 120);

test(`${schedules} series of exports under kills end like the last export`, async () => {
  const tally = await playMany(seedOfRun(), schedules, (seed) => exportScenario(seed, 4));
  expect(tally.schedules).toBe(schedules);
  expect(tally.runs).toBeGreaterThan(3 * schedules);
});

test.for([
  { seed: 20_155, why: 'of two messages of one moment one came late, and the other one may have been there' },
  { seed: 22_592, why: 'a late message had the fingerprint of another one, by chance' },
])('$seed: $why', async ({ seed }) => {
  expect((await playMany(seed, 1, (one) => exportScenario(one, 6))).schedules).toBe(1);
});
