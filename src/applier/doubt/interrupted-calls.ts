// Turns the calls that an interrupted run began into steps that determine their outcomes (semantics §5.1).
//
// Creations, deletions, freezes and deactivations are only read, because the declaration behind them may have been withdrawn
// since. Every other call is safe to repeat and is sent again as it was begun.
import type { PendingBegin, StateWriter } from '../../model/ports.ts';
import { applyEntry, digestOfRecord } from '../../model/record.ts';
import type { Step } from '../../model/step.ts';
import { type DoubtSources, effectRead } from './kinds.ts';

export interface InterruptedCall {
  readonly begin: PendingBegin;
  readonly isCreation: boolean;
  /** Codes with which the read of a creation says that the object does not exist. */
  readonly absentOn: readonly number[];
  readonly step: Step;
}

/** Whether state already contains the result of the call. Then another step resolved it, but the run died before it ended this begin. */
export function isRecorded({ address, planned }: PendingBegin, state: StateWriter): boolean {
  if (planned?.search === undefined) return false;
  const record = state.get(address);
  return record !== undefined && digestOfRecord(applyEntry(record, planned.entry)) === digestOfRecord(record);
}

/** Returns undefined for calls that the run itself resolves: those with a search. */
export function interruptedCall(
  begin: PendingBegin,
  { hasSink, ...sources }: DoubtSources & { readonly hasSink: boolean },
): InterruptedCall | undefined {
  const { planned } = begin;
  const needsSink = planned?.sink !== undefined && planned.sink.isOptional !== true;
  if (planned?.request === undefined || (needsSink && !hasSink)) return undefined;
  const isCreation = planned.begin;
  if (isCreation && planned.resolve === undefined) return undefined;
  const { doneAgainOn = [], ...step } = planned;
  // The call may have taken effect.
  const begunStep: Step = { ...step, doneOn: [...step.doneOn, ...doneAgainOn], id: begin.step, needs: [] };
  return {
    begin,
    isCreation,
    absentOn: planned.resolve?.absentOn ?? [],
    step: isCreation ? readOf(begunStep) : (effectRead(begunStep, sources) ?? begunStep),
  };
}

/** Returns the creation's own read, which expects what was begun, whatever is declared now. */
function readOf({ resolve, expect: _expect, ...step }: Step): Step {
  if (resolve === undefined) return step;
  return { ...step, request: resolve.request, expect: resolve.expect, begin: false, doneOn: [] };
}

/**
 * The begins are already in the journal and stay there until the outcome is known. A repeated call is begun again with its
 * new time, so that the next run knows since when it may be in flight.
 */
export function settlingState(state: StateWriter, begun: ReadonlyMap<string, InterruptedCall>): StateWriter {
  return {
    header: state.header,
    get size() {
      return state.size;
    },
    pending: [],
    get: (address) => state.get(address),
    records: () => state.records(),
    begin: async ({ step, at, planned }) => {
      const begin = begun.get(step)?.begin;
      if (begin !== undefined && planned?.request?.method !== 'GET') await state.begin({ ...begin, at });
    },
    undone: async () => {},
    done: (step, entry) => state.done(step, entry),
    leaseLeft: () => state.leaseLeft(),
    close: () => state.close(),
  };
}
