// Decides whether a request may pass now, and makes its rate-limit headers (base, Rate-limit response headers).

import type { PlatformRequest } from '../api/request.ts';
import type { Match } from '../routes/router.ts';
import { type Allowance, allowancesOf, type LimitSettings } from './limits.ts';
import { createWindow, WINDOW_MS, type Window, type WindowKind, type WindowReading } from './windows.ts';

export interface LimitDecision {
  readonly allowed: boolean;
  /** The four headers, for any response. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Takes the time as an argument, so that it also works in virtual time. */
export class Limiter {
  readonly #settings: LimitSettings;
  readonly #kind: WindowKind;
  readonly #windowMs: number;
  /** Two generations of windows. A window that is unused for a whole generation is dropped, since its allowance is full again. */
  #young = new Map<string, Window>();
  #old = new Map<string, Window>();
  #turnsAt = 0;

  /** The figures of `settings` are calls in one window. */
  constructor(settings: LimitSettings, kind: WindowKind, windowMs = WINDOW_MS) {
    this.#settings = settings;
    this.#windowMs = windowMs;
    this.#kind = kind;
  }

  /** Counts a request on arrival. It takes one call from every allowance, or from none when one refuses. */
  arrive(request: PlatformRequest, matched: Match | undefined, nowMs: number): LimitDecision {
    this.#turnGenerations(nowMs);
    const counted = allowancesOf(this.#settings, request, matched).map((allowance) => {
      const window = this.#window(allowance);
      return { allowance, window };
    });
    const allowed = counted.every(({ window }) => window.read(nowMs).retryAfterMs === 0);
    if (allowed) for (const { window } of counted) window.take(nowMs);
    const readings = counted.map(({ allowance, window }) => ({ ...window.read(nowMs), calls: allowance.perSecond }));
    return { allowed, headers: headersOf(readings.reduce(tighter), allowed, this.#windowMs) };
  }

  /** The headers of a refusal that no count caused: a storm on the platform's side. */
  stormHeaders(request: PlatformRequest, matched: Match | undefined, retryAfterMs: number): LimitDecision['headers'] {
    const least = Math.min(...allowancesOf(this.#settings, request, matched).map(({ perSecond }) => perSecond));
    return headersOf({ calls: least, remaining: 0, resetMs: retryAfterMs, retryAfterMs }, false, this.#windowMs);
  }

  /** Forgets every call, as when the clock is turned back. */
  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#turnsAt = 0;
  }

  #window({ key, perSecond }: Allowance): Window {
    let window = this.#young.get(key);
    if (window === undefined) {
      window = this.#old.get(key) ?? createWindow(this.#kind, perSecond, this.#windowMs);
      this.#young.set(key, window);
    }
    return window;
  }

  #turnGenerations(nowMs: number): void {
    if (nowMs < this.#turnsAt) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#turnsAt = nowMs + 2 * this.#windowMs;
  }
}

type CountedReading = WindowReading & { readonly calls: number };

/** The allowance with the smallest share left. Of two exhausted ones, the one that takes longer to recover. */
function tighter(a: CountedReading, b: CountedReading): CountedReading {
  const difference = a.remaining / a.calls - b.remaining / b.calls;
  if (difference !== 0) return difference < 0 ? a : b;
  return a.retryAfterMs >= b.retryAfterMs ? a : b;
}

function headersOf(reading: CountedReading, allowed: boolean, windowMs: number): Readonly<Record<string, string>> {
  return {
    'X-RateLimit-Limit': `${reading.calls};w=${windowMs / 1000}`,
    'X-RateLimit-Remaining': String(allowed ? reading.remaining : 0),
    'X-RateLimit-Reset': seconds(reading.resetMs),
    'X-RateLimit-RetryAfter': seconds(reading.retryAfterMs),
  };
}

/** Rounded up to a millisecond, so that a client that waits exactly that long may pass. */
function seconds(ms: number): string {
  return (Math.ceil(ms - 1e-6) / 1000).toFixed(3);
}
