// Tests that converting and applying one export after another, under kills, ends like converting only the last one.
import { expect, test } from 'vitest';
import { inSuite } from '../support/suite.ts';
import { playExports } from './support/conversions.ts';

test.for(inSuite([1, 4], [1, 2, 4, 5, 6, 8]))('four exports of one workspace converge, seed %i', async (seed) => {
  const { isFinished, faults, shown, shownByLast, corrections } = await playExports(seed, 4);
  expect({ isFinished, faults }).toEqual({ isFinished: true, faults: [] });
  expect(shown).toEqual(shownByLast);
  expect(shown.messages.flat().length).toBeGreaterThan(15);
  expect(corrections).toBeGreaterThan(2);
});
