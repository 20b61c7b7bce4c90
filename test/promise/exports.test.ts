// Tests that weekly exports converge: whatever was edited, deleted, restored or found late between them, and wherever runs
// are killed, the channel ends like the last export and nothing is doubled (semantics §7).
import { expect, test } from 'vitest';
import { inSuite, seedOfRun } from '../support/suite.ts';
import { exportScenario, type Hardness } from './support/exports.ts';
import { playMany } from './support/report.ts';

const schedules = inSuite(5, 120);

test(`${schedules} series of exports under kills end like the last export`, async () => {
  const tally = await playMany(seedOfRun(), schedules, (seed) => exportScenario(seed, 4));
  expect(tally.schedules).toBe(schedules);
  expect(tally.runs).toBeGreaterThan(3 * schedules);
});

const crowded = inSuite(2, 60);

test(`${crowded} series of exports of few texts within few milliseconds end like the last export`, async () => {
  const tally = await playMany(seedOfRun(), crowded, (seed) => exportScenario(seed, 6, 'alike and unanswered'));
  expect(tally.schedules).toBe(crowded);
});

test.for<readonly [seed: number, why: string, exports: number, hardness?: Hardness]>([
  [20_155, 'of two messages of one moment one came late, and the other one may have been there', 6],
  [22_592, 'a late message had the fingerprint of another one, by chance', 6],
  [149_696, 'a line that had not arrived had the text that an edited message still has', 4],
  [70, 'removing the meta arrays of an edited message made it equal to another line', 6, 'alike'],
  [454, 'a line that had not arrived took the message of an equal line', 6, 'alike'],
  [261_178, 'a late line had the dedup_id of an equal message, because the lines had another order', 6, 'alike'],
  [10_074, 'a message without meta arrays passed for one that an interrupted call was to send with some', 6, 'alike'],
  [11_299, 'without its meta arrays, an edited message was equal to another one', 6, 'alike'],
  [10_346, 'state forgot the pin of a message whose deletion did not come about', 6, 'alike'],
  [568, 'an interrupted edit had changed the message of another line, which was then restored', 6, 'alike'],
  [850_641, 'a deletion took effect without an answer, and its next attempt deleted another message', 6, 'alike'],
  [1_020, 'a late line, equal to a later one, had the dedup_id of a message that was there', 6, 'alike'],
])('%i: %s', async ([seed, , exports, hardness]) => {
  expect((await playMany(seed, 1, (one) => exportScenario(one, exports, hardness))).schedules).toBe(1);
});
