// How do tests wait without waiting? A clock whose timers run in order as soon as nothing else is left to do.
import { Heap } from '../../../src/applier/heap.ts';
import type { Clock } from '../../../src/model/ports.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly end: () => void;
}

export class VirtualClock implements Clock {
  readonly #timers = new Heap<Timer>(
    (left, right) => left.at < right.at || (left.at === right.at && left.order < right.order),
  );
  #now: number;
  #order = 0;

  constructor(startMs = 0) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(Date.UTC(2026, 0, 1) + this.#now);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        signal?.removeEventListener('abort', end);
        resolve();
      };
      signal?.addEventListener('abort', end);
      this.#timers.push({ at: this.#now + ms, order: this.#order++, end });
    });
  }

  /** Runs timers until the work has settled. Time stands still while microtasks are left. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isSettled = false;
    const settled = () => {
      isSettled = true;
    };
    work.then(settled, settled);
    for (;;) {
      await new Promise(setImmediate);
      if (isSettled) return work;
      const timer = this.#timers.pop();
      if (timer === undefined) throw new Error('the work waits for something that will never happen');
      this.#now = Math.max(this.#now, timer.at);
      timer.end();
    }
  }
}
