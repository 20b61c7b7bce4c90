// Tests two saved plans of one estate, applied one after the other: the second one is refused, or does all that it says.
import { expect, test } from 'vitest';
import { plansOf, playSavedPlans } from './support/saved-plans.ts';

/** The last one deletes a user whom the other plan makes an operator. */
const seeds = [...Array.from({ length: 50 }, (_, place) => place + 1), 659];

test('the second of two saved plans is refused, or its objects end as declared', async () => {
  let refused = 0;
  for (const seed of seeds) {
    const { broken, isRefused, story } = await playSavedPlans(plansOf(seed));
    expect({ seed, broken, story: broken.length === 0 ? [] : story }).toEqual({ seed, broken: [], story: [] });
    if (isRefused) refused++;
  }
  expect(refused).toBeGreaterThan(seeds.length / 10);
  expect(refused).toBeLessThan((seeds.length * 9) / 10);
}, 60_000);
