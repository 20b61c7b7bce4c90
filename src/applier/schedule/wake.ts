// Lets the run sleep until an instant or a signal.
import type { Clock } from '../../model/ports.ts';

/** Shorter sleeps might not advance a clock of floating-point milliseconds. */
const shortestSleepMs = 0.001;

interface Sleep {
  readonly until: number;
  readonly end: AbortController;
}

/**
 * One sleeper that many callers may wake. An early signal does not cancel the timer, which also serves the next wait, so that
 * a busy run does not start and stop a timer for every answer. `close` ends all timers.
 */
export class Wake {
  readonly #clock: Clock;
  /** The running timers, earliest last. A timer starts only if it ends before all others. */
  readonly #sleeps: Sleep[] = [];
  #signalled = false;
  #resume: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ends the current wait, or the next one if nobody is waiting. */
  signal(): void {
    this.#signalled = true;
    this.#resume?.();
  }

  /** Returns at the instant `until`, at a signal, or earlier. Callers must check again. */
  async wait(until: number | undefined): Promise<void> {
    if (!this.#signalled) {
      if (until !== undefined) this.#sleep(until);
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
      this.#resume = undefined;
    }
    this.#signalled = false;
  }

  close(): void {
    for (const { end } of this.#sleeps) end.abort('closed');
  }

  #sleep(until: number): void {
    const earliest = this.#sleeps.at(-1);
    if (earliest !== undefined && earliest.until <= until) return;
    const sleep = { until, end: new AbortController() };
    this.#sleeps.push(sleep);
    const ms = Math.max(until - this.#clock.now(), shortestSleepMs);
    void this.#clock.sleep(ms, sleep.end.signal).then(() => {
      this.#sleeps.splice(this.#sleeps.indexOf(sleep), 1);
      this.signal();
    });
  }
}
