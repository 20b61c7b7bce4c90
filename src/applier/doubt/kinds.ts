// What the kinds know of their calls in doubt, and how the applier asks them: it knows no kinds itself.
import type { JsonObject } from '../../lib/json.ts';
import { type Address, keyOf } from '../../model/address.ts';
import { Refusal } from '../../model/errors.ts';
import { platformCode } from '../../model/platform-codes.ts';
import type { PendingBegin } from '../../model/ports.ts';
import type { StateEntry, StateRecord } from '../../model/record.ts';
import type { ApiRequest, MessagesPlaceholder } from '../../model/request.ts';
import type { CallSearch, CallsInDoubt, Step } from '../../model/step.ts';

/** The part of a kind's definition that tells what became of a call. */
export interface DoubtKind {
  readonly keyName: string;
  /** The platform does not know it as an object, so no read shows it. */
  readonly isChild?: true;
  readonly disabledState: {
    readonly disable: string;
    readonly enable: string;
    /** The field that says it, in the request and in the view. */
    readonly field: string;
    /** Platform codes with which some installations refuse to show a disabled object. */
    readonly unreadableOn?: readonly number[];
  };
  view(key: string): ApiRequest;
  readonly callsInDoubt?: CallsInDoubt;
}

export interface DoubtSources {
  readonly kindOf: (address: Address) => DoubtKind | undefined;
  /** The lines of an archive as they were planned. Rejects with a Refusal when the archive has changed. */
  readonly lines: (placeholder: MessagesPlaceholder) => Promise<readonly JsonObject[]>;
}

/**
 * A deletion, disabling or enabling in doubt with a read instead of its call: it succeeds, and writes the entry, when the
 * read shows the effect. Undefined for calls that are safe to repeat.
 */
export function effectRead(step: Step, { kindOf }: DoubtSources): Step | undefined {
  const kind = kindOf(step.address);
  if (kind === undefined || kind.isChild === true) return undefined;
  const { split: _parts, ...own } = step;
  const request = kind.view(keyOf(step.address));
  if (step.action === 'delete') {
    // An object that is still there shows its key, so this expectation is never met.
    return { ...own, request, doneOn: [platformCode.notFound], expect: [{ path: [kind.keyName], is: null }] };
  }
  const { disable, enable, field, unreadableOn = [] } = kind.disabledState;
  const wanted = step.request?.body?.[field];
  if ((step.action !== disable && step.action !== enable) || wanted === undefined) return undefined;
  const doneOn = step.action === disable ? unreadableOn : [];
  return { ...own, request, doneOn, expect: [{ path: [field], is: wanted }] };
}

/**
 * Starts the search for what a call of many things did. Undefined when its kind knows no such calls. `isFresh`: it was never
 * sent.
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
 * What state is to remember of an interrupted call that is neither read nor sent again, because other calls will be
 * planned in its place. Undefined for all other calls.
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
