// Tests that equal values have equal texts and digests, that canonical order is by code unit, and that values are read from
// JSON of any size.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestOf, digestOfAll, digestText, shortMarkLength, shortMarkOf } from '../../src/lib/digest.ts';
import {
  canonicalJson,
  compareText,
  equalJson,
  inKeyOrder,
  isObject,
  type JsonValue,
  jsonString,
} from '../../src/lib/json.ts';
import { type StreamedValue, streamJson } from '../../src/lib/json-stream.ts';
import { codePoint } from '../support/code-point.ts';

/** All keys in the order of code units. JavaScript puts numbers first, so keys are written one by one. */
function slowly(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(slowly).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${slowly(value[key] ?? null)}`).join(',')}}`;
}

/** The same value with the keys of every object reversed. */
function turned(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(turned);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, turned(inner)] as const);
  return Object.fromEntries(entries.reverse());
}

const odd = fc.constantFrom(...['"', '\\', '\n', '\0', '\u001f', '\u007f', '\u2028', 'é', '\ud800', '\udc00', '😀']);
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: codePoint }),
  fc.array(odd).map((parts) => parts.join('')),
);
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom(null, true, false, 0, -0, 1e21, -1.5e-7),
    fc.array(tie('value')),
    fc.dictionary(fc.oneof(text, fc.constantFrom('10', '9', '__proto__', 'a', 'b')), tie('value')),
  ),
}));

test('gives equal texts and digests only to equal values, whatever the order of their keys', () => {
  fc.assert(
    fc.property(value, value, (left, right) => {
      const canonical = slowly(left);
      for (const same of [left, inKeyOrder(left), turned(left)]) {
        expect(canonicalJson(same)).toBe(canonical);
        expect(equalJson(left, same)).toBe(true);
      }
      expect(equalJson(left, right)).toBe(canonical === slowly(right));
      expect(digestOf(left) === digestOf(right)).toBe(equalJson(left, right));
    }),
  );
});

test.for<{ left: JsonValue | undefined; right: JsonValue | undefined; equal: boolean }>([
  { left: undefined, right: undefined, equal: true },
  { left: undefined, right: null, equal: false },
  { left: {}, right: [], equal: false },
  { left: [1, 2], right: [2, 1], equal: false },
  { left: { constructor: 'x' }, right: {}, equal: false },
  { left: { toString: 'x' }, right: { other: 'x' }, equal: false },
  { left: '1', right: 1, equal: false },
  { left: null, right: {}, equal: false },
])('$left and $right: $equal', ({ left, right, equal }) => {
  expect(equalJson(left, right)).toBe(equal);
  expect(equalJson(right, left)).toBe(equal);
});

test('writes canonical JSON with keys by code unit, and leaves out undefined values', () => {
  const some = { b: [1.5, -0, true, null, 'ü\n"'], 10: {}, 9: [] };
  expect(canonicalJson(some)).toBe('{"10":{},"9":[],"b":[1.5,0,true,null,"ü\\n\\""]}');
  expect(canonicalJson({ a: undefined, b: { c: undefined } } as unknown as JsonValue)).toBe('{"b":{}}');
});

test('writes thousands of keys correctly', () => {
  const keys = Array.from({ length: 3_000 }, (_, index) => `"${String(index).padStart(4, '0')}`);
  for (const key of [...keys, ...keys]) expect(canonicalJson({ [key]: 1 })).toBe(`{${JSON.stringify(key)}:1}`);
});

test('quotes any text as JSON does, and orders text by code unit', () => {
  fc.assert(
    fc.property(text, (one) => {
      expect(jsonString(one)).toBe(JSON.stringify(one));
    }),
  );
  const texts = ['b', 'a', 'Z', 'ä', '10', '9', '𝒳', '\uFFFF'];
  expect([...texts].sort(compareText)).toEqual([...texts].sort());
});

test('a digest is SHA-256 and differs for another split', () => {
  expect(digestOfAll(['a', 'b'])).not.toBe(digestOfAll(['ab']));
  expect(digestText('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

test('gives similar texts different marks as often as chance allows', () => {
  const count = 200_000;
  const marks = new Set<string>();
  for (let number = 0; number < count; number++) {
    marks.add(shortMarkOf(`MESG\n${1_600_000_000_000 + number * 7}\nalice-${number % 50}\n`));
  }
  // Among 2³⁰ marks count² / 2³¹ pairs are expected, which is 19.
  expect(count - marks.size).toBeLessThan(60);
  expect([...marks].every((mark) => mark.length === shortMarkLength)).toBe(true);
});

async function valuesOf(
  whole: string,
  paths: readonly string[],
  pieceBytes: number,
): Promise<readonly StreamedValue[]> {
  const bytes = Buffer.from(whole);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const found: StreamedValue[] = [];
  for await (const { values } of streamJson(pieces(), paths)) found.push(...values);
  return found;
}

const streamed = '{"head": {"é": "😀"}, "messages": [{"a": [1, {"b": null}]}, 2], "tail": true}';

test.for([1, 3, 7, 1000])('reads values from pieces of %i bytes', async (pieceBytes) => {
  expect(await valuesOf(streamed, ['$.head', '$.messages.*'], pieceBytes)).toEqual([
    { key: 'head', value: { é: '😀' } },
    { key: 0, value: { a: [1, { b: null }] } },
    { key: 1, value: 2 },
  ]);
});

test('distinguishes truncated text from invalid text', async () => {
  const name = 'JsonStreamError';
  await expect(valuesOf(streamed.slice(0, -9), ['$.*'], 5)).rejects.toMatchObject({ name, isCut: true });
  for (const invalid of ['{"a": nonsense}', `${streamed} {}`, `[${streamed}, ${'['.repeat(1100)}`])
    await expect(valuesOf(invalid, ['$.*'], 5)).rejects.toMatchObject({ name, isCut: false });
});
