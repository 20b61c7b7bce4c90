// Extends the backend port of the model: who holds the lock, and how to repair a state.
import type { OpenState, StateBackend, StateWriter } from '../../model/ports.ts';
import type { NumberedSnapshot, StateContents } from '../records/view.ts';
import type { Sealer } from '../seal/sealer.ts';
import type { Lock } from './lease.ts';

export interface LockRequest extends OpenState {
  /** The epoch of a lock to break, even if it has not expired. */
  readonly breaks?: number;
}

export type WorkUnderLock = (writer: UpkeepWriter) => Promise<void>;

/** The holder of the lock, running or ended. */
export interface LockHolder {
  /** Identifies this lock, so that breaking it does not break a later one. */
  readonly epoch: number;
  readonly lock: Lock;
  /** The milliseconds until it expires, by the clock that decides. 0 or less after that. */
  readonly endsInMs: number;
  /** Whether the process was on this machine and has ended. */
  readonly isDead: boolean;
}

/** `replace` is atomic and durable, and closes the writer. */
export interface UpkeepWriter extends StateWriter {
  /** The serial before the lock was taken. */
  readonly serial: number;
  /**
   * If the header names another application, the state belongs to that one from now on. `sealer` encrypts the state from the
   * same moment on. Default: the current one.
   */
  replace(contents: StateContents, sealer?: Sealer): Promise<void>;
}

export interface UpkeepBackend extends StateBackend {
  /** Whether there is a state for each application. A folder has one state. */
  readonly holdsMany: boolean;
  read(application: string): Promise<NumberedSnapshot>;
  open(options: OpenState): Promise<UpkeepWriter>;
  /** Returns the applications with a state here. */
  applications(): Promise<readonly string[]>;
  /** Returns undefined if the lock is free. */
  holder(application: string): Promise<LockHolder | undefined>;
  /**
   * Fences off the holder of that epoch for good. Returns false if that holder no longer has the lock. `work` is done under the new
   * lock before it is released.
   */
  breakLock(application: string, epoch: number, work?: WorkUnderLock): Promise<boolean>;
}
