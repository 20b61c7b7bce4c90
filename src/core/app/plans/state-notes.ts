// Notes in a plan about its state: that it is new although objects are declared, as after a mistyped --state, and that the outcome of
// interrupted calls is unknown, so that it may be behind the platform.

import type { Series } from '../../../lib/series.ts';
import { firstOf } from '../../../lib/words.ts';
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import type { PendingBegin, StateSnapshot } from '../../model/ports.ts';
import type { Resource } from '../../model/resource.ts';
import type { Live } from './refresh.ts';

/** The note names at most this many objects. */
const mostNamed = 3;

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
  if (existing > 0) return { ...plan, new_state: { place, existing } };
  return live.reads === undefined ? plan : { ...plan, new_state: { place } };
}

/** Returns one note for all calls, or for those on the object `of`, or none. */
export function noteOfDoubt(pending: readonly PendingBegin[], of?: Address): Diagnostic[] {
  const begun = pending.filter(({ address }) => of === undefined || address === of);
  if (begun.length === 0) return [];
  const addresses = [...new Set(begun.map(({ address }) => address))].sort();
  const namedObjects = firstOf(addresses, mostNamed);
  const [calls, they] = begun.length === 1 ? ['1 call', 'it'] : [`${begun.length} calls`, 'they'];
  const erased = begun.filter(({ planned }) => planned?.search?.isAwaited === true).map(({ address }) => address);
  const erasing =
    erased.length === 0
      ? ''
      : ` The platform may still delete ${erased.slice(0, mostNamed).join(', ')} by a data request; the apply is refused if it needs them.`;
  return [
    {
      severity: 'note',
      code: 'plan.in-doubt',
      summary: 'The outcome of interrupted calls is unknown',
      detail: `A run that was interrupted or is still running began ${calls} on ${namedObjects}. chatform does not know yet whether ${they} took effect, so this plan may repeat work that is done. The next apply checks first.${erasing}`,
      ...(of === undefined ? {} : { address: of }),
    },
  ];
}
