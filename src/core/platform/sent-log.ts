// The last calls of one bucket, in the order in which they were sent.
import { lastWhere } from '../../lib/series.ts';

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
