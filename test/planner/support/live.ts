// Support: what a refresh would hand to the planner, from attributes that are said to be live.
import type { Address } from '../../../src/model/address.ts';
import { kindOf } from '../../../src/model/address.ts';
import type { LiveFacts } from '../../../src/model/change.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import type { Sighting } from '../../../src/model/live.ts';
import type { Resource } from '../../../src/model/resource.ts';
import { keepOf } from '../../../src/planner/live.ts';
import type { PlanInput } from '../../../src/planner/plan.ts';
import { kindNamed, type State } from './planning.ts';

/** By address: what is there, or null for what is gone. Objects of state that are left out are as remembered. */
export type There = Readonly<Record<Address, JsonObject | null>>;

export function livePart(
  desired: readonly Resource[],
  state: State,
  there: There,
  facts: LiveFacts = {},
): { readonly live: NonNullable<PlanInput['live']> } {
  const sightings = new Map<Address, Sighting>();
  for (const [address, attributes] of Object.entries(there) as [Address, JsonObject | null][]) {
    const resource = desired.find((one) => one.address === address);
    const kept = keepOf(kindNamed(kindOf(address)), state.get(address), resource, {
      address,
      exists: attributes !== null,
      attributes: attributes ?? {},
      facts,
    });
    if (kept !== undefined) sightings.set(address, kept);
  }
  return { live: { sightings, refreshed: { objects: Object.keys(there).length, requests: 1 } } };
}
