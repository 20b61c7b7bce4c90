// Tests that every row is found at its place, for any gaps between rows and any order of questions.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RowPlace, RowPlaces } from '../../../src/manifest/sources/row-places.ts';

/** Mostly one row upon the other; at times an empty line, rows that were left out, a row of several lines. */
const gaps = fc.array(
  fc.record({
    bytes: fc.oneof(fc.nat(200), fc.nat(900_000)),
    gap: fc.oneof(
      { weight: 12, arbitrary: fc.constant({ bytes: 0, lines: 0 }) },
      { weight: 1, arbitrary: fc.record({ bytes: fc.nat(3), lines: fc.nat(3) }) },
    ),
  }),
  { maxLength: 400, size: 'max' },
);

function placesOf(rows: readonly { readonly bytes: number; readonly gap: { bytes: number; lines: number } }[]) {
  const places: RowPlace[] = [];
  let [start, line] = [0, 1];
  for (const { bytes, gap } of rows) {
    start += gap.bytes;
    line += gap.lines;
    places.push({ start, bytes, line });
    start += bytes + 1;
    line += 1;
  }
  return places;
}

test('in order, here and there, and while rows are still coming', () => {
  fc.assert(
    fc.property(gaps, fc.array(fc.nat()), (rows, asked) => {
      const places = placesOf(rows);
      const kept = new RowPlaces();
      for (const [index, place] of places.entries()) {
        kept.push(place);
        if (index % 7 === 0) expect(kept.at(index)).toEqual(place);
      }
      expect(kept.length).toBe(places.length);
      expect(places.map((_place, index) => kept.at(index))).toEqual(places);
      for (const number of places.length === 0 ? [] : asked) {
        const index = number % places.length;
        expect(kept.at(index)).toEqual(places[index]);
        if (index + 1 < places.length) expect(kept.at(index + 1)).toEqual(places[index + 1]);
      }
    }),
  );
});
