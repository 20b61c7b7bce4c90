// A virtual clock. Its timers run in order, each as soon as no other work is left.

import type { Clock } from '../../../core/model/ports.ts';
import { InternalError } from '../../../lib/errors.ts';
import { Heap } from '../../../lib/heap.ts';
import type { SleepSignal } from '../../../lib/sleep-signal.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly end: () => void;
  over: boolean;
}

export class VirtualClock implements Clock {
  readonly #timers = new Heap<Timer>(
    (left, right) => left.at < right.at || (left.at === right.at && left.order < right.order),
  );
  readonly #startsAt: number;
  #now = 0;
  #order = 0;
  #outside = 0;
  #shifted = 0;
  /** Ends the wait for work outside. */
  #wake: () => void = () => {};

  /** `startsAt` is the initial wall-clock time. */
  constructor(startsAt: Date) {
    this.#startsAt = startsAt.getTime();
  }

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(this.#startsAt + this.#now + this.#shifted);
  }

  /** Milliseconds since 1970 on the platform's clock, which never jumps. */
  elsewhere(): number {
    return this.#startsAt + this.#now;
  }

  /** Sets the wall clock, as an administrator could. */
  shiftDate(ms: number): void {
    this.#shifted += ms;
  }

  sleep(ms: number, signal?: SleepSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        timer.over = true;
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer: Timer = { at: this.#now + ms, order: this.#order++, end, over: false };
      signal?.addEventListener('abort', end);
      this.#timers.push(timer);
    });
  }

  /** Runs real work, such as reading a file, while virtual time stands still. */
  async outside<T>(work: Promise<T>): Promise<T> {
    this.#outside++;
    try {
      return await work;
    } finally {
      this.#outside--;
      this.#wake();
    }
  }

  /** Advances time until the work has settled, but never while other work is pending. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isSettled = false;
    const settled = () => {
      isSettled = true;
      this.#wake();
    };
    work.then(settled, settled);
    for (;;) {
      await new Promise(setImmediate);
      if (isSettled) return work;
      if (this.#outside > 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      const timer = this.#next();
      if (timer === undefined) throw new InternalError('the run is waiting for something that will never happen');
      this.#now = Math.max(this.#now, timer.at);
      timer.end();
    }
  }

  #next(): Timer | undefined {
    let timer = this.#timers.pop();
    while (timer?.over === true) timer = this.#timers.pop();
    return timer;
  }
}
