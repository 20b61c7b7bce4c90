// Waits for a lock that another process has, until the time is over or the user interrupts.
import type { Clock } from '../../model/ports.ts';
import { describeHolder, type Lock, type LockOwner } from './lease.ts';
import { locked, waitEnded } from './refusals.ts';

/** Called once, when a wait begins. `maxMs` is its maximum duration. `signal` aborts the wait, and `end` is called when it is over. */
export type OnLockWait = (holder: string, maxMs: number) => { readonly signal: AbortSignal; end(): void };

/** The dependencies of taking a lock. */
export interface LockContext {
  readonly clock: Clock;
  readonly owner: LockOwner;
  /** Never returns the same id twice. Ids are used in names of files and objects. */
  readonly newId: () => string;
  readonly isAlive: (pid: number) => boolean;
  readonly waiting?: OnLockWait | undefined;
}

const pollMs = 500;

export class LockWait {
  readonly #state: string;
  readonly #clock: Clock;
  readonly #deadline: number;
  readonly #waiting: OnLockWait | undefined;
  #watch: ReturnType<OnLockWait> | undefined;

  /** `state` is for messages. */
  constructor(state: string, timeoutMs: number, { clock, waiting }: Pick<LockContext, 'clock' | 'waiting'>) {
    this.#state = state;
    this.#clock = clock;
    this.#deadline = clock.now() + timeoutMs;
    this.#waiting = waiting;
  }

  /** Resolves after a pause, when the lock may be free. Rejects when the time is over (7) or the wait was aborted (8). */
  async forLock(lock: Lock): Promise<void> {
    const remainingMs = this.#deadline - this.#clock.now();
    if (remainingMs <= 0) throw locked(this.#state, lock);
    this.#watch ??= this.#waiting?.(describeHolder(lock), remainingMs);
    const signal = this.#watch?.signal;
    await this.#clock.sleep(Math.min(pollMs, remainingMs), signal);
    if (signal?.aborted === true) throw waitEnded(this.#state, lock);
  }

  end(): void {
    this.#watch?.end();
  }
}
