// Tests that nothing is lost or doubled when a store is busy, loses answers or is slow, and processes are killed or paused.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../../src/core/model/errors.ts';
import { journalKey } from '../../../../src/core/state/engine/layout.ts';
import type { UpkeepWriter } from '../../../../src/core/state/engine/upkeep.ts';
import {
  application,
  beginOf,
  contentsOf,
  later,
  now,
  put,
  recordOf,
  refusalOf,
} from '../../../support/state/fixtures.ts';
import type { Fault } from '../../../support/state/simulated-store.ts';
import { fastTest, inSuite, longTest } from '../../../support/suite.ts';
import { anyLife, liveAndDie } from '../support/model.ts';
import { besideStore, killAtCall, StoreRig, setFault } from './rig.ts';

const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 12, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.constant('busy' as const) },
  { weight: 2, arbitrary: fc.constant('lost' as const) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 300_000 }).map((delayMs) => ({ delayMs })) },
);

const life = fc.record({
  ...anyLife,
  /** The call of the store at which the process is killed, unless it closes first. */
  calls: fc.oneof(fc.nat(40), fc.constant(Number.POSITIVE_INFINITY)),
  faults: fc.infiniteStream(fault),
  /** On another host, where no process can see that it is dead. */
  host: fc.constantFrom('host-a', 'host-b'),
  aheadMs: fc.constantFrom(0, 3_600_000, -3_600_000),
});

test('any kills and faults keep every acknowledged entry and a prefix of the others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 5 }), (lives) =>
      besideStore((rig) =>
        liveAndDie(
          lives,
          ({ calls, faults, host, aheadMs }) => {
            const process = rig.start(host, aheadMs);
            killAtCall(rig, process, calls, () => faults.next().value);
            const die = () => {
              process.die();
              setFault(rig);
              return rig.contents();
            };
            return { backend: process.backend, die };
          },
          // A series of faults may exceed the patience, which is then a refusal.
          (error) => error instanceof Refusal,
        ),
      ),
    ),
    { numRuns: inSuite(12, 120) },
  );
});

describe('an unreliable store', () => {
  test('does not stop or repeat anything when it is busy or loses answers', async () => {
    const faults = fc.infiniteStream(fc.constantFrom<Fault>(undefined, undefined, 'busy', 'lost'));
    await fc.assert(
      fc.asyncProperty(faults, (stream) =>
        besideStore(async (rig) => {
          let faultsInARow = 0;
          // A call without an answer is given up soon.
          setFault(rig, () => {
            const next = faultsInARow === 4 ? undefined : stream.next().value;
            faultsInARow = next === undefined ? 0 : faultsInARow + 1;
            return next;
          });
          for (let round = 0; round < 3; round += 1) {
            const writer = await rig.start().backend.open(now);
            for (let count = 0; count < 10; count += 1)
              await writer.done(`${round}.${count}`, put(`u${round}${count}`, { count: writer.size }));
            // Long enough for several heartbeats.
            await rig.clock.sleep(60_000);
            expect(writer.leaseLeft()).toBeGreaterThan(30_000);
            await writer.close();
          }
          const counts = (await rig.contents()).records.map(({ attributes }) => attributes.count);
          expect(counts).toEqual(Array.from({ length: 30 }, (_, index) => index));
        }),
      ),
      { numRuns: inSuite(4, 30) },
    );
  });

  fastTest('is waited for while it answers 503 for a minute, and the lock stays', () =>
    besideStore(async (rig) => {
      const writer = await rig.start().backend.open(now);
      await writer.done('1', put('a'));
      const until = rig.clock.now() + 59_000;
      setFault(rig, () => (rig.clock.now() < until ? 'busy' : undefined));
      await writer.done('2', put('b'));
      expect(rig.clock.now()).toBeGreaterThanOrEqual(until);
      expect(writer.leaseLeft()).toBeGreaterThan(30_000);
      expect((await refusalOf(rig.start('host-b').backend.open(now))).code).toBe('state.locked');
      await writer.close();
      expect((await rig.contents()).records).toEqual([recordOf('a'), recordOf('b')]);
    }),
  );

  fastTest('ends the run with a refusal after the patience, and keeps acknowledged entries', () =>
    besideStore(async (rig) => {
      const writer = await rig.start().backend.open(now);
      await writer.done('1', put('a'));
      setFault(rig, () => 'busy');
      const refusal = await refusalOf(writer.done('2', put('b')));
      expect(refusal).toMatchObject({ code: 'state.write-failed', exitCode: 8 });
      expect(refusal.message).toContain('it answered 503 (SlowDown); it did not recover within 60 s');
      await writer.close();
      setFault(rig);
      expect((await rig.contents()).records).toEqual([recordOf('a')]);
    }),
  );

  fastTest('is given up within seconds if it never answers', async () => {
    const rig = new StoreRig({ fault: () => ({ delayMs: 1 }) });
    const refusal = await rig.run(() => refusalOf(rig.contents()));
    expect(refusal).toMatchObject({ code: 'state.unreachable', exitCode: 1 });
    expect(rig.clock.now()).toBeLessThan(6_000);
  });
});

/** `acknowledged`, or the code of its refusal. */
function resultOf(writing: Promise<void>): Promise<string> {
  return writing.then(
    () => 'acknowledged',
    (error) => error.code,
  );
}

describe('two runners', () => {
  fastTest.for([0, 3_600_000, -3_600_000])(
    'a runner that is stopped past its lease and woken writes nothing more; the other clock is %d ms ahead',
    (aheadMs) =>
      besideStore(async (rig) => {
        const first = rig.start('host-a');
        const paused = await first.backend.open(now);
        await paused.done('1', put('a'));
        const inFlight = resultOf(paused.done('2', put('b')));
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
        // Whether or not its last call arrived, its result agrees with what the other runner saw.
        expect((await inFlight) === 'acknowledged').toBe(before.length === 2);
        expect(await refusalOf(paused.done('4', put('late')))).toMatchObject({ code: 'state.lease-lost', exitCode: 8 });
        await paused.close();
        await writer.close();
        expect((await rig.contents()).records).toEqual([...before, recordOf('c')]);
      }),
  );

  fastTest('a runner whose lock is broken while it writes gets the result that others see', async () => {
    const told = new Set<string>();
    for (let atMs = 0; atMs <= 120; atMs += 5) {
      await besideStore(async (rig) => {
        const size = async () => (await rig.contents()).records.length;
        const first = rig.start('host-a');
        const writer = await first.backend.open(now);
        await writer.done('1', put('a'));
        // The runner is stopped just before it sends, while the call is running, or not at all.
        if (atMs < 40) first.pause();
        const inFlight = resultOf(writer.done('2', put('b')));
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
        const seen = await size();
        expect(seen).toBe(answer === 'acknowledged' ? 2 : 1);
        expect((await refusalOf(writer.done('3', put('c')))).code).toBe('state.lease-lost');
        await writer.close();
        expect(await size()).toBe(seen);
      });
    }
    expect([...told].sort()).toEqual(['acknowledged', 'state.lease-lost']);
  });

  fastTest('a runner that slept until the fence was removed acknowledges nothing', () =>
    besideStore(async (rig) => {
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
      expect((await rig.contents()).records).toEqual([recordOf('a')]);
    }),
  );

  fastTest('a write that arrives after another runner took over and compacted has no effect', () =>
    besideStore(async (rig) => {
      const first = rig.start('host-a');
      const slow = await first.backend.open(now);
      await slow.done('1', put('a'));
      // The next journal object reaches the store in ten minutes.
      const key = journalKey(1, 2);
      setFault(rig, (call) => (call.key === key && call.type === 'create' ? { delayMs: 600_000 } : undefined));
      void slow.done('2', put('zombie')).catch(() => undefined);
      await rig.clock.sleep(1_000);
      first.die();
      setFault(rig);
      for (const key of ['b', 'c', 'd']) {
        const writer = await rig.start('host-b').backend.open(later);
        await writer.done(key, put(key));
        await writer.close();
      }
      await rig.clock.sleep(700_000);
      const expected = ['a', 'b', 'c', 'd'].map((key) => recordOf(key));
      expect((await rig.contents()).records).toEqual(expected);
      const last = await rig.start().backend.open(now);
      expect(contentsOf(last).records).toEqual(expected);
      await last.close();
    }),
  );

  fastTest('a process that is killed while it takes over does not block the next one', async () => {
    for (let calls = 0, isOver = false; !isOver; calls += 1) {
      expect(calls).toBeLessThan(50);
      isOver = await besideStore(async (rig) => {
        const first = rig.start();
        const writer = await first.backend.open(now);
        for (const key of ['a', 'b', 'c']) await writer.done(key, put(key));
        first.die();
        const second = rig.start();
        killAtCall(rig, second, calls);
        const opened = await second.backend.open(now).catch(() => undefined);
        second.die();
        setFault(rig);
        const third = await rig.start().backend.open(later);
        expect(contentsOf(third).records).toEqual(['a', 'b', 'c'].map((key) => recordOf(key)));
        await third.done('d', put('d'));
        await third.close();
        expect((await rig.contents()).records).toHaveLength(4);
        return opened !== undefined;
      });
    }
  });
});

const addressesIn = async (rig: StoreRig): Promise<string[]> =>
  (await rig.contents()).records.map(({ address }) => address);

fastTest('a reader sees every acknowledged entry while the holder writes and compacts', () =>
  besideStore(async (rig) => {
    const writer = await rig.start().backend.open(now);
    const acknowledged: string[] = [];
    let isOver = false;
    const writing = writeMany(writer, 1_000, acknowledged).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const known = [...acknowledged];
      const seen = new Set(await addressesIn(rig));
      for (const key of known) expect(seen).toContain(`user.${key}`);
      await rig.clock.sleep(1_000);
    }
    await writing;
    await writer.close();
    expect(await addressesIn(rig)).toHaveLength(1_000);
    // Readers list and read few objects, because objects that became part of a segment or a snapshot are removed.
    expect(rig.store.contents().size).toBeLessThan(5);
  }),
);

fastTest('a begin that ended after it was folded into a segment is not in the snapshot', () =>
  besideStore(async (rig) => {
    const writer = await rig.start().backend.open(now);
    await writer.begin(beginOf('ended'));
    await writeMany(writer, 300);
    await writer.done('ended', put('ended'));
    await writer.begin(beginOf('pending'));
    await writer.close();
    const { records, pending } = await rig.contents();
    expect(pending).toEqual(['pending']);
    expect(records).toHaveLength(301);
  }),
);

fastTest('a reader that pauses between two calls still sees every entry', async () => {
  for (let held = 1; held <= 4; held += 1) {
    await besideStore(async (rig) => {
      const writer = await rig.start().backend.open(now);
      await Promise.all([writeMany(writer, 5), rig.clock.sleep(1_000)]);
      const reader = rig.start('host-r');
      let calls = 0;
      setFault(rig, ({ type }) => {
        // The writer only creates objects here, so every read is the reader's.
        calls += Number(type === 'get' || type === 'list');
        if (calls === held) reader.pause();
        return undefined;
      });
      const reading = reader.backend.read(application);
      await rig.clock.sleep(100);
      setFault(rig);
      // Meanwhile a segment replaces the journal objects.
      await writeMany(writer, 600);
      reader.wake();
      expect((await reading).size).toBeGreaterThanOrEqual(5);
      await writer.close();
    });
  }
});

/** Writes one after the other, so that each entry is in an object of its own. */
async function writeMany(writer: UpkeepWriter, most: number, acknowledged: string[] = []): Promise<void> {
  for (let count = 0; count < most; count += 1) {
    const key = `u${String(count).padStart(4, '0')}`;
    await writer.done(key, put(key));
    acknowledged.push(key);
  }
}

longTest('a kill at any call of a snapshot keeps acknowledged entries and pending begins', async () => {
  // Together enough to make a snapshot worthwhile.
  const data = Object.fromEntries(
    Array.from({ length: 36 }, (_none, number) => [`large${number}`, { data: 'x'.repeat(1 << 20) }]),
  );
  let snapshots = 0;
  for (let calls = 0, isKilled = true; isKilled; calls += 1) {
    expect(calls).toBeLessThan(200);
    isKilled = await besideStore(async (rig) => {
      const first = rig.start();
      const writer = await first.backend.open(now);
      let left = Number.POSITIVE_INFINITY;
      let isDead = false;
      setFault(rig, ({ type, key }) => {
        if (type === 'create' && key.startsWith('snapshot/') && left === Number.POSITIVE_INFINITY) left = calls;
        left -= 1;
        if (left >= 0) return undefined;
        isDead = true;
        first.die();
        return undefined;
      });
      const acknowledged: string[] = [];
      const writeAll = async () => {
        await writer.begin(beginOf('open'));
        await Promise.all(Object.entries(data).map(([key, attributes]) => writer.done(key, put(key, attributes))));
        acknowledged.push(...Object.keys(data));
        await writeMany(writer, 3, acknowledged);
      };
      await Promise.race([writeAll().catch(() => undefined), rig.clock.sleep(60_000)]);
      await rig.clock.sleep(60_000);
      // Killed before it closes, because closing writes a snapshot in any case.
      snapshots += Number([...rig.store.contents().keys()].some((key) => key.startsWith('snapshot/')));
      if (!isDead) await writer.close();
      first.die();
      setFault(rig);
      const next = await rig.start().backend.open(later);
      const { records, pending } = contentsOf(next);
      const known = new Map(records.map((record) => [record.address, record]));
      for (const key of acknowledged) expect(known.get(`user.${key}`)).toEqual(recordOf(key, data[key] ?? {}));
      expect(pending).toEqual(['open']);
      await next.close();
      expect(await addressesIn(rig)).toHaveLength(records.length);
      return isDead;
    });
  }
  expect(snapshots).toBeGreaterThan(1);
});
