// The lower bound of a plan's duration, by the reading of the user rules that answers have shown (platform §3).
import type { LimitsOf } from '../../model/limits.ts';
import type { PlannedWork } from '../options.ts';

/** In seconds. */
export function lowerBoundS({ duration }: PlannedWork, limits: LimitsOf | undefined): number {
  const { lower_bound_s, user_rules } = duration;
  return limits?.countsFirstListed?.() === true ? (user_rules?.other_lower_bound_s ?? lower_bound_s) : lower_bound_s;
}
