// How often and how long a call is tried again after an answer that decided nothing. Reads and steps share it.
import type { Random } from '../ports.ts';

/** The most attempts at one call. */
export const maxAttempts = 8;
/** The most answers to one call that began but did not end, because each lasts as long as the time-out. */
export const maxUnfinished = 3;

const firstMs = 500;
const longestMs = 30_000;

/** Returns a wait that doubles from half a second to half a minute. Half of it is jitter, so that many calls do not return at once. */
export function backOffMs(attempts: number, random: Random): number {
  const full = Math.min(longestMs, firstMs * 2 ** (attempts - 1));
  return full / 2 + (full / 2) * random();
}
