// The control law of the guard: how much longer than the window a window's calls take.
//
// Calls leave evenly, n of them in one window plus the guard. The guard is multiplied by e^step for each refused call and
// by e^-d for each admitted one, with d = step × target / (1 - target). The two balance when the target share of the calls
// is refused, so that the guard settles where the next refused call costs about as much as the room that would avoid it.
// This is the stochastic approximation of a quantile (Robbins and Monro, 1951) on a logarithmic scale, on which one step
// serves a guard of 4 ms and one of 10 s. The step itself adapts as in RPROP (Riedmiller and Braun, 1993): it grows when
// refusals follow each other closely and shrinks when they come as rarely as they should. Refused calls that left before
// the last change belong to one episode, which at most doubles the guard: a 429 costs a call, and is no catastrophe. When no
// call was refused for much longer than the target explains, the guard falls faster and faster.

/** Covers an arrival jitter of 3 ms, and costs 0.35 % of a window of one second. */
export const leastGuardMs = 3.5;
/** An episode at most doubles the guard. */
const mostGrowth = Math.LN2;
const firstStepAboutRight = 0.15;
const leastStep = 0.03;
/** Refusals that follow each other after less than this share of the usual distance are close. */
const close = 0.3;
const longerStep = 1.5;
const shorterStep = 0.7;
/** After so many usual distances without a refusal the guard falls faster, by twice the speed for each further distance. */
const calmDistances = 3;

/** Refusals that are paid back at most, and the number of them at which the target falls to a third. */
const mostDebt = 12;
const paidBackOver = 12;

export class Guard {
  #ms = leastGuardMs;
  /** Refused calls beyond the target so far, as a negative number: learning is paid back by a lower target. */
  #credit = -4;
  #step = mostGrowth;
  #admitted = 0;
  #raisedAt = Number.NEGATIVE_INFINITY;
  /** What is left of the growth that the current episode may cause. */
  #growth = mostGrowth;

  get ms(): number {
    return this.#ms;
  }

  set ms(ms: number) {
    this.#ms = Math.max(leastGuardMs, ms);
  }

  /** A call was refused at some time. */
  get wasRaised(): boolean {
    return this.#raisedAt > Number.NEGATIVE_INFINITY;
  }

  /** True when nothing has raised the guard, or it has fallen back. */
  get isLeast(): boolean {
    return this.#ms <= leastGuardMs;
  }

  /** Starts from this guard, which is about right. */
  startAt(ms: number): void {
    this.ms = this.wasRaised ? Math.max(this.#ms, ms) : ms;
    this.#step = firstStepAboutRight;
  }

  /** A call was admitted. `target`: the share of calls that may be refused. */
  admit(most: number): void {
    this.#credit = Math.min(0, this.#credit + most);
    const target = this.#target(most);
    this.#admitted += 1;
    const calm = Math.max(0, this.#admitted * target - calmDistances);
    const fall = (this.#step * target) / (1 - target);
    this.ms = this.#ms * Math.exp(-fall * (1 + 2 * calm));
  }

  /** A call that left at `sentAt` was refused. */
  refuse(sentAt: number, now: number, most: number, mostMs: number, mostStep = mostGrowth): void {
    const target = this.#target(most);
    this.#credit = Math.max(-mostDebt, this.#credit - 1);
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
    return Math.max(most / 3, most * (1 + this.#credit / paidBackOver));
  }
}
