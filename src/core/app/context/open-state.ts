// Opens the place where a run keeps its state, which is named, declared in manifests or the default one, and says who the run is.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { machineName } from '../../../lib/staging/machine.ts';
import { version as ours } from '../../../version.ts';
import { isInCi, jobFact } from '../../model/ci-systems.ts';
import { Refusal, usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { trailAddress } from '../../model/run-metadata.ts';
import { type DeclaredPlace, hostOf } from '../../model/stores/declared-place.ts';
import { storeOf } from '../../model/stores/places.ts';
import type { LockOwner } from '../../state/engine/lease.ts';
import type { UpkeepBackend } from '../../state/engine/upkeep.ts';
import { openBackend } from '../../state/index.ts';
import type { Sealer } from '../../state/seal/sealer.ts';
import { userName } from './actor.ts';
import { allowedHostsOf } from './application.ts';
import { defaultPlace, refuseLinkedPlace, refuseStateElsewhere } from './default-state.ts';
import type { Ports, StateOptions } from './ports.ts';
import { newerVersion } from './refusals.ts';
import { boundIfUnused } from './state-contents.ts';
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
  const place = options.state ?? defaultPlace;
  if (storeOf(place)?.scheme === 'file') refuseLinkedPlace(resolve(cwd, place.slice('file:'.length)), cwd, 'folder');
  return openBackend(place, {
    clock,
    newId: randomUUID,
    cwd,
    variable: (name) => env[name],
    patienceMs: options.statePatienceMs,
    replacesRemains: options.replacesRemains,
    sealer: sealer ?? (await sealerIn(ports)),
    waiting: (holder, maxMs) => {
      const stop = new AbortController();
      const forget = ports.onInterrupt(() => stop.abort());
      ports.notify({ type: 'lock-waiting', holder, atMostMs: Math.min(maxMs, ports.timeLeft?.() ?? maxMs) });
      return { signal: stop.signal, end: forget };
    },
    owner: () => ownerIn(env),
    accepts: readableBy(ours),
    boundTo: (application, state) => boundIfUnused(application, state, ports),
    // While a lock is held, no interrupt ends the process before the lock is released.
    held: () => ports.onInterrupt(() => {}),
  });
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

/** Undefined without a key. Then nothing is encrypted and the code for keys is not loaded. */
async function sealerIn(ports: Ports): Promise<Sealer | undefined> {
  const { CHATFORM_STATE_KEY: key, CHATFORM_STATE_KEY_COMMAND: command } = ports.env;
  if (key === undefined && command === undefined) return undefined;
  const { stateSealer } = await import('./state-key.ts');
  return stateSealer(ports);
}

/** Guards a state against an older program: what a newer version wrote is refused (1), since `version` may not understand it. */
export function readableBy(version: string): (contents: StateSnapshot, name: string) => void {
  return (contents, name) => {
    const writtenBy = contents.get(trailAddress)?.attributes.version;
    if (typeof writtenBy === 'string' && isNewer(writtenBy, version)) throw newerVersion(name, writtenBy, version);
  };
}

/** The state of an application, which nobody has read yet. */
export interface StateAt {
  readonly backend: UpkeepBackend;
  /** The options with the place of the state. */
  readonly placed: StateOptions;
}

/** `place` is the one that manifests or a saved plan name. Refused (64) for an invalid one, and (65) for an untrusted server. */
export async function openStateAt(
  place: DeclaredPlace | undefined,
  options: OpenStateOptions,
  ports: Ports,
): Promise<StateAt> {
  const placed = withDeclaredState(options, place, ports);
  return { placed, backend: await openState(placed, ports) };
}

/** The options with a place of the state: the one that they name, or else the declared one. Refused (65) for an untrusted server. */
export function withDeclaredState<Options extends StateOptions>(
  options: Options,
  declared: DeclaredPlace | undefined,
  { env }: Pick<Ports, 'env'>,
): Options {
  if (options.state !== undefined || declared === undefined) return options;
  const host = hostOf(declared.place);
  if (host !== undefined && !allowedHostsOf(env).includes(host)) throw untrusted(host);
  return { ...options, state: declared.place };
}

function untrusted(host: string): Refusal {
  return new Refusal(
    'state.untrusted-host',
    exitCode.invalid,
    `The manifest would keep the state at ${host}.`,
    'A server from a manifest must be trusted, so that a pull request cannot send credentials and data elsewhere. If you trust this host, add it to CHATFORM_ALLOWED_HOSTS, or pass the place with --state (CHATFORM_STATE).',
  );
}

/**
 * Refused (64) in CI when no state is configured and the default place is empty: that folder is discarded with the checkout,
 * so the record of the run would be lost. Call it before anything is sent.
 */
export function demandNamedState(
  { state }: StateOptions,
  { env }: Pick<Ports, 'env'>,
  snapshot: Pick<StateSnapshot, 'size' | 'pending'>,
): void {
  if (state !== undefined || !isInCi(env) || snapshot.size > 0 || snapshot.pending.length > 0) return;
  throw usage(
    `No state is configured, and ${defaultPlace} is empty. In CI that folder is discarded after the run, so the record of what the run did would be lost.`,
    `Nothing was sent or changed. Declare application.state or set --state (CHATFORM_STATE) to postgres://… or s3://…, or pass --state ${defaultPlace} if the folder is kept.`,
  );
}
