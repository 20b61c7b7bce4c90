// Tells whether the plans of several environments say the same of their objects.
import { createHash } from 'node:crypto';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';

/**
 * What every environment has of its own: named beside its plan, or not shown. Everything else must be equal, whatever a plan may
 * come to have.
 */
const ownParts = [
  'application',
  'basis',
  'bookkeeping',
  'checksum',
  'duration',
  'hash',
  'lineage',
  'live',
  'needed',
  'origins',
  'preconditions',
  'settings',
  'state',
  'steps',
  'unchanged',
] as const satisfies readonly (keyof Plan)[];

/** Covers what a view shows of a plan, apart from its own parts and where an object is declared. */
export function digestOfShown(plan: Plan, refusals: readonly Diagnostic[]): string {
  const hash = createHash('sha256');
  const { changes, drift = [], warnings, new_state: newState, refreshed, ...others } = plan;
  for (const items of [changes, drift, warnings, refusals]) {
    for (const item of items) hash.update(`${JSON.stringify({ ...item, source: undefined })}\n`);
    hash.update('\n');
  }
  const shown = Object.entries(others)
    .filter(([name]) => !(ownParts as readonly string[]).includes(name))
    .sort(([left], [right]) => (left < right ? -1 : 1));
  // The place of a new state and the number of objects that were read are named for each.
  const named = [newState === undefined ? null : [newState.existing], refreshed && [refreshed.stored_otherwise]];
  hash.update(JSON.stringify([shown, ...named]));
  return hash.digest('hex');
}
