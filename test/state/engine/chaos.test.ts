// Tests that nothing is lost or doubled when a store is busy, loses answers or is slow, and processes are killed or paused.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StateWriter } from '../../../src/model/ports.ts';
import { journalKey } from '../../../src/state/engine/layout.ts';
import { application, beginOf, contentsOf, put, recordOf, refusalOf } from '../../support/state/fixtures.ts';
import type { Fault } from '../../support/state/simulated-store.ts';
import { fastTest, inSuite } from '../../support/suite.ts';
import { anyEntry, type Entry, Model, write } from '../support/conformance.ts';
import { modelOf } from '../support/possible-models.ts';
import { StoreRig } from './rig.ts';

const now = { application, lockTimeoutMs: 0 };
const later = { application, lockTimeoutMs: 600_000 };

const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 12, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.constant('busy' as const) },
  { weight: 2, arbitrary: fc.constant('lost' as const) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 300_000 }).map((delayMs) => ({ delayMs })) },
);

const life = fc.record({
  entries: fc.array(anyEntry, { maxLength: 12 }),
  together: fc.boolean(),
  /** The call of the store at which the process is killed, unless it closes first. */
  calls: fc.oneof(fc.nat(40), fc.constant(Number.POSITIVE_INFINITY)),
  faults: fc.infiniteStream(fault),
  /** On another host, where no process can see that it is dead. */
  host: fc.constantFrom('host-a', 'host-b'),
  aheadMs: fc.constantFrom(0, 3_600_000, -3_600_000),
});

test('any kills and faults keep every acknowledged entry and a prefix of the others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 5 }), async (lives) => {
      const rig = new StoreRig({ latencyMs: 30 });
      await rig.run(async () => {
        let sure = new Model();
        let asked: readonly Entry[] = [];
        for (const { entries, together, calls, faults, host, aheadMs } of lives) {
          const process = rig.start(host, aheadMs);
          let left = calls;
          rig.store.settings = {
            latencyMs: 30,
            fault: () => {
              left -= 1;
              if (left < 0) process.die();
              return faults.next().value;
            },
          };
          let acknowledged = 0;
          try {
            const writer = await process.backend.open(later);
            sure = modelOf(contentsOf(writer), sure, asked);
            asked = entries;
            const record = async (entry: Entry) => {
              await write(writer, entry);
              sure.apply(entry);
              acknowledged += 1;
              asked = entries.slice(acknowledged);
            };
            if (together) await Promise.all(entries.map(record));
            else for (const entry of entries) await record(entry);
            await writer.close();
          } catch (error) {
            // A series of faults may exceed the patience, which is then a refusal.
            expect(error).toMatchObject({ name: 'Refusal' });
          }
          process.die();
          rig.store.settings = { latencyMs: 30 };
          modelOf(contentsOf(await rig.start().backend.read(application)), sure, asked);
        }
      });
    }),
    { numRuns: inSuite(12, 120) },
  );
});

describe('an unreliable store', () => {
  test('does not stop or repeat anything when it is busy or loses answers', async () => {
    const faults = fc.infiniteStream(fc.constantFrom<Fault>(undefined, undefined, 'busy', 'lost'));
    await fc.assert(
      fc.asyncProperty(faults, async (stream) => {
        let faultsInARow = 0;
        // A call without an answer is given up soon.
        const fault = () => {
          const next = faultsInARow === 4 ? undefined : stream.next().value;
          faultsInARow = next === undefined ? 0 : faultsInARow + 1;
          return next;
        };
        const rig = new StoreRig({ latencyMs: 30, fault });
        await rig.run(async () => {
          for (let round = 0; round < 3; round += 1) {
            const writer = await rig.start().backend.open(now);
            for (let count = 0; count < 10; count += 1) {
              await writer.done(`${round}.${count}`, {
                type: 'put',
                record: recordOf(`u${round}${count}`, { count: writer.size }),
              });
            }
            // Long enough for several heartbeats.
            await rig.clock.sleep(60_000);
            expect(writer.leaseLeft()).toBeGreaterThan(30_000);
            await writer.close();
          }
          const counts = [...(await rig.start().backend.read(application)).records()].map((r) => r.attributes.count);
          expect(counts).toEqual(Array.from({ length: 30 }, (_, index) => index));
        });
      }),
      { numRuns: inSuite(4, 30) },
    );
  });

  fastTest('is waited for while it answers 503 for a minute, and the lock stays', async () => {
    const rig = new StoreRig({ latencyMs: 30 });
    await rig.run(async () => {
      const writer = await rig.start().backend.open(now);
      await writer.done('1', put('a'));
      const until = rig.clock.now() + 59_000;
      rig.store.settings = { latencyMs: 30, fault: () => (rig.clock.now() < until ? 'busy' : undefined) };
      await writer.done('2', put('b'));
      expect(rig.clock.now()).toBeGreaterThanOrEqual(until);
      expect(writer.leaseLeft()).toBeGreaterThan(30_000);
      expect((await refusalOf(rig.start('host-b').backend.open(now))).code).toBe('state.locked');
      await writer.close();
      expect(contentsOf(await rig.start().backend.read(application)).records).toEqual([recordOf('a'), recordOf('b')]);
    });
  });

  fastTest('ends the run with a refusal after the patience, and keeps acknowledged entries', async () => {
    const rig = new StoreRig({ latencyMs: 30 });
    await rig.run(async () => {
      const writer = await rig.start().backend.open(now);
      await writer.done('1', put('a'));
      rig.store.settings = { latencyMs: 30, fault: () => 'busy' };
      const refusal = await refusalOf(writer.done('2', put('b')));
      expect(refusal).toMatchObject({ code: 'state.write-failed', exitCode: 8 });
      expect(refusal.message).toContain('it answered 503 (SlowDown); it did not recover within 60 s');
      await writer.close();
      rig.store.settings = { latencyMs: 30 };
      expect(contentsOf(await rig.start().backend.read(application)).records).toEqual([recordOf('a')]);
    });
  });

  fastTest('is given up within seconds if it never answers', async () => {
    const rig = new StoreRig({ fault: () => ({ delayMs: 1 }) });
    await rig.run(async () => {
      const refusal = await refusalOf(rig.start().backend.read(application));
      expect(refusal).toMatchObject({ code: 'state.unreachable', exitCode: 1 });
      expect(rig.clock.now()).toBeLessThan(6_000);
    });
  });
});

describe('two runners', () => {
  fastTest('exactly one of many wins when they start at the same time', async () => {
    const rig = new StoreRig({ latencyMs: 30 });
    await rig.run(async () => {
      for (let round = 0; round < 3; round += 1) {
        const opened = await Promise.allSettled(
          Array.from({ length: 12 }, (_, host) => rig.start(`host-${host}`).backend.open(now)),
        );
        const winners = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
        expect(winners).toHaveLength(1);
        for (const result of opened)
          if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'state.locked' });
        await winners[0]?.close();
      }
    });
  });

  fastTest.for([0, 3_600_000, -3_600_000])(
    'a runner that is stopped past its lease and woken writes nothing more; the other clock is %d ms ahead',
    async (aheadMs) => {
      const rig = new StoreRig({ latencyMs: 30 });
      await rig.run(async () => {
        const first = rig.start('host-a');
        const paused = await first.backend.open(now);
        await paused.done('1', put('a'));
        const inFlight = paused.done('2', put('b'));
        first.pause();
        const second = rig.start('host-b', aheadMs);
        // The lease runs by the clock of the store, whatever the clocks of the two machines show.
        await rig.clock.sleep(60_000);
        expect((await refusalOf(second.backend.open(now))).code).toBe('state.locked');
        const writer = await second.backend.open(later);
        expect(rig.clock.now()).toBeGreaterThan(100_000);
        const before = contentsOf(writer).records;
        expect(before[0]).toEqual(recordOf('a'));
        await writer.done('3', put('c'));
        first.wake();
        expect(paused.leaseLeft()).toBe(0);
        const told = await inFlight.then(
          () => 'acknowledged',
          (error) => error.code,
        );
        // Whether or not its last call arrived, its result agrees with what the other runner saw.
        expect(told === 'acknowledged').toBe(before.length === 2);
        expect(await refusalOf(paused.done('4', put('late')))).toMatchObject({ code: 'state.lease-lost', exitCode: 8 });
        await paused.close();
        await writer.close();
        expect(contentsOf(await second.backend.read(application)).records).toEqual([...before, recordOf('c')]);
      });
    },
  );

  fastTest('a runner whose lock is broken while it writes gets the result that others see', async () => {
    const told = new Set<string>();
    for (let atMs = 0; atMs <= 120; atMs += 5) {
      const rig = new StoreRig({ latencyMs: 30 });
      await rig.run(async () => {
        const first = rig.start('host-a');
        const writer = await first.backend.open(now);
        await writer.done('1', put('a'));
        // The runner is stopped just before it sends, while the call is running, or not at all.
        if (atMs < 40) first.pause();
        const inFlight = writer.done('2', put('b')).then(
          () => 'acknowledged',
          (error) => error.code,
        );
        await rig.clock.sleep(atMs % 40);
        if (atMs < 80) first.pause();
        const breaker = rig.start('host-b').backend;
        const shown = await breaker.holder(application);
        expect(await breaker.breakLock(application, shown?.epoch ?? 0)).toBe(true);
        first.wake();
        // The lease of the first runner continues by its own clock, so only the fence stops it.
        expect(writer.leaseLeft()).toBeGreaterThan(100_000);
        const answer = await inFlight;
        told.add(answer);
        const seen = (await rig.start().backend.read(application)).size;
        expect(seen).toBe(answer === 'acknowledged' ? 2 : 1);
        expect((await refusalOf(writer.done('3', put('c')))).code).toBe('state.lease-lost');
        await writer.close();
        expect((await rig.start().backend.read(application)).size).toBe(seen);
      });
    }
    expect([...told].sort()).toEqual(['acknowledged', 'state.lease-lost']);
  });

  fastTest('a runner that slept until the fence was removed acknowledges nothing', async () => {
    const rig = new StoreRig({ latencyMs: 30 });
    await rig.run(async () => {
      const first = rig.start('host-a');
      const slept = await first.backend.open(now);
      await slept.done('1', put('a'));
      first.pause();
      const writing = refusalOf(slept.done('2', put('late')));
      const next = await rig.start('host-b').backend.open(later);
      await next.close();
      expect([...rig.store.contents().keys()]).toContain(journalKey(1, 2));
      rig.store.tamper(journalKey(1, 2), undefined);
      first.wake();
      expect(await writing).toMatchObject({ code: 'state.lease-lost' });
      await slept.close();
      expect(contentsOf(await rig.start().backend.read(application)).records).toEqual([recordOf('a')]);
    });
  });

  fastTest('a write that arrives after another runner took over and compacted has no effect', async () => {
    const rig = new StoreRig({ latencyMs: 30 });
    await rig.run(async () => {
      const first = rig.start('host-a');
      const slow = await first.backend.open(now);
      await slow.done('1', put('a'));
      // The next journal object reaches the store in ten minutes.
      const key = journalKey(1, 2);
      rig.store.settings = {
        latencyMs: 30,
        fault: (call) => (call.key === key && call.type === 'create' ? { delayMs: 600_000 } : undefined),
      };
      void slow.done('2', put('zombie')).catch(() => undefined);
      await rig.clock.sleep(1_000);
      first.die();
      rig.store.settings = { latencyMs: 30 };
      for (const key of ['b', 'c', 'd']) {
        const writer = await rig.start('host-b').backend.open(later);
        await writer.done(key, put(key));
        await writer.close();
      }
      await rig.clock.sleep(700_000);
      const expected = ['a', 'b', 'c', 'd'].map((key) => recordOf(key));
      expect(contentsOf(await rig.start().backend.read(application)).records).toEqual(expected);
      const last = await rig.start().backend.open(now);
      expect(contentsOf(last).records).toEqual(expected);
      await last.close();
    });
  });

  fastTest('a process that is killed while it takes over does not block the next one', async () => {
    for (let calls = 0; ; calls += 1) {
      const rig = new StoreRig({ latencyMs: 30 });
      const isOver = await rig.run(async () => {
        const first = rig.start();
        const writer = await first.backend.open(now);
        for (const key of ['a', 'b', 'c']) await writer.done(key, put(key));
        first.die();
        const second = rig.start();
        let left = calls;
        rig.store.settings = {
          latencyMs: 30,
          fault: () => {
            left -= 1;
            if (left < 0) second.die();
            return undefined;
          },
        };
        const opened = await second.backend.open(now).catch(() => undefined);
        second.die();
        rig.store.settings = { latencyMs: 30 };
        const third = await rig.start().backend.open(later);
        expect(contentsOf(third).records).toEqual(['a', 'b', 'c'].map((key) => recordOf(key)));
        await third.done('d', put('d'));
        await third.close();
        expect((await rig.start().backend.read(application)).size).toBe(4);
        return opened !== undefined;
      });
      if (isOver) break;
      expect(calls).toBeLessThan(50);
    }
  });
});

fastTest('a reader sees every acknowledged entry while the holder writes and compacts', async () => {
  const rig = new StoreRig({ latencyMs: 30 });
  await rig.run(async () => {
    const writer = await rig.start().backend.open(now);
    const acknowledged = new Set<string>();
    let isOver = false;
    const writing = write1000(writer, acknowledged).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const known = [...acknowledged];
      const seen = new Set([...(await rig.start('host-r').backend.read(application)).records()].map((r) => r.address));
      for (const key of known) expect(seen).toContain(`user.${key}`);
      await rig.clock.sleep(1_000);
    }
    await writing;
    await writer.close();
    const after = await rig.start().backend.read(application);
    expect(after.size).toBe(1_000);
    // Readers list and read few objects, because objects that became part of a segment or a snapshot are removed.
    expect(rig.store.contents().size).toBeLessThan(5);
  });
});

fastTest('a begin that ended after it was folded into a segment is not in the snapshot', async () => {
  const rig = new StoreRig({ latencyMs: 30 });
  await rig.run(async () => {
    const writer = await rig.start().backend.open(now);
    await writer.begin(beginOf('ended'));
    await write1000(writer, new Set(), 300);
    await writer.done('ended', put('ended'));
    await writer.begin(beginOf('pending'));
    await writer.close();
    const after = await rig.start().backend.read(application);
    expect(after.pending.map(({ step }) => step)).toEqual(['pending']);
    expect(after.size).toBe(301);
  });
});

fastTest('a reader that pauses between two calls still sees every entry', async () => {
  for (let held = 1; held <= 4; held += 1) {
    const rig = new StoreRig({ latencyMs: 30 });
    await rig.run(async () => {
      const writer = await rig.start().backend.open(now);
      await Promise.all([write1000(writer, new Set(), 5), rig.clock.sleep(1_000)]);
      const reader = rig.start('host-r');
      let calls = 0;
      rig.store.settings = {
        latencyMs: 30,
        fault: ({ type }) => {
          // The writer only creates objects here, so every read is the reader's.
          calls += Number(type === 'get' || type === 'list');
          if (calls === held) reader.pause();
          return undefined;
        },
      };
      const reading = reader.backend.read(application);
      await rig.clock.sleep(100);
      rig.store.settings = { latencyMs: 30 };
      // Meanwhile a segment replaces the journal objects.
      await write1000(writer, new Set(), 600);
      reader.wake();
      expect((await reading).size).toBeGreaterThanOrEqual(5);
      await writer.close();
    });
  }
});

/** Runs them one after the other, so that each writes its own object. */
async function write1000(writer: StateWriter, acknowledged: Set<string>, most = 1_000): Promise<void> {
  for (let count = 0; count < most; count += 1) {
    const key = `u${String(count).padStart(4, '0')}`;
    await writer.done(key, put(key));
    acknowledged.add(key);
  }
}
