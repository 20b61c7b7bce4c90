// Do bytes come back as they were put in, from memory, from a file, and where there is no room for one?
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openScratch, type Scratch } from '../../../src/lib/temp-file.ts';
import { PagedBuffer } from '../../../src/state/records/paged-buffer.ts';

const full: Scratch = { write: () => false, read: () => expect.unreachable() };

test.for([
  { name: 'in memory', limit: 1 << 30, makeScratch: () => expect.unreachable() },
  { name: 'in a file', limit: 0, makeScratch: openScratch },
  { name: 'in both', limit: 1 << 20, makeScratch: openScratch },
  { name: 'when no file can be made', limit: 0, makeScratch: () => undefined },
  { name: 'when the disk is full', limit: 0, makeScratch: () => full },
])('$name', ({ limit, makeScratch }) => {
  const part = fc.record({ length: fc.nat(1_500_000), byte: fc.nat(255) });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      const arena = new PagedBuffer(limit, makeScratch);
      const offsets = parts.map(({ length, byte }) => arena.append(Buffer.alloc(length, byte)));
      expect(arena.length).toBe(parts.reduce((sum, { length }) => sum + length, 0));
      for (const [number, { length, byte }] of parts.entries()) {
        expect(arena.slice(offsets[number] ?? 0, length).equals(Buffer.alloc(length, byte))).toBe(true);
      }
    }),
    { numRuns: 10 },
  );
});

test('texts come back whole: of any characters, across the end of a page, in any order', () => {
  const part = fc.record({
    character: fc.constantFrom('a', 'é', '€', '😀'),
    length: fc.oneof(fc.nat(1_000), fc.nat(300_000)),
  });
  const place = fc.nat(11);
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), fc.array(place), (parts, places) => {
      const arena = new PagedBuffer(0);
      const texts = parts.map(({ character, length }) => character.repeat(length));
      const offsets = texts.map((text) => arena.appendText(text));
      arena.appendText('x'.repeat(1 << 21));
      for (const place of [...texts.keys(), ...places]) {
        const text = texts[place] ?? '';
        expect(arena.slice(offsets[place] ?? 0, Buffer.byteLength(text)).toString() === text).toBe(true);
      }
    }),
    { numRuns: 10 },
  );
});
