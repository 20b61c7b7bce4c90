// The interface through which the applier asks kinds about calls in doubt. The applier itself knows no kinds.
import type { Address } from '../../model/address.ts';
import type { PendingBegin } from '../../model/ports.ts';
import type { StateEntry, StateRecord } from '../../model/record.ts';
import type { CallSearch, CallsInDoubt, ListReader, Step } from '../../model/step.ts';

/** The part of a kind's definition that resolves calls in doubt. */
interface DoubtKind {
  readonly callsInDoubt?: CallsInDoubt;
}

export interface DoubtSources {
  readonly kindOf: (address: Address) => DoubtKind | undefined;
  readonly readList: ListReader;
}

/** Starts the search for a call. Returns undefined if the kind has no such calls. `isFresh`: whether the call was never sent. */
export async function searchFor(
  step: Step,
  isFresh: boolean,
  { kindOf, readList }: DoubtSources,
): Promise<CallSearch | undefined> {
  return kindOf(step.address)?.callsInDoubt?.search(step, isFresh, readList);
}

/**
 * Returns the state entry for an interrupted call that is neither read nor sent again, because other calls will be planned
 * in its place. Returns undefined for all other calls.
 */
export async function entryInDoubt(
  { address, step, planned }: PendingBegin,
  record: StateRecord | undefined,
  { kindOf, readList }: DoubtSources,
): Promise<StateEntry | undefined> {
  if (planned.search === undefined) return undefined;
  return kindOf(address)?.callsInDoubt?.entry?.({ ...planned, id: step, needs: [] }, record, readList);
}
