// Tests that a sequence keeps its order and that every page costs the same.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Sequence } from '../../../src/emulator/stored/sequence.ts';

interface Row {
  readonly seq: number;
  readonly text: string;
}

test('behaves like a plain list after any puts and deletes, in both directions and from any position', () => {
  const puts = fc.tuple(fc.integer({ min: 0, max: 200 }), fc.boolean());
  fc.assert(
    fc.property(fc.array(puts, { maxLength: 400, size: 'max' }), fc.nat(400), (actions, from) => {
      const rows = new Sequence<Row>();
      let plain: { id: string; row: Row }[] = [];
      let seq = 0;
      for (const [number, isPut] of actions) {
        const id = `id${number}`;
        if (isPut) {
          const known = plain.find((one) => one.id === id);
          const row = { seq: known?.row.seq ?? ++seq, text: String(plain.length) };
          rows.put(id, row);
          plain = known ? plain.map((one) => (one.id === id ? { id, row } : one)) : [...plain, { id, row }];
        } else {
          rows.delete(id);
          plain = plain.filter((one) => one.id !== id);
        }
      }
      const expected = plain.map(({ row }) => row);
      expect([...rows.ascending()]).toEqual(expected);
      expect([...rows.descending()]).toEqual(expected.toReversed());
      expect([...rows.ascending(from)]).toEqual(expected.filter((row) => row.seq > from));
      expect([...rows.descending(from)]).toEqual(expected.filter((row) => row.seq < from).toReversed());
      expect(rows.size).toBe(plain.length);
      for (const { id, row } of plain) expect(rows.get(id)).toBe(row);
    }),
    { numRuns: 40 },
  );
});

/** Reads one record after `start` and counts with how many places `start` is compared to find it. */
function comparisonsForPage(rows: Sequence<Row>, start: number): number {
  let comparisons = 0;
  const counting = {
    valueOf: () => {
      comparisons += 1;
      return start;
    },
  };
  const [first] = rows.ascending(counting as unknown as number);
  expect(first?.seq).toBe(start + 1);
  return comparisons;
}

test('reads a page at the same cost anywhere', () => {
  const rows = new Sequence<Row>();
  for (let seq = 1; seq <= 30_000; seq++) rows.put(`id${seq}`, { seq, text: '' });
  for (const start of [0, 1, 15_000, 29_999]) {
    const comparisons = comparisonsForPage(rows, start);
    expect(comparisons).toBeGreaterThan(0);
    expect(comparisons).toBeLessThanOrEqual(16);
  }
});
