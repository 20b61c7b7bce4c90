// For how long does one wait for somebody else's lock? Until the time for it is over, or until whoever waits has had enough.
import type { Clock } from '../model/ports.ts';
import { describeHolder, type Lock } from './lease.ts';
import { locked, waitEnded } from './refusals.ts';

/** Told once, when a wait begins; `maxMs`: how long it may last. `signal` ends it, and `end` is called when it is over. */
export type OnLockWait = (holder: string, maxMs: number) => { readonly signal: AbortSignal; end(): void };

const pollMs = 500;

export class LockWait {
  readonly #state: string;
  readonly #clock: Clock;
  readonly #deadline: number;
  readonly #waiting: OnLockWait | undefined;
  #watch: ReturnType<OnLockWait> | undefined;

  /** `state` is for messages. */
  constructor(
    state: string,
    timeoutMs: number,
    { clock, waiting }: { clock: Clock; waiting?: OnLockWait | undefined },
  ) {
    this.#state = state;
    this.#clock = clock;
    this.#deadline = clock.now() + timeoutMs;
    this.#waiting = waiting;
  }

  /** A while, after which the lock may be free. Rejects when the time is over (7), or the wait was ended (8). */
  async forLock(lock: Lock): Promise<void> {
    const left = this.#deadline - this.#clock.now();
    if (left <= 0) throw locked(this.#state, lock);
    this.#watch ??= this.#waiting?.(describeHolder(lock), left);
    const signal = this.#watch?.signal;
    await this.#clock.sleep(Math.min(pollMs, left), signal);
    if (signal?.aborted === true) throw waitEnded(this.#state, lock);
  }

  end(): void {
    this.#watch?.end();
  }
}
