// How many a second, lately? Counts by the second over the last ten.

const seconds = 10;

export class RecentRate {
  readonly #counts = new Uint32Array(seconds);
  /** The second of the newest count, and of the first one ever. */
  #newest = -1;
  #first = -1;

  add(nowMs: number): void {
    this.#moveTo(Math.floor(nowMs / 1000));
    const place = this.#newest % seconds;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
  }

  perS(nowMs: number): number {
    if (this.#first < 0) return 0;
    this.#moveTo(Math.floor(nowMs / 1000));
    const spanS = Math.min(seconds - 1 + (nowMs % 1000) / 1000, nowMs / 1000 - this.#first);
    return this.#counts.reduce((sum, count) => sum + count, 0) / Math.max(spanS, 1);
  }

  #moveTo(second: number): void {
    if (this.#first < 0) {
      this.#first = second;
      this.#newest = second;
    }
    for (let passed = Math.min(second - this.#newest, seconds); passed > 0; passed--) {
      this.#counts[(second - passed + 1) % seconds] = 0;
    }
    this.#newest = Math.max(this.#newest, second);
  }
}
