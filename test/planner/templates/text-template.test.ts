// Tests that a template gives the text that it was made from with other parts in it, and that ASCII is what is called so.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeholderFor, TemplateValues, TextTemplate } from '../../../src/planner/templates/text-template.ts';

const piece = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }));

test('filled in their place and nowhere else', () => {
  fc.assert(
    fc.property(piece, fc.array(fc.tuple(fc.nat(2), piece)), fc.tuple(piece, piece, piece), (head, rest, parts) => {
      const template = new TextTemplate(head + rest.map(([place, text]) => placeholderFor(place) + text).join(''));
      const text = head + rest.map(([place, after]) => parts[place] + after).join('');
      expect(template.filled(parts)).toBe(text);
      expect(template.isAscii).toBe(isAscii(head + rest.map(([, after]) => after).join('')));
    }),
  );
});

test('a text is spelled as JSON spells it, leaves no control character, and is no ASCII unseen', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\ud800', '\t', '"\\', '"é', '\u007f', '\u0080'),
  );
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const parts = new TemplateValues();
      for (const [place, one] of texts.entries()) parts.put(place, one);
      expect(parts.texts.map((one) => `"${one}"`)).toEqual(texts.map((one) => JSON.stringify(one)));
      if (parts.isAscii) expect(texts.every(isAscii)).toBe(true);
    }),
  );
});

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
