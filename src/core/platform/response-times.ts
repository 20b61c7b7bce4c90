// Tells from the last response times of one bucket which answers were slow, and how late their calls may have arrived.
//
// Most of a response time passes after the call was counted, so moderate differences say nothing. But an answer that is far
// slower than all others was probably delayed as a whole: a cold start, a busy machine, a packet sent again. The median and
// the median deviation identify these answers as long as fewer than half of all answers are slow.

/** The number of times kept, enough to remember usual times through a bad half second at high rates. */
const kept = 127;
/** Once twice as many times are known, statistics are recomputed only after this many answers. */
const lookEvery = 8;
/** Median deviations above the median from which an answer is slow: none of uniformly distributed times, 11 % of exponential ones. */
const slowFrom = 3;
/** A delay longer than this affects the next call too. */
const aloneMs = 30;

interface Usual {
  readonly median: number;
  /** Response times above this are slow. */
  readonly fence: number;
  /** The difference between the fastest and the slowest time that is not slow. */
  readonly spread: number;
}

export class ResponseTimes {
  readonly #last: number[] = [];
  #count = 0;
  #usual: Usual | undefined;

  /** The number of times added. */
  get count(): number {
    return this.#count;
  }

  /** The milliseconds between the fastest of the last times and the slowest that is not slow. */
  get spreadMs(): number {
    return this.#look().spread;
  }

  add(tookMs: number): void {
    this.#last[this.#count % kept] = tookMs;
    this.#count += 1;
    if (this.#count <= 2 * lookEvery || this.#count % lookEvery === 0) this.#usual = undefined;
  }

  /** Returns by how many milliseconds a call may have arrived late, given its response time and that of the next call. Usually 0. */
  latenessMs(tookMs: number, nextTookMs = 0): number {
    const { median, fence } = this.#look();
    const overMs = (ms: number) => (ms > fence ? ms - median : 0);
    return overMs(nextTookMs) > 0 ? overMs(tookMs) : Math.min(overMs(tookMs), aloneMs);
  }

  #look(): Usual {
    if (this.#usual === undefined) {
      const sorted = Float64Array.from(this.#last).sort();
      const median = middle(sorted);
      const deviation = middleDistance(sorted, median);
      const fence = median + slowFrom * deviation;
      this.#usual = { median, fence, spread: Math.min(sorted.at(-1) ?? 0, fence) - (sorted[0] ?? 0) };
    }
    return this.#usual;
  }
}

function middle(sorted: Float64Array): number {
  return sorted[sorted.length >> 1] ?? Number.POSITIVE_INFINITY;
}

/** The middle of the distances of sorted times from their median. They grow towards both ends, so nothing needs to be sorted again. */
function middleDistance(sorted: Float64Array, median: number): number {
  const half = sorted.length >> 1;
  let distance = Number.POSITIVE_INFINITY;
  if (sorted.length === 0) return distance;
  for (let count = 0, below = half, above = half + 1; count <= half; count += 1) {
    const toBelow = median - (sorted[below] ?? Number.NEGATIVE_INFINITY);
    const toAbove = (sorted[above] ?? Number.POSITIVE_INFINITY) - median;
    distance = Math.min(toBelow, toAbove);
    if (toBelow <= toAbove) below -= 1;
    else above += 1;
  }
  return distance;
}
