// Tests that one process at a time holds the lock, and that one which lost it notices before it acknowledges anything.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StateBackend, StateWriter } from '../../../src/model/ports.ts';
import { stateBackend } from '../../../src/state/engine/backend.ts';
import { processIsAlive } from '../../../src/state/engine/lease.ts';
import { folderAddress } from '../../../src/state/stores/folder.ts';
import { application, contentsOf, Processes, put, recordOf, refusalOf, settle } from '../../support/state/fixtures.ts';
import { Disk, type Mount } from '../../support/state/simulated-disk.ts';
import { fastTest, inSuite } from '../../support/suite.ts';

const options = { application, lockTimeoutMs: 0 };

class Machine {
  readonly processes = new Processes();
  readonly disk = new Disk(this.processes.clock);

  start(host = 'host-a'): { readonly backend: StateBackend; readonly mount: Mount; readonly pid: number } {
    const mount = this.disk.mount();
    const context = this.processes.start(host);
    return { backend: stateBackend(folderAddress('file:s', '/s', mount), context), mount, pid: context.owner.pid };
  }
}

describe('the lock', () => {
  fastTest('is won by exactly one of many starters, and the others learn by whom', async () => {
    for (const fresh of [true, false]) {
      const machine = new Machine();
      if (!fresh) await (await machine.start().backend.open(options)).close();
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, (_, index) => machine.start(`host-${index}`).backend.open(options)),
      );
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'state.locked', exitCode: 7 });
      }
    }
  });

  fastTest('is given to a waiting process when it is released, or refused at the time limit', async () => {
    const machine = new Machine();
    const { clock } = machine.processes;
    const first = await machine.start().backend.open(options);
    const patient = machine.start().backend.open({ application, lockTimeoutMs: 60_000 });
    const hasty = refusalOf(machine.start().backend.open({ application, lockTimeoutMs: 5_000 }));
    await clock.advance(6_000);
    expect(await hasty).toMatchObject({ code: 'state.locked', exitCode: 7 });
    await first.done('1', put('a'));
    await first.close();
    await clock.advance(1_000);
    expect((await patient).get('user.a')).toEqual(recordOf('a'));
  });

  fastTest('is refused with its holder, its time and advice', async () => {
    const machine = new Machine();
    await machine.start('build-7').backend.open(options);
    await machine.processes.clock.advance(20_000);
    const refusal = await refusalOf(machine.start().backend.open(options));
    expect(refusal.message).toMatch(/ci@build-7 \(process 101, job job-7\) since 2026-01-01T00:00:00.000Z/);
    expect(refusal.message).toContain('last heartbeat was at 2026-01-01T00:00:15.000Z');
    expect(refusal.advice).toContain('--lock-timeout');
    expect(refusal.advice).toContain('2026-01-01T00:01:15.000Z');
  });
});

describe('take-over', () => {
  fastTest('replaces a dead process on this host at once', async () => {
    const machine = new Machine();
    const { backend, pid } = machine.start();
    await (await backend.open(options)).done('1', put('a'));
    machine.processes.kill(pid);
    expect((await machine.start().backend.open(options)).get('user.a')).toEqual(recordOf('a'));
  });

  fastTest('replaces a process of another host when its lease has expired, not before', async () => {
    const machine = new Machine();
    const { backend, pid } = machine.start('host-b');
    await (await backend.open(options)).done('1', put('a'));
    machine.processes.kill(pid);
    machine.processes.clock.jump(59_999);
    expect((await refusalOf(machine.start().backend.open(options))).code).toBe('state.locked');
    machine.processes.clock.jump(1);
    expect((await machine.start().backend.open(options)).get('user.a')).toEqual(recordOf('a'));
  });

  fastTest('is noticed by the old holder at its next entry, which is not acknowledged', async () => {
    const machine = new Machine();
    const old = await machine.start('host-b').backend.open(options);
    await old.done('1', put('a'));
    machine.processes.clock.jump(60_000);
    const taken = await machine.start().backend.open(options);
    expect(await refusalOf(old.done('2', put('late')))).toMatchObject({ code: 'state.lease-lost', exitCode: 8 });
    expect(await refusalOf(old.undone('3'))).toMatchObject({ code: 'state.lease-lost', exitCode: 8 });
    expect(old.leaseLeft()).toBe(0);
    await old.close();
    await taken.done('4', put('b'));
    expect(contentsOf(await machine.start().backend.read(application)).records).toEqual([recordOf('a'), recordOf('b')]);
    await taken.close();
    expect(contentsOf(await machine.start().backend.read(application)).records).toEqual([recordOf('a'), recordOf('b')]);
  });

  test('loses nothing that paused holders acknowledged, wherever they pause', async () => {
    const lives = fc.array(fc.boolean(), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), lives, fc.boolean(), async (scheduler, closes, folded) => {
        const machine = new Machine();
        const acknowledged = new Set<string>(['user.seed']);
        const seed = await machine.start().backend.open(options);
        await seed.done('seed', put('seed'));
        if (folded) await seed.close();
        machine.processes.killAll();
        // fast-check chooses the order in which they use the disk, and each is always considered dead.
        const work = closes.map(async (close, index) => {
          const { backend, mount, pid } = machine.start();
          machine.processes.kill(pid);
          mount.turn = () => scheduler.schedule(Promise.resolve(), `process ${index}`);
          await act(backend, close, `u${index}`, acknowledged);
        });
        await scheduler.waitFor(Promise.all(work));
        const { records } = contentsOf(await machine.start().backend.read(application));
        const found = records.map((record) => record.address);
        for (const address of acknowledged) expect(found).toContain(address);
        const later = await machine.start().backend.open(options);
        expect(contentsOf(later).records).toEqual(records);
        await later.done('9', put('z'));
        await later.close();
        const all = contentsOf(await machine.start().backend.read(application)).records;
        expect(all).toEqual([...records, recordOf('z')]);
      }),
      { numRuns: inSuite(30, 150) },
    );
  });
});

/** Lets a process do this number of operations, then pauses it until it is resumed. */
class Pause {
  readonly reached: Promise<void>;
  #left: number;
  #reach = () => {};
  #wake = () => {};
  readonly #woken: Promise<void>;

  constructor(mount: Mount, operations: number) {
    this.#left = operations;
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
    this.#woken = new Promise((resolve) => {
      this.#wake = resolve;
    });
    mount.turn = () => this.#turn();
  }

  wake(): void {
    this.#wake();
  }

  async #turn(): Promise<void> {
    this.#left -= 1;
    if (this.#left >= 0) return;
    this.#reach();
    await this.#woken;
  }
}

test('two holders that pause at any operation lose nothing when a third has finished its work', async () => {
  for (let sleepOld = 0, oldSlept = true; oldSlept; sleepOld += inSuite(11, 1)) {
    for (let sleepNext = 0, nextSlept = true; nextSlept; sleepNext += inSuite(11, 3)) {
      const machine = new Machine();
      const acknowledged = new Set<string>(['user.seed']);
      const seed = await machine.start().backend.open(options);
      await seed.done('seed', put('seed'));
      await seed.close();
      const start = () => {
        const started = machine.start();
        machine.processes.kill(started.pid);
        return started;
      };
      const old = start();
      const oldPause = new Pause(old.mount, sleepOld);
      const oldWork = act(old.backend, true, 'old', acknowledged);
      oldSlept = await Promise.race([oldPause.reached.then(() => true), oldWork.then(() => false)]);
      const next = start();
      // The second holder starts at a different operation each time.
      const nextPause = new Pause(next.mount, sleepNext + (sleepOld % 3));
      const nextWork = act(next.backend, true, 'next', acknowledged);
      nextSlept = await Promise.race([nextPause.reached.then(() => true), nextWork.then(() => false)]);
      await act(start().backend, sleepOld % 2 === 0, 'third', acknowledged);
      nextPause.wake();
      await nextWork;
      oldPause.wake();
      await oldWork;
      const found = contentsOf(await machine.start().backend.read(application)).records.map(({ address }) => address);
      for (const address of acknowledged) expect(found).toContain(address);
      const later = await machine.start().backend.open(options);
      expect(contentsOf(later).records.map(({ address }) => address)).toEqual(found);
    }
  }
});

async function act(backend: StateBackend, closes: boolean, key: string, acknowledged: Set<string>): Promise<void> {
  let writer: StateWriter | undefined;
  try {
    writer = await backend.open(options);
    await writer.done(key, put(key));
    acknowledged.add(`user.${key}`);
  } catch (error) {
    expect(error).toMatchObject({ code: 'state.lease-lost' });
  }
  if (closes) await writer?.close();
}

describe('a lease', () => {
  fastTest('is renewed every 15 s, and trusted for less time than others grant', async () => {
    const machine = new Machine();
    const { clock } = machine.processes;
    const writer = await machine.start('host-b').backend.open(options);
    expect(writer.leaseLeft()).toBe(55_000);
    await clock.advance(14_000);
    expect(writer.leaseLeft()).toBe(41_000);
    await clock.advance(1_000);
    expect(writer.leaseLeft()).toBe(55_000);
    await clock.advance(3_600_000);
    expect(writer.leaseLeft()).toBeGreaterThan(39_000);
    expect((await refusalOf(machine.start().backend.open(options))).code).toBe('state.locked');
    await writer.close();
  });

  fastTest('decreases while the lock cannot be written, and is never renewed after it has expired', async () => {
    const machine = new Machine();
    const { clock } = machine.processes;
    const { backend, mount } = machine.start();
    const writer = await backend.open(options);
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
    const writer = await machine.start().backend.open(options);
    machine.processes.clock.sleepMachine(60_000);
    expect(writer.leaseLeft()).toBe(0);
  });

  fastTest('ends at the heartbeat that finds the lock taken over', async () => {
    const machine = new Machine();
    const writer = await machine.start('host-b').backend.open(options);
    machine.disk.write('/s/head_0000000002', machine.disk.text('/s/head_0000000001'));
    await machine.processes.clock.advance(15_000);
    expect(writer.leaseLeft()).toBe(0);
  });

  fastTest('leaves no lock file and no heartbeat behind after close', async () => {
    const machine = new Machine();
    const writer = await machine.start().backend.open(options);
    await writer.close();
    const before = machine.disk.contents();
    await machine.processes.clock.advance(60_000);
    await settle();
    expect(machine.disk.contents()).toEqual(before);
    expect(Object.keys(before)).toEqual(['/s/head_0000000001.2']);
  });
});

fastTest('tells a running process from a dead one', () => {
  expect(processIsAlive(process.pid)).toBe(true);
  expect(processIsAlive(2 ** 22 + 1)).toBe(false);
});
