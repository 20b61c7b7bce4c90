// The interface through which the applier asks kinds about calls in doubt. The applier itself knows no kinds.
import type { JsonObject } from '../../lib/json.ts';
import { type Address, keyOf } from '../../model/address.ts';
import { Refusal } from '../../model/errors.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { PendingBegin } from '../../model/ports.ts';
import type { StateEntry, StateRecord } from '../../model/record.ts';
import type { ApiRequest, MessagesPlaceholder } from '../../model/request.ts';
import type { CallSearch, CallsInDoubt, Step } from '../../model/step.ts';

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
  /** Returns the lines of an archive as planned. Rejects with a Refusal if the archive has changed. */
  readonly lines: (placeholder: MessagesPlaceholder) => Promise<readonly JsonObject[]>;
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

/**
 * Starts the search for the messages of a call. Returns undefined if the kind has no such calls. `isFresh`: whether the
 * call was never sent.
 */
export async function searchFor(
  step: Step,
  isFresh: boolean,
  { kindOf, lines }: DoubtSources,
): Promise<CallSearch | undefined> {
  const placeholder = step.settle?.target?.lines ?? messagesIn(step.request);
  const planned = placeholder === undefined ? [] : await lines(placeholder);
  return kindOf(step.address)?.callsInDoubt?.search(isFresh ? step : withoutFresh(step), planned);
}

function withoutFresh(step: Step): Step {
  if (step.settle?.fresh === undefined) return step;
  const { fresh: _sent, ...settle } = step.settle;
  return { ...step, settle };
}

/**
 * Returns the state entry for an interrupted call that is neither read nor sent again, because other calls will be planned
 * in its place. Returns undefined for all other calls.
 */
export async function entryInDoubt(
  { address, step, planned }: PendingBegin,
  record: StateRecord | undefined,
  { kindOf, lines }: DoubtSources,
): Promise<StateEntry | undefined> {
  if (planned?.settle === undefined) return undefined;
  const placeholder = messagesIn(planned.request);
  const hasLines = placeholder !== undefined && (await areThere(placeholder, lines));
  return kindOf(address)?.callsInDoubt?.entry({ ...planned, id: step, needs: [] }, record, hasLines);
}

function messagesIn(request: ApiRequest | undefined): MessagesPlaceholder | undefined {
  return request?.placeholders?.find((placeholder) => placeholder.type === 'messages');
}

async function areThere(placeholder: MessagesPlaceholder, lines: DoubtSources['lines']): Promise<boolean> {
  try {
    await lines(placeholder);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
