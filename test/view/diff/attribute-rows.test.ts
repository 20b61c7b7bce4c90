// Tests that keys and ids of one attribute that look alike can be told apart in a plan.
import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/lib/json.ts';
import { attributeRows } from '../../../src/view/diff/attribute-rows.ts';

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
