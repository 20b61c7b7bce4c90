// Tests the small parts of the applier alone: heap, back-off, waking, recent rate.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../src/app/rehearsal/virtual-clock.ts';
import { RecentRate } from '../../src/applier/report/recent-rate.ts';
import { Wake } from '../../src/applier/schedule/wake.ts';
import { backoffMs } from '../../src/applier/step/backoff.ts';
import { Heap } from '../../src/lib/heap.ts';
import type { Clock } from '../../src/model/ports.ts';

describe('heap', () => {
  test('gives everything back in order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (numbers) => {
        const heap = new Heap<number>((left, right) => left < right);
        for (const number of numbers) heap.push(number);
        const out = numbers.map(() => heap.pop());
        expect(out).toEqual(numbers.toSorted((left, right) => left - right));
        expect(heap.pop()).toBeUndefined();
      }),
    );
  });
});

describe('back-off', () => {
  test.for([
    [1, 250, 500],
    [2, 500, 1_000],
    [7, 15_000, 30_000],
    [20, 15_000, 30_000],
  ] as const)('after %i tries between %i and %i ms', ([tries, least, most]) => {
    expect(backoffMs(tries, () => 0)).toBe(least);
    expect(backoffMs(tries, () => 1)).toBe(most);
  });
});

describe('wake', () => {
  test('returns at the instant, at a signal, and for a signal that came before', async () => {
    const clock = new VirtualClock(new Date(Date.UTC(2026, 0, 1)));
    const wake = new Wake(clock);
    await clock.run(wake.wait(500));
    expect(clock.now()).toBe(500);
    void clock.sleep(100).then(() => wake.signal());
    await clock.run(wake.wait(10_000));
    expect(clock.now()).toBe(600);
    wake.signal();
    await clock.run(wake.wait(undefined));
    expect(clock.now()).toBe(600);
    await clock.run(wake.wait(700));
    expect(clock.now()).toBe(700);
  });

  test('one timer serves many waits', async () => {
    const clock = new VirtualClock(new Date(Date.UTC(2026, 0, 1)));
    let timers = 0;
    const counting: Clock = {
      now: () => clock.now(),
      date: () => clock.date(),
      sleep: (ms) => {
        timers++;
        return clock.sleep(ms);
      },
    };
    const wake = new Wake(counting);
    for (let round = 0; round < 100; round++) {
      void Promise.resolve().then(() => wake.signal());
      await clock.run(wake.wait(1_000));
    }
    expect(clock.now()).toBe(0);
    expect(timers).toBe(1);
  });
});

describe('recent rate', () => {
  test('forgets what is older than ten seconds', () => {
    const rate = new RecentRate();
    expect(rate.perS(0)).toBe(0);
    for (let ms = 0; ms < 20_000; ms += 50) rate.add(ms);
    expect(rate.perS(20_000)).toBeCloseTo(20, 0);
    expect(rate.perS(25_000)).toBeCloseTo(9, 0);
    expect(rate.perS(40_000)).toBe(0);
  });

  test('does not promise much from a first second', () => {
    const rate = new RecentRate();
    rate.add(5_200);
    expect(rate.perS(5_200)).toBe(1);
  });
});
