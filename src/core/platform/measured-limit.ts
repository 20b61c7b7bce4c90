// Measures a limit that is far below the declared one, where no header states it.
//
// A full server refuses every call until its window has passed. So refusals in a row after far fewer admitted calls than
// declared show how many calls it admits in a window. That may be chance, such as a platform that fails for a second, so the limit
// doubles with every calm window. The next refusal confirms it. From then on the limit doubles rarely, and a refusal takes
// that back. Single refusals, and refusals near the declared rate, have other causes (guard.ts).

/** Refusals in a row, by the times at which the calls left. A GCRA that admits no burst does not refuse so many. */
const enoughInRow = 4;
/** A server that admits at most this share of the limit has a lower one. Another client rarely leaves so little. */
const farBelow = 1 / 3;
/** A limit doubles only if this share of it was used, because an unused limit shows nothing. */
const used = 0.5;
/** A window with fewer admitted calls than this share of the measured limit lowers it. Jitter explains the others (guard.ts). */
const jitter = 0.95;
/** The calm windows before a confirmed limit doubles. Each refusal that confirms it again doubles them. */
const firstCalm = 4;
const mostCalm = 64;

export class MeasuredLimit {
  readonly #declared: number;
  /** How many calls a window the server has admitted. Undefined without a measurement. */
  #admitted: number | undefined;
  #calls: number;
  /** When the first refused call of the row left, and how many calls were admitted in the window before it. */
  #row: { readonly from: number; readonly admitted: number; refused: number; until: number } | undefined;
  #changedAt = 0;
  /** The last change or refusal. */
  #calmSince = 0;
  #calmWindows = 1;

  constructor(declared: number) {
    this.#declared = declared;
    this.#calls = declared;
  }

  /** Calls a window, at most the declared ones. */
  get calls(): number {
    return this.#calls;
  }

  /** The declared and the admitted calls a window, if refusals have confirmed the latter. */
  get confirmed(): { readonly declared: number; readonly admitted: number } | undefined {
    return this.#admitted === undefined || this.#calmWindows === 1
      ? undefined
      : { declared: this.#declared, admitted: this.#admitted };
  }

  /** Takes an admitted call that left at `sentAt`. `sent` are the calls of the last window. */
  admit(sentAt: number, now: number, sent: number, windowMs: number): void {
    if (this.#row !== undefined && sentAt > this.#row.from) this.#row = undefined;
    if (this.#admitted === undefined || sent < used * this.#calls) return;
    if (sentAt < this.#changedAt || now < this.#calmSince + this.#calmWindows * windowMs) return;
    this.#admitted = this.#calls;
    this.#set(2 * this.#calls, now);
  }

  /** Takes a refused call that left at `sentAt`, after `sent` admitted calls in the window before it. Returns whether the limit fell. */
  refuse(sentAt: number, now: number, sent: number, windowMs: number): boolean {
    this.#row ??= { from: sentAt, admitted: sent, refused: 0, until: Number.NEGATIVE_INFINITY };
    // Calls that left before the last refusal was known say no more than it does.
    if (sentAt > this.#row.until) {
      this.#row.refused += 1;
      this.#row.until = now;
    }
    if (sentAt < this.#changedAt) return false;
    if (this.#admitted === undefined) {
      const { admitted, refused } = this.#row;
      if (refused < enoughInRow || admitted > farBelow * this.#calls) return false;
      this.#fall(admitted, now);
      return true;
    }
    const wasDoubled = this.#calls > this.#admitted;
    const isWholeWindow = sentAt >= this.#changedAt + windowMs;
    this.#calmWindows = Math.max(firstCalm, wasDoubled ? Math.min(mostCalm, 2 * this.#calmWindows) : this.#calmWindows);
    this.#calmSince = now;
    const falls = wasDoubled || (isWholeWindow && sent < jitter * this.#admitted);
    if (falls) this.#fall(Math.min(sent, this.#admitted), now);
    return falls;
  }

  #fall(admitted: number, now: number): void {
    this.#admitted = Math.max(1, admitted);
    this.#set(this.#admitted, now);
  }

  #set(calls: number, now: number): void {
    this.#calls = Math.min(this.#declared, calls);
    this.#changedAt = now;
    this.#calmSince = now;
    this.#row = undefined;
    if (this.#calls < this.#declared) return;
    this.#admitted = undefined;
    this.#calmWindows = 1;
  }
}
