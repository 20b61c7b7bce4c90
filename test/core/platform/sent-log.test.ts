// Tests the times of the last calls: their order, counts between times, and calls that left at the same time.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SentLog } from '../../../src/core/platform/sent-log.ts';

const logOf = (times: readonly number[]) => {
  const log = new SentLog();
  for (const at of times) log.add(at, 100);
  return log;
};

test('moves the right one of several calls that left at the same time', () => {
  const log = logOf([1, 1, 2]);
  log.book(1, { at: 1, tookMs: 7 });
  expect([3, 2, 1].map((count) => log.fromEnd(count))).toEqual([{ at: 1 }, { at: 1, tookMs: 7 }, { at: 2 }]);
  log.bookFromEnd(2, { at: 1 });
  expect([3, 2, 1].map((count) => log.fromEnd(count))).toEqual([{ at: 1 }, { at: 1 }, { at: 2 }]);
  // Not the last one of its time, so the one after it stays unchanged.
  const same = logOf([1]);
  same.book(1, { at: 1, tookMs: 7 });
  same.add(1, 100);
  same.bookFromEnd(2, { at: 1 });
  expect([2, 1].map((count) => same.fromEnd(count))).toEqual([{ at: 1 }, { at: 1 }]);
});

test('loses no call and keeps the order, whichever calls are moved', () => {
  const time = fc.integer({ min: 0, max: 20 });
  const change = fc.record({ from: fc.integer({ min: 1, max: 8 }), at: time });
  fc.assert(
    fc.property(fc.array(time, { minLength: 8, maxLength: 12 }), fc.array(change), (times, changes) => {
      const log = logOf(times.toSorted((left, right) => left - right));
      for (const { from, at } of changes) log.bookFromEnd(from, { at });
      const all = times.map((_, place) => log.fromEnd(times.length - place)?.at ?? -1);
      expect(all).toEqual(all.toSorted((left, right) => left - right));
      expect(log.between(0, 20)).toBe(times.length);
    }),
  );
});
