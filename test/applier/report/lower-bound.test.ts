// Tests that the bound which a run is measured against is that of the user rules' reading that holds.
import { expect, test } from 'vitest';
import { lowerBoundS } from '../../../src/applier/report/lower-bound.ts';
import type { LimitsOf } from '../../../src/model/limits.ts';

const user_rules = { assumed: 'named', other: 'first_listed', other_lower_bound_s: 20 } as const;
const reading = (isFirstListed: boolean): LimitsOf =>
  Object.assign(() => [], { countsFirstListed: () => isFirstListed });

test.for([
  { limits: undefined, duration: { lower_bound_s: 2.5, user_rules }, bound: 2.5 },
  { limits: reading(false), duration: { lower_bound_s: 2.5, user_rules }, bound: 2.5 },
  { limits: reading(true), duration: { lower_bound_s: 2.5, user_rules }, bound: 20 },
  { limits: reading(true), duration: { lower_bound_s: 2.5 }, bound: 2.5 },
])('$bound s', ({ limits, duration, bound }) => {
  expect(lowerBoundS({ steps: [], duration }, limits)).toBe(bound);
});
