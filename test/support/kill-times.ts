// Support: seeded random times at which tests kill a process.
import { onTestFailed } from 'vitest';
import { seededRandom } from '../../src/emulator/random.ts';

/**
 * Numbers in [0, 1) for one test. A failed test prints the seed. `CHATFORM_KILL_SEED` repeats the times, but not which call of a real process they meet:
 * test/promise repeats such schedules in virtual time.
 */
export function seededChance(): () => number {
  const seed = Number(process.env.CHATFORM_KILL_SEED ?? Date.now() % 1_000_000);
  onTestFailed(() => console.error(`CHATFORM_KILL_SEED=${seed}`));
  return seededRandom(seed);
}
