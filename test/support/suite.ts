// Support: how much a test plays. Files of the long suite import files of the fast one, whose tests then play all they have.
import { inject } from 'vitest';

/** `fast` in the fast suite, `long` in the long one. */
export function inSuite<T>(fast: T, long: T): T {
  return process.env.LONG_SUITE === undefined ? fast : long;
}

/** A number of this run, printed at its beginning: FC_SEED=… repeats it. Small enough to be counted on from. */
export function seedOfRun(): number {
  return Math.abs(inject('seed')) % 1_000_000;
}
