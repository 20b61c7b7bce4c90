// Tests two saved plans of one estate that are applied in turn: the second is refused, or does everything that it says.
import { expect, test } from 'vitest';
import { inSuite } from '../support/suite.ts';
import { exportScenario } from './support/exports.ts';
import { plansOf, playSavedCorrections, playSavedPlans } from './support/saved-plans.ts';

/** The last plan deletes a user whom the other plan makes an operator. */
const seeds = [...Array.from({ length: inSuite(9, 50) }, (_, place) => place + 1), 659];

test('the second of two saved plans is refused, or its objects end as declared', async () => {
  let refused = 0;
  for (const seed of seeds) {
    const { broken, isRefused, story } = await playSavedPlans(plansOf(seed));
    expect({ seed, broken, story: broken.length === 0 ? [] : story }).toEqual({ seed, broken: [], story: [] });
    if (isRefused) refused++;
  }
  expect(refused).toBeGreaterThan(seeds.length / 10);
  expect(refused).toBeLessThan((seeds.length * 9) / 10);
});

test('a saved plan of edited, deleted and late messages loses and doubles nothing under kills', async () => {
  const played = { refused: 0, kills: 0 };
  const count = inSuite(12, 150);
  for (let seed = 1; seed <= count; seed++) {
    const { broken, isRefused, kills, story } = await playSavedCorrections(exportScenario(seed, 2));
    expect({ seed, broken, story: broken.length === 0 ? [] : story }).toEqual({ seed, broken: [], story: [] });
    played.kills += kills;
    if (isRefused) played.refused++;
  }
  expect(played.kills).toBeGreaterThan(count / 2);
  expect(played.refused).toBe(0);
});
