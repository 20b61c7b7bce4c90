// Tests which processes count as running.
import { expect, test } from 'vitest';
import { isRunning, startOfProcess } from '../../../src/lib/staging/machine.ts';
import { zombie } from '../../support/zombie.ts';

test('tells a running process from a dead one', () => {
  expect(isRunning(process.pid)).toBe(true);
  expect(isRunning(2 ** 22 + 1)).toBe(false);
});

test.runIf(process.platform === 'linux')('tells a process from a later one with its pid', () => {
  expect(isRunning(process.pid, startOfProcess(process.pid))).toBe(true);
  expect(isRunning(process.pid, '1')).toBe(false);
});

test.runIf(process.platform === 'linux')('does not count a process that its parent has not awaited', async () => {
  const pid = await zombie();
  expect(() => process.kill(pid, 0)).not.toThrow();
  expect(isRunning(pid)).toBe(false);
});
