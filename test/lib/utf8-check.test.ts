// Tests that bytes in pieces are valid exactly as far as the whole is, wherever they are cut.
import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Utf8Check } from '../../src/lib/utf8-check.ts';
import { codePoint } from '../support/code-point.ts';

/** Some are UTF-8, and many of the others nearly are. */
const bytes = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 30 }).map((text) => Buffer.from(text)),
  fc
    .array(fc.constantFrom(0x41, 0x80, 0xbf, 0xc3, 0xe2, 0xed, 0xf0, 0xff), { maxLength: 12 })
    .map((list) => Buffer.from(list)),
);

test('accepts all pieces only if all bytes are UTF-8', () => {
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(30), { maxLength: 5 }), (some, cuts) => {
      // An incomplete character is judged together with the next bytes.
      const all = Buffer.concat([some, Buffer.from('\n')]);
      const places = [
        0,
        ...cuts.map((cut) => Math.min(cut, all.length)).sort((left, right) => left - right),
        all.length,
      ];
      const check = new Utf8Check();
      const accepted = places.slice(1).map((to, at) => {
        const piece = all.subarray(places[at], to);
        return check.good(piece) === piece.length;
      });
      expect(!accepted.includes(false)).toBe(isUtf8(all));
    }),
  );
});

test('accepts all bytes before the first wrong one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.nat(40), bytes, (text, cut, after) => {
      const before = Buffer.from(text);
      const all = Buffer.concat([before, Buffer.from([0xff]), after]);
      const at = Math.min(cut, before.length);
      const check = new Utf8Check();
      expect(check.good(all.subarray(0, at))).toBe(at);
      expect(check.good(all.subarray(at))).toBe(before.length - at);
    }),
  );
});
