// The clock of a running emulator: that of the machine, plus the time by which tests have moved it.

interface PendingAlarm {
  readonly atMs: number;
  readonly ring: () => void;
  timer: NodeJS.Timeout | undefined;
}

/** The longest timer of Node. */
const LONGEST_MS = 2 ** 31 - 1;

export class MovableClock {
  readonly #base: () => number;
  readonly #alarms = new Set<PendingAlarm>();
  #movedMs = 0;
  #resets = 0;

  constructor(base: () => number) {
    this.#base = base;
  }

  /** Milliseconds since 1970. */
  now = (): number => this.#base() + this.#movedMs;

  get movedMs(): number {
    return this.#movedMs;
  }

  /** Calls back once at that time, however the clock gets there. The returned function cancels it. */
  alarm(atMs: number, ring: () => void): () => void {
    const alarm: PendingAlarm = { atMs, ring, timer: undefined };
    this.#alarms.add(alarm);
    this.#arm(alarm);
    return () => this.#cancel(alarm);
  }

  /**
   * Moves the clock forward, from alarm to alarm. Each rings at its own time, and `settled` is awaited after it, because what
   * it starts may set the next one. A reset ends the move.
   */
  async moveTo(ms: number, settled: () => Promise<void>): Promise<void> {
    const resets = this.#resets;
    await settled();
    while (resets === this.#resets) {
      const next = this.#earliest();
      if (next === undefined || next.atMs > ms) break;
      this.#movedMs += Math.max(0, next.atMs - this.now());
      this.#ring(next);
      await settled();
    }
    if (resets !== this.#resets) return;
    this.#movedMs += Math.max(0, ms - this.now());
    for (const alarm of this.#alarms) this.#arm(alarm);
  }

  /** Sets how far the clock is moved, which may turn it back. No alarm of a time that is given up rings. */
  reset(movedMs: number): void {
    for (const alarm of [...this.#alarms]) this.#cancel(alarm);
    this.#movedMs = movedMs;
    this.#resets += 1;
  }

  #earliest(): PendingAlarm | undefined {
    let earliest: PendingAlarm | undefined;
    for (const alarm of this.#alarms) if (earliest === undefined || alarm.atMs < earliest.atMs) earliest = alarm;
    return earliest;
  }

  #arm(alarm: PendingAlarm): void {
    clearTimeout(alarm.timer);
    const waitMs = Math.min(Math.max(1, alarm.atMs - this.now()), LONGEST_MS);
    alarm.timer = setTimeout(() => (this.now() < alarm.atMs ? this.#arm(alarm) : this.#ring(alarm)), waitMs).unref();
  }

  #ring(alarm: PendingAlarm): void {
    this.#cancel(alarm);
    alarm.ring();
  }

  #cancel(alarm: PendingAlarm): void {
    clearTimeout(alarm.timer);
    this.#alarms.delete(alarm);
  }
}
