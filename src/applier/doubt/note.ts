// Notes in a plan that the outcome of interrupted calls is unknown, so that state may be behind the platform.
import type { Address } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { PendingBegin } from '../../model/ports.ts';

/** The note names at most this many objects. */
const mostNamed = 3;

/** Returns one note for all calls, or for those on the object `of`, or none. */
export function noteOfDoubt(pending: readonly PendingBegin[], of?: Address): Diagnostic[] {
  const begun = pending.filter(({ address }) => of === undefined || address === of);
  if (begun.length === 0) return [];
  const addresses = [...new Set(begun.map(({ address }) => address))].sort();
  const others = addresses.length - mostNamed;
  const named = `${addresses.slice(0, mostNamed).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
  const [calls, they] = begun.length === 1 ? ['1 call', 'it'] : [`${begun.length} calls`, 'they'];
  return [
    {
      severity: 'note',
      code: 'plan.in-doubt',
      summary: 'The outcome of interrupted calls is unknown',
      detail: `A run that was interrupted or is still running began ${calls} on ${named}. chatform does not know yet whether ${they} took effect, so this plan may repeat work that is done. The next apply checks first.`,
      ...(of === undefined ? {} : { address: of }),
    },
  ];
}
