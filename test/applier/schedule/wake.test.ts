// Tests how the run sleeps: until a time, or until a signal.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/app/simulation/virtual-clock.ts';
import { Wake } from '../../../src/applier/schedule/wake.ts';

test('wake returns at the given time, at a signal, and for an earlier signal', async () => {
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
