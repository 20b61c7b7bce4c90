// Tests that collections behave like plain arrays, maps and searches, and read no more than requested.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Heap, WeightHeap } from '../../src/lib/heap.ts';
import { JoinedSeries, lastWhere, MappedSeries, type Series } from '../../src/lib/series.ts';
import { atOnce, inSlices, type Sliced } from '../../src/lib/slices.ts';
import { IntColumn, NameTable } from '../../src/lib/typed-arrays.ts';
import { MadeSeries } from '../support/series.ts';

test('a binary search finds the last place where the test holds, for every length and boundary', () => {
  for (let length = 0; length < 20; length += 1) {
    for (let boundary = 0; boundary <= length; boundary += 1)
      expect(lastWhere(length, (place) => place < boundary)).toBe(boundary - 1);
  }
});

test('a heap pops the least value between any pushes', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(20))), (moves) => {
      const heap = new Heap<number>((left, right) => left < right);
      const plain: number[] = [];
      for (const pushed of moves) {
        if (pushed === null) {
          plain.sort((left, right) => left - right);
          expect(heap.peek()).toBe(plain[0]);
          expect(heap.pop()).toBe(plain.shift());
        } else {
          heap.push(pushed);
          plain.push(pushed);
        }
        expect(heap.size).toBe(plain.length);
      }
    }),
  );
});

test('a heap of weights that decrease returns the item that a linear search finds', () => {
  const move = fc.record({ item: fc.nat(11), less: fc.nat(5), takes: fc.boolean() });
  fc.assert(
    fc.property(fc.array(fc.nat(9), { minLength: 12, maxLength: 12 }), fc.array(move), (weights, moves) => {
      const weight = Float64Array.from(weights);
      const left = new Set(weights.keys());
      const heap = new WeightHeap(weight, Int32Array.from(left));
      for (const { item, less, takes } of moves) {
        weight[item] = (weight[item] ?? 0) - less;
        heap.lightened(item);
        if (!takes) continue;
        const [lightest] = [...left].sort((a, b) => (weight[a] ?? 0) - (weight[b] ?? 0) || b - a);
        expect(heap.take()).toBe(lightest);
        if (lightest !== undefined) left.delete(lightest);
      }
    }),
  );
});

test('a column equals an array while it grows and changes', () => {
  const edit = fc.tuple(fc.nat(3_000), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }));
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 4_000 }), (pairs) => {
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

describe('a table of names', () => {
  test('numbers names in the order in which they are added', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (names, other) => {
        const table = new NameTable();
        const map = new Map<string, number>();
        for (const name of names) {
          if (!map.has(name)) map.set(name, map.size);
          expect(table.add(name)).toBe(map.get(name));
        }
        expect(table.size).toBe(map.size);
        for (const name of [...names, other]) expect(table.find(name)).toBe(map.get(name));
      }),
    );
  });

  test('distinguishes a hundred thousand similar names, over several blocks', () => {
    const table = new NameTable();
    let misplaced = 0;
    for (let place = 0; place < 100_000; place++) if (table.add(`user.u${place}#1`) !== place) misplaced += 1;
    expect([misplaced, table.size]).toEqual([0, 100_000]);
    for (const place of [0, 4_095, 4_096, 77_777, 99_999]) expect(table.find(`user.u${place}#1`)).toBe(place);
    expect([table.find('user.u77777#2'), table.find('user.u100000#1')]).toEqual([undefined, undefined]);
    expect(table.add('user.u1234#1')).toBe(1_234);
  });
});

describe('a series', () => {
  const kinds: Readonly<Record<string, (values: readonly number[]) => Series<number>>> = {
    array: (values) => values,
    made: (values) => new MadeSeries(values.length, (index) => values[index]),
    joined: (values) => new JoinedSeries([values.slice(0, 2), values.slice(2)]),
    mapped: (values) => new MappedSeries(values.map(String), Number),
  };

  test.for(Object.entries(kinds))('slices like an array, also mapped values: %s', ([, seriesOf]) => {
    const odd = fc.constantFrom(0.5, -1.5, NaN, Infinity, -Infinity);
    const place = fc.option(fc.oneof(fc.integer({ min: -12, max: 12 }), odd), { nil: undefined });
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 8 }), place, place, (values, start, end) => {
        const series = seriesOf(values);
        expect(series.slice(start, end)).toEqual(values.slice(start, end));
        const doubled = new MappedSeries(series, (value) => 2 * value);
        expect(doubled.length).toBe(values.length);
        expect([...doubled]).toEqual(values.map((value) => 2 * value));
        expect(doubled.at(1)).toBe(values[1] === undefined ? undefined : 2 * values[1]);
        expect(doubled.slice(start, end)).toEqual(values.map((value) => 2 * value).slice(start, end));
      }),
    );
  });

  test('reads only the values of a slice or a map', () => {
    let read = 0;
    const series = new MadeSeries(1_000_000, (index) => {
      read += 1;
      return index;
    });
    expect(series.slice(-3)).toEqual([999_997, 999_998, 999_999]);
    expect(read).toBe(3);
    const named = new MappedSeries(series, (value) => `user-${value}`);
    expect(read).toBe(3);
    expect(named.slice(10, 12)).toEqual(['user-10', 'user-11']);
    expect(read).toBe(5);
  });
});

test('a computation in slices returns and throws the same as in one go', async () => {
  function* sumTo(last: number): Sliced<number> {
    let sum = 0;
    for (let value = 1; value <= last; value += 1) {
      sum += value;
      if (value % 10 === 0) yield;
    }
    if (last > 50) throw new RangeError('too much');
    return sum;
  }
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  expect(atOnce(sumTo(45))).toBe(1035);
  expect(await inSlices(sumTo(45), pause)).toBe(1035);
  expect(pauses).toBe(4);
  expect(() => atOnce(sumTo(60))).toThrow('too much');
  await expect(inSlices(sumTo(60), pause)).rejects.toThrow('too much');
});
