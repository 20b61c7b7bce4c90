// What do people need of a state besides reading and writing it? Who holds it, and how to get out of trouble.
import type { OpenState, PendingBegin, StateBackend, StateHeader, StateSnapshot, StateWriter } from '../model/ports.ts';
import type { StateRecord } from '../model/record.ts';
import type { Lock } from './lease.ts';

export interface NumberedSnapshot extends StateSnapshot {
  /**
   * Grows with every holder of the lock: of two pictures of one lineage, the one with the greater serial is the newer
   * one. Read while somebody holds the lock, it is that of the holder before.
   */
  readonly serial: number;
}

/** All that a state is made of, to be put in place of another. */
export interface StateContents {
  readonly header: StateHeader;
  readonly serial: number;
  records(): Iterable<StateRecord>;
  /** The same as canonical lines, where they are at hand. */
  lines?(): Iterable<Uint8Array>;
  readonly pending: readonly PendingBegin[];
}

/** Who holds the lock, or has left it behind. */
export interface LockHolder {
  /** What is broken is the lock that was shown, and no later one. */
  readonly epoch: number;
  readonly lock: Lock;
  /** Milliseconds until it ends by itself, by the clock that decides about it; not above 0: it is over. */
  readonly endsInMs: number;
  /** The process was on this machine and is no more. */
  readonly isDead: boolean;
}

/** Each of the last three ends in one atomic and durable step, with the lock released and the writer closed. */
export interface UpkeepWriter extends StateWriter {
  /** Of what was there before the lock was taken. */
  readonly serial: number;
  replace(contents: StateContents): Promise<void>;
  rebind(application: string): Promise<void>;
  compact(): Promise<void>;
}

export interface UpkeepBackend extends StateBackend {
  /** A state for each application, as against the one state that a folder is. */
  readonly holdsMany: boolean;
  read(application: string): Promise<NumberedSnapshot>;
  open(options: OpenState): Promise<UpkeepWriter>;
  /** The applications whose state is kept here: one at most in a folder, several in a database. */
  applications(): Promise<readonly string[]>;
  /** Undefined when the lock is free. */
  holder(application: string): Promise<LockHolder | undefined>;
  /** Fences the holder of that epoch off for good; false when the lock has changed hands meanwhile. */
  breakLock(application: string, epoch: number): Promise<boolean>;
}
