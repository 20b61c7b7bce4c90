// Tests that a file gives the same lines from any pieces, and the handling of unreadable lines and bytes.
import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Utf8Check } from '../../src/lib/json-stream.ts';
import { type FileLine, maxLineBytes, readLines, readStreamLines } from '../../src/lib/line-reader.ts';
import { codePoint } from '../support/code-point.ts';

async function inPieces(bytes: Uint8Array, size: number): Promise<FileLine[]> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < bytes.length; start += size) yield bytes.slice(start, start + size);
  }
  const lines: FileLine[] = [];
  for await (const some of readStreamLines(chunks())) lines.push(...some);
  return lines;
}

function ofFile(bytes: Uint8Array): FileLine[] {
  const read = (into: Uint8Array, position: number) => {
    const piece = bytes.subarray(position, position + into.length);
    into.set(piece);
    return piece.length;
  };
  return [...readLines(read)].flat();
}

/** Returns the lines, from the whole text. */
function expected(bytes: Buffer): FileLine[] {
  const lines: FileLine[] = [];
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf('\n', start);
    const to = found === -1 ? bytes.length : found;
    const end = found === -1 ? to : to + 1;
    const from = start === 0 && bytes.toString('utf8', 0, 3) === '\ufeff' ? 3 : start;
    const text = bytes.toString('utf8', from, to);
    const isText = Buffer.from(text).equals(bytes.subarray(from, to));
    lines.push({ start: from, bytes: to - from, end, line: lines.length + 1, text: isText ? text : undefined });
    start = end;
  }
  return lines;
}

test('reads the same lines from pieces of any size', async () => {
  const part = fc
    .constantFrom('\n', '\r\n', 'a', '{"a": 1}', 'ü', '😀', '\u2028', '\ufeff')
    .map((text) => Buffer.from(text));
  const broken = fc.constantFrom([0xff], [0xc3], [0xf0, 0x9f]).map((bytes) => Buffer.from(bytes));
  const parts = fc.array(fc.oneof({ weight: 20, arbitrary: part }, { weight: 1, arbitrary: broken }), {
    size: 'large',
  });
  await fc.assert(
    fc.asyncProperty(parts, fc.boolean(), fc.integer({ min: 1, max: 40 }), async (all, hasMark, size) => {
      const bytes = Buffer.concat([...(hasMark ? [Buffer.from('\ufeff')] : []), ...all]);
      const lines = expected(bytes);
      expect(await inPieces(bytes, size)).toEqual(lines);
      expect(ofFile(bytes)).toEqual(lines);
    }),
  );
});

describe('a line that is too long', () => {
  test.for([1_000, 65_536, 3_000_000])(
    'has no text, and the lines around it are whole: pieces of %i bytes',
    async (size) => {
      const long = 'x'.repeat(maxLineBytes + 1);
      const text = `first\n${long}\n${'y'.repeat(maxLineBytes)}\n${long}`;
      const lines = await inPieces(Buffer.from(text), size);
      expect(lines.map(({ start, bytes, end, text: own }) => [start, bytes, end, own?.length])).toEqual([
        [0, 5, 6, 5],
        [6, long.length, 7 + long.length, undefined],
        [7 + long.length, maxLineBytes, 8 + long.length + maxLineBytes, maxLineBytes],
        [8 + long.length + maxLineBytes, long.length, 8 + 2 * long.length + maxLineBytes, undefined],
      ]);
      expect(ofFile(Buffer.from(text))).toEqual(lines);
    },
  );
});

test('needs little memory for a short file', () => {
  const read = (into: Uint8Array, position: number) => Buffer.from('{}\n').copy(into, 0, position);
  const before = process.memoryUsage().arrayBuffers;
  const open = Array.from({ length: 20 }, () => readLines(read));
  for (const lines of open) expect(lines.next().value).toHaveLength(1);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 100_000);
});

test('reads a stream no further than asked', async () => {
  let given = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      given += 1;
      yield Buffer.from('{}\n'.repeat(10));
    }
  }
  let last = 0;
  for await (const lines of readStreamLines(endless())) {
    for (const { line } of lines) last = line;
    if (last >= 30) break;
  }
  expect(last).toBe(30);
  expect(given).toBeLessThan(6);
});

/** Some are UTF-8, and many of the others nearly are. */
const bytes = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 30 }).map((text) => Buffer.from(text)),
  fc
    .array(fc.constantFrom(0x41, 0x80, 0xbf, 0xc3, 0xe2, 0xed, 0xf0, 0xff), { maxLength: 12 })
    .map((list) => Buffer.from(list)),
);

test('the check of UTF-8 accepts all pieces only if all bytes are UTF-8', () => {
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

test('the check of UTF-8 accepts all bytes before the first wrong one', () => {
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
