// What the rate-limit headers of one bucket show besides its limit: whether counts agree with ours, whether another client
// takes a part, and whether the server admits bursts.
//
// Headers are evidence, not truth. Each answer says how many calls the server counts at that instant, and we know which of
// our calls left within the window. A larger count shows a call that arrived early or late, or another client. A count
// that is the same in every answer shows nothing, whatever we send.
import type { RateHeaders } from '../model/ports.ts';

/** Two counts are compared with this tolerance: the least guard, and headers that are rounded to a millisecond. */
const toleranceMs = 5;
/** A reset of nearly the whole window does not say where the window began. */
const wholeWindow = 0.98;
/** After this many answers in a row that agree, arrivals are believed to be even. */
const enoughAgree = 10;
/** An answer early in its window says little about another client's share. */
const leastAgeShare = 0.25;
/** Another client's share is averaged over ten windows of answers. It is believed from 5 % on … */
const averagedWindows = 10;
const firstWeight = 0.02;
const foreignFrom = 0.05;
/** … and from so many calls a window on: jitter makes counts differ by half a call. */
const foreignCallsFrom = 0.8;

export class HeaderEvidence {
  /** How many calls the server would have admitted at once, by its first answer. */
  #burst: number | undefined;
  #agreeing = 0;
  #calls = 1;
  #answers = 0;
  #foreign = 0;
  /** What the other client had in a whole window, by the newest count: so many calls at that instant. */
  #newest = { at: Number.NEGATIVE_INFINITY, calls: 0 };
  #firstRemaining: number | undefined;
  #isTelling = false;

  /** There were headers, and they may still show that arrivals are even. */
  get isUnproven(): boolean {
    if (this.#burst === undefined || this.admitsNoBurst) return false;
    return this.#agreeing < enoughAgree && (this.#answers < enoughAgree || this.isTelling);
  }

  /** The server said after the first call that none is left: it wants even distances, and its counts mean nothing. */
  get admitsNoBurst(): boolean {
    return this.#burst === 1;
  }

  /** The counts in the headers change, as ours do. */
  get isTelling(): boolean {
    return this.#isTelling;
  }

  /** The share of the limit that another client takes; 0 if there is none. */
  get foreign(): number {
    const isSure = this.#foreign >= Math.max(foreignFrom, foreignCallsFrom / this.#calls);
    return isSure && this.#isTelling ? this.#foreign : 0;
  }

  /**
   * How many calls of the other client the server counts now, as far as can be told: so many as in the newest count, and
   * the older that is, the nearer to the average.
   */
  foreignCalls(now: number, windowMs: number): number {
    const average = this.foreign * this.#calls;
    const weight = Math.max(0, 1 - (now - this.#newest.at) / windowMs);
    return Math.max(0, average + weight * (this.#newest.calls - average));
  }

  /** The claim that no burst is admitted has proved wrong. */
  allowBursts(): void {
    this.#burst = Number.POSITIVE_INFINITY;
  }

  /** `counted`: how many of our calls the server should have counted from one instant to another. */
  read(rate: RateHeaders, sentAt: number, counted: (from: number, until: number) => number): void {
    this.#calls = rate.calls;
    this.#burst ??= rate.calls === 1 ? Number.POSITIVE_INFINITY : rate.remaining + 1;
    this.#firstRemaining ??= rate.remaining;
    if (rate.remaining !== this.#firstRemaining) this.#isTelling = true;
    this.#answers += 1;
    if (this.admitsNoBurst) return;
    const windowMs = rate.windowS * 1000;
    const resetMs = rate.resetS * 1000;
    // The figures are about a window that began `ageMs` before the server counted the call.
    const ageMs = resetMs > windowMs * wholeWindow ? windowMs : windowMs - resetMs;
    const ours = counted(sentAt - ageMs - toleranceMs, sentAt + toleranceMs);
    const excess = rate.calls - rate.remaining - ours;
    this.#agreeing = excess > 0 ? 0 : this.#agreeing + 1;
    if (ageMs < windowMs * leastAgeShare) return;
    const share = (excess * windowMs) / (rate.calls * ageMs);
    const weight = Math.max(1 / (averagedWindows * rate.calls), Math.min(firstWeight, 1 / this.#answers));
    this.#foreign += weight * (Math.min(1, Math.max(-1, share)) - this.#foreign);
    if (sentAt < this.#newest.at) return;
    // What it will take in the rest of the window is its average.
    this.#newest = { at: sentAt, calls: excess + this.#foreign * rate.calls * (1 - ageMs / windowMs) };
  }
}
