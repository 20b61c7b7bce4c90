// Tests that long texts are split at words without loss.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitText } from '../../src/convert/split-text.ts';

test('splits a text into parts that are neither too long nor end in half a character', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '😀', 'é'), maxLength: 200 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 30 }), (whole, length) => {
      const parts = splitText(whole, length);
      expect(parts.join('')).toBe(whole);
      for (const part of parts) {
        expect([...part].length).toBeLessThanOrEqual(length);
        expect(part).not.toMatch(/\p{Cs}/u);
      }
    }),
  );
});

test('breaks after a line, else after a word', () => {
  expect(splitText('one two three four', 10)).toEqual(['one two ', 'three four']);
  expect(splitText('12345678\n1234567890', 10)).toEqual(['12345678\n', '1234567890']);
});
