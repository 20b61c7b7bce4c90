// How is "n calls a second" counted? The documents do not say which algorithm the platform uses, so here are all the usual ones.

export const WINDOW_KINDS = ['sliding', 'fixed', 'gcra', 'gcra_strict', 'token_bucket'] as const;
export type WindowKind = (typeof WINDOW_KINDS)[number];

export const WINDOW_MS = 1000;

export interface WindowReading {
  /** Calls that could be made at once, now. */
  readonly remaining: number;
  /** Until the whole allowance is there again. */
  readonly resetMs: number;
  /** Until one call is allowed; 0 when it is allowed now. */
  readonly retryAfterMs: number;
}

/** The count of one allowance. Time never goes backwards between calls. */
export interface Window {
  read(nowMs: number): WindowReading;
  /** Counts one call; only after `read` said that one is allowed. */
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

/** Never more than n calls in any second: the times of the last n calls in a ring. */
class SlidingWindow implements Window {
  readonly #times: number[];
  /** Where the oldest of the last n calls stands, and where the next one goes. */
  #oldest = 0;

  constructor(calls: number) {
    this.#times = new Array<number>(calls).fill(Number.NEGATIVE_INFINITY);
  }

  read(nowMs: number): WindowReading {
    const calls = this.#times.length;
    let used = 0;
    // From the newest back, until one has left the window.
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

/** A count that starts anew with every second of the clock; twice n may pass around its turn. */
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
 * The next two count time in steps of which each call takes a thousand and a millisecond brings as many as there are
 * calls a second: whole numbers, whatever the rate. Half a step less than due counts as due, against rounding.
 */
const STEPS_OF_CALL = 1000;
const ROUNDING = 0.5;

/**
 * Generic cell rate algorithm: calls are due in even distance; one may come early by what `burst` calls take.
 * Kept is the time at which the next call would be due if all came in step.
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

/** Tokens flow in at n a second up to n; a call takes one. */
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

/** From the steps that may be taken now and those that are missing of the whole allowance. */
function readingOf(spare: number, missing: number, calls: number): WindowReading {
  return {
    remaining: Math.max(0, Math.floor((spare + ROUNDING) / STEPS_OF_CALL)),
    // What rounding let in early is no longer than a window.
    resetMs: Math.min(WINDOW_MS, missing / calls),
    retryAfterMs: spare + ROUNDING >= STEPS_OF_CALL ? 0 : (STEPS_OF_CALL - spare) / calls,
  };
}
