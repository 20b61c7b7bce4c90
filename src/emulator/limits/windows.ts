// The usual algorithms to count "n calls per second". Which one the platform uses is not documented.

export const WINDOW_KINDS = ['sliding', 'fixed', 'gcra', 'gcra_strict'] as const;
export type WindowKind = (typeof WINDOW_KINDS)[number];

/** The base document's limits are by the second. Its example of a header has a window of a minute. */
export const WINDOW_MS = 1000;

export interface WindowReading {
  /** The number of calls that are allowed now. */
  readonly remaining: number;
  /** Until the whole allowance is available again. */
  readonly resetMs: number;
  /** Until one call is allowed; 0 when it is allowed now. */
  readonly retryAfterMs: number;
}

/** The count of one allowance. Time never goes backwards between calls. */
export interface Window {
  read(nowMs: number): WindowReading;
  /** Counts one call. Call it only after `read` has allowed one. */
  take(nowMs: number): void;
}

export function createWindow(kind: WindowKind, calls: number, windowMs = WINDOW_MS): Window {
  switch (kind) {
    case 'sliding':
      return new SlidingWindow(calls, windowMs);
    case 'fixed':
      return new FixedWindow(calls, windowMs);
    case 'gcra':
      return new Gcra(calls, calls, windowMs);
    case 'gcra_strict':
      return new Gcra(calls, 1, windowMs);
  }
}

/** At most n calls in any second. A ring stores the times of the last n calls. */
class SlidingWindow implements Window {
  readonly #windowMs: number;
  readonly #times: number[];
  /** The place of the oldest of the last n calls, which the next call overwrites. */
  #oldest = 0;

  constructor(calls: number, windowMs: number) {
    this.#windowMs = windowMs;
    this.#times = new Array<number>(calls).fill(Number.NEGATIVE_INFINITY);
  }

  read(nowMs: number): WindowReading {
    const calls = this.#times.length;
    let used = 0;
    // Go back from the newest call until one is outside the window.
    while (used < calls && this.#time(this.#oldest + calls - 1 - used) > nowMs - this.#windowMs) used++;
    const newest = this.#time(this.#oldest + calls - 1);
    return {
      remaining: calls - used,
      resetMs: used === 0 ? 0 : newest + this.#windowMs - nowMs,
      retryAfterMs: used < calls ? 0 : this.#time(this.#oldest) + this.#windowMs - nowMs,
    };
  }

  take(nowMs: number): void {
    this.#times[this.#oldest] = nowMs;
    this.#oldest = (this.#oldest + 1) % this.#times.length;
  }

  #time(place: number): number {
    return this.#times[place % this.#times.length] ?? 0;
  }
}

/** A count that restarts with every second of the clock. Up to 2n calls may pass around the boundary. */
class FixedWindow implements Window {
  readonly #windowMs: number;
  readonly #calls: number;
  #start = 0;
  #used = 0;

  constructor(calls: number, windowMs: number) {
    this.#windowMs = windowMs;
    this.#calls = calls;
  }

  read(nowMs: number): WindowReading {
    const start = startOfWindow(nowMs, this.#windowMs);
    const used = start === this.#start ? this.#used : 0;
    const untilNext = start + this.#windowMs - nowMs;
    return {
      remaining: this.#calls - used,
      resetMs: untilNext,
      retryAfterMs: used < this.#calls ? 0 : untilNext,
    };
  }

  take(nowMs: number): void {
    const start = startOfWindow(nowMs, this.#windowMs);
    this.#used = start === this.#start ? this.#used + 1 : 1;
    this.#start = start;
  }
}

function startOfWindow(nowMs: number, windowMs: number): number {
  return Math.floor(nowMs / windowMs) * windowMs;
}

/** In steps of `Gcra`. Half a step less than due counts as due, to absorb rounding. */
const ROUNDING = 0.5;

/**
 * Generic cell rate algorithm: calls are due at even intervals, and one may come early by the time of `burst` calls.
 * It stores the time at which the next call would be due if all calls came on schedule. Time is counted in steps, so that every
 * rate works in whole numbers: a call costs as many steps as a window has milliseconds, and each millisecond adds as many
 * steps as a window has calls.
 */
class Gcra implements Window {
  readonly #windowMs: number;
  readonly #calls: number;
  readonly #burst: number;
  #due = Number.NEGATIVE_INFINITY;

  constructor(calls: number, burst: number, windowMs: number) {
    this.#windowMs = windowMs;
    this.#calls = calls;
    this.#burst = burst;
  }

  read(nowMs: number): WindowReading {
    const ahead = Math.max(0, this.#due - nowMs * this.#calls);
    const spare = this.#burst * this.#windowMs - ahead;
    // A call that rounding admitted early must not make either time longer than a window.
    return {
      remaining: Math.max(0, Math.floor((spare + ROUNDING) / this.#windowMs)),
      resetMs: Math.min(this.#windowMs, ahead / this.#calls),
      retryAfterMs:
        spare + ROUNDING >= this.#windowMs ? 0 : Math.min(this.#windowMs, (this.#windowMs - spare) / this.#calls),
    };
  }

  take(nowMs: number): void {
    this.#due = Math.max(this.#due, nowMs * this.#calls) + this.#windowMs;
  }
}
