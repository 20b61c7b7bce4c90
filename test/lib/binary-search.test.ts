// Tests the binary search.
import { expect, test } from 'vitest';
import { lastWhere } from '../../src/lib/binary-search.ts';

test('finds the last place where the test holds, for every length and boundary', () => {
  for (let length = 0; length < 20; length += 1) {
    for (let boundary = 0; boundary <= length; boundary += 1)
      expect(lastWhere(length, (place) => place < boundary)).toBe(boundary - 1);
  }
});
