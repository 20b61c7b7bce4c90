// The last calls of one bucket: when they were sent, and which of their answers were slow.
import { lastWhere } from '../lib/series.ts';

export interface SentCall {
  /** When the call left, as far as is known. */
  readonly at: number;
  /** The response time. Absent before the answer and after it was used. */
  readonly tookMs?: number;
}

/** Keeps the times of the last calls in order, and counts the calls between two instants. */
export class SentLog {
  readonly #calls: SentCall[] = [];

  get last(): number | undefined {
    return this.#calls.at(-1)?.at;
  }

  /** Returns the call at `count` from the end; 1 is the last. */
  fromEnd(count: number): SentCall | undefined {
    return this.#calls[this.#calls.length - count];
  }

  /** Adds a call and keeps at least the last `keep`. It trims rarely, so that adding stays cheap. */
  add(now: number, keep: number): void {
    this.#calls.push({ at: now });
    if (this.#calls.length > 2 * keep + 100) this.#calls.splice(0, this.#calls.length - keep);
  }

  /** Updates the last call booked at `from` or before. */
  book(from: number, call: SentCall): void {
    this.#move(this.#countWhile((at) => at <= from) - 1, call);
  }

  /** Updates the call at `count` from the end. */
  bookFromEnd(count: number, call: SentCall): void {
    this.#move(this.#calls.length - count, call);
  }

  #move(place: number, call: SentCall): void {
    if (place < 0) return;
    this.#calls.splice(place, 1);
    this.#calls.splice(
      this.#countWhile((at) => at <= call.at),
      0,
      call,
    );
  }

  /** Counts the calls between two instants, both included. */
  between(from: number, until: number): number {
    return this.#countWhile((at) => at <= until) - this.#countWhile((at) => at < from);
  }

  /** Counts the leading calls that fulfil a condition. */
  #countWhile(holds: (at: number) => boolean): number {
    return 1 + lastWhere(this.#calls.length, (place) => holds(this.#calls[place]?.at ?? 0));
  }
}

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

/**
 * Tells from the last response times of one bucket which answers were slow, and how late their calls may have arrived.
 *
 * Most of a response time passes after the call was counted, so moderate differences say nothing. But an answer that is far
 * slower than all others was probably delayed as a whole: a cold start, a busy machine, a packet sent again. The median and
 * the median deviation identify these answers as long as fewer than half of all answers are slow.
 */
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
