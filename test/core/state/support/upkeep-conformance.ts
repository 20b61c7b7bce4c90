// Support: the part of the contract that serves people: showing and breaking locks, replacing and rebinding.
import { describe, expect, test } from 'vitest';
import type { UpkeepWriter } from '../../../../src/core/state/engine/upkeep.ts';
import {
  application,
  beginOf,
  contentsOf,
  now,
  put,
  readBy,
  recordOf,
  refusalOf,
  type StoredPlace,
} from '../../../support/state/fixtures.ts';

/** The same contents for another application. */
function rebind(writer: UpkeepWriter, to: string): Promise<void> {
  const { serial, pending } = writer;
  const header = { ...writer.header, application: to };
  return writer.replace({ header, serial, pending, records: () => writer.records() });
}

export function describeUpkeep(place: () => StoredPlace): void {
  describe('upkeep', () => {
    /** A holder of the lock, and the epoch that other processes see. */
    async function held() {
      const { start } = place();
      const first = await start().open(now);
      await first.done('1', put('a'));
      return { start, first, shown: (await start().holder(application))?.epoch ?? 0 };
    }

    test('the holder of the lock is shown until it releases the lock', async () => {
      const { start } = place();
      expect(await start().holder(application)).toBeUndefined();
      expect(await start().applications()).toEqual([]);
      const writer = await start().open(now);
      const holder = await start().holder(application);
      expect(holder).toMatchObject({ isDead: false, lock: { owner: { user: 'ci', host: 'host-a', job: 'job-7' } } });
      expect(holder?.endsInMs).toBeGreaterThan(30_000);
      await writer.close();
      expect(await start().holder(application)).toBeUndefined();
      expect(await start().applications()).toEqual([application]);
    });

    test('breaking a lock fences off its holder and leaves a later lock alone', async () => {
      const { start, first, shown } = await held();
      expect(await start().breakLock(application, shown)).toBe(true);
      expect(await start().holder(application)).toBeUndefined();
      expect(await refusalOf(first.done('2', put('late')))).toMatchObject({ code: 'state.lease-lost', exitCode: 8 });
      expect(first.leaseLeft()).toBe(0);
      await first.close();
      const second = await start().open(now);
      expect(await start().breakLock(application, shown)).toBe(false);
      await second.done('3', put('b'));
      await second.close();
      expect((await readBy(start)).records).toEqual([recordOf('a'), recordOf('b')]);
    });

    test('work under a broken lock is done before another process holds it', async () => {
      const { start, first, shown } = await held();
      const isBroken = await start().breakLock(application, shown, async (writer) => {
        expect((await refusalOf(first.done('2', put('late')))).code).toBe('state.lease-lost');
        expect((await refusalOf(start().open(now))).code).toBe('state.locked');
        await writer.done('3', put('b'));
      });
      expect(isBroken).toBe(true);
      await first.close();
      expect(await start().breakLock(application, shown, () => Promise.reject(new Error('not called')))).toBe(false);
      expect((await readBy(start)).records).toEqual([recordOf('a'), recordOf('b')]);
    });

    test('work that fails under a broken lock leaves the state free', async () => {
      const { start, first, shown } = await held();
      const failing = start().breakLock(application, shown, () => Promise.reject(new Error('made up')));
      await expect(failing).rejects.toThrow('made up');
      await first.close();
      expect(await start().holder(application)).toBeUndefined();
    });

    test('the serial grows with every holder, and readers see a new one once the holder has closed', async () => {
      const { start } = place();
      const serial = async () => (await start().read(application)).serial;
      const serials = [await serial()];
      for (const key of ['a', 'b']) {
        const writer = await start().open(now);
        expect(writer.serial).toBe(serials.at(-1));
        await writer.done('1', put(key));
        expect(await serial()).toBe(serials.at(-1));
        await writer.close();
        serials.push(await serial());
      }
      expect(serials).toEqual([...serials].sort((left, right) => left - right));
      expect(new Set(serials).size).toBe(3);
    });

    test('replacing stores other contents, with their header and a greater serial', async () => {
      const { start } = place();
      const writer = await start().open(now);
      await Promise.all([writer.done('1', put('old')), writer.done('2', put('both')), writer.begin(beginOf('3'))]);
      const header = { ...writer.header, lineage: 'another' };
      const records = [recordOf('both', { value: 1 }), recordOf('new')];
      await writer.replace({ header, serial: 100, records: () => records, pending: [beginOf('4')] });
      await expect(writer.done('5', put('late'))).rejects.toThrow();
      const after = await start().read(application);
      expect(after.header).toEqual(header);
      expect(after.serial).toBeGreaterThan(100);
      expect(contentsOf(after)).toEqual({ records, pending: ['4'] });
      const next = await start().open(now);
      expect(next.serial).toBe(after.serial);
      await next.done('6', put('next'));
      await next.close();
      expect((await start().read(application)).serial).toBeGreaterThan(after.serial);
    });

    test('a writer that has lost the lock replaces nothing', async () => {
      const { start, crash } = place();
      const first = await start().open(now);
      crash();
      const second = await start().open(now);
      await second.done('1', put('a'));
      const { header } = first;
      const replacing = first.replace({ header, serial: 100, records: () => [recordOf('x')], pending: [] });
      await expect(replacing).rejects.toThrow();
      await second.close();
      expect((await readBy(start)).records).toEqual([recordOf('a')]);
    });

    test('rebinding changes only the application', async () => {
      const { start } = place();
      const writer = await start().open(now);
      await Promise.all([writer.done('1', put('a')), writer.begin(beginOf('2'))]);
      const { lineage } = writer.header;
      await writer.close();
      const before = await readBy(start);
      expect(before).toEqual({ records: [recordOf('a')], pending: ['2'] });
      await rebind(await start().open(now), 'other/v3');
      expect((await refusalOf(start().read(application))).code).toBe('state.other-application');
      const after = await start().read('other/v3');
      expect(after.header).toMatchObject({ lineage, application: 'other/v3' });
      expect(contentsOf(after)).toEqual(before);
      expect(await start().applications()).toEqual(['other/v3']);
      expect(await start().holder('other/v3')).toBeUndefined();
    });

    test('an object that was cut is noticed, and the state is the same when it is whole again', async () => {
      const { start, crash, connect } = place();
      const first = await start().open(now);
      await first.done('1', put('a', { text: 'x'.repeat(1_000) }));
      await first.close();
      const second = await start().open(now);
      await second.done('2', put('b'));
      await second.begin(beginOf('3'));
      crash();
      const whole = await readBy(start);
      const store = await connect();
      const kinds = new Set<string | undefined>();
      for (const key of await store.list('')) {
        const found = await store.get(key);
        const bytes = found?.bytes ?? Buffer.alloc(0);
        let tag = await store.replace(key, bytes, found?.tag ?? '');
        // A folder shows its snapshot under a name that is never replaced in this way.
        if (tag === undefined) continue;
        kinds.add(key.split('/')[0]);
        const lastLine = bytes.lastIndexOf('\n', -2) + 1;
        // Encrypted bytes may end like a line anywhere.
        const lengths = [0, 1, bytes.length >> 1, lastLine, Math.min(lastLine + 9, bytes.length - 1), bytes.length - 1];
        for (const length of new Set(lengths)) {
          tag = await store.replace(key, bytes.subarray(0, length), tag ?? '');
          expect((await refusalOf(start().read(application))).code).toMatch(
            /^state\.(?:corrupt|key-wrong|not-encrypted)$/u,
          );
        }
        await store.replace(key, bytes, tag ?? '');
        expect(await readBy(start)).toEqual(whole);
      }
      await store.close();
      for (const kind of ['head', 'journal']) expect(kinds).toContain(kind);
    });
  });
}
