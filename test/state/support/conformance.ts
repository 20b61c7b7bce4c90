// Support: the contract of all backends, as a table of cases and a property against a plain Map.
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { OpenState, StateBackend, StateWriter } from '../../../src/model/ports.ts';
import { applyEntry, entryAddress, type StateEntry, type StateRecord } from '../../../src/model/record.ts';
import {
  application,
  beginOf,
  type Contents,
  contentsOf,
  type Place,
  put,
  recordOf,
  refusalOf,
} from '../../support/state/fixtures.ts';
import { describeUpkeep } from './upkeep-conformance.ts';

const options: OpenState = { application, lockTimeoutMs: 0 };

export function describeStateBackend(name: string, make: () => Place, runs = 30): void {
  describeCore(name, make, runs, describeUpkeep);
}

/** The functions of a backend that the core needs. `more` adds tests for it. */
export function describeCore<Backend extends StateBackend>(
  name: string,
  make: () => Place<Backend>,
  runs = 30,
  more: (place: () => Place<Backend>) => void = () => {},
): void {
  describe(`${name} keeps the contract of state`, () => {
    let places: Place<Backend>[] = [];
    const place = (): Place<Backend> => {
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
      const first = await start().open(options);
      await first.done('s', put('a'));
      await first.close();
      const second = await start().open(options);
      expect(second.header).toEqual(first.header);
      expect(second.header.application).toBe(application);
      await second.close();
      expect((await start().read(application)).header).toEqual(first.header);
    });

    test('acknowledged entries are in state, in the order of the calls', async () => {
      const { start } = place();
      const writer = await start().open(options);
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
      expect(contentsOf(await start().read(application)).records).toEqual(expected);
      await writer.close();
      expect(contentsOf(await start().read(application)).records).toEqual(expected);
    });

    test('a begin is pending until it is done or undone, across close and crash', async () => {
      const { start, crash } = place();
      const writer = await start().open(options);
      await Promise.all(['1', '2', '3', '4'].map((step) => writer.begin(beginOf(step))));
      await writer.done('1', put('a'));
      await writer.undone('2');
      expect(writer.pending).toEqual([beginOf('3'), beginOf('4')]);
      await writer.close();
      const second = await start().open(options);
      expect(second.pending).toEqual([beginOf('3'), beginOf('4')]);
      await second.undone('4');
      crash();
      expect((await start().read(application)).pending).toEqual([beginOf('3')]);
    });

    test('records are sorted by code unit', async () => {
      const { start } = place();
      const keys = ['b', 'B', 'é', '\u{1f600}', '￰', 'a.b', 'a-b', 'a', '10', '9'];
      const writer = await start().open(options);
      for (const key of keys) await writer.done(key, put(key));
      const sorted = [...keys].sort().map((key) => `user.${key}`);
      expect([...writer.records()].map((record) => record.address)).toEqual(sorted);
      await writer.close();
      const again = await start().open(options);
      await again.done('x', { type: 'delete', address: 'user.a' });
      await again.done('y', put('aa'));
      const expected = sorted
        .filter((address) => address !== 'user.a')
        .concat('user.aa')
        .sort();
      expect([...again.records()].map((record) => record.address)).toEqual(expected);
      await again.close();
      expect([...(await start().read(application)).records()].map((record) => record.address)).toEqual(expected);
    });

    test('any text is kept unchanged', async () => {
      const { start } = place();
      const attributes = JSON.parse(
        '{"__proto__":{"x":1},"n":"line\\nbreak\\u2028\\u0000","l":"\\ud800","10":1,"9":2}',
      );
      const writer = await start().open(options);
      await writer.done('1', put('line\nbreak\u2028', attributes));
      await writer.close();
      expect(contentsOf(await start().read(application)).records).toEqual([recordOf('line\nbreak\u2028', attributes)]);
    });

    test('a snapshot is consistent', async () => {
      const { start } = place();
      const writer = await start().open(options);
      await writer.done('1', put('a'));
      const before = await start().read(application);
      await writer.done('2', put('b'));
      await writer.begin(beginOf('3'));
      await writer.close();
      expect(contentsOf(before)).toEqual({ records: [recordOf('a')], pending: [] });
    });

    test('another application is refused by read and open, and nothing is written', async () => {
      const { start } = place();
      const writer = await start().open(options);
      await writer.done('1', put('a'));
      await writer.close();
      const other = 'other/v3';
      for (const use of ['read', 'open'] as const) {
        const backend = start();
        const refusal = await refusalOf(
          use === 'read' ? backend.read(other) : backend.open({ ...options, application: other }),
        );
        expect(refusal).toMatchObject({ code: 'state.other-application', exitCode: 6 });
        expect(refusal.message).toContain(application);
        expect(refusal.message).toContain(other);
      }
      expect(contentsOf(await start().read(application)).records).toEqual([recordOf('a')]);
    });

    test('a second writer is refused with the name of the first, and may write after it', async () => {
      const { start } = place();
      const first = await start().open(options);
      const refusal = await refusalOf(start().open(options));
      expect(refusal).toMatchObject({ code: 'state.locked', exitCode: 7 });
      expect(refusal.message).toMatch(/ci@host-a .*job-7.* since 2026-01-01T/);
      await first.done('1', put('a'));
      await first.close();
      const second = await start().open(options);
      expect(second.get('user.a')).toEqual(recordOf('a'));
      await second.close();
    });

    test('the lock of a dead process blocks nobody, and its writer acknowledges nothing', async () => {
      const { start, crash } = place();
      const first = await start().open(options);
      await first.done('1', put('a'));
      crash();
      const second = await start().open(options);
      await expect(first.done('2', put('b'))).rejects.toThrow();
      await first.close().catch(() => undefined);
      expect(contentsOf(second).records).toEqual([recordOf('a')]);
      await second.done('3', put('c'));
      await second.close();
      expect(contentsOf(await start().read(application)).records).toEqual([recordOf('a'), recordOf('c')]);
    });

    test('a lease suffices for a request of 30 s, and ends with close', async () => {
      const writer = await place().start().open(options);
      expect(writer.leaseLeft()).toBeGreaterThan(30_000);
      await Promise.all([writer.close(), writer.close()]);
      expect(writer.leaseLeft()).toBe(0);
      await expect(writer.done('1', put('a'))).rejects.toThrow();
    });

    more(place);

    test('any sequence of entries, closes and crashes equals a plain Map', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(move, { maxLength: 40 }), async (moves) => {
          const here = place();
          const model = new Model();
          let writer: StateWriter | undefined;
          for (const next of moves) {
            if (next.type === 'close') await writer?.close();
            if (next.type === 'crash') here.crash();
            if (next.type === 'read')
              expect(contentsOf(await here.start().read(application))).toEqual(model.contents());
            if (next.type === 'close' || next.type === 'crash') writer = undefined;
            if (next.type !== 'entries') continue;
            writer ??= await here.start().open(options);
            if (next.looks) expect(contentsOf(writer)).toEqual(model.contents());
            const open = writer;
            await Promise.all(next.entries.map((entry) => write(open, entry)));
            for (const entry of next.entries) model.apply(entry);
            if (!next.looks) continue;
            expect(contentsOf(writer)).toEqual(model.contents());
            expect(writer.size).toBe(model.contents().records.length);
          }
          here.crash();
          expect(contentsOf(await here.start().read(application))).toEqual(model.contents());
        }),
        { numRuns: runs },
      );
    });
  });
}

export type Entry =
  | { readonly type: 'begin'; readonly step: string }
  | { readonly type: 'undone'; readonly step: string }
  | { readonly type: 'done'; readonly step: string; readonly entry: StateEntry };

const step = fc.constantFrom('1', '2', '3', '4');
const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');

const stateEntry: fc.Arbitrary<StateEntry> = fc.oneof(
  fc.record({ key, value: fc.nat(9) }).map(({ key, value }) => put(key, { value, tags: [] })),
  key.map((key): StateEntry => ({ type: 'delete', address: `user.${key}` })),
  fc.record({ key, tag: fc.constantFrom('x', 'y'), op: fc.constantFrom('add', 'remove') }).map(
    ({ key, tag, op }): StateEntry => ({
      type: 'patch',
      address: `user.${key}`,
      edits: [{ op, path: ['tags'], values: [tag] }],
    }),
  ),
  fc.record({ key, value: fc.nat(9), mark: fc.constantFrom(true as const, null) }).map(
    ({ key, value, mark }): StateEntry => ({
      type: 'patch',
      address: `user.${key}`,
      edits: [{ op: 'set', path: ['value'], value }],
      marks: { creating: mark },
    }),
  ),
);

export const anyEntry: fc.Arbitrary<Entry> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('done' as const), step, entry: stateEntry }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('begin' as const), step }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('undone' as const), step }) },
);

const move = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('entries' as const),
      entries: fc.array(anyEntry, { minLength: 1, maxLength: 6 }),
      // Entries may be read at once, or only when the state is opened again.
      looks: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'close' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'crash' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'read' as const }) },
);

export function write(writer: StateWriter, entry: Entry): Promise<void> {
  switch (entry.type) {
    case 'begin':
      return writer.begin(beginOf(entry.step));
    case 'undone':
      return writer.undone(entry.step);
    case 'done':
      return writer.done(entry.step, entry.entry);
  }
}

/** Returns a state as a plain map. */
export class Model {
  readonly #records = new Map<string, StateRecord>();
  readonly #pending = new Set<string>();

  copy(): Model {
    const copy = new Model();
    for (const [address, record] of this.#records) copy.#records.set(address, record);
    for (const step of this.#pending) copy.#pending.add(step);
    return copy;
  }

  apply(entry: Entry): void {
    if (entry.type === 'begin') this.#pending.add(entry.step);
    else this.#pending.delete(entry.step);
    if (entry.type !== 'done') return;
    const address = entryAddress(entry.entry);
    const record = applyEntry(this.#records.get(address), entry.entry);
    if (record === undefined) this.#records.delete(address);
    else this.#records.set(address, record);
  }

  contents(): Contents {
    const sorted = [...this.#records].sort(([left], [right]) => (left < right ? -1 : 1));
    return { records: sorted.map(([, record]) => record), pending: [...this.#pending].sort() };
  }
}
