// Support: the hash of a plan from its steps, as whoever edits a plan would compute it.
import { kindOf } from '../../../src/core/model/address.ts';
import type { Policy } from '../../../src/core/model/policy.ts';
import { comparePlaces, type Step } from '../../../src/core/model/step.ts';
import { hashOf, StepsDigest } from '../../../src/core/planner/plan-file/hash.ts';

/** Steps may come in any order. */
export function hashOfSteps(
  application: string,
  steps: Iterable<Step>,
  existing: Policy['existing'] = 'refuse',
): string {
  const digests = new Map<string, StepsDigest>();
  for (const step of [...steps].sort(comparePlaces)) {
    const group = `${step.phase} ${kindOf(step.address)}`;
    const digest = digests.get(group) ?? new StepsDigest();
    digests.set(group, digest);
    digest.add(JSON.stringify(step));
  }
  return hashOf(
    application,
    existing,
    [...digests.values()].map((digest) => digest.end()),
  );
}
