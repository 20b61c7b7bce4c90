// Decides how the platform counts calls, from the outcomes of bursts. Pure functions.
import type { ReadingValue } from '../../model/readings.ts';
import type { Shot } from './laboratory.ts';

/** A burst of one call more than the limit, and the milliseconds until another call was or would be admitted. */
export interface FullBurst {
  readonly startedAt: number;
  readonly admitted: number;
  readonly nextMs: number | undefined;
}

/** Tolerances for calls that arrive at slightly different times, as shares of the window. */
const nearlyWhole = 0.85;
const sameBoundary = 0.12;
/** In intervals of a full limit. */
const oneInterval = 1.6;

/** The algorithm that fits all bursts. At least three of them must have reached the limit. */
export function windowFrom(bursts: readonly FullBurst[], calls: number, windowMs: number): ReadingValue | undefined {
  if (bursts.filter(({ admitted }) => admitted === 1).length >= 2) return 'gcra_strict';
  const full = bursts.filter(({ admitted, nextMs }) => admitted === calls && nextMs !== undefined);
  const waits = full.map(({ nextMs = 0 }) => nextMs);
  if (full.length < 3) return undefined;
  if (waits.every((ms) => ms >= nearlyWhole * windowMs)) return 'sliding';
  if (waits.every((ms) => ms <= (oneInterval * windowMs) / calls)) return 'gcra';
  const [first = 0, ...others] = full.map(({ startedAt, nextMs = 0 }) => (startedAt + nextMs) / windowMs);
  const isFixed = others.every((boundary) => {
    const apart = Math.abs(boundary - first) % 1;
    return Math.min(apart, 1 - apart) <= sameBoundary;
  });
  return isFixed ? 'fixed' : undefined;
}

export const isAdmitted = ({ answer }: Shot): boolean => answer.type !== 'limited';

/**
 * Whether two routes of one method share a limit, from a burst of equally many calls of each. Refused calls, or a count that
 * contains both routes, show that they do.
 */
export function sharesLimit(shots: readonly Shot[], calls: number, admitsBursts: boolean): boolean | undefined {
  const admitted = shots.filter(isAdmitted);
  const routes = new Set(admitted.map(({ route }) => route)).size;
  if (!admitsBursts) return admitted.length === 1 ? true : routes === 2 ? false : undefined;
  if (admitted.length < shots.length) return true;
  const left = shots.flatMap(({ answer }) => (answer.rate?.calls === calls ? [answer.rate.remaining] : []));
  if (left.length > 0) return calls - Math.min(...left) >= 0.75 * shots.length;
  return shots.length > calls ? false : undefined;
}

/** The value that most tries show, if more than half agree. */
export function majority<T>(tries: readonly (T | undefined)[]): T | undefined {
  return tries.find((one) => one !== undefined && 2 * tries.filter((other) => other === one).length > tries.length);
}
