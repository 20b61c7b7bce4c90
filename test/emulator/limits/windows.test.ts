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

test.for([
  ['sliding', [true, true, true, false], [999, false], [1000, true]],
  ['fixed', [true, true, true, false], [999, false], [1000, true]],
  ['gcra', [true, true, true, false], [333, false], [334, true]],
  ['gcra_strict', [true, false, false, false], [333, false], [334, true]],
] as const)('admits a burst and the next call in %s with 3 calls a second', ([kind, burst, early, due]) => {
  const window = createWindow(kind, 3);
  expect(burst.map(() => offer(window, T))).toEqual(burst);
  expect(offer(window, T + early[0])).toBe(early[1]);
  expect(offer(window, T + due[0])).toBe(due[1]);
});

test.for([
  ['sliding', [true, true, true, false], 60_000],
  ['fixed', [true, true, true, false], 60_000],
  ['gcra', [true, true, true, false], 20_000],
  ['gcra_strict', [true, false, false, false], 20_000],
] as const)('admits a burst and the next call in %s with 3 calls a minute', ([kind, burst, dueMs]) => {
  const window = createWindow(kind, 3, 60_000);
  const start = Math.ceil(T / 60_000) * 60_000;
  expect(burst.map(() => offer(window, start))).toEqual(burst);
  expect(window.read(start).retryAfterMs).toBe(dueMs);
  expect(offer(window, start + dueMs - 1)).toBe(false);
  expect(offer(window, start + dueMs)).toBe(true);
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
