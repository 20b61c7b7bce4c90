// Tests the canonical JSON of values.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, inKeyOrder, isObject, type JsonValue, jsonString } from '../../src/lib/json.ts';
import { codePoint } from '../support/code-point.ts';

/** All keys in the order of code units. JavaScript puts numbers first, so keys are written one by one. */
function slowly(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(slowly).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${slowly(value[key] ?? null)}`).join(',')}}`;
}

const odd = fc.constantFrom(
  '"',
  '\\',
  '\n',
  '\u0000',
  '\u001f',
  '\u007f',
  '\u2028',
  'é',
  '\ud800',
  '\udc00',
  '\u{1f600}',
);
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

test('writes any value as canonical JSON, whatever the order of its keys', () => {
  fc.assert(
    fc.property(value, (value) => {
      const canonical = slowly(value);
      expect(canonicalJson(value)).toBe(canonical);
      expect(canonicalJson(inKeyOrder(value))).toBe(canonical);
    }),
  );
});

test('leaves out undefined values', () => {
  const value = { a: undefined, b: { c: undefined } } as unknown as JsonValue;
  expect(canonicalJson(value)).toBe('{"b":{}}');
});

test('writes thousands of keys correctly', () => {
  const keys = Array.from({ length: 3_000 }, (_, index) => `"${String(index).padStart(4, '0')}`);
  for (const key of [...keys, ...keys]) expect(canonicalJson({ [key]: 1 })).toBe(`{${JSON.stringify(key)}:1}`);
});

test('quotes any text as JSON does', () => {
  fc.assert(
    fc.property(text, (text) => {
      expect(jsonString(text)).toBe(JSON.stringify(text));
    }),
  );
});
