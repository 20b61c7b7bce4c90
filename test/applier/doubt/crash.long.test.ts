// Tests that a run may die at any moment, with many more plans, faults and deaths than crash.test.ts.
import { test } from 'vitest';
import { survives } from '../support/deaths.ts';

test('a run brings every plan to its end, whatever faults and deaths come between', async () => {
  await survives(5_000);
});
