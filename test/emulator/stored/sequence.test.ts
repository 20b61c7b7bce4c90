// Tests that a sequence keeps its order and that every page costs the same.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Sequence } from '../../../src/emulator/stored/sequence.ts';

interface Row {
  readonly seq: number;
  readonly text: string;
}

test('any puts and deletes leave what a plain list would hold, in both directions and from any position', () => {
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
  );
});

/** Milliseconds for reading many pages of 100 in one part of the sequence; the least of several tries. */
function timeOfPages(rows: Sequence<Row>, start: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5; attempt++) {
    const began = performance.now();
    for (let page = 0; page < 200; page++) {
      let left = 100;
      for (const row of rows.ascending(start + page)) if (row.seq < 0 || --left === 0) break;
    }
    least = Math.min(least, performance.now() - began);
  }
  return least;
}

test('a page costs the same wherever it lies', () => {
  const rows = new Sequence<Row>();
  for (let seq = 1; seq <= 300_000; seq++) rows.put(`id${seq}`, { seq, text: '' });
  timeOfPages(rows, 0);
  // Read through from the start, the last pages would cost a thousand times the first.
  expect(timeOfPages(rows, 299_000)).toBeLessThan(10 * timeOfPages(rows, 0) + 5);
});
