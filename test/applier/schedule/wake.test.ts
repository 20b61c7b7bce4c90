// Tests how the run sleeps: until a time, until a signal, and with one timer for many waits.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/app/simulation/virtual-clock.ts';
import { Wake } from '../../../src/applier/schedule/wake.ts';
import type { Clock } from '../../../src/model/ports.ts';

describe('wake', () => {
  test('returns at the given time, at a signal, and for an earlier signal', async () => {
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
