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

const crowded = inSuite(2, 60);

test(`${crowded} series of exports of few texts within few milliseconds end like the last export`, async () => {
  const tally = await playMany(seedOfRun(), crowded, (seed) => exportScenario(seed, 6, true));
  expect(tally.schedules).toBe(crowded);
});

test.for([
  { seed: 20_155, why: 'of two messages of one moment one came late, and the other one may have been there' },
  { seed: 22_592, why: 'a late message had the fingerprint of another one, by chance' },
])('$seed: $why', async ({ seed }) => {
  expect((await playMany(seed, 1, (one) => exportScenario(one, 6))).schedules).toBe(1);
});

test('149696: a line that had not arrived had the text that an edited message still has', async () => {
  expect((await playMany(149_696, 1, (seed) => exportScenario(seed, 4))).schedules).toBe(1);
});

test.for([
  { seed: 70, why: 'removing the meta arrays of an edited message made it equal to another line' },
  { seed: 454, why: 'a line that had not arrived took the message of an equal line' },
  { seed: 261_178, why: 'a late line had the dedup_id of an equal message, because the lines had another order' },
  { seed: 10_074, why: 'a message without meta arrays passed for one that an interrupted call was to send with some' },
  { seed: 11_299, why: 'without its meta arrays, an edited message was equal to another one' },
  { seed: 10_346, why: 'state forgot the pin of a message whose deletion did not come about' },
  { seed: 568, why: 'an interrupted edit had changed the message of another line, which was then restored' },
])('crowded $seed: $why', async ({ seed }) => {
  expect((await playMany(seed, 1, (one) => exportScenario(one, 6, true))).schedules).toBe(1);
});
