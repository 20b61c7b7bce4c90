// Tests that a template gives the text that it was made from with other parts in it, as text and as bytes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markOf, spelled, Template } from '../../src/planner/template.ts';

const piece = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }));

test('filled and written are the same, in their place and nowhere else', () => {
  fc.assert(
    fc.property(piece, fc.array(fc.tuple(fc.nat(2), piece)), fc.tuple(piece, piece, piece), (head, rest, parts) => {
      const template = new Template(head + rest.map(([place, text]) => markOf(place) + text).join(''));
      const text = head + rest.map(([place, after]) => parts[place] + after).join('');
      expect(template.filled(parts)).toBe(text);
      const most = template.mostBytes(parts);
      const bytes = new Uint8Array(3 + most);
      const end = template.write(parts, bytes, 3);
      expect(Buffer.from(bytes.subarray(3, end)).toString()).toBe(text);
      expect(end - 3).toBeLessThanOrEqual(most);
    }),
  );
});

test('a text is spelled as JSON spells it, and leaves no control character', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', '\t', '"\\')),
      (text) => {
        expect(`"${spelled(text)}"`).toBe(JSON.stringify(text));
      },
    ),
  );
});
