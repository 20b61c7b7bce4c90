// Tests two saved plans of one estate, applied one after the other: the second one is refused, or does all that it says.
import { expect, test } from 'vitest';
import { plansOf, playSavedPlans } from './support/saved-plans.ts';

const histories = 50;

test('the second of two saved plans is refused, or its objects end as declared', async () => {
  let refused = 0;
  for (let seed = 1; seed <= histories; seed++) {
    const { broken, isRefused, story } = await playSavedPlans(plansOf(seed));
    expect({ seed, broken, story: broken.length === 0 ? [] : story }).toEqual({ seed, broken: [], story: [] });
    if (isRefused) refused++;
  }
  expect(refused).toBeGreaterThan(histories / 10);
  expect(refused).toBeLessThan((histories * 9) / 10);
}, 60_000);
