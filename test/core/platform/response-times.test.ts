// Tests which answers count as slow, and how late their calls may have arrived.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ResponseTimes } from '../../../src/core/platform/response-times.ts';

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
