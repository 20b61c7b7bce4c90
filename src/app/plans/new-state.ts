// Says that a state is new although objects are declared, as after a mistyped --state or without CHATFORM_STATE.
import type { Series } from '../../lib/series.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Resource } from '../../model/resource.ts';
import type { Live } from './refresh.ts';

/** The plan with what is known about its state, if no run ever wrote it. With `live`, only if a declared object exists. */
export function withNewState(
  plan: Plan,
  place: string,
  { header }: Pick<StateSnapshot, 'header'>,
  resources: Series<Resource>,
  live: Live | undefined,
): Plan {
  if (header !== undefined || resources.length === 0) return plan;
  if (live === undefined) return { ...plan, new_state: { place } };
  let existing = 0;
  for (const { address } of resources) if (live.observations.get(address)?.exists === true) existing += 1;
  return existing === 0 ? plan : { ...plan, new_state: { place, existing } };
}
