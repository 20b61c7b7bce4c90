// Tests the rows of attributes: keys and ids that look alike can be told apart, and colours follow what a value does to rights.
import { expect, test } from 'vitest';
import { registry } from '../../../../src/core/resources/index.ts';
import { attributeRows, withholding } from '../../../../src/core/view/diff/attribute-rows.ts';
import type { JsonValue } from '../../../../src/lib/json.ts';

function rowsOf(path: string, before: JsonValue, after: JsonValue) {
  return attributeRows({ actions: ['update'], attributes: [{ path: [path], before, after, how: 'set' }] }).flatMap(
    (row) => (row.type === 'set' ? row.entries.map(({ sign, id }) => `${sign} ${id}`) : [`${row.sign} ${row.name}`]),
  );
}

test.for<[string, string, JsonValue, JsonValue, readonly string[]]>([
  ['keys', 'metadata', { 'caf\u{e9}': 'x' }, { 'cafe\u{301}': 'x' }, ['- caf\\u{e9}', '+ cafe\\u{301}']],
  ['ids', 'operators', ['jos\u{e9}', 'bob'], ['jose\u{301}'], ['- jos\\u{e9}', '- bob', '+ jose\\u{301}']],
  ['letters of another script', 'operators', ['alice'], ['\u{430}lice'], ['- alice', '+ \\u{430}lice']],
  ['different letters', 'operators', ['jos\u{e9}'], ['jose'], ['- jos\u{e9}', '+ jose']],
])('%s', ([, path, before, after, expected]) => {
  expect(rowsOf(path, before, after).map((text) => text.replace(/metadata\.|["[\]]/gu, ''))).toEqual(expected);
});

test('the attributes that withhold rights are those of the entries', () => {
  const entries = registry.flatMap(({ attributes }) => Object.entries(attributes));
  const names = entries.flatMap(([name, { rights }]) => (rights === 'withholds' ? [name] : []));
  expect([...withholding]).toEqual([...new Set(names)].sort());
});

test.for<[string, JsonValue, JsonValue, string]>([
  ['frozen', false, true, 'takes'],
  ['frozen', true, false, 'gives'],
  ['channel_invitation_preference', 0, 1, 'takes'],
  ['channel_invitation_preference', 1, 0, 'gives'],
  ['access_code', { revision: 1 }, { revision: 2 }, 'takes'],
])('%s from %j to %j: %s', ([name, before, after, effect]) => {
  const [row] = attributeRows({ actions: ['update'], attributes: [{ path: [name], before, after, how: 'set' }] });
  expect(row).toMatchObject({ effect });
});
