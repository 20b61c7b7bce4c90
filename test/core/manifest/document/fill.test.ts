// Tests how placeholders are filled in, and that any text can be escaped.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  escapePlaceholders,
  fillText,
  fillTree,
  type PlaceholderValues,
} from '../../../../src/core/manifest/document/fill.ts';
import { treeOf } from '../../../../src/core/manifest/files/made-trees.ts';
import { toJson } from '../../../../src/core/manifest/files/tree.ts';
import type { JsonValue } from '../../../../src/lib/json.ts';

const known: Readonly<Record<string, JsonValue>> = {
  'var.region': 'eu',
  'var.rooms': 3,
  'each.city': '$'.concat('{var.region}'),
  'each.closed': true,
  'each.tags': ['a', 'b'],
};
const refused: string[] = [];
const bare: string[] = [];
const values: PlaceholderValues = {
  valueOf: ({ scope, name }) => {
    const value = known[`${scope}.${name}`];
    return name === 'empty' ? 'absent' : value === undefined ? undefined : treeOf(value);
  },
  noteBare: (name) => void bare.push(name),
  refuseKey: (key) => void refused.push(key),
};

function filled(value: JsonValue): JsonValue | undefined {
  const tree = fillTree(treeOf(value), values);
  return tree === undefined ? undefined : toJson(tree);
}

const region = '$'.concat('{var.region}');
const each = (name: string) => '$'.concat(`{each.${name}}`);

test.for<[string, JsonValue, JsonValue]>([
  ['a part of a text', `in ${region}, ${region}`, 'in eu, eu'],
  [
    'a value that is nothing else keeps its type',
    ['$'.concat('{var.rooms}'), each('closed'), each('tags')],
    [3, true, ['a', 'b']],
  ],
  ['within a text it is text', '$'.concat('{var.rooms} rooms'), '3 rooms'],
  ['no value is read again', each('city'), region],
  ['keys', { [`a-${region}`]: region }, { 'a-eu': 'eu' }],
  ['what is absent is left out of maps and lists', { a: each('empty'), b: [each('empty'), 'x'] }, { b: ['x'] }],
  [
    'without a value it stays',
    ['$'.concat('{var.other}'), 'x $'.concat('{var.other}')],
    ['$'.concat('{var.other}'), 'x $'.concat('{var.other}')],
  ],
  ['two dollars are one, and nothing is filled in', `$${region} and ${region}`, `${region} and eu`],
  [
    'a bare name is a text, and so is another form',
    ['$'.concat('{REGION}'), '$$'.concat('{REGION}'), '$'.concat('{region}')],
    ['$'.concat('{REGION}'), '$'.concat('{REGION}'), '$'.concat('{region}')],
  ],
])('%s', ([, given, expected]) => {
  expect(filled(given)).toEqual(expected);
});

test('refuses a key that its map cannot contain', () => {
  refused.length = 0;
  expect(filled({ eu: 1, [region]: 2 })).toEqual({ eu: 1 });
  expect(refused).toEqual(['eu']);
});

test('notes each bare name that is not escaped', () => {
  bare.length = 0;
  filled({ a: ['$'.concat('{APP_ID} and $${REGION}')], ['$'.concat('{KEY}')]: 'x' });
  expect(bare.toSorted()).toEqual(['APP_ID', 'KEY']);
});

test('returns the same tree when it has no placeholder', () => {
  const tree = treeOf({ a: ['x', '$'.concat('{X}')], b: { c: 1 } });
  expect(fillTree(tree, values)).toBe(tree);
});

test('restores any escaped text', () => {
  const part = fc.constantFrom('$', '{', '}', 'var.', 'each.', 'region', 'REGION', region, each('city'), '$$', ' ');
  const text = fc.oneof(
    fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.string(),
  );
  fc.assert(
    fc.property(text, (one) => {
      expect(fillText(escapePlaceholders(one), values, 0)).toBe(one);
      expect(filled(escapePlaceholders(one))).toBe(one);
    }),
    { numRuns: 1000 },
  );
});
