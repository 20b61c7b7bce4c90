// What the backend of a state offers beyond the port of the core: who holds the lock, and how to repair a state.
import type { OpenState, StateBackend, StateWriter } from '../../model/ports.ts';
import type { NumberedSnapshot, StateContents } from '../records/view.ts';
import type { Sealer } from '../seal/sealer.ts';
import type { Lock } from './lease.ts';

/** How to take a lock. */
export interface LockRequest extends OpenState {
  /** The epoch of a lock to break, even if it has not expired. */
  readonly breaks?: number;
}

/** What to do under the lock that was taken, before it is given back. */
export type WorkUnderLock = (writer: UpkeepWriter) => Promise<void>;

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
