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
/** Another client's share is averaged over ten windows of answers, and is believed from 5 % on. */
const averagedWindows = 10;
const firstWeight = 0.02;
const foreignFrom = 0.05;

export class HeaderEvidence {
  /** How many calls the server would have admitted at once, by its first answer. */
  #burst: number | undefined;
  #agreeing = 0;
  #calls = 1;
  #answers = 0;
  #foreign = 0;
  #seen: { readonly remaining: number; isConstant: boolean } | undefined;

  /** There were headers, and they do not agree with our own count yet. */
  get isUnproven(): boolean {
    return this.#burst !== undefined && !this.admitsNoBurst && this.#agreeing < enoughAgree;
  }

  /** The server said after the first call that none is left: it wants even distances, and its counts mean nothing. */
  get admitsNoBurst(): boolean {
    return this.#burst === 1;
  }

  /** The headers tell counts that change with ours. */
  get isTelling(): boolean {
    return this.#seen?.isConstant === false;
  }

  /** The share of the limit that another client takes; 0 if there is none. */
  get foreign(): number {
    return this.#foreign < Math.max(foreignFrom, 0.8 / this.#calls) || !this.isTelling ? 0 : this.#foreign;
  }

  /** The claim that no burst is admitted has proved wrong. */
  allowBursts(): void {
    this.#burst = Number.POSITIVE_INFINITY;
  }

  /** `counted`: how many of our calls the server should have counted from one instant to another. */
  read(rate: RateHeaders, sentAt: number, counted: (from: number, until: number) => number): void {
    this.#calls = rate.calls;
    this.#burst ??= rate.calls === 1 ? Number.POSITIVE_INFINITY : rate.remaining + 1;
    this.#seen ??= { remaining: rate.remaining, isConstant: true };
    if (this.#seen.remaining !== rate.remaining) this.#seen.isConstant = false;
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
    this.#answers += 1;
    const weight = Math.max(1 / (averagedWindows * rate.calls), Math.min(firstWeight, 1 / this.#answers));
    this.#foreign += weight * (Math.min(1, Math.max(-1, share)) - this.#foreign);
  }
}
