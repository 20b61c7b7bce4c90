// The control law of the guard, the time by which a window's calls take longer than the window.
//
// Calls leave evenly, n of them in one window plus the guard. Each refused call multiplies the guard by e^step, and each
// admitted one by e^-d, with d = step × target / (1 - target). The two balance when the target share of calls is refused,
// so the guard settles at the smallest room for which no more are refused. This is the stochastic approximation of a
// quantile (Robbins and Monro, 1951) on a logarithmic scale, where one step serves a guard of 4 ms and one of 10 s. The step
// adapts as in RPROP (Riedmiller and Braun, 1993): it grows when refusals follow each other closely, and shrinks when they
// are as rare as intended. Refused calls that left before the last change belong to one episode, which at most doubles the
// guard, because a 429 costs only one call. A lower target compensates for the refusals spent on learning. If nothing was
// refused for much longer than chance explains, the guard falls faster and faster.

/** Covers an arrival jitter of 3 ms at a cost of 0.35 % of a one-second window. */
export const leastGuardMs = 3.5;
/** An episode at most doubles the guard. */
const mostGrowth = Math.LN2;
/** The first step and the smallest step. Test: a GCRA that admits no burst, at 200 a second. Row: 30 % of the limit, sliding 100. */
const startStep = 0.15;
const leastStep = 0.03;
/** Refusals closer than this share of the usual distance count as close. Rows: strict_gcra with 20 ms of jitter. */
const close = 0.3;
const longerStep = 1.5;
const shorterStep = 0.7;
/** After this many usual distances without a refusal the guard falls faster, doubling its speed with each further distance. */
const calmDistances = 3;

/** Scales how a debt of refused calls lowers the target, which never falls below a third. */
const fullDebt = 12;
const firstDebt = 4;
const leastTarget = 1 / 3;

export class Guard {
  #ms = leastGuardMs;
  /** Refused calls to compensate for. It starts above 0, because the first calls need refusals to learn most. */
  #debt = firstDebt;
  #step = mostGrowth;
  #admitted = 0;
  #raisedAt = Number.NEGATIVE_INFINITY;
  /** The growth that the current episode may still cause. */
  #growth = mostGrowth;

  get ms(): number {
    return this.#ms;
  }

  set ms(ms: number) {
    this.#ms = Math.max(leastGuardMs, ms);
  }

  /** Whether a call was ever refused. */
  get wasRaised(): boolean {
    return this.#raisedAt > Number.NEGATIVE_INFINITY;
  }

  /** Whether the guard is at its minimum. */
  get isLeast(): boolean {
    return this.#ms <= leastGuardMs;
  }

  /** Sets an approximate guard, but never lowers one that refusals have raised. */
  startAt(ms: number): void {
    this.ms = this.wasRaised ? Math.max(this.#ms, ms) : ms;
    this.#step = startStep;
  }

  /** Must be called for each admitted call. `most` is the share of calls that may be refused. */
  admit(most: number): void {
    this.#debt = Math.max(0, this.#debt - most);
    const target = this.#target(most);
    this.#admitted += 1;
    const calm = Math.max(0, this.#admitted * target - calmDistances);
    const fall = (this.#step * target) / (1 - target);
    this.ms = this.#ms * Math.exp(-fall * (1 + 2 * calm));
  }

  /** Must be called for each refused call that left at `sentAt`. The guard grows at most to `mostMs`, and by at most e^`mostStep`. */
  refuse(sentAt: number, now: number, most: number, mostMs: number, mostStep = mostGrowth): void {
    const target = this.#target(most);
    this.#debt = Math.min(fullDebt, this.#debt + 1);
    if (sentAt > this.#raisedAt) {
      const isClose = this.#admitted * target < close;
      this.#step = isClose
        ? Math.min(mostStep, this.#step * longerStep)
        : Math.max(leastStep, Math.min(mostStep, this.#step * shorterStep));
      this.#growth = mostGrowth;
      this.#raisedAt = now;
    }
    this.#admitted = 0;
    const growth = Math.min(this.#step, this.#growth);
    this.#growth -= growth;
    this.ms = Math.min(Math.max(mostMs, this.#ms), this.#ms * Math.exp(growth));
  }

  #target(most: number): number {
    return most * Math.max(leastTarget, 1 - this.#debt / fullDebt);
  }
}
