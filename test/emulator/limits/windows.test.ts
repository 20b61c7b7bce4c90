// Tests that each window algorithm lets pass what it promises, for any arrivals.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWindow, WINDOW_KINDS, type Window, type WindowKind } from '../../../src/emulator/limits/windows.ts';

function offer(window: Window, nowMs: number): boolean {
  if (window.read(nowMs).retryAfterMs > 0) return false;
  window.take(nowMs);
  return true;
}

const T = 1_700_000_000_000;

test.for([1000, 60_000])('admits a burst of 3 calls and the next call when it is due, in %i ms', (lengthMs) => {
  const start = Math.ceil(T / lengthMs) * lengthMs;
  for (const [kind, burst, dueMs] of [
    ['sliding', 3, lengthMs],
    ['fixed', 3, lengthMs],
    ['gcra', 3, lengthMs / 3],
    ['gcra_strict', 1, lengthMs / 3],
  ] as const) {
    const window = createWindow(kind, 3, lengthMs);
    expect([1, 2, 3, 4].map(() => offer(window, start))).toEqual([1, 2, 3, 4].map((call) => call <= burst));
    expect(Math.abs(window.read(start).retryAfterMs - dueMs)).toBeLessThan(0.5);
    expect([kind, offer(window, start + Math.floor(dueMs) - 1)]).toEqual([kind, false]);
    expect([kind, offer(window, start + Math.ceil(dueMs))]).toEqual([kind, true]);
  }
});

test('lets twice the calls pass around the turn of a fixed window, not of a sliding one', () => {
  const passed = (kind: WindowKind): number => {
    const window = createWindow(kind, 5);
    return [999, 1001].flatMap((ms) => Array.from({ length: 10 }, () => offer(window, T + ms))).filter(Boolean).length;
  };
  expect(passed('fixed')).toBe(10);
  expect(passed('sliding')).toBe(5);
});

/** Arrival times: gaps in tenths of a millisecond, with bursts. */
const arrivals = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5000 })), { maxLength: 200 })
  .map((gaps) => {
    let now = T;
    return gaps.map((gap) => (now += gap / 10));
  });

function accepted(kind: WindowKind, calls: number, times: readonly number[]): readonly number[] {
  const window = createWindow(kind, calls);
  return times.filter((time) => offer(window, time));
}

function mostIn(times: readonly number[], length: number): number {
  return Math.max(0, ...times.map((start) => times.filter((time) => time >= start && time < start + length).length));
}

describe('for any arrivals', () => {
  const calls = fc.integer({ min: 1, max: 20 });

  test('sliding never lets more than n pass in any second', () => {
    fc.assert(fc.property(calls, arrivals, (n, times) => mostIn(accepted('sliding', n, times), 1000) <= n));
  });

  test('fixed never lets more than n pass in a second of the clock', () => {
    fc.assert(
      fc.property(calls, arrivals, (n, times) => {
        const seconds = accepted('fixed', n, times).map((time) => Math.floor(time / 1000));
        return seconds.every((second) => seconds.filter((other) => other === second).length <= n);
      }),
    );
  });

  test('gcra lets at most its burst and what flows in pass', () => {
    fc.assert(
      fc.property(calls, arrivals, fc.integer({ min: 1, max: 3000 }), (n, times, length) => {
        return mostIn(accepted('gcra', n, times), length) <= n + (n * length) / 1000 + 1e-2;
      }),
    );
  });

  test('strict gcra keeps calls apart', () => {
    fc.assert(
      fc.property(calls, arrivals, (n, times) => {
        const passed = accepted('gcra_strict', n, times);
        return passed.every(
          (time, place) => place === 0 || time - (passed[place - 1] ?? 0) >= 1000 / n - 0.6 / n - 1e-3,
        );
      }),
    );
  });

  test.for(WINDOW_KINDS.map((kind) => [kind] as const))(
    '%s: who waits as long as it says, rounded up to a millisecond, is let in',
    ([kind]) => {
      fc.assert(
        fc.property(calls, arrivals, (n, times) => {
          const window = createWindow(kind, n);
          for (const time of times) offer(window, time);
          const last = times.at(-1) ?? T;
          const { remaining, retryAfterMs, resetMs } = window.read(last);
          expect(remaining > 0).toBe(retryAfterMs === 0);
          expect(resetMs).toBeGreaterThanOrEqual(0);
          expect(resetMs).toBeLessThanOrEqual(1000);
          expect(retryAfterMs).toBeLessThanOrEqual(1000);
          expect(offer(window, last + Math.ceil(retryAfterMs))).toBe(true);
          const full = createWindow(kind, n).read(last + 5000).remaining;
          expect(window.read(last + 5000).remaining).toBe(full);
        }),
      );
    },
  );

  test('makes no wait longer than a window after a call that rounding let in early', () => {
    const window = createWindow('gcra', 1);
    for (const time of [T, T + 999.5]) offer(window, time);
    const { resetMs, retryAfterMs } = window.read(T + 999.5);
    expect(resetMs).toBeLessThanOrEqual(1000);
    expect(retryAfterMs).toBeLessThanOrEqual(1000);
    expect(offer(window, T + 999.5 + Math.ceil(retryAfterMs))).toBe(true);
  });

  test('never refuses a client with a steady rate', () => {
    fc.assert(
      fc.property(calls, fc.constantFrom(...WINDOW_KINDS), (n, kind) => {
        const times = Array.from({ length: 3 * n }, (_, place) => T + (place * 1000) / n);
        return accepted(kind, n, times).length === times.length;
      }),
    );
  });
});
