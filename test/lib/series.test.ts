// Tests that every kind of series behaves like an array and reads no more than requested.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JoinedSeries, MappedSeries, type Series } from '../../src/lib/series.ts';
import { MadeSeries } from '../support/series.ts';

const kinds: Readonly<Record<string, (values: readonly number[]) => Series<number>>> = {
  array: (values) => values,
  made: (values) => new MadeSeries(values.length, (index) => values[index]),
  joined: (values) => new JoinedSeries([values.slice(0, 2), values.slice(2)]),
  mapped: (values) => new MappedSeries(values.map(String), Number),
};

test.for(Object.entries(kinds))('slices like an array, also mapped values: %s', ([, seriesOf]) => {
  const place = fc.option(
    fc.oneof(fc.integer({ min: -12, max: 12 }), fc.constantFrom(0.5, -1.5, NaN, Infinity, -Infinity)),
    { nil: undefined },
  );
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
