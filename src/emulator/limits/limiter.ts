// May this request pass now, and what do its rate-limit headers say? (base, Rate-limit response headers)

import type { PlatformRequest } from '../http/request.ts';
import type { Match } from '../http/router.ts';
import { type Allowance, allowancesOf, type LimitSettings } from './limits.ts';
import { createWindow, WINDOW_MS, type Window, type WindowKind, type WindowReading } from './windows.ts';

export interface Verdict {
  readonly allowed: boolean;
  /** The four headers, for the answer whatever it is. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A state machine of its own, so that it also counts in virtual time. */
export class Limiter {
  readonly #settings: LimitSettings;
  readonly #kind: WindowKind;
  /** Two generations: a window that nobody used for a whole generation is as good as new and is dropped. */
  #young = new Map<string, Window>();
  #old = new Map<string, Window>();
  #turnsAt = 0;

  constructor(settings: LimitSettings, kind: WindowKind) {
    this.#settings = settings;
    this.#kind = kind;
  }

  /** Counts a request on its arrival. It takes a call of every allowance, or, when one refuses, of none. */
  arrive(request: PlatformRequest, matched: Match | undefined, nowMs: number): Verdict {
    this.#turnGenerations(nowMs);
    const counted = allowancesOf(this.#settings, request, matched).map((allowance) => {
      const window = this.#window(allowance);
      return { allowance, window };
    });
    const allowed = counted.every(({ window }) => window.read(nowMs).retryAfterMs === 0);
    if (allowed) for (const { window } of counted) window.take(nowMs);
    const readings = counted.map(({ allowance, window }) => ({ ...window.read(nowMs), calls: allowance.perSecond }));
    return { allowed, headers: headersOf(readings.reduce(tighter), allowed) };
  }

  /** The headers of a refusal that no count has caused: a storm on the platform's side. */
  stormHeaders(request: PlatformRequest, matched: Match | undefined, retryAfterMs: number): Verdict['headers'] {
    const least = Math.min(...allowancesOf(this.#settings, request, matched).map(({ perSecond }) => perSecond));
    return headersOf({ calls: least, remaining: 0, resetMs: retryAfterMs, retryAfterMs }, false);
  }

  #window({ key, perSecond }: Allowance): Window {
    let window = this.#young.get(key);
    if (window === undefined) {
      window = this.#old.get(key) ?? createWindow(this.#kind, perSecond);
      this.#young.set(key, window);
    }
    return window;
  }

  #turnGenerations(nowMs: number): void {
    if (nowMs < this.#turnsAt) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#turnsAt = nowMs + 2 * WINDOW_MS;
  }
}

type CountedReading = WindowReading & { readonly calls: number };

/** The one with the least left, relative to its size; between two that are used up, the one that takes longer. */
function tighter(a: CountedReading, b: CountedReading): CountedReading {
  const left = a.remaining / a.calls - b.remaining / b.calls;
  if (left !== 0) return left < 0 ? a : b;
  return a.retryAfterMs >= b.retryAfterMs ? a : b;
}

function headersOf(reading: CountedReading, allowed: boolean): Readonly<Record<string, string>> {
  return {
    'X-RateLimit-Limit': `${reading.calls};w=${WINDOW_MS / 1000}`,
    'X-RateLimit-Remaining': String(allowed ? reading.remaining : 0),
    'X-RateLimit-Reset': seconds(reading.resetMs),
    'X-RateLimit-RetryAfter': seconds(reading.retryAfterMs),
  };
}

/** Rounded up to a millisecond: who waits exactly that long is let in. */
function seconds(ms: number): string {
  return (Math.ceil(ms - 1e-6) / 1000).toFixed(3);
}
