// Measures from refused calls how many calls a bucket admits, on platforms whose headers do not state a limit.
//
// The declared limit may be far too high. The guard alone would take a dozen episodes to reach the true pace, because an episode at
// most doubles it. Two patterns show the true limit at once, and neither occurs where the declared limit is nearly right:
// - Nothing is admitted for a quarter of a window, or refused calls are told to wait that long again and again. The calls
//   admitted in the window before used up the limit.
// - Many calls of a window are refused in between admitted ones. The platform admits as many as it could.

/** The refused calls after the last admitted one, and the share of a window between them, that show a limit that is used up. */
const enoughInRow = 3;
const silentShare = 0.25;
/** How many refused calls must be told to wait so long, because a gateway may refuse some for other reasons. */
const enoughWaits = 3;
/** The refused calls, and their share, that show a pace which is far too high. */
const enoughBetween = 4;
const refusedShare = 0.3;
/** How often a refused call must follow an admitted one to show that the platform spreads what it admits. */
const enoughTurns = 3;
/** How often a bucket is measured. Later, refused calls in a row are more likely those of another client. */
const mostMeasured = 3;

const keptWindows = 6;

interface CountedCall {
  readonly at: number;
  readonly isAdmitted: boolean;
}

export class RefusalCounts {
  /** The calls of the last windows in the order in which they left. */
  #calls: CountedCall[] = [];
  #since = Number.NEGATIVE_INFINITY;
  #left = mostMeasured;
  /** The times before each long wait in which calls used up the limit, and when the last wait ends. */
  #waits: { readonly from: number; readonly until: number }[] = [];
  #waitsUntil = Number.NEGATIVE_INFINITY;

  /** Whether the last calls were all refused, so that the limit may be used up. */
  get isSuspect(): boolean {
    return this.#left > 0 && this.#inRow.length >= enoughInRow;
  }

  /** Records the answer to a call that left at `at`. `waitMs` is the wait that a refusal states. */
  add(at: number, isAdmitted: boolean, windowMs: number, waitMs = 0): void {
    if (at < this.#since) return;
    const place = this.#calls.findLastIndex((call) => call.at <= at);
    this.#calls.splice(place + 1, 0, { at, isAdmitted });
    const oldest = at - keptWindows * windowMs;
    if ((this.#calls[0]?.at ?? oldest) < oldest - windowMs)
      this.#calls = this.#calls.filter((call) => call.at > oldest);
    if (waitMs < silentShare * windowMs || at < this.#waitsUntil) return;
    // In a fixed window, the calls before the last wait belong to another window.
    this.#waits.push({ from: Math.max(at - windowMs, this.#waitsUntil), until: at });
    this.#waitsUntil = at + waitMs;
  }

  /** Counts the admitted calls that left after an instant. */
  admittedAfter(from: number): number {
    return this.#usedBetween(from, Number.POSITIVE_INFINITY).length;
  }

  /** Forgets the calls that left before `now`, which say nothing about the pace from now on. */
  restart(now: number): void {
    this.#calls = [];
    this.#since = now;
    this.#left -= 1;
    this.#waits = [];
  }

  #usedBetween(from: number, until: number): readonly CountedCall[] {
    return this.#calls.filter(({ at, isAdmitted }) => isAdmitted && at > from && at <= until);
  }

  get #inRow(): readonly CountedCall[] {
    return this.#calls.slice(this.#calls.findLastIndex(({ isAdmitted }) => isAdmitted) + 1);
  }

  /** Returns the calls that the platform admits in a window, and when the first of the calls left that used it up. */
  measure(windowMs: number): { readonly calls: number; readonly from: number; readonly isSpread: boolean } | undefined {
    if (this.#left === 0) return undefined;
    const inRow = this.#inRow;
    const [first, last] = [inRow[0], inRow.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    if (inRow.length >= enoughInRow && last.at - first.at >= silentShare * windowMs) {
      const used = this.#usedBetween(first.at - windowMs, first.at);
      const [oldest] = used;
      return oldest === undefined ? undefined : { calls: used.length, from: oldest.at, isSpread: false };
    }
    if (this.#waits.length >= enoughWaits) {
      // By now, the calls before the first waits are answered.
      const calls = Math.max(...this.#waits.map(({ from, until }) => this.#usedBetween(from, until).length));
      return calls === 0 ? undefined : { calls, from: last.at - windowMs, isSpread: false };
    }
    const recent = this.#calls.filter(({ at }) => at > last.at - windowMs);
    const refused = recent.filter(({ isAdmitted }) => !isAdmitted).length;
    const admitted = recent.length - refused;
    if (refused < enoughBetween || refused < refusedShare * recent.length || admitted === 0) return undefined;
    const turns = recent.filter(
      ({ isAdmitted }, place) => !isAdmitted && recent[place - 1]?.isAdmitted === true,
    ).length;
    const from = recent[0]?.at ?? last.at;
    if (recent.length < this.#calls.length) return { calls: admitted, from, isSpread: turns >= enoughTurns };
    const spreadMs = last.at - from;
    return turns < enoughTurns || spreadMs === 0
      ? undefined
      : { calls: (admitted * windowMs) / spreadMs, from, isSpread: true };
  }
}
