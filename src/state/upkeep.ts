// What backends offer beyond the port of the core: who holds the lock, and how to repair a state.
import type { OpenState, PendingBegin, StateBackend, StateHeader, StateSnapshot, StateWriter } from '../model/ports.ts';
import type { StateRecord } from '../model/record.ts';
import type { WorkUnderLock } from './break-lock.ts';
import type { Lock } from './lease.ts';
import type { Sealer } from './seal/sealer.ts';

export interface NumberedSnapshot extends StateSnapshot {
  /**
   * Grows with every holder of the lock: of two snapshots of one lineage, the one with the greater serial is newer. While
   * somebody holds the lock, readers see the serial of the holder before.
   */
  readonly serial: number;
}

/** The whole content of a state, to replace another. */
export interface StateContents {
  readonly header: StateHeader;
  readonly serial: number;
  records(): Iterable<StateRecord>;
  /** The records as canonical lines, where the caller has them. */
  lines?(): Iterable<Uint8Array>;
  readonly pending: readonly PendingBegin[];
}

/** The holder of the lock, dead or alive. */
export interface LockHolder {
  /** Identifies this lock, so that breaking it does not break a later one. */
  readonly epoch: number;
  readonly lock: Lock;
  /** Milliseconds until it expires, by the clock that decides; 0 or less when it has expired. */
  readonly endsInMs: number;
  /** The process was on this machine and has ended. */
  readonly isDead: boolean;
}

/** `replace` and `compact` are atomic and durable, and each closes the writer. */
export interface UpkeepWriter extends StateWriter {
  /** The serial from before the lock was taken. */
  readonly serial: number;
  /**
   * The header may name another application: the state is that one's from now on. `sealer`: what encrypts the state from
   * the same moment on. Default: as before.
   */
  replace(contents: StateContents, sealer?: Sealer): Promise<void>;
  compact(): Promise<void>;
}

export interface UpkeepBackend extends StateBackend {
  /** Whether it holds a state for each application; a folder holds one. */
  readonly holdsMany: boolean;
  read(application: string): Promise<NumberedSnapshot>;
  open(options: OpenState): Promise<UpkeepWriter>;
  /** The applications whose state is kept here. */
  applications(): Promise<readonly string[]>;
  /** Undefined when the lock is free. */
  holder(application: string): Promise<LockHolder | undefined>;
  /**
   * Fences off the holder of that epoch for good; false when the lock has changed hands. `work` is done under the lock
   * that was taken, before it is given back.
   */
  breakLock(application: string, epoch: number, work?: WorkUnderLock): Promise<boolean>;
}
