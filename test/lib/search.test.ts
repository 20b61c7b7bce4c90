// Binary search finds the last place where a test holds.
import { expect, test } from 'vitest';
import { lastWhere } from '../../src/lib/search.ts';

test('every length with every boundary', () => {
  for (let length = 0; length < 20; length += 1) {
    for (let boundary = 0; boundary <= length; boundary += 1)
      expect(lastWhere(length, (place) => place < boundary)).toBe(boundary - 1);
  }
});
