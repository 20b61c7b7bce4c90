// Which answers were slow, and by how much may their calls have arrived late? The times of the last answers of one bucket.
//
// Most of a response time lies behind the counter, so that an answer that takes longer than another says nothing. But
// one that is slow beside all others was probably held up as a whole: a cold start, a busy machine, a packet sent again.
// The median and the median deviation from it tell which these are; half of all answers may be slow before they err.

/** Enough to remember usual times through a bad half second at high rates. */
const kept = 127;
/** Once twice as many are known, a look at them serves for so many more answers. */
const lookEvery = 8;
/** So many median deviations above the median is slow: of evenly spread times none is, of exponential ones 11 %. */
const slowFrom = 3;
/** What holds up a call for longer than that holds up the next one too. */
const aloneMs = 30;

interface Usual {
  readonly median: number;
  /** What takes longer is slow. */
  readonly fence: number;
  /** Between the fastest and the slowest that is not slow. */
  readonly spread: number;
}

export class ResponseTimes {
  readonly #last: number[] = [];
  #count = 0;
  #usual: Usual | undefined;

  /** How many there were. */
  get count(): number {
    return this.#count;
  }

  /** Milliseconds between the fastest of the last ones and the slowest that was not held up. */
  get spreadMs(): number {
    return this.#look().spread;
  }

  add(tookMs: number): void {
    this.#last[this.#count % kept] = tookMs;
    this.#count += 1;
    if (this.#count <= 2 * lookEvery || this.#count % lookEvery === 0) this.#usual = undefined;
  }

  /** By how many milliseconds a call may have arrived late, given its answer's time and that of the call after it; 0 as a rule. */
  latenessMs(tookMs: number, nextTookMs = 0): number {
    const { median, fence } = this.#look();
    const overMs = (ms: number) => (ms > fence ? ms - median : 0);
    return overMs(nextTookMs) > 0 ? overMs(tookMs) : Math.min(overMs(tookMs), aloneMs);
  }

  #look(): Usual {
    if (this.#usual === undefined) {
      const sorted = Float64Array.from(this.#last).sort();
      const median = middle(sorted);
      const deviation = middle(sorted.map((ms) => Math.abs(ms - median)).sort());
      const fence = median + slowFrom * deviation;
      this.#usual = { median, fence, spread: Math.min(sorted.at(-1) ?? 0, fence) - (sorted[0] ?? 0) };
    }
    return this.#usual;
  }
}

function middle(sorted: Float64Array): number {
  return sorted[sorted.length >> 1] ?? Number.POSITIVE_INFINITY;
}
