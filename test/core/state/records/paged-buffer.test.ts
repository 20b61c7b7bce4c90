// Tests that bytes come back unchanged: from memory, from a file, and when there is no space for a file.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PagedBuffer } from '../../../../src/core/state/records/paged-buffer.ts';
import { TempFile } from '../../../../src/lib/temp-file.ts';

const full = new TempFile(undefined, () => {
  throw new Error('no space');
});

test.for([
  { name: 'in memory', limit: 1 << 30, openFile: () => new TempFile() },
  { name: 'in a file', limit: 0, openFile: () => new TempFile() },
  { name: 'in both', limit: 1 << 20, openFile: () => new TempFile() },
  {
    name: 'when no file can be made',
    limit: 0,
    openFile: () => {
      throw new Error('no file');
    },
  },
  { name: 'when the disk is full', limit: 0, openFile: () => full },
])('$name', ({ limit, openFile }) => {
  const part = fc.record({ length: fc.nat(1_500_000), byte: fc.nat(255) });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      let opened = 0;
      const buffer = new PagedBuffer(limit, () => {
        opened += 1;
        return openFile();
      });
      const offsets = parts.map(({ length, byte }) => buffer.append(Buffer.alloc(length, byte)));
      const lastPage = Math.floor((buffer.length - 1) / (1 << 20)) * (1 << 20);
      expect(opened > 0).toBe(lastPage > limit);
      expect(buffer.length).toBe(parts.reduce((sum, { length }) => sum + length, 0));
      for (const [number, { length, byte }] of parts.entries()) {
        expect(buffer.slice(offsets[number] ?? 0, length).equals(Buffer.alloc(length, byte))).toBe(true);
      }
    }),
    { numRuns: 10 },
  );
});

test('texts of any characters come back unchanged, across pages and in any order', () => {
  const part = fc.record({
    character: fc.constantFrom('a', 'é', '€', '😀'),
    length: fc.oneof(fc.nat(1_000), fc.nat(300_000)),
  });
  const place = fc.nat(11);
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), fc.array(place), (parts, places) => {
      const buffer = new PagedBuffer(0);
      const texts = parts.map(({ character, length }) => character.repeat(length));
      const offsets = texts.map((text) => buffer.append(Buffer.from(text)));
      buffer.append(Buffer.alloc(1 << 21));
      for (const place of [...texts.keys(), ...places]) {
        const text = texts[place] ?? '';
        expect(buffer.slice(offsets[place] ?? 0, Buffer.byteLength(text)).toString() === text).toBe(true);
      }
    }),
    { numRuns: 10 },
  );
});
