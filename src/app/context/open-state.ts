// Opens the place where a run keeps its state, and says who the run is.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { machineName } from '../../lib/staging/machine.ts';
import { jobFact } from '../../model/ci-systems.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { trailAddress } from '../../model/run-metadata.ts';
import type { LockOwner } from '../../state/engine/lease.ts';
import type { UpkeepBackend } from '../../state/engine/upkeep.ts';
import { openBackend } from '../../state/index.ts';
import type { Sealer } from '../../state/seal/sealer.ts';
import { version as ours } from '../../version.ts';
import { userName } from './actor.ts';
import { defaultPlace, refuseStateElsewhere } from './default-state.ts';
import type { Ports, StateOptions } from './ports.ts';
import { newerVersion } from './refusals.ts';
import { isNewer } from './trail.ts';

/** `paths` are the manifests that the state belongs to. */
export interface OpenStateOptions extends StateOptions {
  readonly paths?: readonly string[] | undefined;
}

/**
 * Reads and locks nothing yet. `sealer` replaces the keys of the environment. Refused (64) for an invalid place, and when no
 * state is configured but one exists next to the manifests instead of in the working folder.
 */
export async function openState(options: OpenStateOptions, ports: Ports, sealer?: Sealer): Promise<UpkeepBackend> {
  const { env, clock, cwd } = ports;
  if (options.state === undefined) refuseStateElsewhere(options.paths ?? [], cwd);
  const backend = await openBackend(options.state ?? defaultPlace, {
    clock,
    newId: randomUUID,
    cwd,
    variable: (name) => env[name],
    patienceMs: options.statePatienceMs,
    replacesOlder: options.replacesOlder,
    sealer: sealer ?? (await sealerIn(ports)),
    waiting: (holder, maxMs) => {
      const stop = new AbortController();
      const forget = ports.onInterrupt(() => stop.abort());
      ports.notify({ type: 'lock-waiting', holder, atMostMs: Math.min(maxMs, ports.timeLeft?.() ?? maxMs) });
      return { signal: stop.signal, end: forget };
    },
    rewritten: () => ports.notify({ type: 'state-rewritten', state: backend.name }),
    owner: () => ownerIn(env),
  });
  return endingInOrder(takingOverUnused(checkedBackend(backend), ports), ports);
}

/** This process as the holder of a lock. */
function ownerIn(env: Ports['env']): LockOwner {
  const machine = machineName();
  const job = jobFact('job', env);
  return {
    user: userName(),
    host: hostname(),
    pid: process.pid,
    ...(job === undefined ? {} : { job }),
    ...(machine === undefined ? {} : { machine }),
  };
}

/**
 * `read` shows an unused state of another application as it is. `open` binds it to the application that is opened. Its code is
 * loaded on demand, because most states are of the right application.
 */
function takingOverUnused(backend: UpkeepBackend, ports: Pick<Ports, 'env' | 'clock'>): UpkeepBackend {
  const unused = () => import('./unused-state.ts');
  return {
    ...backend,
    read: (application) => backend.read(application).catch(async (error) => (await unused()).unusedOf(backend, error)),
    open: (options) =>
      backend.open(options).catch(async (error) => (await unused()).openUnused(backend, options, error, ports)),
  };
}

/** Listens to interrupts while a lock is held, so that none ends the process before the lock is released. */
function endingInOrder(backend: UpkeepBackend, { onInterrupt }: Pick<Ports, 'onInterrupt'>): UpkeepBackend {
  return {
    ...backend,
    open: async (options) => {
      const writer = await backend.open(options);
      const forget = onInterrupt(() => {});
      const close = writer.close.bind(writer);
      writer.close = () => close().finally(forget);
      return writer;
    },
  };
}

/** Undefined without a key. Then nothing is encrypted and the code for keys is not loaded. */
async function sealerIn(ports: Ports): Promise<Sealer | undefined> {
  const { CHATFORM_STATE_KEY: key, CHATFORM_STATE_KEY_COMMAND: command } = ports.env;
  if (key === undefined && command === undefined) return undefined;
  const { stateSealer } = await import('./state-key.ts');
  return stateSealer(ports);
}

/**
 * Guards a state against an older program: `read`, `open` and `breakLock` are refused (1) when a newer version wrote the
 * state, since this version may not understand its contents.
 */
export function checkedBackend(backend: UpkeepBackend, version = ours): UpkeepBackend {
  const check = (state: StateSnapshot): void => {
    const found = state.get(trailAddress)?.attributes.version;
    if (typeof found === 'string' && isNewer(found, version)) throw newerVersion(backend.name, found, version);
  };
  return {
    name: backend.name,
    holdsMany: backend.holdsMany,
    applications: () => backend.applications(),
    holder: (application) => backend.holder(application),
    breakLock: async (application, epoch, work) => {
      check(await backend.read(application));
      return backend.breakLock(application, epoch, work);
    },
    read: async (application) => {
      const snapshot = await backend.read(application);
      check(snapshot);
      return snapshot;
    },
    open: async (options) => {
      const writer = await backend.open(options);
      try {
        check(writer);
        return writer;
      } catch (error) {
        await writer.close();
        throw error;
      }
    },
  };
}
