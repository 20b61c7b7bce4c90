// Settles the calls that an interrupted run began, before a new plan is made from state (semantics §5.1).
//
// Calls of that run may still be on their way. Nothing is read or sent until the last of them is older than the settle time:
// a creation that arrives after it was read as absent, or a deletion after its object was read, would undo the new plan.
//
// Creations, deletions, freezes and deactivations are read: chatform does not repeat them for a declaration that may have
// been withdrawn meanwhile. Every other call is safe to repeat and is sent once more as it was begun. All of it goes
// through the applier, so that limits, 429 and lost answers are handled as in any run.
import { Refusal } from '../../model/errors.ts';
import type { ApplyEvent } from '../../model/event.ts';
import { type ExitCode, exitCode } from '../../model/exit-code.ts';
import type { PendingBegin, StateWriter } from '../../model/ports.ts';
import { applyEntry, digestOfRecord, type StateEntry, type StateRecord } from '../../model/record.ts';
import type { Step } from '../../model/step.ts';
import { applyPlan } from '../apply.ts';
import type { ApplyOptions, ApplyPorts } from '../options.ts';
import { restBeforeSearchMs } from '../step/settle.ts';

export interface RecoverOptions
  extends Pick<ApplyOptions, 'random' | 'limits' | 'signal' | 'maxDurationMs' | 'requestTimeoutMs'> {
  /** The read that replaces a step which must not be sent again; undefined if it may be sent again. */
  readonly reading: (step: Step) => Step | undefined;
  /**
   * What state is to remember of a call that is neither read nor sent again, because other calls will be planned in its
   * place: what may be there. Undefined for all other calls.
   */
  readonly doubt?: (step: Step, record: StateRecord | undefined) => Promise<StateEntry | undefined>;
  /** After this time a call has taken effect, or never will. */
  readonly settleMs: number;
  /** Called when calls may still be on their way, with the time that recovery waits for them. */
  readonly onWait?: (ms: number) => void;
  /** There is a file for tokens. Without one, steps that issue or read back a token are left to the plan, which is refused then. */
  readonly hasSink: boolean;
}

export interface Recovery {
  /** How many calls have a known outcome now. */
  readonly settled: number;
  /**
   * Call it with the steps that are planned now. Removes the begins of creations that were found absent and are not
   * planned any more. The other begins stay in the journal, because a late request may still arrive.
   */
  forgetUnplanned(steps: Iterable<Step>): Promise<void>;
}

/** A request that has not arrived by then never will. */
const lateMs = 10 * 60_000;

type BegunCall = ReturnType<typeof begunCall>;

/** The call's result is in state: another step settled it, and the run died before it ended this begin. */
function isRecorded({ address, planned }: PendingBegin, state: StateWriter): boolean {
  if (planned?.settle === undefined) return false;
  const record = state.get(address);
  return record !== undefined && digestOfRecord(applyEntry(record, planned.entry)) === digestOfRecord(record);
}

/** Rejects with a Refusal (`state.unsettled`) while the outcome of a call is unknown: a new run could overtake that call. */
export async function recover(ports: Omit<ApplyPorts, 'emit'>, options: RecoverOptions): Promise<Recovery> {
  const { state, clock } = ports;
  const begun = new Map<string, BegunCall>();
  const doubts: PendingBegin[] = [];
  for (const begin of [...state.pending]) {
    if (isRecorded(begin, state)) {
      await state.undone(begin.step);
      continue;
    }
    const isDoubt = (await doubtOf(begin, state, options)) !== undefined;
    if (isDoubt) doubts.push(begin);
    const call = isDoubt ? undefined : begunCall(begin, options);
    if (call !== undefined) begun.set(begin.step, call);
  }
  if (begun.size + doubts.length === 0) return { settled: 0, forgetUnplanned: async () => {} };
  const startedMs = clock.now();
  const begins = [...doubts, ...Array.from(begun.values()).flatMap((call) => call?.begin ?? [])];
  const waitMs = Math.min(
    restBeforeSearchMs(begins, options.settleMs, clock),
    options.maxDurationMs ?? Number.POSITIVE_INFINITY,
  );
  if (waitMs > 0) {
    options.onWait?.(waitMs);
    await clock.sleep(waitMs, options.signal);
  }
  if (options.signal?.aborted !== true) await noteDoubts(doubts, state, options);
  if (begun.size === 0) return { settled: doubts.length, forgetUnplanned: async () => {} };
  const known = new Set<string>();
  const absent = new Map<string, PendingBegin>();
  const undone: string[] = [];
  const retried = new Set<string>();
  const see = (event: ApplyEvent): void => {
    if (event.type === 'step.retried') retried.add(event.step);
    const call = event.type === 'step.ended' ? begun.get(event.step) : undefined;
    if (event.type !== 'step.ended' || call === undefined) return;
    const { outcome, failure } = event;
    if (outcome === 'unknown' || outcome === 'skipped') return;
    // The call was retried and never sent. (A placeholder that cannot be filled fails at once, without a retry.)
    if (outcome === 'failed' && failure?.status === 0 && retried.has(event.step)) return;
    known.add(event.step);
    if (outcome === 'succeeded') return;
    if (!call.isCreation) undone.push(event.step);
    else if (call.absentOn.includes(failure?.code ?? 0)) absent.set(event.step, call.begin);
  };
  const { report, refusal } = await applyPlan(
    { steps: [...begun.values()].flatMap((call) => call?.step ?? []), duration: { lower_bound_s: 0 } },
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
  // A refused token refuses every call, which says nothing about any single call.
  if (report.outcome === 'authentication') throw unsettled(begun.size, report.exit_code, report.failures[0]?.message);
  for (const step of undone) await state.undone(step);
  const now = clock.date().getTime();
  for (const { step, at } of absent.values()) {
    if (now - Date.parse(at) > lateMs) await state.undone(step);
  }
  if (known.size < begun.size) throw unsettled(begun.size - known.size, report.exit_code, report.failures[0]?.message);
  return {
    settled: begun.size + doubts.length,
    forgetUnplanned: async (steps) => {
      if (absent.size === 0) return;
      const planned = new Set<string>();
      for (const { address, begin } of steps) if (begin) planned.add(address);
      for (const { step, address } of absent.values()) if (!planned.has(address)) await state.undone(step);
    },
  };
}

/** One after the other: a note may build on the one before. */
async function noteDoubts(doubts: readonly PendingBegin[], state: StateWriter, options: RecoverOptions): Promise<void> {
  for (const begin of doubts) {
    const entry = await doubtOf(begin, state, options);
    if (entry !== undefined) await state.done(begin.step, entry);
  }
}

async function doubtOf(
  { address, step, planned }: PendingBegin,
  state: StateWriter,
  { doubt }: RecoverOptions,
): Promise<StateEntry | undefined> {
  if (planned === undefined || planned.settle === undefined) return undefined;
  return doubt?.({ ...planned, id: step, needs: [] }, state.get(address));
}

/** Undefined for what a run settles itself: batches of messages, and begins of versions that kept no step. */
function begunCall(begin: PendingBegin, { reading, hasSink }: RecoverOptions) {
  const { planned } = begin;
  const needsSink = planned?.sink !== undefined && planned.sink.isOptional !== true;
  if (planned?.request === undefined || (needsSink && !hasSink)) return undefined;
  const isCreation = planned.begin;
  if (isCreation && planned.resolve === undefined) return undefined;
  const { doneAgainOn = [], ...step } = planned;
  // It may have had its effect.
  const own: Step = { ...step, doneOn: [...step.doneOn, ...doneAgainOn], id: begin.step, needs: [] };
  return {
    begin,
    isCreation,
    absentOn: planned.resolve?.absentOn ?? [],
    step: isCreation ? readOf(own) : (reading(own) ?? own),
  };
}

/** The creation's own read. It expects what was begun, whatever is declared now. */
function readOf({ resolve, expect: _expect, ...step }: Step): Step {
  if (resolve === undefined) return step;
  return { ...step, request: resolve.request, expect: resolve.expect, begin: false, doneOn: [] };
}

/**
 * The begins are in the journal already, and stay there until the outcome is known. A call that is sent once more is begun
 * again with its new time, so that the next run knows since when it may be on its way.
 */
function settlingState(state: StateWriter, begun: ReadonlyMap<string, BegunCall>): StateWriter {
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
    'Nothing else was sent. Run the command again: it first reads what became of them.',
  );
}
