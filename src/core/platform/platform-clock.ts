// The time on the platform's clock, from the `Date` header of its answers. The platform counts seconds on it, not on ours.
import type { Clock } from '../model/ports.ts';
import { type Headers, httpDate } from './rate-headers.ts';

/** The header has whole seconds, and an answer is under way for a while. */
const exactToMs = 2_000;
const toldFromMs = 60_000;

export class PlatformClock {
  readonly #clock: Pick<Clock, 'date'>;
  readonly #tell: (aheadMs: number) => void;
  #aheadMs: number | undefined;
  #isTold = false;

  /** `tell` is called once, with the milliseconds by which the platform is ahead of a clock that differs by more than a minute. */
  constructor(clock: Pick<Clock, 'date'>, tell: (aheadMs: number) => void = () => {}) {
    this.#clock = clock;
    this.#tell = tell;
  }

  get isKnown(): boolean {
    return this.#aheadMs !== undefined;
  }

  /** Learns from the headers of an answer. Without a `Date` nothing changes. */
  see(headers: Headers): void {
    const at = httpDate(headers, 'date');
    if (at === undefined) return;
    const aheadMs = at - this.#clock.date().getTime();
    this.#aheadMs = Math.abs(aheadMs) <= exactToMs ? 0 : aheadMs;
    if (this.#isTold || Math.abs(aheadMs) <= toldFromMs) return;
    this.#isTold = true;
    this.#tell(aheadMs);
  }

  /** The time of the platform, or of this machine as long as no answer had a `Date`. */
  date(): Date {
    return new Date(this.#clock.date().getTime() + (this.#aheadMs ?? 0));
  }
}
