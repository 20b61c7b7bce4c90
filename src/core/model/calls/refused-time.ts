// How long the platform has refused every call (429), and when waiting for it ends.
import type { Answer } from '../ports.ts';

/** A command ends after this time in which no call was accepted. */
const mostRefusedMs = 15 * 60_000;
/** The longest wait that a server may ask for. Daily quotas end within it. */
const longestWaitS = 24 * 60 * 60;

export class RefusedTime {
  #since: number | undefined;
  #longestMs = 0;

  /** Must be called for every answer. Returns why waiting is pointless, if it is. */
  see(answer: Answer, nowMs: number): string | undefined {
    // Any decision about a call, also a refusal for another reason, shows that calls are accepted.
    if (answer.type === 'ok' || answer.type === 'refused') this.#since = undefined;
    if (answer.type === 'limited') this.#since ??= nowMs;
    const refusedMs = this.ms(nowMs);
    this.#longestMs = Math.max(this.#longestMs, refusedMs);
    const askedS = answer.type === 'limited' || answer.type === 'unknown' ? (answer.retryAfterS ?? 0) : 0;
    if (askedS > longestWaitS)
      return `the platform asks to wait ${Math.round(askedS / 3600)} h, which is more than a day`;
    if (answer.type !== 'limited' || refusedMs < mostRefusedMs || askedS * 1000 > mostRefusedMs) return undefined;
    return `the platform has refused every call for ${Math.round(refusedMs / 60_000)} min with "too many requests"`;
  }

  /** Milliseconds since the first refusal after which nothing was accepted, or 0. */
  ms(nowMs: number): number {
    return this.#since === undefined ? 0 : nowMs - this.#since;
  }

  get longestMs(): number {
    return this.#longestMs;
  }
}
