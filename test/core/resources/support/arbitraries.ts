// Support: arbitrary values that the blocks of several kinds share.
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../../src/lib/json.ts';
import type { Section } from './kind-sample.ts';

const metadataKeys = ['team', 'toString', '7', 'a/b', 'x'];

export const text = fc.constantFrom('', 'one', 'two');
export const flag = fc.boolean();

/** Absent half of the time. */
export const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

export const mode = maybe(fc.constantFrom('additive', 'exclusive'));

/** Channels get one entry fewer than the limit, because others may add one. */
export const metadata = (maxKeys: number) =>
  fc.dictionary(fc.constantFrom(...metadataKeys), text, { maxKeys, noNullPrototype: true });

/** Creates a block for each key. */
export function keyed(keys: readonly string[], block: fc.Arbitrary<object>): fc.Arbitrary<Section> {
  return fc
    .tuple(...keys.map(() => block))
    .map((blocks) => Object.fromEntries(keys.map((key, index) => [key, withoutUndefined(blocks[index] ?? {})])));
}

function withoutUndefined(block: object): JsonObject {
  return Object.fromEntries(Object.entries(block).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Two sets of metadata with one common entry. */
export const metadataValues: readonly [JsonValue, JsonValue] = [
  { team: 'a', x: '1' },
  { team: 'b', x: '1' },
];
