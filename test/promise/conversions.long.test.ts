// Tests that twenty exports converge with edits, deletions, late messages and renames between them, under kills.
import { expect, test } from 'vitest';
import { playExports } from './support/conversions.ts';
import './conversions.test.ts';
import { exportScenario } from './support/exports.ts';
import { playMany } from './support/report.ts';

test.for([101, 102, 103, 104])('twenty exports of one workspace converge, seed %i', async (seed) => {
  const { isFinished, faults, shown, shownByLast, corrections } = await playExports(seed, 20);
  expect({ isFinished, faults }).toEqual({ isFinished: true, faults: [] });
  expect(shown).toEqual(shownByLast);
  expect(corrections).toBeGreaterThan(20);
});

test('three hundred series of edited history files end like their last archive', async () => {
  const tally = await playMany(1_000, 300, (seed) => exportScenario(seed, 6));
  expect(tally.schedules).toBe(300);
});
