// Opens what a writing use case needs: token file, lock and connection, in this order, closed in the other.
//
// The connection comes last, because to the embedded emulator it takes the emulator's data file, which a run under way
// holds: a use case that may wait for the lock would be refused that file. What can be refused without a connection is
// refused before the lock is taken.
//
// The holder of the lock first settles what an interrupted run had begun, so that every plan that is made under the lock
// stands on a state that is not behind the platform.
import { resolve } from 'node:path';
import { defaultSettleMs } from '../../applier/doubt/search.ts';
import { type Recovery, recover } from '../../applier/recover.ts';
import type { LimitsOf } from '../../model/limits.ts';
import type { Pacer, Platform, StateBackend, StateSnapshot, StateWriter } from '../../model/ports.ts';
import type { Step } from '../../model/step.ts';
import { limitsOf } from '../../platform/limits.ts';
import { createPacer } from '../../platform/rate-limiter.ts';
import { findKind } from '../../resources/index.ts';
import type { Application } from '../context/application.ts';
import { type Connecting, type Connection, connect } from '../context/connect.ts';
import type { Ports } from '../context/ports.ts';
import { interrupted } from '../context/refusals.ts';
import { readToken } from '../context/token.ts';
import type { TimeLimit } from './time-limit.ts';
import { openTokenSink } from './token-sink.ts';

export interface Opening {
  readonly backend: StateBackend;
  readonly application: Application;
  readonly lockTimeoutMs: number | undefined;
  /** After so long a call has had its effect, or never will. */
  readonly settleMs?: number | undefined;
  /** The file for issued tokens. */
  readonly tokensOut?: string | undefined;
  /** The steps of a saved plan, all of them. */
  readonly saved?: Iterable<Step> | undefined;
  /** For settling and for the run; absent for use cases without a time limit. */
  readonly limit?: TimeLimit;
}

export interface ApplySession {
  readonly state: StateWriter;
  readonly platform: Platform;
  readonly pacer: Pacer;
  readonly limits: LimitsOf;
  readonly recovery: Recovery;
  readonly lines: Connection['lines'];
  /** Aborted by the first interrupt since the lock was taken. */
  readonly stop: AbortSignal;
}

export async function underLock<T>(
  opening: Opening,
  ports: Ports,
  work: (session: ApplySession) => Promise<T>,
): Promise<T> {
  const { application, backend, lockTimeoutMs = 0, tokensOut } = opening;
  const { target } = application;
  const token = target.type === 'server' ? await readToken(target, ports) : undefined;
  const sink = tokensOut === undefined ? undefined : await openTokenSink(resolve(ports.cwd, tokensOut));
  // What connects is loaded while the lock is taken, which waits for the disk. If it cannot be loaded, connecting says so.
  import('../../platform/client.ts').catch(() => undefined);
  try {
    const state = await backend.open({ application: application.identity, lockTimeoutMs });
    try {
      return await connected(opening, ports, state, { token, sink }, work);
    } finally {
      await state.close();
    }
  } finally {
    await sink?.close();
  }
}

async function connected<T>(
  { application, limit, saved, settleMs = defaultSettleMs }: Opening,
  ports: Ports,
  state: StateWriter,
  { token, sink }: Connecting,
  work: (session: ApplySession) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const forget = ports.onInterrupt(() => {
    ports.notify({ type: 'run-stopping' });
    stop.abort();
    // A second signal meets no listener of ours and ends the process, which is safe: the journal is written ahead.
    forget();
  });
  try {
    const { platform, lines, close } = await connect(application, ports, { token, sink });
    try {
      const limits = limitsOf(application.rates);
      const { clock, random } = ports;
      const pacer = createPacer({ limitsOf: limits, clock });
      const recovery = await recover(
        { platform, pacer, state, clock },
        {
          random,
          limits,
          kindOf: findKind,
          lines,
          saved,
          hasSink: sink !== undefined,
          // The embedded emulator died with the run that had called it: nothing is on its way.
          settleMs: application.target.type === 'emulator' ? 0 : settleMs,
          onWait: (ms) => ports.notify({ type: 'run-settling', calls: state.pending.length, ms }),
          signal: stop.signal,
          ...limit?.left,
        },
      );
      return await work({ state, platform, pacer, limits, recovery, lines, stop: stop.signal });
    } finally {
      await close();
    }
  } finally {
    forget();
  }
}

/**
 * State as it is to be planned against. Calls of an interrupted run whose outcome nobody knows are settled first: the
 * plan that is shown is then the one that runs.
 */
export async function settledState(opening: Opening, ports: Ports): Promise<StateSnapshot> {
  const { backend, application } = opening;
  const found = await backend.read(application.identity);
  if (!found.pending.some(({ planned }) => planned !== undefined)) return found;
  const calls = await underLock(opening, ports, async ({ recovery, stop }) => {
    if (stop.aborted) throw interrupted();
    return recovery.settled;
  });
  if (calls > 0) ports.notify({ type: 'run-recovered', calls });
  return backend.read(application.identity);
}
