// How does a command come to write? Token file, lock and connection, in this order, and given back in the other.
//
// The connection comes last, since to the embedded emulator it takes the emulator's data file, of which a run under way
// has hold: who may wait for the lock would be refused that file. What can be refused without it is refused before the lock.
//
// Whoever has the lock first brings to a known end what an interrupted run had begun, so that every plan that is made
// under it stands on a state that is not behind the platform.
import { resolve } from 'node:path';
import { type Recovery, recover } from '../../applier/recover/recover.ts';
import type { Environment } from '../../cli/environment.ts';
import type { CommandInput } from '../../cli/flags/command.ts';
import { kindOf } from '../../model/address.ts';
import type { LimitsOf } from '../../model/limits.ts';
import type { Pacer, Platform, StateBackend, StateSnapshot, StateWriter } from '../../model/ports.ts';
import { readingOf } from '../../planner/order/effect-reading.ts';
import { limitsOf } from '../../platform/limits.ts';
import { createPacer } from '../../platform/rate-limiter.ts';
import { registry } from '../../resources/index.ts';
import { plural } from '../../view/words.ts';
import type { ArchiveSource } from '../archives/archive-source.ts';
import { interrupted } from '../refusals.ts';
import type { Application } from './application.ts';
import { type Connecting, connect, requestTimeoutMs, tokenFor } from './connect.ts';
import type { TimeLimit } from './time-limit.ts';
import { openTokenSink } from './token-sink.ts';

export interface Opening {
  readonly input: CommandInput;
  readonly world: Environment;
  readonly backend: StateBackend;
  readonly application: Application;
  readonly lockTimeoutMs: number;
  /** For settling and for the run; absent for commands that have no --max-duration. */
  readonly limit?: TimeLimit;
}

export interface ApplySession {
  readonly state: StateWriter;
  readonly platform: Platform;
  readonly pacer: Pacer;
  readonly limits: LimitsOf;
  readonly recovery: Recovery;
  readonly archives: ArchiveSource;
  /** Aborted by the first SIGINT or SIGTERM since the lock was taken. */
  readonly stop: AbortSignal;
}

export async function underLock<T>(opening: Opening, work: (session: ApplySession) => Promise<T>): Promise<T> {
  const { input, world, application } = opening;
  const token = await tokenFor(input, world, application);
  const tokensOut = input.text('tokens-out');
  const sink = tokensOut === undefined ? undefined : await openTokenSink(resolve(world.cwd, tokensOut));
  try {
    const state = await opening.backend.open({
      application: application.identity,
      lockTimeoutMs: opening.lockTimeoutMs,
    });
    try {
      return await connected(opening, state, { token, sink }, work);
    } finally {
      await state.close();
    }
  } finally {
    await sink?.close();
  }
}

async function connected<T>(
  { input, world, application, limit }: Opening,
  state: StateWriter,
  { token, sink }: Connecting,
  work: (session: ApplySession) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const forget = world.onInterrupt(() => {
    world.stderr.write('\nStopping: no new call is made, running ones finish. A second interrupt leaves at once.\n');
    stop.abort();
    // A second signal meets no listener of ours and ends the process, which is safe: the journal is written ahead.
    forget();
  });
  try {
    const { platform, archives, close } = await connect(input, world, application, { token, sink });
    try {
      const limits = limitsOf(application.rates);
      const { clock, random } = world;
      const pacer = createPacer({ limitsOf: limits, clock });
      const recovery = await recover(
        { platform, pacer, state, clock },
        { random, limits, requestTimeoutMs, reading, hasSink: sink !== undefined, signal: stop.signal, ...limit?.left },
      );
      return await work({ state, platform, pacer, limits, recovery, archives, stop: stop.signal });
    } finally {
      await close();
    }
  } finally {
    forget();
  }
}

/**
 * State as it is to be planned against. When an interrupted run left calls whose end nobody saw, they are settled first:
 * the plan that is shown is then the one that runs.
 */
export async function settledState(opening: Opening): Promise<StateSnapshot> {
  const { backend, application, world } = opening;
  const found = await backend.read(application.identity);
  if (!found.pending.some(({ planned }) => planned !== undefined)) return found;
  const settled = await underLock(opening, async ({ recovery, stop }) => {
    if (stop.aborted) throw interrupted();
    return recovery.settled;
  });
  if (settled > 0) {
    world.stderr.write(`An interrupted run had begun ${plural(settled, 'call')}: what became of them is known now.\n`);
  }
  return backend.read(application.identity);
}

function reading(step: Parameters<typeof readingOf>[1]): ReturnType<typeof readingOf> {
  const kind = registry.find((one) => one.kind === kindOf(step.address));
  return kind === undefined ? undefined : readingOf(kind, step);
}
