// What does a plan say of calls whose end no run has seen? It is made of state, which does not know them to be done.
import type { Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { PendingBegin } from '../model/ports.ts';
import { listOf, plural } from '../view/words.ts';

/** So many objects are named. */
const mostNamed = 3;

/** One note for all of them; none when there are none. `of`: only what was begun on this object, told as a note on it. */
export function inDoubt(pending: readonly PendingBegin[], of?: Address): Diagnostic[] {
  const begun = pending.filter(({ address }) => of === undefined || address === of);
  if (begun.length === 0) return [];
  const addresses = [...new Set(begun.map(({ address }) => address))].sort();
  const others = addresses.length - mostNamed;
  const named = listOf([...addresses.slice(0, mostNamed), ...(others > 0 ? [`${others} more`] : [])]);
  return [
    {
      severity: 'note',
      code: 'plan.in-doubt',
      summary: 'A run began calls whose end nobody saw',
      detail: `${plural(begun.length, 'call')} ${begun.length === 1 ? 'was' : 'were'} begun by a run that was cut off, or that is still at work: on ${named}. Whether ${begun.length === 1 ? 'it had its' : 'they had their'} effect is not known yet, so state may be behind the platform, and this plan with it. The next apply finds out first.`,
      ...(of === undefined ? {} : { address: of }),
    },
  ];
}
