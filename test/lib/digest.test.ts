// Tests that equal values have equal texts and digests, and that canonical order is by code unit.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digestOf, digestOfAll, digestText, shortMarkLength, shortMarkOf } from '../../src/lib/digest.ts';
import { canonicalJson, compareText, equalJson, type JsonValue } from '../../src/lib/json.ts';

const json = fc
  .jsonValue({ maxDepth: 3 })
  .filter((value) => !JSON.stringify(value).includes('__proto__')) as fc.Arbitrary<JsonValue>;

/** The same value with the keys of every object reversed. */
function turned(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, turned(inner)]),
  );
}

describe('json', () => {
  test('gives equal texts and digests only to equal values', () => {
    fc.assert(
      fc.property(json, json, (left, right) => {
        expect(equalJson(left, turned(left))).toBe(true);
        expect(canonicalJson(turned(left))).toBe(canonicalJson(left));
        expect(equalJson(left, right)).toBe(canonicalJson(left) === canonicalJson(right));
        expect(digestOf(left) === digestOf(right)).toBe(equalJson(left, right));
      }),
    );
  });

  test.for<{ left: JsonValue | undefined; right: JsonValue | undefined; equal: boolean }>([
    { left: undefined, right: undefined, equal: true },
    { left: undefined, right: null, equal: false },
    { left: {}, right: [], equal: false },
    { left: [], right: {}, equal: false },
    { left: [1, 2], right: [2, 1], equal: false },
    { left: { constructor: 'x' }, right: {}, equal: false },
    { left: { toString: 'x' }, right: { other: 'x' }, equal: false },
    { left: '1', right: 1, equal: false },
    { left: null, right: {}, equal: false },
  ])('$left and $right: $equal', ({ left, right, equal }) => {
    expect(equalJson(left, right)).toBe(equal);
    expect(equalJson(right, left)).toBe(equal);
  });

  test('writes canonical JSON with keys by code unit', () => {
    const value = { b: [1.5, -0, true, null, 'ü\n"'], 10: {}, 9: [] };
    expect(canonicalJson(value)).toBe('{"10":{},"9":[],"b":[1.5,0,true,null,"ü\\n\\""]}');
    fc.assert(
      fc.property(json, (any) => {
        expect(JSON.parse(canonicalJson(any))).toEqual(JSON.parse(JSON.stringify(any)));
      }),
    );
  });

  test('is SHA-256 and differs for another split', () => {
    expect(digestOfAll(['a', 'b'])).not.toBe(digestOfAll(['ab']));
    expect(digestText('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  test('orders text by code unit, like sort', () => {
    const texts = ['b', 'a', 'Z', 'ä', '10', '9', '𝒳', '\uFFFF'];
    expect([...texts].sort(compareText)).toEqual([...texts].sort());
  });
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
