// Opens token file, lock and connection for a writing use case, and closes them in reverse order.
//
// The connection comes last: connecting to the built-in emulator locks its data file, which a running apply holds, so a use
// case that may wait for the state lock would fail on that file. Refusals that need no connection happen before the lock.
//
// The holder of the lock first settles the calls of an interrupted run, so that every plan made under the lock starts from a
// current state.

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { flush, NoFileError } from '../../../lib/durable-files.ts';
import { defaultSettleMs } from '../../applier/doubt/search.ts';
import type { Address } from '../../model/address.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { LimitsOf } from '../../model/limits.ts';
import type { Pacer, Platform, TokenSink } from '../../model/ports.ts';
import type { Step } from '../../model/step.ts';
import { limitsOf } from '../../platform/limits.ts';
import { createPacer } from '../../platform/rate-limiter.ts';
import type { UpkeepBackend, UpkeepWriter } from '../../state/engine/upkeep.ts';
import type { NumberedSnapshot } from '../../state/records/view.ts';
import type { Application } from '../context/application.ts';
import { endingValues } from '../context/before-values.ts';
import { type Connecting, type Connection, connect } from '../context/connect.ts';
import { demandReplaceable } from '../context/output-files.ts';
import type { Ports } from '../context/ports.ts';
import { interrupted } from '../context/refusals.ts';
import { readToken } from '../context/token.ts';
import type { Settled } from './settle.ts';
import type { TimeLimit } from './time-limit.ts';

export interface Opening {
  readonly backend: UpkeepBackend;
  readonly application: Application;
  readonly lockTimeoutMs: number | undefined;
  /** Milliseconds after which a call has taken effect or never will. */
  readonly settleMs?: number | undefined;
  readonly tokensOut?: string | undefined;
  /** All steps of a saved plan. */
  readonly saved?: Iterable<Step> | undefined;
  /** Whether the run works for an object to exist. Default: no. */
  readonly wants?: (address: Address) => boolean;
  /** The limit for settling and the run. Absent for use cases without a time limit. */
  readonly limit?: TimeLimit;
}

export interface ApplySession {
  readonly state: UpkeepWriter;
  readonly platform: Platform;
  readonly pacer: Pacer;
  readonly limits: LimitsOf;
  readonly recovery: Settled;
  readonly readList: Connection['lines'];
  readonly demandSources: Connection['demandSources'];
  /** Aborted by the first interrupt since the lock was taken. */
  readonly stop: AbortSignal;
}

/** Most states have no calls that an interrupted run began. */
const noRecovery: Settled = { settled: 0, forgetUnplanned: async () => {} };

export async function underLock<T>(
  opening: Opening,
  ports: Ports,
  work: (session: ApplySession) => Promise<T>,
): Promise<T> {
  const { application, backend, lockTimeoutMs = 0, tokensOut } = opening;
  const { target } = application;
  const token = target.type === 'server' ? await readToken(target, ports) : undefined;
  const sink = tokensOut === undefined ? undefined : await openTokenSink(ports.cwd, tokensOut);
  try {
    const locking = backend.open({ application: application.identity, lockTimeoutMs });
    // Load the connection code while taking the lock waits for the disk. A failed import surfaces when connecting.
    setImmediate(() => import('../../platform/client.ts').catch(() => undefined));
    const state = await locking;
    try {
      return await connected(opening, ports, endingValues(state), { token, sink }, work);
    } finally {
      await state.close();
    }
  } finally {
    await sink?.close();
  }
}

async function connected<T>(
  { application, limit, saved, wants, settleMs = defaultSettleMs }: Opening,
  ports: Ports,
  state: UpkeepWriter,
  { token, sink }: Connecting,
  work: (session: ApplySession) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const forget = ports.onInterrupt(() => {
    ports.notify({ type: 'run-stopping' });
    stop.abort();
  });
  try {
    const { platform, lines, demandSources, close } = await connect(application, ports, { token, sink });
    try {
      const limits = limitsOf(application.rates);
      const { clock, random } = ports;
      const pacer = createPacer({ limitsOf: limits, clock });
      // Few runs have such calls.
      const settleAll = async (): Promise<Settled> => {
        const { settle } = await import('./settle.ts');
        return settle(
          { platform, pacer, state, clock },
          {
            random,
            readList: lines,
            saved,
            wants,
            hasSink: sink !== undefined,
            // The built-in emulator died with the run that called it, so no call is in flight.
            settleMs: application.target.type === 'emulator' ? 0 : settleMs,
            onWait: (ms) => ports.notify({ type: 'run-settling', calls: state.pending.length, ms }),
            signal: stop.signal,
            ...limit?.left,
          },
        );
      };
      const recovery = state.pending.length === 0 ? noRecovery : await settleAll();
      return await work({
        state,
        platform,
        pacer,
        limits,
        recovery,
        readList: lines,
        demandSources,
        stop: stop.signal,
      });
    } finally {
      await close();
    }
  } finally {
    forget();
  }
}

/**
 * The state to plan against. Calls of an interrupted run with unknown outcome are settled first, so that the plan that is
 * shown is the plan that runs.
 */
export async function settledState(opening: Opening, ports: Ports): Promise<NumberedSnapshot> {
  const { backend, application } = opening;
  const snapshot = await backend.read(application.identity);
  if (!snapshot.pending.some(({ planned }) => planned !== undefined)) return snapshot;
  const calls = await underLock(opening, ports, async ({ recovery, stop }) => {
    if (stop.aborted) throw interrupted();
    return recovery.settled;
  });
  if (calls > 0) ports.notify({ type: 'run-recovered', calls });
  return backend.read(application.identity);
}

// The file for issued tokens, --tokens-out: one line each. Tokens are written nowhere else.

interface OpenedSink extends TokenSink {
  close(): Promise<void>;
}

/**
 * Rejects for a pipe and a device, which keep no token. Opening a pipe would also wait for a reader, and nothing ends that wait.
 * A file that was there may have been readable by others.
 */
async function openForOwner(file: string): Promise<FileHandle> {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants;
  const handle = await open(file, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
  try {
    const fileInfo = await handle.stat();
    if (!fileInfo.isFile()) throw new NoFileError(`${file} is not a regular file.`);
    if ((fileInfo.mode & 0o077) !== 0) await handle.chmod(0o600);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Appends, so that a resumed run keeps what an earlier one wrote. Readable by its owner alone. */
export async function openTokenSink(cwd: string, name: string): Promise<OpenedSink> {
  const file = await demandReplaceable('tokens', cwd, name);
  const handle = await openForOwner(file).catch((cause: unknown) => {
    throw new Refusal(
      'tokens.unwritable',
      exitCode.refused,
      `The tokens file ${file} cannot be opened.`,
      'Nothing was changed. Check the path of --tokens-out, which must be a regular file.',
      { cause },
    );
  });
  let last: Promise<void> = Promise.resolve();
  return {
    // Sequential writes: a token is durable before its step counts as done.
    write: (token) => {
      last = last.then(async () => {
        await handle.appendFile(`${JSON.stringify(token)}\n`);
        await flush(handle, 'data');
      });
      return last;
    },
    close: () => handle.close(),
  };
}
