// Tests that a column returns every number, however much its neighbours differ.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IntColumn, NumberColumn } from '../../src/lib/number-column.ts';

const number = fc.oneof(
  fc.nat(70_000),
  fc.nat({ max: 2 ** 40 }),
  fc.constantFrom(65_535, 65_536, 2 ** 32, 2 ** 53 - 1),
);

test('returns numbers of any size, and none outside', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 40), fc.array(number, { maxLength: 300, size: 'max' }), (first, others) => {
      const column = new NumberColumn();
      const numbers = [first, ...others];
      for (const one of numbers) column.push(one);
      expect(numbers.map((_number, index) => column.at(index))).toEqual(numbers);
      expect([column.length, column.at(numbers.length), column.at(-1)]).toEqual([numbers.length, 0, 0]);
    }),
  );
});

test('returns runs of consecutive numbers', () => {
  const run = fc.record({ from: number, length: fc.oneof(fc.nat(3), fc.nat(20_000)) });
  fc.assert(
    fc.property(fc.array(run, { minLength: 1, maxLength: 4 }), (runs) => {
      const numbers = runs.flatMap(({ from, length }) => Array.from({ length }, (_none, at) => from + at));
      const column = new NumberColumn();
      for (const one of numbers) column.push(one);
      expect(column.length).toBe(numbers.length);
      expect(numbers.findIndex((one, index) => column.at(index) !== one)).toBe(-1);
    }),
    { numRuns: 40 },
  );
});

test('returns numbers over several blocks', () => {
  const column = new NumberColumn();
  for (let place = 0; place < 40_000; place += 1) column.push(place * 170_000);
  expect([0, 16_383, 16_384, 39_999].map((place) => column.at(place) / 170_000)).toEqual([0, 16_383, 16_384, 39_999]);
});

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
      expect(column.at(expected.length)).toBeUndefined();
      for (const [index, value] of expected.entries()) expect(column.at(index)).toBe(value);
    }),
    { numRuns: 20 },
  );
});
