// Support: the amount of work of a test. Files of the long suite import fast test files, which then do the full amount.
import { inject, test } from 'vitest';

/** `fast` in the fast suite, `long` in the long one. */
export function inSuite<T>(fast: T, long: T): T {
  return process.env.LONG_SUITE === undefined ? fast : long;
}

/** A case that the long suite need not repeat, because it is the same in both. */
export const fastTest = test.runIf(inSuite(true, false));

/** A case that only the long suite runs. */
export const longTest = test.runIf(inSuite(false, true));

/** The seed of this run, printed at its start. FC_SEED=… repeats it. Small enough to add to. */
export function seedOfRun(): number {
  return Math.abs(inject('seed')) % 1_000_000;
}
