// How many calls left between two instants? The times of the last calls, in order.

export interface SentCall {
  /** When it left, as far as is known. */
  readonly at: number;
  /** How long its answer took; absent until it came, and when it has been made use of. */
  readonly tookMs?: number;
}

export class SentLog {
  readonly #calls: SentCall[] = [];

  get last(): number | undefined {
    return this.#calls.at(-1)?.at;
  }

  /** The call before which `count - 1` others left since: 1 is the last one. */
  fromEnd(count: number): SentCall | undefined {
    return this.#calls[this.#calls.length - count];
  }

  /** Keeps at least the last `keep` calls; cuts rarely, so that adding stays cheap. */
  add(now: number, keep: number): void {
    this.#calls.push({ at: now });
    if (this.#calls.length > 2 * keep + 100) this.#calls.splice(0, this.#calls.length - keep);
  }

  /** More is known of the last call that was booked at `from` or before. */
  book(from: number, call: SentCall): void {
    this.#move(this.#countWhile((at) => at <= from) - 1, call);
  }

  /** More is known of the call before which `count - 1` others left since. */
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

  /** Both ends count. */
  between(from: number, until: number): number {
    return this.#countWhile((at) => at <= until) - this.#countWhile((at) => at < from);
  }

  /** How many of the first calls fulfil a condition that later ones do not: by bisection. */
  #countWhile(holds: (at: number) => boolean): number {
    let low = 0;
    let high = this.#calls.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const call = this.#calls[middle];
      if (call !== undefined && holds(call.at)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
