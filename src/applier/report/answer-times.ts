// Counts response times in steps of ten percent, so that a million of them take no more room than a few.

/** Neighbouring counters differ by this factor, so that a quantile is known to 5 %. */
const factor = 1.1;
const counters = 256;

export class AnswerTimes {
  /** The n-th counts times from factor^n up to factor^(n+1) tenths of a millisecond. */
  readonly #counts = new Uint32Array(counters);
  #total = 0;

  add(ms: number): void {
    const counter = Math.floor(Math.log(Math.max(ms * 10, 1)) / Math.log(factor));
    const place = Math.min(counter, counters - 1);
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    this.#total++;
  }

  /** The time that this share of the answers took at most, rounded down, in milliseconds; 0 when there was none. */
  quantileMs(share: number): number {
    let left = this.#total * share;
    for (const [place, count] of this.#counts.entries()) {
      left -= count;
      if (left <= 0 && count > 0) return factor ** place / 10;
    }
    return 0;
  }
}
