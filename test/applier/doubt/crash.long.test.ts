// Tests that a run may be killed at any moment, with many more plans, faults and kills than crash.test.ts.
import { test } from 'vitest';
import { survives } from '../support/deaths.ts';

test('every plan is completed, whatever faults and kills interrupt it', async () => {
  await survives(5_000);
});
