// Tests the times of the last calls: their order, counts between times, and calls that left at the same time.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ResponseTimes, SentLog } from '../../src/platform/sent-calls.ts';

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

function known(times: readonly number[]): ResponseTimes {
  const all = new ResponseTimes();
  for (const ms of times) all.add(ms);
  return all;
}

const steady = Array.from({ length: 40 }, (_, index) => 100 + (index % 3));
const uniform = Array.from({ length: 127 }, (_, index) => 20 + (index * 280) / 126);

test.for([
  { name: 'nothing is known', times: [], tookMs: 50, lateMs: 0 },
  { name: 'a usual one', times: steady, tookMs: 103, lateMs: 0 },
  { name: 'a slow one', times: steady, tookMs: 121, lateMs: 20 },
  { name: 'a very slow one alone', times: steady, tookMs: 400, lateMs: 30 },
  { name: 'a very slow one before another', times: steady, tookMs: 400, nextMs: 380, lateMs: 299 },
  { name: 'a very slow one before a slow one', times: steady, tookMs: 400, nextMs: 120, lateMs: 299 },
  { name: 'any, where times differ that much', times: uniform, tookMs: 300, nextMs: 300, lateMs: 0 },
  { name: 'one after a cold start', times: [...Array(20).fill(190), ...steady], tookMs: 190, lateMs: 30 },
])('$name', ({ times, tookMs, nextMs, lateMs }) => {
  expect(Math.round(known(times).latenessMs(tookMs, nextMs))).toBe(lateMs);
});

test('the spread is that of the last answers without the delayed ones', () => {
  expect(known([...steady, 5000]).spreadMs).toBe(4);
  expect(known(uniform).spreadMs).toBe(280);
  expect(known([...Array(30).fill(5000), ...steady, ...steady, ...steady, ...steady]).spreadMs).toBe(2);
});

test('fewer than half of all answers count as delayed, whatever they are', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1000, noNaN: true }), { minLength: 1, maxLength: 100 }), (times) => {
      const all = known(times);
      expect(times.filter((ms) => all.latenessMs(ms) > 0).length).toBeLessThan(Math.max(1, times.length / 2));
    }),
  );
});
