// Opens the place where a run keeps its state, and says who the run is.
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { isSwitchedOn } from '../../lib/variable.ts';
import { usage } from '../../model/errors.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { openBackend } from '../../state/index.ts';
import type { Sealer } from '../../state/seal/sealer.ts';
import type { UpkeepBackend } from '../../state/upkeep.ts';
import type { StateOptions } from '../options.ts';
import type { Ports } from '../ports.ts';
import { checkedBackend } from './checked-backend.ts';
import { stateSealer } from './state-secrets.ts';

const defaultPlace = 'file:.chatform/state';

/** Environment variables in which CI systems name the job. */
const jobVariables = ['GITHUB_RUN_ID', 'CI_JOB_ID', 'BUILD_ID'] as const;

export type StatePorts = Pick<Ports, 'env' | 'cwd' | 'clock' | 'onInterrupt' | 'notify' | 'timeLeft'>;

/** Reads and locks nothing yet. `sealer`: other keys than the environment's. Refused (64) when the place cannot be one. */
export async function openState(options: StateOptions, ports: StatePorts, sealer?: Sealer): Promise<UpkeepBackend> {
  const { env, clock, cwd } = ports;
  const machine = machineName();
  const job = jobVariables.map((name) => env[name]).find((value) => value !== undefined);
  const backend = await openBackend(options.state ?? defaultPlace, {
    clock,
    newId: randomUUID,
    cwd,
    variable: (name) => env[name],
    patienceMs: options.statePatienceMs,
    sealer: sealer ?? (await stateSealer(ports)),
    waiting: (holder, maxMs) => {
      const stop = new AbortController();
      const forget = ports.onInterrupt(() => stop.abort());
      ports.notify({ type: 'lock-waiting', holder, atMostMs: Math.min(maxMs, ports.timeLeft?.() ?? maxMs) });
      return { signal: stop.signal, end: forget };
    },
    owner: {
      user: userName(),
      host: hostname(),
      pid: process.pid,
      ...(job === undefined ? {} : { job }),
      ...(machine === undefined ? {} : { machine }),
    },
  });
  return checkedBackend(backend);
}

/**
 * Refused (64) in CI when no state is named and the default place holds nothing: that folder is thrown away with the
 * checkout, and what a run creates would be known to nobody. To be called before anything is sent.
 */
export function demandNamedState(
  { state }: StateOptions,
  { env }: Pick<Ports, 'env'>,
  found: Pick<StateSnapshot, 'size' | 'pending'>,
): void {
  if (state !== undefined || !isSwitchedOn(env.CI) || found.size > 0 || found.pending.length > 0) return;
  throw usage(
    `No state is named, and ${defaultPlace} holds nothing. In CI that folder is thrown away after the run, and what the run did would be forgotten.`,
    `Nothing was sent or changed. Name the state with --state (CHATFORM_STATE): postgres://… or s3://…, or --state ${defaultPlace} if the folder is kept.`,
  );
}

/**
 * The boot and the namespace of pids, where the system shows them: containers of one image may share a host name, and a
 * pid of one says nothing about a pid of the other.
 */
function machineName(): string | undefined {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

/** Some containers run under an id that has no name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
