// Manual work on a state: show its records, trail and lock, and forget objects.
import { type Address, parseAddress } from '../model/address.ts';
import { addressesIn, objectSeries } from '../model/addressed-series.ts';
import { Refusal, usage } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import type { StateSnapshot, StateWriter } from '../model/ports.ts';
import type { StateEntry, StateRecord } from '../model/record.ts';
import { TargetIndex, type TargetPattern } from '../planner/targets.ts';
import { describeHolder } from '../state/engine/lease.ts';
import type { LockHolder, UpkeepBackend, UpkeepWriter } from '../state/engine/upkeep.ts';
import type { NumberedSnapshot } from '../state/records/view.ts';
import { type KeptRun, keptRuns, withoutValues } from './context/before-values.ts';
import { openState } from './context/open-state.ts';
import type { Ports, UpkeepOptions } from './context/ports.ts';
import { writeEntries } from './context/state-contents.ts';
import {
  actOf,
  enter,
  readTrail,
  recordAct,
  type TrailEntry,
  type TrailFault,
  trailDigest,
  verifyTrail,
} from './context/trail.ts';
import { applicationMeant } from './opening/folder-application.ts';
import { demandMatched, meansNothing, readTarget } from './plans/targets.ts';

interface StateMeant {
  readonly application: string;
  readonly backend: UpkeepBackend;
  read(): Promise<NumberedSnapshot>;
  open(): Promise<UpkeepWriter>;
}

/** The state of the application that the options or the manifests in the working folder name. */
export async function stateMeant(options: UpkeepOptions, ports: Ports): Promise<StateMeant> {
  const { application, placed } = await applicationMeant(options, ports);
  const backend = await openState(placed, ports);
  return {
    application,
    backend,
    read: () => backend.read(application),
    open: () => backend.open({ application, lockTimeoutMs: options.lockTimeoutMs ?? 0 }),
  };
}

/**
 * The addresses in state that match the targets, or all. The iteration is refused (64) at its end when a target matches
 * nothing, because an empty list would look like a result.
 */
export async function listAddresses(
  targets: readonly string[],
  options: UpkeepOptions,
  ports: Ports,
): Promise<Iterable<Address>> {
  const read = targets.map((text) => readTarget(text, 'ADDRESS'));
  const snapshot = await (await stateMeant(options, ports)).read();
  return { [Symbol.iterator]: () => (read.length === 0 ? objectAddresses(snapshot) : addressesMeant(snapshot, read)) };
}

function objectAddresses(snapshot: StateSnapshot): Generator<Address> {
  return addressesIn(objectSeries(snapshot.records()));
}

function* addressesMeant(snapshot: StateSnapshot, targets: readonly TargetPattern[]): Generator<Address> {
  const missed = new Set(targets);
  const index = new TargetIndex(targets);
  for (const address of objectAddresses(snapshot)) {
    const meant = index.matching(address);
    for (const target of meant) missed.delete(target);
    if (meant.length > 0) yield address;
  }
  const unmatched = [...missed].map(({ text }) => text);
  demandMatched(unmatched, 'ADDRESS', [objectSeries(snapshot.records())]);
}

/** Refused for an invalid address (64) and for an address that is not in state (66). */
export async function recordAt(text: string | undefined, options: UpkeepOptions, ports: Ports): Promise<StateRecord> {
  const address = parseAddress(text ?? '');
  if (address === undefined) {
    const what = text === undefined ? 'No address was given.' : `"${text}" is not an address.`;
    throw usage(what, 'For example: chatform state show user.alice');
  }
  const snapshot = await (await stateMeant(options, ports)).read();
  const record = snapshot.get(address);
  if (record !== undefined) return record;
  throw meansNothing([address], 'ADDRESS', [objectSeries(snapshot.records())]);
}

export interface StateLog {
  readonly state: string;
  readonly entries: readonly TrailEntry[];
  readonly faults: readonly TrailFault[];
  /** The digest of the last entry, which covers the whole trail. Absent without an entry. */
  readonly digest: string | undefined;
  /** The runs that `chatform undo` can undo. */
  readonly kept: readonly KeptRun[];
}

/** The audit trail with its faults. Takes no lock and changes nothing. */
export async function stateLog(options: UpkeepOptions, ports: Ports): Promise<StateLog> {
  const { backend, read } = await stateMeant(options, ports);
  const snapshot = await read();
  return {
    state: backend.name,
    entries: readTrail(snapshot),
    faults: verifyTrail(snapshot),
    digest: trailDigest(snapshot),
    kept: keptRuns(snapshot),
  };
}

/** Returns the number of forgotten objects. `confirm` shows them and throws unless the user agrees. */
export async function forgetObjects(
  targets: readonly string[],
  options: UpkeepOptions,
  ports: Ports,
  confirm: (addresses: readonly Address[]) => Promise<void>,
): Promise<number> {
  const read = targets.map((text) => readTarget(text, 'ADDRESS'));
  const meant = await stateMeant(options, ports);
  const addressesToConfirm = [...addressesMeant(await meant.read(), read)];
  await confirm(addressesToConfirm);
  const writer = await meant.open();
  try {
    // Select again under the lock. Objects added in the meantime were not confirmed.
    const confirmed = new Set(addressesToConfirm);
    const addressesInState = [...addressesMeant(writer, read)].filter((address) => confirmed.has(address));
    const entries = addressesInState.map((address): StateEntry => ({ type: 'delete', address }));
    const work = async () => {
      await Promise.all(withoutValues(writer, addressesInState));
      return writeEntries(entries, 'forget', writer);
    };
    return await enter(writer, actOf('state forget', ports), work, (forgotten) => ({ forgotten }));
  } finally {
    await writer.close();
  }
}

export interface StateLock {
  readonly state: string;
  readonly application: string;
  /** Absent if the state is not locked. */
  readonly holder?: LockHolder;
}

/** The current holder of the lock. Takes no lock itself. */
export async function findLock(options: UpkeepOptions, ports: Ports): Promise<StateLock> {
  return lookAt(await stateMeant(options, ports));
}

/**
 * Breaks a lock that is held and returns it as it was. `confirm` shows it and throws unless the user agrees. Refused (7)
 * when the lock was released or taken by another run in between.
 */
export async function breakLock(
  options: UpkeepOptions,
  ports: Ports,
  confirm: (lock: StateLock) => Promise<void>,
): Promise<StateLock> {
  const meant = await stateMeant(options, ports);
  const lock = await lookAt(meant);
  if (lock.holder === undefined) return lock;
  await confirm(lock);
  const { application, holder } = lock;
  const ended = { outcome: 'done', detail: `broke the lock of ${describeHolder(holder.lock)}` };
  const enter = (state: StateWriter) => recordAct(state, actOf('state unlock', ports), ended);
  if (await meant.backend.breakLock(application, holder.epoch, enter)) return lock;
  throw new Refusal(
    'state.lock-changed',
    exitCode.locked,
    'The lock was released or taken by another run before it could be broken.',
    'Nothing was changed. Run chatform state lock-status to see the current holder.',
  );
}

async function lookAt({ application, backend }: StateMeant): Promise<StateLock> {
  const holder = await backend.holder(application);
  return { state: backend.name, application, ...(holder === undefined ? {} : { holder }) };
}
