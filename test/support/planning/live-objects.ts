// Support: the result of a refresh, made from given live attributes.

import { type Address, kindOf } from '../../../src/core/model/address.ts';
import type { LiveFacts } from '../../../src/core/model/change.ts';
import type { Observation } from '../../../src/core/model/live.ts';
import type { Resource } from '../../../src/core/model/resource.ts';
import { keepOf } from '../../../src/core/planner/live/observation.ts';
import type { PlanInput } from '../../../src/core/planner/plan-input.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { kindNamed, type State } from './planning.ts';

/** By address, the live attributes, or null for a missing object. Other objects of state are unchanged. */
export type There = Readonly<Record<Address, JsonObject | null>>;

export function livePart(
  desired: readonly Resource[],
  state: State,
  there: There,
  facts: LiveFacts = {},
): { readonly live: NonNullable<PlanInput['live']> } {
  const observations = new Map<Address, Observation>();
  for (const [address, attributes] of Object.entries(there) as [Address, JsonObject | null][]) {
    const resource = desired.find((one) => one.address === address);
    const kept = keepOf(kindNamed(kindOf(address)), state.get(address), resource, {
      address,
      exists: attributes !== null,
      attributes: attributes ?? {},
      facts,
    });
    if (kept !== undefined) observations.set(address, kept);
  }
  const compared = { compared: 0, not_compared: [] };
  return { live: { observations, refreshed: { objects: Object.keys(there).length, requests: 1, ...compared } } };
}
