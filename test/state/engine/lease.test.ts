// Tests that a released lease stays released, also when a heartbeat is running.
import { expect, test } from 'vitest';
import type { Clock } from '../../../src/model/ports.ts';
import { isDead, Lease } from '../../../src/state/engine/lease.ts';

/** Time stands still, and the first sleep ends when the test says so. */
function standingClock(): { readonly clock: Clock; wake(): void } {
  let wake = () => {};
  const first = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let sleeps = 0;
  return {
    clock: {
      now: () => 0,
      date: () => new Date(0),
      sleep: async (_ms, signal) => {
        if (sleeps++ === 0) return first;
        if (signal?.aborted === true) return;
        await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
      },
    },
    wake: () => wake(),
  };
}

test('release waits for a running heartbeat, so that nothing writes the lock afterwards', async () => {
  const { clock, wake } = standingClock();
  const lease = new Lease(clock, { leaseMs: 60_000, heartbeatMs: 15_000, retryMs: 15_000 });
  const done: string[] = [];
  let finishBeat = (_isOurs: boolean) => {};
  const kept = lease.keep(
    () =>
      new Promise<boolean>((resolve) => {
        done.push('beat begins');
        finishBeat = resolve;
      }),
  );
  wake();
  await new Promise(setImmediate);
  expect(done).toEqual(['beat begins']);
  const released = lease.release().then(() => done.push('released'));
  await new Promise(setImmediate);
  expect(done).toEqual(['beat begins']);
  done.push('beat ends');
  finishBeat(true);
  await released;
  await kept;
  expect(done).toEqual(['beat begins', 'beat ends', 'released']);
  expect(lease.left()).toBe(0);
});

test.for([
  { name: 'a dead process of this host', owner: {}, isOver: true },
  { name: 'one that lives', owner: { pid: 1 }, isOver: false },
  { name: 'a dead process of another host', owner: { host: 'b' }, isOver: false },
  { name: 'one of another machine with the same host name', owner: { machine: 'm2' }, isOver: false },
  { name: 'one that did not say which machine it was on', owner: { machine: undefined }, isOver: false },
])('$name', ({ owner, isOver }) => {
  const here = { user: 'ci', host: 'a', pid: 9, machine: 'm1' };
  const { machine, ...rest } = { ...here, pid: 2, ...owner };
  const found = machine === undefined ? rest : { ...rest, machine };
  expect(isDead(found, here, (pid) => pid === 1)).toBe(isOver);
});
