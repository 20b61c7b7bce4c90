// Tests leases and the wait for the lock of another process.
import { expect, test } from 'vitest';
import type { Clock } from '../../../../src/core/model/ports.ts';
import { isDead, Lease } from '../../../../src/core/state/engine/lease.ts';
import { LockWait } from '../../../../src/core/state/engine/lock.ts';
import { Processes, refusalOf } from '../../../support/state/fixtures.ts';

test('release waits for a running heartbeat, so that nothing writes the lock afterwards', async () => {
  let beatIsDue = () => {};
  const pauses = [new Promise<void>((resolve) => (beatIsDue = resolve)), new Promise<void>(() => {})];
  const clock: Clock = { now: () => 0, date: () => new Date(0), sleep: () => pauses.shift() ?? Promise.resolve() };
  const lease = new Lease(clock, { leaseMs: 60_000, heartbeatMs: 15_000, retryMs: 15_000 });
  const done: string[] = [];
  let finishBeat = (_isOurs: boolean) => {};
  void lease.keep(() => {
    done.push('beat begins');
    return new Promise<boolean>((resolve) => (finishBeat = resolve));
  });
  beatIsDue();
  await new Promise(setImmediate);
  expect(done).toEqual(['beat begins']);
  const released = lease.release().then(() => done.push('released'));
  await new Promise(setImmediate);
  expect(done).toEqual(['beat begins']);
  done.push('beat ends');
  finishBeat(true);
  await released;
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

const { clock } = new Processes();
const at = clock.date().toISOString();
const owner = { user: 'ada', host: 'build-7', pid: 4711, job: '12' };
const lock = { owner, since: at, heartbeat: at, expires: at };
const holder = 'ada@build-7 (process 4711, job 12) since 2026-01-01T00:00:00.000Z';

/** Waits for the lock until it is refused. `told` is what the user sees meanwhile. */
function waiting(timeoutMs: number) {
  const stop = new AbortController();
  const told: string[] = [];
  const wait = new LockWait('file:s', timeoutMs, {
    clock,
    waiting: (who, maxMs) => {
      told.push(`${who}, ${maxMs} ms`);
      return { signal: stop.signal, end: () => void told.push('ended') };
    },
  });
  const untilRefused = async () => {
    for (let polls = 0; polls < 10; polls += 1) await wait.forLock(lock);
  };
  return { refused: refusalOf(untilRefused()).finally(() => wait.end()), stop, told };
}

test('a wait names the holder once, and is refused at the time limit', async () => {
  const { refused, told } = waiting(700);
  await clock.advance(1_000);
  expect(await refused).toMatchObject({ code: 'state.locked', exitCode: 7 });
  expect(told).toEqual([`${holder}, 700 ms`, 'ended']);
});

test('names nobody if no wait is allowed', async () => {
  const { refused, told } = waiting(0);
  expect(await refused).toMatchObject({ code: 'state.locked' });
  expect(told).toEqual([]);
});

test('a wait ends at once at an interrupt', async () => {
  const { refused, stop } = waiting(60_000);
  stop.abort();
  const refusal = await refused;
  expect(refusal).toMatchObject({ code: 'state.wait-interrupted', exitCode: 8 });
  expect(refusal.advice).toContain('Nothing');
  expect(refusal.message).toContain(`file:s, held by ${holder}`);
});
