// What people do with a state by hand: look at its records, its trail and its lock; forget objects; compact its journals.
import { Suggestions } from '../manifest/problems/suggestions.ts';
import { type Address, parseAddress } from '../model/address.ts';
import { Refusal, usage } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import type { StateSnapshot, StateWriter } from '../model/ports.ts';
import type { StateEntry, StateRecord } from '../model/record.ts';
import { objectRecords } from '../model/run-metadata.ts';
import type { Target } from '../planner/targets.ts';
import { describeHolder } from '../state/engine/lease.ts';
import type { LockHolder, UpkeepBackend, UpkeepWriter } from '../state/engine/upkeep.ts';
import type { NumberedSnapshot } from '../state/records/view.ts';
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
import { applicationMeant } from './plans/load-declared.ts';
import { demandMatched, readTarget } from './plans/targets.ts';

interface StateMeant {
  readonly application: string;
  readonly backend: UpkeepBackend;
  read(): Promise<NumberedSnapshot>;
  open(): Promise<UpkeepWriter>;
}

/** The state of the application that the options or the manifests in the working folder name. */
export async function stateMeant(options: UpkeepOptions, ports: Ports): Promise<StateMeant> {
  const application = await applicationMeant(options, ports);
  const backend = await openState(options, ports);
  return {
    application,
    backend,
    read: () => backend.read(application),
    open: () => backend.open({ application, lockTimeoutMs: options.lockTimeoutMs ?? 0 }),
  };
}

/**
 * The addresses in state that the targets mean, or all. Going through them is refused (64) at the end when a target means
 * nothing, since an empty list would look like an answer.
 */
export async function listAddresses(
  targets: readonly string[],
  options: UpkeepOptions,
  ports: Ports,
): Promise<Iterable<Address>> {
  const read = targets.map((text) => readTarget(text, 'ADDRESS'));
  const snapshot = await (await stateMeant(options, ports)).read();
  const all = function* (): Generator<Address> {
    for (const { address } of objectRecords(snapshot.records())) yield address;
  };
  return { [Symbol.iterator]: () => (read.length === 0 ? all() : addressesIn(snapshot, read)) };
}

function* addressesIn(snapshot: StateSnapshot, targets: readonly Target[]): Generator<Address> {
  const missed = new Set(targets);
  const known = { [Symbol.iterator]: () => objectRecords(snapshot.records()) };
  for (const { address } of known) {
    const meant = targets.filter(({ matches }) => matches(address));
    for (const target of meant) missed.delete(target);
    if (meant.length > 0) yield address;
  }
  const unmatched = [...missed].map(({ text }) => text);
  demandMatched(unmatched, 'ADDRESS', [known]);
}

/** Refused for a text that is no address (64), and for an address that state does not know (1). */
export async function recordAt(text: string | undefined, options: UpkeepOptions, ports: Ports): Promise<StateRecord> {
  const address = parseAddress(text ?? '');
  if (address === undefined) {
    const what = text === undefined ? 'No address was given.' : `"${text}" is not an address.`;
    throw usage(what, 'For example: chatform state show user.alice');
  }
  const snapshot = await (await stateMeant(options, ports)).read();
  const record = snapshot.get(address);
  if (record !== undefined) return record;
  const known = Array.from(objectRecords(snapshot.records()), (one) => one.address);
  throw new Refusal(
    'state.unknown-address',
    exitCode.unexpected,
    `${address} is not in state.${new Suggestions().sentence(address, known)}`,
    'Run chatform state list to see every address.',
  );
}

export interface StateLog {
  readonly state: string;
  readonly entries: readonly TrailEntry[];
  readonly faults: readonly TrailFault[];
  /** Of the last entry, and so of all. Absent without an entry. */
  readonly digest: string | undefined;
}

export async function stateLog(options: UpkeepOptions, ports: Ports): Promise<StateLog> {
  const { backend, read } = await stateMeant(options, ports);
  const snapshot = await read();
  return {
    state: backend.name,
    entries: readTrail(snapshot),
    faults: verifyTrail(snapshot),
    digest: trailDigest(snapshot),
  };
}

/** Gives the number of forgotten objects. `confirm` is shown them, and throws unless somebody says yes. */
export async function forgetObjects(
  targets: readonly string[],
  options: UpkeepOptions,
  ports: Ports,
  confirm: (addresses: readonly Address[]) => Promise<void>,
): Promise<number> {
  const read = targets.map((text) => readTarget(text, 'ADDRESS'));
  const meant = await stateMeant(options, ports);
  const shown = [...addressesIn(await meant.read(), read)];
  await confirm(shown);
  const writer = await meant.open();
  try {
    // Under the lock again; what was added in the meantime was not shown.
    const confirmed = new Set(shown);
    const there = [...addressesIn(writer, read)].filter((address) => confirmed.has(address));
    const entries = there.map((address): StateEntry => ({ type: 'delete', address }));
    const work = () => writeEntries(entries, 'forget', writer);
    return await enter(writer, actOf('state forget', ports), work, (forgotten) => ({ forgotten }));
  } finally {
    await writer.close();
  }
}

/** Folds the journals into the snapshot, where the end of a run has not done it. */
export async function compactState(
  options: UpkeepOptions,
  ports: Ports,
): Promise<{ readonly state: string; readonly records: number }> {
  const { backend, open } = await stateMeant(options, ports);
  const writer = await open();
  const { size: records } = writer;
  await writer.compact();
  return { state: backend.name, records };
}

export interface StateLock {
  readonly state: string;
  readonly application: string;
  /** Absent when the lock is free. */
  readonly holder?: LockHolder;
}

export async function findLock(options: UpkeepOptions, ports: Ports): Promise<StateLock> {
  return lookAt(await stateMeant(options, ports));
}

/**
 * Gives the lock as it was found: nothing is broken when it is free. `confirm` is shown a held one, and throws unless
 * somebody says yes. Refused (7) when the lock changed hands in between.
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
    'Nothing was changed. Run chatform state lock to see the current holder.',
  );
}

async function lookAt({ application, backend }: StateMeant): Promise<StateLock> {
  const holder = await backend.holder(application);
  return { state: backend.name, application, ...(holder === undefined ? {} : { holder }) };
}
