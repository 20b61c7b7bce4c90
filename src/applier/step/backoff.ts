// How long does a step wait before it tries again, and when does it give up?
import type { Random } from '../../model/ports.ts';

/** After that many answers that decided nothing … */
export const maxTries = 8;
/** … or that long after the first of them, a step gives up (semantics §11). */
export const maxTryingMs = 5 * 60_000;

const firstMs = 500;
const longestMs = 30_000;

/** Doubles from half a second to half a minute; the jitter (half of it) keeps many steps from coming back at once. */
export function backoffMs(tries: number, random: Random): number {
  const full = Math.min(longestMs, firstMs * 2 ** (tries - 1));
  return full / 2 + (full / 2) * random();
}
