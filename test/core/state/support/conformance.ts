// Support: the contract of all backends, as a table of cases and a property against a plain Map.
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { StateBackend, StateWriter } from '../../../../src/core/model/ports.ts';
import {
  application,
  beginOf,
  type Contents,
  contentsOf,
  now,
  type Place,
  put,
  putBy,
  readBy,
  recordOf,
  refusalOf,
  type StoredPlace,
  settle,
} from '../../../support/state/fixtures.ts';
import { anyEntry, Model, write } from './model.ts';
import { describeUpkeep } from './upkeep-conformance.ts';

export function describeStateBackend(name: string, make: () => StoredPlace, runs = 30): void {
  describeCore(name, make, runs, describeUpkeep);
}

/** The functions of a backend that the core needs. `more` adds tests for it. */
export function describeCore<APlace extends Place<StateBackend>>(
  name: string,
  make: () => APlace,
  runs = 30,
  more: (place: () => APlace) => void = () => {},
): void {
  describe(`${name} keeps the contract of state`, () => {
    let places: APlace[] = [];
    const place = (): APlace => {
      const made = make();
      places.push(made);
      return made;
    };
    afterEach(() => {
      for (const made of places) made.remove();
      places = [];
    });

    test('a state that was never written is empty and has no header', async () => {
      const snapshot = await place().start().read(application);
      expect(snapshot.header).toBeUndefined();
      expect(snapshot.size).toBe(0);
      expect(contentsOf(snapshot)).toEqual({ records: [], pending: [] });
    });

    test('the lineage is created once and does not change', async () => {
      const { start } = place();
      const first = await start().open(now);
      await first.done('s', put('a'));
      await first.close();
      const second = await start().open(now);
      expect(second.header).toEqual(first.header);
      expect(second.header.application).toBe(application);
      await second.close();
      expect((await start().read(application)).header).toEqual(first.header);
    });

    test('acknowledged entries are in state, in the order of the calls', async () => {
      const { start } = place();
      const writer = await start().open(now);
      await Promise.all([
        writer.done('1', put('a', { nickname: 'A' })),
        writer.done('2', put('b', { nickname: 'B' })),
        writer.done('3', {
          type: 'patch',
          address: 'user.a',
          edits: [{ op: 'set', path: ['nickname'], value: 'AA' }],
          marks: { retired: true },
        }),
        writer.done('4', { type: 'delete', address: 'user.b' }),
        writer.done('5', put('b', { nickname: 'again' })),
      ]);
      const expected = [{ ...recordOf('a', { nickname: 'AA' }), retired: true }, recordOf('b', { nickname: 'again' })];
      expect([...writer.records()]).toEqual(expected);
      expect(writer.get('user.a')).toEqual(expected[0]);
      expect(writer.get('user.c')).toBeUndefined();
      expect(writer.size).toBe(2);
      expect((await readBy(start)).records).toEqual(expected);
      await writer.close();
      expect((await readBy(start)).records).toEqual(expected);
    });

    test('a begin is pending until it is done or undone, across close and crash', async () => {
      const { start, crash } = place();
      const writer = await start().open(now);
      await Promise.all(['1', '2', '3', '4'].map((step) => writer.begin(beginOf(step))));
      await writer.done('1', put('a'));
      await writer.undone('2');
      expect(writer.pending).toEqual([beginOf('3'), beginOf('4')]);
      await writer.close();
      const second = await start().open(now);
      expect(second.pending).toEqual([beginOf('3'), beginOf('4')]);
      await second.undone('4');
      crash();
      expect((await start().read(application)).pending).toEqual([beginOf('3')]);
    });

    test('records are sorted by code unit', async () => {
      const { start } = place();
      const keys = ['b', 'B', 'é', '\u{1f600}', '￰', 'a.b', 'a-b', 'a', '10', '9'];
      const addresses = (records: Contents['records']) => [...records].map(({ address }) => address);
      const sorted = [...keys].sort().map((key) => `user.${key}`);
      const writer = await start().open(now);
      for (const key of keys) await writer.done(key, put(key));
      expect(addresses([...writer.records()])).toEqual(sorted);
      await writer.close();
      const again = await start().open(now);
      await again.done('x', { type: 'delete', address: 'user.a' });
      await again.done('y', put('aa'));
      const expected = [...sorted.filter((address) => address !== 'user.a'), 'user.aa'].sort();
      expect(addresses([...again.records()])).toEqual(expected);
      await again.close();
      expect(addresses((await readBy(start)).records)).toEqual(expected);
    });

    test('any text is kept unchanged', async () => {
      const { start } = place();
      const attributes = JSON.parse(
        '{"__proto__":{"x":1},"n":"line\\nbreak\\u2028\\u0000","l":"\\ud800","10":1,"9":2}',
      );
      const writer = await start().open(now);
      await writer.done('1', put('line\nbreak\u2028', attributes));
      await writer.close();
      expect((await readBy(start)).records).toEqual([recordOf('line\nbreak\u2028', attributes)]);
    });

    test('a snapshot is consistent, and is read while another process holds the lock', async () => {
      const { start } = place();
      const writer = await start().open(now);
      await writer.done('1', put('a'));
      const before = await start().read(application);
      await writer.done('2', put('b'));
      await writer.begin(beginOf('3'));
      await writer.close();
      expect(contentsOf(before)).toEqual({ records: [recordOf('a')], pending: [] });
    });

    test('another application is refused by read and open, and nothing is written', async () => {
      const { start } = place();
      await putBy(start, 'a');
      const other = 'other/v3';
      for (const using of [() => start().read(other), () => start().open({ ...now, application: other })]) {
        const refusal = await refusalOf(using());
        expect(refusal).toMatchObject({ code: 'state.other-application', exitCode: 6 });
        expect(refusal.message).toContain(application);
        expect(refusal.message).toContain(other);
      }
      expect((await readBy(start)).records).toEqual([recordOf('a')]);
    });

    test('exactly one of many processes that start together gets the lock, in a new state and in an old one', async () => {
      const { start } = place();
      for (const _state of ['new', 'old']) {
        const opened = await Promise.allSettled(Array.from({ length: 8 }, () => start().open(now)));
        const winners = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
        expect(winners).toHaveLength(1);
        for (const result of opened)
          if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'state.locked', exitCode: 7 });
        await winners[0]?.close();
      }
    });

    test('processes of different speed that begin together on a new state write one after the other', async () => {
      const { start } = place();
      const speeds = [0, 1, 3, 8];
      const write = async (reads: number): Promise<void> => {
        const backend = start(reads);
        for (let tries = 1; ; tries += 1) {
          expect(tries).toBeLessThan(1_000);
          try {
            const writer = await backend.open(now);
            await writer.done('s', put(`u${reads}`));
            return await writer.close();
          } catch (error) {
            expect(error).toMatchObject({ code: 'state.locked', exitCode: 7 });
            await settle();
          }
        }
      };
      await Promise.all(speeds.map(write));
      expect((await readBy(start)).records).toEqual(speeds.map((reads) => recordOf(`u${reads}`)));
    });

    test('a second writer is refused with the name of the first, and may write after it', async () => {
      const { start } = place();
      const first = await start().open(now);
      const refusal = await refusalOf(start().open(now));
      expect(refusal).toMatchObject({ code: 'state.locked', exitCode: 7 });
      expect(refusal.message).toMatch(/ci@host-a .*job-7.* since 2026-01-01T/);
      await first.done('1', put('a'));
      await first.close();
      const second = await start().open(now);
      expect(second.get('user.a')).toEqual(recordOf('a'));
      await second.close();
    });

    test('the lock of a dead process blocks nobody, and its writer acknowledges nothing', async () => {
      const { start, crash } = place();
      const first = await start().open(now);
      await first.done('1', put('a'));
      crash();
      const second = await start().open(now);
      await expect(first.done('2', put('b'))).rejects.toThrow();
      await first.close().catch(() => undefined);
      expect(contentsOf(second).records).toEqual([recordOf('a')]);
      await second.done('3', put('c'));
      await second.close();
      expect((await readBy(start)).records).toEqual([recordOf('a'), recordOf('c')]);
    });

    test('a lease suffices for a request of 30 s, and ends with close', async () => {
      const writer = await place().start().open(now);
      expect(writer.leaseLeft()).toBeGreaterThan(30_000);
      await Promise.all([writer.close(), writer.close()]);
      expect(writer.leaseLeft()).toBe(0);
      await expect(writer.done('1', put('a'))).rejects.toThrow();
    });

    more(place);

    test('any sequence of entries, closes and crashes equals a plain Map', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(move, { maxLength: 40 }), async (moves) => {
          const { start, crash } = place();
          const model = new Model();
          let writer: StateWriter | undefined;
          for (const next of moves) {
            if (next === 'close') await writer?.close();
            if (next === 'crash') crash();
            if (next === 'read') expect(await readBy(start)).toEqual(model.contents());
            if (next === 'close' || next === 'crash') writer = undefined;
            if (typeof next === 'string') continue;
            writer ??= await start().open(now);
            if (next.looks) expect(contentsOf(writer)).toEqual(model.contents());
            const open = writer;
            await Promise.all(next.entries.map((entry) => write(open, entry)));
            for (const entry of next.entries) model.apply(entry);
            if (!next.looks) continue;
            expect(contentsOf(writer)).toEqual(model.contents());
            expect(writer.size).toBe(model.contents().records.length);
          }
          crash();
          expect(await readBy(start)).toEqual(model.contents());
        }),
        { numRuns: runs },
      );
    });
  });
}

/** Entries may be read at once, or only when the state is opened again. */
const entries = fc.record({ entries: fc.array(anyEntry, { minLength: 1, maxLength: 6 }), looks: fc.boolean() });

const move = fc.oneof(
  { weight: 6, arbitrary: entries },
  { weight: 3, arbitrary: fc.constantFrom('close' as const, 'crash' as const, 'read' as const) },
);
