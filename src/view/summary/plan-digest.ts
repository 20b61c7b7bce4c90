// Tells whether the plans of several environments say the same of their objects.
import { createHash } from 'node:crypto';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';

/**
 * Covers changes, drift, warnings and refusals in full. Not what every environment has of its own: application, rate plan, hash,
 * and where an object is declared.
 */
export function digestOfShown(plan: Plan, refusals: readonly Diagnostic[]): string {
  const hash = createHash('sha256');
  for (const items of [plan.changes, plan.drift ?? [], plan.warnings, refusals]) {
    for (const item of items) hash.update(`${JSON.stringify({ ...item, source: undefined })}\n`);
    hash.update('\n');
  }
  hash.update(JSON.stringify([plan.unmanaged, plan.refreshed !== undefined, plan.isDriftAlone]));
  return hash.digest('hex');
}
