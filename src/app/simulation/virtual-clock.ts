// A clock on which hours pass in seconds: its timers run in order, each as soon as nothing else is left to do.

import { InternalError } from '../../lib/errors.ts';
import { Heap } from '../../lib/heap.ts';
import type { Clock } from '../../model/ports.ts';

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

  /** `startsAt`: the wall clock at the beginning. */
  constructor(startsAt: Date) {
    this.#startsAt = startsAt.getTime();
  }

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(this.#startsAt + this.#now + this.#shifted);
  }

  /** Milliseconds since 1970 that never jump: the platform's own clock. */
  elsewhere(): number {
    return this.#startsAt + this.#now;
  }

  /** As if somebody set the wall clock. */
  shiftDate(ms: number): void {
    this.#shifted += ms;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
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

  /** Work of the real world, such as reading a file: time stands still until it is over. */
  async outside<T>(work: Promise<T>): Promise<T> {
    this.#outside++;
    try {
      return await work;
    } finally {
      this.#outside--;
    }
  }

  /** Lets time pass until the work has settled. Time stands still while anything else is left to do. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isSettled = false;
    const settled = () => {
      isSettled = true;
    };
    work.then(settled, settled);
    for (;;) {
      await new Promise(setImmediate);
      if (isSettled) return work;
      if (this.#outside > 0) continue;
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
