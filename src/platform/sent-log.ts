// How many calls left between two instants? The times of the last calls, in order.

export class SentLog {
  readonly #times: number[] = [];

  get last(): number | undefined {
    return this.#times.at(-1);
  }

  /** The time of the call before which `count - 1` others left since: 1 is the last one. */
  fromEnd(count: number): number | undefined {
    return this.#times[this.#times.length - count];
  }

  /** Keeps at least the last `keep` calls; cuts rarely, so that adding stays cheap. */
  add(now: number, keep: number): void {
    this.#times.push(now);
    if (this.#times.length > 2 * keep + 100) this.#times.splice(0, this.#times.length - keep);
  }

  /** The last call that was booked at `from` or before left only at `to`. */
  move(from: number, to: number): void {
    const place = this.#countWhile((at) => at <= from) - 1;
    if (place < 0) return;
    this.#times.splice(place, 1);
    this.#times.splice(
      this.#countWhile((at) => at <= to),
      0,
      to,
    );
  }

  /** Both ends count. */
  between(from: number, until: number): number {
    return this.#countWhile((at) => at <= until) - this.#countWhile((at) => at < from);
  }

  /** How many of the first calls fulfil a condition that later ones do not: by bisection. */
  #countWhile(holds: (at: number) => boolean): number {
    let low = 0;
    let high = this.#times.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = this.#times[middle];
      if (at !== undefined && holds(at)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
