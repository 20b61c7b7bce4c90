// Brings the calls that an earlier run began, and did not see the end of, to a known end before anything is planned, so
// that a plan never stands on a state that is behind the platform (semantics §5.1).
//
// What the dead run has sent may still be on its way. Nothing is read or sent until the last of its calls has settled:
// a creation that arrived after it was read to be absent, or a deletion after its object was read to be there, would
// undo what is planned now.
//
// A creation, a deletion and the closing or opening of an object are read: nothing of that kind is done for a declaration
// that may have been withdrawn meanwhile. Every other call is safe to repeat and is sent once more as it was begun. All of it goes
// through the applier itself, so that limits, 429 and lost answers are treated as in any run.
import { Refusal } from '../../model/errors.ts';
import type { ApplyEvent } from '../../model/event.ts';
import { type ExitCode, exitCode } from '../../model/exit-code.ts';
import type { PendingBegin, StateWriter } from '../../model/ports.ts';
import { applyEntry, digestOfRecord } from '../../model/record.ts';
import type { Step } from '../../model/step.ts';
import { applyPlan } from '../apply.ts';
import type { ApplyOptions, ApplyPorts } from '../options.ts';
import { settleMs } from '../step/settle.ts';

export interface RecoverOptions
  extends Pick<ApplyOptions, 'random' | 'limits' | 'signal' | 'maxDurationMs' | 'requestTimeoutMs'> {
  /** The read that stands for a step when it may not be sent again; undefined: it is sent again. */
  readonly reading: (step: Step) => Step | undefined;
  /** After so long a call has had its effect, or never will. */
  readonly settleMs: number;
  /** Told when calls may still be on their way, and how long they are waited for. */
  readonly onWait?: (ms: number) => void;
  /** Tokens have a place: without one, steps that issue or read back a token are left to the plan, which is refused then. */
  readonly hasSink: boolean;
}

export interface Recovery {
  /** How many calls have a known end now. */
  readonly settled: number;
  /**
   * To be told what is planned now: creations that were read to be absent, and that nobody plans any more, are no longer
   * waited for. The others stay in the journal, because a late request may still arrive.
   */
  forget(steps: Iterable<Step>): Promise<void>;
}

/** A request that has not arrived after that long never will. */
const lateMs = 10 * 60_000;

type Settling = ReturnType<typeof settlingOf>;

/**
 * What the call would record is recorded: it was settled under another step's number, and the run died before it said
 * that this begin is over, too.
 */
function isRecorded({ address, planned }: PendingBegin, state: StateWriter): boolean {
  if (planned?.settle === undefined) return false;
  const record = state.get(address);
  return record !== undefined && digestOfRecord(applyEntry(record, planned.entry)) === digestOfRecord(record);
}

/** Rejects with a Refusal when it cannot be told what became of a call: to go on would overtake it. */
export async function recover(ports: Omit<ApplyPorts, 'emit'>, options: RecoverOptions): Promise<Recovery> {
  const { state, clock } = ports;
  const begun = new Map<string, Settling>();
  for (const begin of [...state.pending]) {
    if (isRecorded(begin, state)) {
      await state.undone(begin.step);
      continue;
    }
    const settling = settlingOf(begin, options);
    if (settling !== undefined) begun.set(begin.step, settling);
  }
  if (begun.size === 0) return { settled: 0, forget: async () => {} };
  const startedMs = clock.now();
  const begins = [...begun.values()].flatMap((settling) => settling?.begin ?? []);
  const waitMs = Math.min(settleMs(begins, options.settleMs, clock), options.maxDurationMs ?? Number.POSITIVE_INFINITY);
  if (waitMs > 0) {
    options.onWait?.(waitMs);
    await clock.sleep(waitMs, options.signal);
  }
  const known = new Set<string>();
  const absent = new Map<string, PendingBegin>();
  const undone: string[] = [];
  const retried = new Set<string>();
  const see = (event: ApplyEvent): void => {
    if (event.type === 'step.retried') retried.add(event.step);
    const settling = event.type === 'step.ended' ? begun.get(event.step) : undefined;
    if (event.type !== 'step.ended' || settling === undefined) return;
    const { outcome, failure } = event;
    if (outcome === 'unknown' || outcome === 'skipped') return;
    // Never sent, whatever was tried; not a hole that cannot be filled any more, which is found out at once.
    if (outcome === 'failed' && failure?.status === 0 && retried.has(event.step)) return;
    known.add(event.step);
    if (outcome === 'succeeded') return;
    if (!settling.isCreation) undone.push(event.step);
    else if (settling.absentOn.includes(failure?.code ?? 0)) absent.set(event.step, settling.begin);
  };
  const { report, refusal } = await applyPlan(
    { steps: [...begun.values()].flatMap((settling) => settling?.step ?? []), duration: { lower_bound_s: 0 } },
    { ...ports, state: settlingState(state, begun), emit: see },
    {
      random: options.random,
      keepGoing: true,
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(options.maxDurationMs === undefined
        ? {}
        : { maxDurationMs: Math.max(0, options.maxDurationMs - (clock.now() - startedMs)) }),
      ...(options.requestTimeoutMs === undefined ? {} : { requestTimeoutMs: options.requestTimeoutMs }),
    },
  );
  if (refusal !== undefined) throw refusal;
  // A refused token is a refusal of every call, and says nothing of any.
  if (report.outcome === 'authentication') throw unsettled(begun.size, report.exit_code, report.failures[0]?.message);
  for (const step of undone) await state.undone(step);
  const now = clock.date().getTime();
  for (const { step, at } of absent.values()) {
    if (now - Date.parse(at) > lateMs) await state.undone(step);
  }
  if (known.size < begun.size) throw unsettled(begun.size - known.size, report.exit_code, report.failures[0]?.message);
  return {
    settled: begun.size,
    forget: async (steps) => {
      if (absent.size === 0) return;
      const planned = new Set<string>();
      for (const { address, begin } of steps) if (begin) planned.add(address);
      for (const { step, address } of absent.values()) if (!planned.has(address)) await state.undone(step);
    },
  };
}

/** Undefined for what a run settles by itself: batches of messages, and journals of versions that kept no step. */
function settlingOf(begin: PendingBegin, { reading, hasSink }: RecoverOptions) {
  const { planned } = begin;
  if (planned?.request === undefined || (planned.sink !== undefined && !hasSink)) return undefined;
  const isCreation = planned.begin;
  if (isCreation && planned.resolve === undefined) return undefined;
  const own: Step = { ...planned, id: begin.step, needs: [] };
  return {
    begin,
    isCreation,
    absentOn: planned.resolve?.absentOn ?? [],
    step: isCreation ? readOf(own) : (reading(own) ?? own),
  };
}

/** The creation's own read: what it expects to find is what was begun, whatever is declared by now. */
function readOf({ resolve, expect: _ofTheAnswer, ...step }: Step): Step {
  if (resolve === undefined) return step;
  return { ...step, request: resolve.request, expect: resolve.expect, begin: false, doneOn: [] };
}

/**
 * The begins stand in the journal already, and stay there until the end is known. One whose call is sent once more is
 * begun anew, so that the next run knows since when that one may be on its way.
 */
function settlingState(state: StateWriter, begun: ReadonlyMap<string, Settling>): StateWriter {
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

function unsettled(count: number, exit: ExitCode, why: string | undefined): Refusal {
  return new Refusal(
    'state.unsettled',
    exit === exitCode.done ? exitCode.incomplete : exit,
    `The outcome of ${count} interrupted ${count === 1 ? 'call' : 'calls'} is still unknown${why === undefined ? '' : `: ${why}`}.`,
    'Nothing else was sent. Run the command again: it begins with reading what became of them.',
  );
}
