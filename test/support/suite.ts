// Support: the amount of work of a test. Files of the long suite import fast test files, which then do the full amount.
import { inject } from 'vitest';

/** `fast` in the fast suite, `long` in the long one. */
export function inSuite<T>(fast: T, long: T): T {
  return process.env.LONG_SUITE === undefined ? fast : long;
}

/** The seed of this run, printed at its start. FC_SEED=… repeats it. Small enough to add to. */
export function seedOfRun(): number {
  return Math.abs(inject('seed')) % 1_000_000;
}
