// Support: JSON in which some values are replaced by others, of any type and with any characters.
import fc from 'fast-check';
import { isObject, type JsonValue } from '../../src/lib/json.ts';

const oddValues: readonly JsonValue[] = [
  ...[null, true, false, 0, -1, 0.5, 1e21, 1_700_000_000, [], {}, ['x'], [[]], [null], { a: 1 }, [{ id: 'x' }]],
  ...['', ' ', 'x', 'x,y', 'ann@example.com', '.', '..', '__proto__', 'constructor', 'toString', '\0', 'half \ud800'],
  ...['\u2028', '\u001b[31mred', 'x'.repeat(300), 'https://example.com/a b', 'a/b?c#d', '-1', '1e5', 'joined'],
  '2024-01-01T00:00:00Z',
];
const kept = oddValues.length;

/** Returns the value with some of its parts replaced. */
export type Damage = (value: JsonValue) => JsonValue;

/** Replaces one part in `one`. */
export function damage(one: number): fc.Arbitrary<Damage> {
  const place = fc.oneof({ weight: one - 1, arbitrary: fc.constant(kept) }, { weight: 1, arbitrary: fc.nat(kept - 1) });
  return fc.infiniteStream(place).map((stream) => (value) => damaged(value, () => stream.next().value as number));
}

function damaged(value: JsonValue, pick: () => number): JsonValue {
  const place = pick();
  if (place < kept) return oddValues[place] ?? null;
  if (Array.isArray(value)) return value.map((item) => damaged(item, pick));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, damaged(inner, pick)]));
}
