// Finds out what the counts in rate-limit headers contain: our calls on one bucket, those of another client, and those on other endpoints.
import type { RateHeaders } from '../model/ports.ts';

/** The tolerance between two counts, which covers the minimal guard and headers rounded to a millisecond. */
const toleranceMs = 5;
/** A reset of at least this share of the window does not tell where the window began. */
const wholeWindow = 0.98;
/** After this many agreeing answers in a row, arrivals count as even. */
const enoughAgree = 10;
/** The share of a window that must have passed before a count says enough about another client's share. */
const leastAgeShare = 0.25;
/** Another client's share is averaged over this many windows of answers. */
const averagedWindows = 10;
const firstWeight = 0.02;
const foreignFrom = 0.05;
/** The smallest foreign count per window that counts as another client, because jitter makes counts differ by half a call. */
const foreignCallsFrom = 0.8;

/**
 * Reads from the headers of one bucket whether the server's counts agree with ours, whether another client uses the bucket, and whether
 * the server admits bursts.
 *
 * Each answer says how many calls the server counts at that instant, and we know which of our calls left within the window.
 * A larger count shows a call that arrived early or late, or another client. A count that never changes shows nothing.
 */
export class HeaderEvidence {
  /** The burst that the server admits, according to its first answer. */
  #burst: number | undefined;
  #agreeing = 0;
  #calls = 1;
  #answers = 0;
  #foreign = 0;
  /** The other client's calls in a whole window, according to the newest count. */
  #newest = { at: Number.NEGATIVE_INFINITY, calls: 0 };
  #firstRemaining: number | undefined;
  #isTelling = false;

  /** Whether headers have arrived that may still show that arrivals are even. */
  get isUnproven(): boolean {
    if (this.#burst === undefined || this.admitsNoBurst) return false;
    return this.#agreeing < enoughAgree && (this.#answers < enoughAgree || this.isTelling);
  }

  /** Whether the first answer said that no call is left. Such a server expects even distances, and its counts mean nothing. */
  get admitsNoBurst(): boolean {
    return this.#burst === 1;
  }

  /** Whether the first answer, or an earlier bucket, showed that several calls may come at once. */
  get showsBursts(): boolean {
    return (
      this.#burst === Number.POSITIVE_INFINITY || (this.#burst !== undefined && !this.admitsNoBurst && this.isTelling)
    );
  }

  /** Whether the counts in the headers change as ours do. */
  get isTelling(): boolean {
    return this.#isTelling;
  }

  /** The share of the limit that another client takes, or 0. */
  get foreign(): number {
    const isSure = this.#foreign >= Math.max(foreignFrom, foreignCallsFrom / this.#calls);
    return isSure && this.#isTelling ? this.#foreign : 0;
  }

  /**
   * Estimates how many calls of the other client the server counts now. The estimate moves from the newest count to the
   * average as that count ages.
   */
  foreignCalls(now: number, windowMs: number): number {
    const average = this.foreign * this.#calls;
    const weight = Math.max(0, 1 - (now - this.#newest.at) / windowMs);
    return Math.max(0, average + weight * (this.#newest.calls - average));
  }

  /** Must be called when the server is known to admit bursts. */
  allowBursts(): void {
    this.#burst = Number.POSITIVE_INFINITY;
  }

  /** `counted` returns how many of our calls the server should have counted between two instants. */
  read(rate: RateHeaders, sentAt: number, counted: (from: number, until: number) => number): void {
    this.#calls = rate.calls;
    this.#burst ??= rate.calls === 1 ? Number.POSITIVE_INFINITY : rate.remaining + 1;
    this.#firstRemaining ??= rate.remaining;
    if (rate.remaining !== this.#firstRemaining) this.#isTelling = true;
    this.#answers += 1;
    if (this.admitsNoBurst) return;
    const windowMs = rate.windowS * 1000;
    const resetMs = rate.resetS * 1000;
    // The headers describe a window that began `ageMs` before the server counted the call.
    const ageMs = resetMs > windowMs * wholeWindow ? windowMs : windowMs - resetMs;
    const ours = counted(sentAt - ageMs - toleranceMs, sentAt + toleranceMs);
    const excess = rate.calls - rate.remaining - ours;
    this.#agreeing = excess > 0 ? 0 : this.#agreeing + 1;
    if (ageMs < windowMs * leastAgeShare) return;
    const share = (excess * windowMs) / (rate.calls * ageMs);
    const weight = Math.max(1 / (averagedWindows * rate.calls), Math.min(firstWeight, 1 / this.#answers));
    this.#foreign += weight * (Math.min(1, Math.max(-1, share)) - this.#foreign);
    if (sentAt < this.#newest.at) return;
    // Assume the average for the rest of the window.
    this.#newest = { at: sentAt, calls: excess + this.#foreign * rate.calls * (1 - ageMs / windowMs) };
  }
}

/** The smallest variance of a count, because arrivals are inexact. Row: method, headers sent, sliding. */
const leastVariance = 0.08;
/** Nothing is decided before so many answers, or if the slope is closer to the middle than so many deviations. */
const fewestAnswers = 3;
const enoughDeviations = 2.5;
/** The slope below which the calls on other endpoints are not counted. */
const lacksOthers = 0.1;

/**
 * Determines whether the counts contain the calls on other endpoints.
 *
 * Beside ours, a count contains the calls of another client, which are as many whatever we send. So the counts of answers are
 * compared with the calls on other endpoints that preceded them: where these are counted, both grow together, by the slope 1 of
 * a line through the answers. Otherwise the slope is 0.
 */
export class SharedCounts {
  #answers = 0;
  #others = 0;
  #counts = 0;
  #othersSquared = 0;
  #product = 0;
  #countsSquared = 0;

  /** `others` are our calls on other endpoints, `count` what the header counts beside our calls on this one. */
  add(others: number, count: number): void {
    this.#answers += 1;
    this.#others += others;
    this.#counts += count;
    this.#othersSquared += others * others;
    this.#product += others * count;
    this.#countsSquared += count * count;
  }

  /** The slope so far, which may be far off. Undefined without answers that differ. */
  get slope(): number | undefined {
    return this.#answers < fewestAnswers || this.#spread <= 0 ? undefined : this.#joint / this.#spread;
  }

  get #spread(): number {
    return this.#othersSquared - this.#others ** 2 / this.#answers;
  }

  get #joint(): number {
    return this.#product - (this.#others * this.#counts) / this.#answers;
  }

  /** Undefined while the answers do not tell. */
  get containOthers(): boolean | undefined {
    const { slope } = this;
    if (slope === undefined) return undefined;
    const [spread, joint] = [this.#spread, this.#joint];
    const ofCounts = this.#countsSquared - this.#counts ** 2 / this.#answers;
    // What remains of the counts under the better one of the two slopes.
    const rest = Math.min(ofCounts, ofCounts - 2 * joint + spread) / (this.#answers - 1);
    const deviations = (slope - 0.5) * Math.sqrt(spread / Math.max(leastVariance, rest));
    if (Math.abs(deviations) < enoughDeviations) return undefined;
    // Refused calls are in no count, which makes the slope smaller where they are many.
    return deviations > 0 || (slope < lacksOthers ? false : undefined);
  }
}
