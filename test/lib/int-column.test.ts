// Tests that a column equals an array.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IntColumn } from '../../src/lib/int-column.ts';

test('equals an array while it grows and changes', () => {
  const edits = fc.array(fc.tuple(fc.nat(3_000), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })), {
    maxLength: 4_000,
  });
  fc.assert(
    fc.property(edits, (pairs) => {
      const column = new IntColumn();
      const expected: number[] = [];
      for (const [place, value] of pairs) {
        const index = Math.min(place, expected.length);
        expected[index] = value;
        column.set(index, value);
      }
      expect([...column.values]).toEqual(expected);
      expect(column.length).toBe(expected.length);
      expect(column.at(expected.length)).toBeUndefined();
      for (const [index, value] of expected.entries()) expect(column.at(index)).toBe(value);
    }),
    { numRuns: 20 },
  );
});
