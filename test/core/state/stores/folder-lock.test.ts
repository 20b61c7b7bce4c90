// Tests that one process at a time holds the lock, and that one which lost it notices before it acknowledges anything.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StateBackend, StateWriter } from '../../../../src/core/model/ports.ts';
import { contentsOf, now, put, putBy, recordOf, refusalOf, settle } from '../../../support/state/fixtures.ts';
import type { Mount } from '../../../support/state/simulated-disk.ts';
import { fastTest, inSuite } from '../../../support/suite.ts';
import { Machine } from '../support/machine.ts';

describe('the lock', () => {
  fastTest('is given to a waiting process when it is released, or refused at the time limit', async () => {
    const machine = new Machine();
    const { clock } = machine.processes;
    const first = await machine.open();
    const patient = machine.start().backend.open({ ...now, lockTimeoutMs: 60_000 });
    const hasty = refusalOf(machine.start().backend.open({ ...now, lockTimeoutMs: 5_000 }));
    await clock.advance(6_000);
    expect(await hasty).toMatchObject({ code: 'state.locked', exitCode: 7 });
    await first.done('1', put('a'));
    await first.close();
    await clock.advance(1_000);
    expect((await patient).get('user.a')).toEqual(recordOf('a'));
  });

  fastTest('is refused with its holder, its time and advice', async () => {
    const machine = new Machine();
    await machine.start({ host: 'build-7' }).backend.open(now);
    await machine.processes.clock.advance(20_000);
    const refusal = await refusalOf(machine.open());
    expect(refusal.message).toMatch(/ci@build-7 \(process 101, job job-7\) since 2026-01-01T00:00:00.000Z/);
    expect(refusal.message).toContain('last heartbeat was at 2026-01-01T00:00:15.000Z');
    expect(refusal.advice).toContain('--lock-timeout');
    expect(refusal.advice).toContain('2026-01-01T00:01:15.000Z');
  });
});

describe('take-over', () => {
  fastTest('replaces a process of another host when its lease has expired, which that one notices', async () => {
    const machine = new Machine();
    const old = await machine.start({ host: 'host-b' }).backend.open(now);
    await old.done('1', put('a'));
    machine.processes.clock.jump(59_999);
    expect((await refusalOf(machine.open())).code).toBe('state.locked');
    machine.processes.clock.jump(1);
    const taken = await machine.open();
    expect(await refusalOf(old.done('2', put('late')))).toMatchObject({ code: 'state.lease-lost', exitCode: 8 });
    expect(await refusalOf(old.undone('3'))).toMatchObject({ code: 'state.lease-lost', exitCode: 8 });
    expect(old.leaseLeft()).toBe(0);
    await old.close();
    await taken.done('4', put('b'));
    expect((await machine.contents()).records).toEqual([recordOf('a'), recordOf('b')]);
    await taken.close();
    expect((await machine.contents()).records).toEqual([recordOf('a'), recordOf('b')]);
  });

  fastTest.for([0, 7_200_000, -7_200_000])(
    'goes by the clock of the disk, with a clock that is %d ms ahead',
    async (aheadMs) => {
      const machine = new Machine();
      const old = await machine.start({ host: 'host-b' }).backend.open(now);
      await old.done('1', put('a'));
      const open = () => machine.start({ aheadMs }).backend.open(now);
      machine.processes.clock.jump(59_999);
      const refusal = await refusalOf(open());
      expect(refusal.code).toBe('state.locked');
      expect(refusal.advice).toContain('its lock expires at 2026-01-01T00:01:00.000Z');
      machine.processes.clock.jump(1);
      const taken = await open();
      expect(contentsOf(taken).records).toEqual([recordOf('a')]);
      await taken.close();
      expect(Object.keys(machine.disk.contents()).filter((path) => path.includes('tmp_'))).toEqual([]);
    },
  );

  test('loses nothing that paused holders acknowledged, wherever they pause', async () => {
    const lives = fc.array(fc.boolean(), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), lives, fc.boolean(), async (scheduler, closes, folded) => {
        const holders = new Holders();
        const seed = await holders.machine.open();
        await seed.done('seed', put('seed'));
        if (folded) await seed.close();
        holders.machine.processes.killAll();
        // fast-check chooses the order in which they use the disk.
        const work = closes.map((close, index) => {
          const { backend, mount } = holders.start();
          mount.turn = () => scheduler.schedule(Promise.resolve(), `process ${index}`);
          return holders.act(backend, close, `u${index}`);
        });
        await scheduler.waitFor(Promise.all(work));
        const { later, records } = await holders.expectKept();
        await later.done('9', put('z'));
        await later.close();
        expect((await holders.machine.contents()).records).toEqual([...records, recordOf('z')]);
      }),
      { numRuns: inSuite(30, 150) },
    );
  });
});

test('two holders that pause at any operation lose nothing when a third has finished its work', async () => {
  for (let sleepOld = 0, oldSlept = true; oldSlept; sleepOld += inSuite(11, 1)) {
    for (let sleepNext = 0, nextSlept = true; nextSlept; sleepNext += inSuite(11, 3)) {
      const holders = new Holders();
      await putBy(() => holders.machine.start().backend, 'seed');
      /** Lets a process work until it pauses, or to its end. */
      const actUntil = async (key: string, operations: number) => {
        const { backend, mount } = holders.start();
        const { reached, wake } = pauseAfter(mount, operations);
        const work = holders.act(backend, true, key);
        return { work, wake, slept: await Promise.race([reached.then(() => true), work.then(() => false)]) };
      };
      const old = await actUntil('old', sleepOld);
      // The second holder starts at a different operation each time.
      const next = await actUntil('next', sleepNext + (sleepOld % 3));
      [oldSlept, nextSlept] = [old.slept, next.slept];
      await holders.act(holders.start().backend, sleepOld % 2 === 0, 'third');
      for (const { wake, work } of [next, old]) {
        wake();
        await work;
      }
      await holders.expectKept();
    }
  }
});

/** Holders on one machine, each of which the next one considers dead, and what they acknowledged. */
class Holders {
  readonly machine = new Machine();
  readonly #acknowledged = new Set(['user.seed']);

  start() {
    const started = this.machine.start();
    this.machine.processes.kill(started.pid);
    return started;
  }

  async act(backend: StateBackend, closes: boolean, key: string): Promise<void> {
    let writer: StateWriter | undefined;
    try {
      writer = await backend.open(now);
      await writer.done(key, put(key));
      this.#acknowledged.add(`user.${key}`);
    } catch (error) {
      expect(error).toMatchObject({ code: 'state.lease-lost' });
    }
    if (closes) await writer?.close();
  }

  /** Returns the next process and the records. */
  async expectKept() {
    const { records } = await this.machine.contents();
    expect(records.map(({ address }) => address)).toEqual(expect.arrayContaining([...this.#acknowledged]));
    const later = await this.machine.open();
    expect(contentsOf(later).records).toEqual(records);
    return { later, records };
  }
}

/** Lets a process do this number of operations, then pauses it until it is woken. */
function pauseAfter(mount: Mount, operations: number): { readonly reached: Promise<void>; readonly wake: () => void } {
  let [left, wake] = [operations, () => {}];
  const woken = new Promise<void>((resolve) => (wake = resolve));
  const reached = new Promise<void>((resolve) => {
    mount.turn = async () => {
      left -= 1;
      if (left >= 0) return;
      resolve();
      await woken;
    };
  });
  return { reached, wake };
}

describe('a lease', () => {
  fastTest('is renewed every 15 s, and trusted for less time than others grant', async () => {
    const machine = new Machine();
    const { clock } = machine.processes;
    const writer = await machine.start({ host: 'host-b' }).backend.open(now);
    expect(writer.leaseLeft()).toBe(55_000);
    await clock.advance(14_000);
    expect(writer.leaseLeft()).toBe(41_000);
    await clock.advance(1_000);
    expect(writer.leaseLeft()).toBe(55_000);
    await clock.advance(3_600_000);
    expect(writer.leaseLeft()).toBeGreaterThan(39_000);
    expect((await refusalOf(machine.open())).code).toBe('state.locked');
    await writer.close();
  });

  fastTest('decreases while the lock cannot be written, and is never renewed after it has expired', async () => {
    const machine = new Machine();
    const { clock } = machine.processes;
    const { backend, mount } = machine.start();
    const writer = await backend.open(now);
    mount.fail = (_operation, path) => (path.includes('head_') ? { code: 'ENOSPC' } : undefined);
    await clock.advance(45_000);
    expect(writer.leaseLeft()).toBe(10_000);
    mount.fail = () => undefined;
    await clock.advance(2_500);
    expect(writer.leaseLeft()).toBeGreaterThan(50_000);
    clock.jump(60_000);
    await clock.advance(30_000);
    expect(writer.leaseLeft()).toBe(0);
  });

  fastTest('expires by the wall clock when the machine slept and the monotonic clock stood still', async () => {
    const machine = new Machine();
    const writer = await machine.open();
    machine.processes.clock.sleepMachine(60_000);
    expect(writer.leaseLeft()).toBe(0);
  });

  fastTest('ends at the heartbeat that finds the lock taken over', async () => {
    const machine = new Machine();
    const writer = await machine.start({ host: 'host-b' }).backend.open(now);
    machine.disk.write('/s/head_0000000002', machine.disk.text('/s/head_0000000001'));
    await machine.processes.clock.advance(15_000);
    expect(writer.leaseLeft()).toBe(0);
  });

  fastTest('leaves no lock file and no heartbeat behind after close', async () => {
    const machine = new Machine();
    await putBy(() => machine.start().backend);
    const before = machine.disk.contents();
    await machine.processes.clock.advance(60_000);
    await settle();
    expect(machine.disk.contents()).toEqual(before);
    expect(Object.keys(before)).toEqual(['/s/head_0000000001.2']);
  });
});
