// Lets the run sleep until an instant or a signal.
import { SleepEnd } from '../../../lib/sleep-signal.ts';
import type { Clock } from '../../model/ports.ts';

/** Shorter sleeps might not advance a clock of floating-point milliseconds. */
const shortestSleepMs = 0.001;

/** One sleeper that many callers may wake. */
export class Wake {
  readonly #clock: Clock;
  #signalled = false;
  #sleep: SleepEnd | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ends the current wait, or the next one if nobody is waiting. */
  signal(): void {
    this.#signalled = true;
    this.#sleep?.abort();
  }

  /** Returns at the instant `until` or at a signal. */
  async wait(until: number | undefined): Promise<void> {
    if (!this.#signalled) {
      const signal = new SleepEnd();
      this.#sleep = signal;
      if (until === undefined) await new Promise<void>((resolve) => signal.addEventListener('abort', resolve));
      else await this.#clock.sleep(Math.max(until - this.#clock.now(), shortestSleepMs), signal);
    }
    this.#signalled = false;
  }
}
