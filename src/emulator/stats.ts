// Counts requests by route, and those refused by rate limits.

export class Stats {
  readonly #requests = new Map<string, number>();
  #limited = 0;

  count(route: string, limited: boolean): void {
    this.#requests.set(route, (this.#requests.get(route) ?? 0) + 1);
    if (limited) this.#limited++;
  }

  /** By "METHOD route", refused requests included. */
  get requests(): ReadonlyMap<string, number> {
    return this.#requests;
  }

  /** Answers with status 429. */
  get limited(): number {
    return this.#limited;
  }
}
