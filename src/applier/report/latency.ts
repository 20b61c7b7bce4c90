// How long do calls take, as a rule? The median of all of them, from a few hundred counters.

/** Neighbouring counters differ by that factor, so that the median is known to 5 %. */
const factor = 1.1;
const counters = 256;

export class Latency {
  /** The n-th counts what took from factor^n up to factor^(n+1) tenths of a millisecond. */
  readonly #counts = new Uint32Array(counters);
  #total = 0;

  add(ms: number): void {
    const counter = Math.floor(Math.log(Math.max(ms * 10, 1)) / Math.log(factor));
    const place = Math.min(counter, counters - 1);
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    this.#total++;
  }

  /** Milliseconds, rounded down; 0 when nothing was counted. */
  get medianMs(): number {
    let left = this.#total / 2;
    for (const [place, count] of this.#counts.entries()) {
      left -= count;
      if (left <= 0 && count > 0) return factor ** place / 10;
    }
    return 0;
  }
}
