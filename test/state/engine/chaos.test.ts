// Nothing is lost or doubled when a store is busy, loses answers or runs calls late, and when processes die or are paused.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StateWriter } from '../../../src/model/ports.ts';
import { journalKey } from '../../../src/state/engine/layout.ts';
import { application, beginOf, contentsOf, put, recordOf, refusalOf } from '../../support/state/fixtures.ts';
import type { Fault } from '../../support/state/simulated-store.ts';
import { inSuite } from '../../support/suite.ts';
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
  /** It dies at this call of the store, or closes. */
  calls: fc.oneof(fc.nat(40), fc.constant(Number.POSITIVE_INFINITY)),
  faults: fc.infiniteStream(fault),
  /** Elsewhere nobody can see that it is dead. */
  host: fc.constantFrom('host-a', 'host-b'),
  aheadMs: fc.constantFrom(0, 3_600_000, -3_600_000),
});

test('any lives with any deaths and faults: all that was acknowledged, and of the rest a beginning', async () => {
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
            // A run of faults may outlast the patience; then a refusal says so.
            expect(error).toMatchObject({ name: 'Refusal' });
          }
          process.die();
          rig.store.settings = { latencyMs: 30 };
          modelOf(contentsOf(await rig.start().backend.read(application)), sure, asked);
        }
      });
    }),
    { numRuns: inSuite(30, 120) },
  );
});

describe('a store that is ill-treated', () => {
  test('loses answers and is busy, again and again: every run goes on to its end, and nothing is doubled', async () => {
    const faults = fc.infiniteStream(fc.constantFrom<Fault>(undefined, undefined, 'busy', 'lost'));
    await fc.assert(
      fc.asyncProperty(faults, async (stream) => {
        let faultsInARow = 0;
        // One that never answers is given up soon.
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
            // Long enough for heartbeats.
            await rig.clock.sleep(60_000);
            expect(writer.leaseLeft()).toBeGreaterThan(30_000);
            await writer.close();
          }
          const counts = [...(await rig.start().backend.read(application)).records()].map((r) => r.attributes.count);
          expect(counts).toEqual(Array.from({ length: 30 }, (_, index) => index));
        });
      }),
      { numRuns: inSuite(8, 30) },
    );
  });

  test('answers 503 for a minute: the run waits, keeps its lock, and goes on', async () => {
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

  test('is away for longer than the patience: the run ends with a refusal, and what it had acknowledged is there', async () => {
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

  test('a store that never answers is given up after seconds', async () => {
    const rig = new StoreRig({ fault: () => ({ delayMs: 1 }) });
    await rig.run(async () => {
      const refusal = await refusalOf(rig.start().backend.read(application));
      expect(refusal).toMatchObject({ code: 'state.unreachable', exitCode: 1 });
      expect(rig.clock.now()).toBeLessThan(6_000);
    });
  });
});

describe('two runners', () => {
  test('of many that start at the same instant exactly one wins', async () => {
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

  test.for([0, 3_600_000, -3_600_000])(
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
        // Its lease runs by the clock of the store, whatever the clocks of the two machines say.
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
        // Whether its last call arrived or not, what it is told is what the other has seen.
        expect(told === 'acknowledged').toBe(before.length === 2);
        expect(await refusalOf(paused.done('4', put('late')))).toMatchObject({ code: 'state.lease-lost', exitCode: 8 });
        await paused.close();
        await writer.close();
        expect(contentsOf(await second.backend.read(application)).records).toEqual([...before, recordOf('c')]);
      });
    },
  );

  test('a runner whose lock is broken while it writes is told what the others see', async () => {
    const told = new Set<string>();
    for (let atMs = 0; atMs <= 120; atMs += 5) {
      const rig = new StoreRig({ latencyMs: 30 });
      await rig.run(async () => {
        const first = rig.start('host-a');
        const writer = await first.backend.open(now);
        await writer.done('1', put('a'));
        // It is stopped just before it sends, or while the call is under way, or not at all.
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
        // The lease of the first runner goes on by its own clock: the fence alone stops it.
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

  test('a runner that slept for so long that even the fence is gone does not count what it then writes', async () => {
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

  test('a write that arrives after another runner has taken over, folded and left does not count, nor does it harm', async () => {
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

  test('a process that dies while it takes over leaves the way to the next one', async () => {
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

test('a reader sees every acknowledged entry while the holder writes, makes segments and folds', async () => {
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
    // Readers list and read few objects: what became part of a segment or a snapshot is gone.
    expect(rig.store.contents().size).toBeLessThan(5);
  });
});

test('a begin that ended after it became part of a segment does not come back with the snapshot', async () => {
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

test('a reader that was held up between two calls still sees every entry', async () => {
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
          // The writer only creates here: what reads is the reader.
          calls += Number(type === 'get' || type === 'list');
          if (calls === held) reader.pause();
          return undefined;
        },
      };
      const reading = reader.backend.read(application);
      await rig.clock.sleep(100);
      rig.store.settings = { latencyMs: 30 };
      // A segment takes the place of the journal objects in the meantime.
      await write1000(writer, new Set(), 600);
      reader.wake();
      expect((await reading).size).toBeGreaterThanOrEqual(5);
      await writer.close();
    });
  }
});

/** One after the other, so that each has an object of its own. */
async function write1000(writer: StateWriter, acknowledged: Set<string>, most = 1_000): Promise<void> {
  for (let count = 0; count < most; count += 1) {
    const key = `u${String(count).padStart(4, '0')}`;
    await writer.done(key, put(key));
    acknowledged.add(key);
  }
}
