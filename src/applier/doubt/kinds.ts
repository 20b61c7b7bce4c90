// The interface through which the applier asks kinds about calls in doubt. The applier itself knows no kinds.
import { type Address, keyOf } from '../../model/address.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { PendingBegin } from '../../model/ports.ts';
import type { StateEntry, StateRecord } from '../../model/record.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { CallSearch, CallsInDoubt, ListReader, Step } from '../../model/step.ts';

/** The part of a kind's definition that resolves calls in doubt. */
export interface DoubtKind {
  readonly keyName: string;
  /** True if the platform has no such object, so that no read shows it. */
  readonly isChild?: true;
  readonly disabledState: {
    readonly disable: string;
    readonly enable: string;
    /** The field for the disabled state, in the request and in the view. */
    readonly field: string;
    /** Codes with which some installations refuse to show a disabled object. */
    readonly unreadableOn?: readonly number[];
  };
  view(key: string): ApiRequest;
  readonly callsInDoubt?: CallsInDoubt;
}

export interface DoubtSources {
  readonly kindOf: (address: Address) => DoubtKind | undefined;
  readonly readList: ListReader;
}

/**
 * Replaces the call of a deletion, disabling or enabling in doubt by a read. The step succeeds and writes its entry if the
 * read shows the effect. Returns undefined for calls that are safe to repeat.
 */
export function effectRead(step: Step, { kindOf }: DoubtSources): Step | undefined {
  const kind = kindOf(step.address);
  if (kind === undefined || kind.isChild === true) return undefined;
  const request = kind.view(keyOf(step.address));
  if (step.action === 'delete') {
    // An object that still exists shows its key, so this expectation is never met.
    return { ...step, request, doneOn: [platformCode.notFound], expect: [{ path: [kind.keyName], is: null }] };
  }
  const { disable, enable, field, unreadableOn = [] } = kind.disabledState;
  const wanted = step.request?.body?.[field];
  if ((step.action !== disable && step.action !== enable) || wanted === undefined) return undefined;
  const doneOn = step.action === disable ? [...unreadableOn, ...step.doneOn] : [];
  return { ...step, request, doneOn, expect: [{ path: [field], is: wanted }] };
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
  if (planned?.search === undefined) return undefined;
  return kindOf(address)?.callsInDoubt?.entry({ ...planned, id: step, needs: [] }, record, readList);
}
