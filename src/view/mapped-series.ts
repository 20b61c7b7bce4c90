// How is a series shown with every value altered, without a copy of it?
import type { Series } from '../lib/series.ts';

/** Each value is made anew whenever it is asked for. */
export function mapSeries<From, To>(series: Series<From>, alter: (value: From) => To): Series<To> {
  return {
    length: series.length,
    at: (index) => {
      const value = series.at(index);
      return value === undefined ? undefined : alter(value);
    },
    *[Symbol.iterator]() {
      for (const value of series) yield alter(value);
    },
  };
}
