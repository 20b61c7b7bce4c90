// The usual algorithms that count "n calls a second". The documents do not say which one the platform uses.

export const WINDOW_KINDS = ['sliding', 'fixed', 'gcra', 'gcra_strict', 'token_bucket'] as const;
export type WindowKind = (typeof WINDOW_KINDS)[number];

export const WINDOW_MS = 1000;

export interface WindowReading {
  /** Calls that could be made right now. */
  readonly remaining: number;
  /** Until the whole allowance is available again. */
  readonly resetMs: number;
  /** Until one call is allowed; 0 when it is allowed now. */
  readonly retryAfterMs: number;
}

/** The count of one allowance. Time never goes backwards between calls. */
export interface Window {
  read(nowMs: number): WindowReading;
  /** Counts one call. To be used only after `read` said that one is allowed. */
  take(nowMs: number): void;
}

export function createWindow(kind: WindowKind, calls: number): Window {
  switch (kind) {
    case 'sliding':
      return new SlidingWindow(calls);
    case 'fixed':
      return new FixedWindow(calls);
    case 'gcra':
      return new Gcra(calls, calls);
    case 'gcra_strict':
      return new Gcra(calls, 1);
    case 'token_bucket':
      return new TokenBucket(calls);
  }
}

/** At most n calls in any second. A ring holds the times of the last n calls. */
class SlidingWindow implements Window {
  readonly #times: number[];
  /** The place of the oldest of the last n calls, which the next call overwrites. */
  #oldest = 0;

  constructor(calls: number) {
    this.#times = new Array<number>(calls).fill(Number.NEGATIVE_INFINITY);
  }

  read(nowMs: number): WindowReading {
    const calls = this.#times.length;
    let used = 0;
    // Backwards from the newest, until one has left the window.
    while (used < calls && this.#time(this.#oldest + calls - 1 - used) > nowMs - WINDOW_MS) used++;
    const newest = this.#time(this.#oldest + calls - 1);
    return {
      remaining: calls - used,
      resetMs: used === 0 ? 0 : newest + WINDOW_MS - nowMs,
      retryAfterMs: used < calls ? 0 : this.#time(this.#oldest) + WINDOW_MS - nowMs,
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
  readonly #calls: number;
  #start = 0;
  #used = 0;

  constructor(calls: number) {
    this.#calls = calls;
  }

  read(nowMs: number): WindowReading {
    const start = startOfWindow(nowMs);
    const used = start === this.#start ? this.#used : 0;
    const untilNext = start + WINDOW_MS - nowMs;
    return {
      remaining: this.#calls - used,
      resetMs: untilNext,
      retryAfterMs: used < this.#calls ? 0 : untilNext,
    };
  }

  take(nowMs: number): void {
    const start = startOfWindow(nowMs);
    this.#used = start === this.#start ? this.#used + 1 : 1;
    this.#start = start;
  }
}

function startOfWindow(nowMs: number): number {
  return Math.floor(nowMs / WINDOW_MS) * WINDOW_MS;
}

/**
 * The next two count time in steps: a call takes 1,000 of them, and each millisecond adds as many as there are calls a
 * second. So every rate works in whole numbers. Half a step less than due counts as due, to absorb rounding.
 */
const STEPS_OF_CALL = 1000;
const ROUNDING = 0.5;

/**
 * Generic cell rate algorithm: calls are due at even intervals, and one may come early by the time of `burst` calls.
 * It keeps the time at which the next call would be due if all came on schedule.
 */
class Gcra implements Window {
  readonly #calls: number;
  readonly #burst: number;
  #due = Number.NEGATIVE_INFINITY;

  constructor(calls: number, burst: number) {
    this.#calls = calls;
    this.#burst = burst;
  }

  read(nowMs: number): WindowReading {
    const ahead = Math.max(0, this.#due - nowMs * this.#calls);
    const spare = this.#burst * STEPS_OF_CALL - ahead;
    return readingOf(spare, ahead, this.#calls);
  }

  take(nowMs: number): void {
    this.#due = Math.max(this.#due, nowMs * this.#calls) + STEPS_OF_CALL;
  }
}

/** Holds up to n tokens and gains n a second. A call takes one. */
class TokenBucket implements Window {
  readonly #calls: number;
  #level: number;
  #at = Number.NEGATIVE_INFINITY;

  constructor(calls: number) {
    this.#calls = calls;
    this.#level = calls * STEPS_OF_CALL;
  }

  read(nowMs: number): WindowReading {
    const level = this.#levelAt(nowMs);
    return readingOf(level, this.#calls * STEPS_OF_CALL - level, this.#calls);
  }

  take(nowMs: number): void {
    this.#level = this.#levelAt(nowMs) - STEPS_OF_CALL;
    this.#at = nowMs;
  }

  #levelAt(nowMs: number): number {
    if (this.#at === Number.NEGATIVE_INFINITY) return this.#level;
    return Math.min(this.#calls * STEPS_OF_CALL, this.#level + (nowMs - this.#at) * this.#calls);
  }
}

/** `spare`: steps available now. `missing`: steps until the allowance is whole again. */
function readingOf(spare: number, missing: number, calls: number): WindowReading {
  return {
    remaining: Math.max(0, Math.floor((spare + ROUNDING) / STEPS_OF_CALL)),
    // A call that rounding let in early must not make this longer than a window.
    resetMs: Math.min(WINDOW_MS, missing / calls),
    retryAfterMs: spare + ROUNDING >= STEPS_OF_CALL ? 0 : (STEPS_OF_CALL - spare) / calls,
  };
}
