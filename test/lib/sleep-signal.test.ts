// Tests the light signal that ends sleeps.
import { expect, test } from 'vitest';
import { nodeClock } from '../../src/core/app/context/this-process.ts';
import { SleepEnd } from '../../src/lib/sleep-signal.ts';

const hourMs = 3_600_000;

test('ends every sleep that has begun, and each that begins later', async () => {
  const end = new SleepEnd();
  const sleeps = Promise.all([nodeClock.sleep(hourMs, end), nodeClock.sleep(hourMs, end)]);
  expect(end.aborted).toBe(false);
  end.abort();
  await sleeps;
  await nodeClock.sleep(hourMs, end);
  expect(end.aborted).toBe(true);
});

test('calls a listener once, and none that was removed', () => {
  const end = new SleepEnd();
  const called: string[] = [];
  const removed = (): void => void called.push('removed');
  end.addEventListener('abort', removed);
  end.addEventListener('abort', () => called.push('kept'));
  end.removeEventListener('abort', removed);
  end.abort();
  end.abort();
  expect(called).toEqual(['kept']);
});
