// Resolves the calls that an interrupted run began, before a new plan is made from state (semantics §5.1).
//
// Calls of that run may still be in flight. Nothing is sent, and no read counts, until the last of them is older than the
// settle time. A creation that arrives after it was read as absent, or a deletion that arrives after its object was read, would
// undo the new plan. Then the applier makes the calls, so that limits, 429 and lost answers are handled as in any run.
import { keyOf } from '../model/address.ts';
import { Refusal } from '../model/errors.ts';
import type { ApplyEvent } from '../model/event.ts';
import { type ExitCode, exitCode } from '../model/exit-code.ts';
import type { PendingBegin } from '../model/ports.ts';
import type { StateEntry } from '../model/record.ts';
import type { Step } from '../model/step.ts';
import { applyPlan } from './apply.ts';
import { begunAgain } from './doubt/begun-calls.ts';
import { type InterruptedCall, interruptedCall, isRecorded, settlingState } from './doubt/interrupted-calls.ts';
import { type DoubtSources, entryInDoubt } from './doubt/kinds.ts';
import { restBeforeSearchMs } from './doubt/search.ts';
import type { ApplierOptions } from './options.ts';
import type { ApplyPorts } from './step/options.ts';
import { isAuthentication } from './verdict/classify.ts';

export interface RecoverOptions
  extends DoubtSources,
    Pick<ApplierOptions, 'random' | 'limits' | 'signal' | 'maxDurationMs' | 'answers'> {
  /** All steps of a saved plan, which repeats begun calls unchanged. */
  readonly saved?: Iterable<Step> | undefined;
  /** The time after which a call has taken effect or never will. */
  readonly settleMs: number;
  /** Called with the time that recovery waits, if calls may still be in flight. */
  readonly onWait?: (ms: number) => void;
  /** Whether --tokens-out is given. Otherwise steps that issue or read back a token are left to the plan, which is then refused. */
  readonly hasSink: boolean;
}

export interface Recovery {
  /** The number of calls whose outcome is known now. */
  readonly settled: number;
  /**
   * Must be called with the new plan's steps. Removes the begins of creations that were found absent and are no longer
   * planned. The other begins stay in the journal, because a late request may still arrive.
   */
  forgetUnplanned(steps: Iterable<Step>): Promise<void>;
}

/** A request that has not arrived after this time never will. */
const lateMs = 10 * 60_000;

/** Rejects with a Refusal (`state.unsettled`) while the outcome of a call is unknown, because a new run could overtake it. */
export async function recover(ports: Omit<ApplyPorts, 'emit'>, options: RecoverOptions): Promise<Recovery> {
  const { state, clock } = ports;
  const { pending } = state;
  const again = begunAgain(pending, options.saved ?? []);
  const doubtOf = async (begin: PendingBegin): Promise<StateEntry | undefined> =>
    again.has(begin.step) ? undefined : entryInDoubt(begin, state.get(begin.address), options);
  const begun = new Map<string, InterruptedCall>();
  const doubts: PendingBegin[] = [];
  for (const begin of pending) {
    if (isRecorded(begin, state)) {
      await state.undone(begin.step);
      continue;
    }
    const isDoubt = (await doubtOf(begin)) !== undefined;
    if (isDoubt) doubts.push(begin);
    const call = isDoubt ? undefined : interruptedCall(begin, options);
    if (call !== undefined) begun.set(begin.step, call);
  }
  if (begun.size + doubts.length === 0) return { settled: 0, forgetUnplanned: async () => {} };
  const startedMs = clock.now();
  const begins = [...doubts, ...Array.from(begun.values(), (call) => call.begin)];
  const waitMs = restBeforeSearchMs(begins, options.settleMs, clock);
  if (waitMs > (options.maxDurationMs ?? Number.POSITIVE_INFINITY))
    throw unsettled(begins.length, exitCode.outOfTime, 'chatform could check after the time limit only');
  if (waitMs > 0) {
    options.onWait?.(waitMs);
    await settle(ports, begins, waitMs, options);
  }
  // Run sequentially, because an entry may depend on the previous one.
  for (const begin of options.signal?.aborted === true ? [] : doubts) {
    const entry = await doubtOf(begin);
    if (entry !== undefined) await state.done(begin.step, entry);
  }
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
    { steps: Array.from(begun.values(), (call) => call.step), duration: { lower_bound_s: 0 } },
    { ...ports, state: settlingState(state, begun), emit: see },
    {
      random: options.random,
      keepGoing: true,
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      ...(options.answers === undefined ? {} : { answers: options.answers }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(options.maxDurationMs === undefined
        ? {}
        : { maxDurationMs: Math.max(0, options.maxDurationMs - (clock.now() - startedMs)) }),
    },
  );
  if (refusal !== undefined) throw refusal;
  // With a refused token every call fails, which says nothing about any of them.
  if (report.outcome === 'authentication') throw tokenRefused(begun.size, report.failures[0]?.message);
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

/**
 * Waits until calls of the interrupted run have taken effect or never will. Meanwhile a read shows whether the token is
 * accepted, because a wait for a token that is not would be in vain. Its answer counts for nothing else. Rejects with
 * `token.refused`.
 */
async function settle(
  { platform, pacer, clock }: Pick<ApplyPorts, 'platform' | 'pacer' | 'clock'>,
  begins: readonly PendingBegin[],
  ms: number,
  { kindOf, signal }: Pick<RecoverOptions, 'kindOf' | 'signal'>,
): Promise<void> {
  const [request] = begins.flatMap(({ address }) => {
    const kind = kindOf(address);
    return kind === undefined || kind.isChild === true ? [] : [kind.view(keyOf(address))];
  });
  const refused = new AbortController();
  let why: string | undefined;
  const ask = async (): Promise<void> => {
    if (request === undefined || pacer.take(request) > 0) return;
    const takenAt = clock.now();
    const answer = await platform.send(request);
    pacer.learn(request, answer, takenAt);
    if (answer.type !== 'refused' || !isAuthentication(answer)) return;
    why = answer.message;
    refused.abort();
  };
  // The calls that follow the wait show any other failure.
  ask().catch(() => undefined);
  await clock.sleep(ms, signal === undefined ? refused.signal : AbortSignal.any([signal, refused.signal]));
  if (refused.signal.aborted) throw tokenRefused(begins.length, why);
}

function tokenRefused(count: number, why: string | undefined): Refusal {
  return new Refusal(
    'token.refused',
    exitCode.authentication,
    `The platform refuses the API token${said(why)}. The outcome of ${callsOf(count)} is still unknown.`,
    'Nothing else was sent. Check CHATFORM_API_TOKEN (or --api-token-file) and that it belongs to this application, then run the command again: it first checks these calls.',
  );
}

function unsettled(count: number, exit: ExitCode, why: string | undefined): Refusal {
  return new Refusal(
    'state.unsettled',
    exit === exitCode.done ? exitCode.incomplete : exit,
    `The outcome of ${callsOf(count)} is still unknown${said(why)}.`,
    'Nothing else was sent. Run the command again: it first checks these calls.',
  );
}

function callsOf(count: number): string {
  return `${count} interrupted ${count === 1 ? 'call' : 'calls'}`;
}

/** Returns a part of a sentence. A text of the platform may end with a full stop. */
function said(why: string | undefined): string {
  return why === undefined ? '' : `: ${why.replace(/\.$/u, '')}`;
}
