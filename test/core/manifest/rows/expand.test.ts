// Tests that a block with for_each means the same as one block for each row.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { fastTest, inSuite } from '../../../support/suite.ts';
import { codesOf, type Files, load, objectsIn } from '../support/in-memory.ts';

const loadAll = (files: Files) => load(files, { paths: ['a.yaml'] });
const each = (name: string) => '$'.concat(`{each.${name}}`);

function manifest(forEach: unknown, block: JsonObject): string {
  const users = { alice: { nickname: 'Alice' }, bob: { nickname: 'Bob' } };
  const rooms = { [`room-${each('id')}`]: { for_each: forEach, ...block } };
  return JSON.stringify({ version: 1, users, group_channels: rooms });
}

const word = fc.string({ unit: fc.constantFrom('a', 'Z', '0', '1', ' ', ':', '#', 'ж'), minLength: 1, maxLength: 8 });
const row = fc.record({
  id: fc.string({ unit: fc.constantFrom('a', 'b', '0', '1', '2'), minLength: 1, maxLength: 6 }),
  title: word,
  open: fc.boolean(),
  staff: fc.uniqueArray(fc.constantFrom('alice', 'bob'), { minLength: 1 }),
});
const rows = fc.uniqueArray(row, { selector: ({ id }) => id, minLength: 1, maxLength: 8 });
type RoomRow = typeof row extends fc.Arbitrary<infer One> ? One : never;

const block = {
  name: `Room ${each('title')}`,
  custom_type: each('title'),
  is_public: each('open'),
  operators: each('staff'),
  members: { alice: null, bob: null },
};

function writtenOut(list: readonly RoomRow[]): string {
  const rooms = list.map(({ id, title, open, staff }) => [
    `room-${id}`,
    {
      name: `Room ${title}`,
      custom_type: title,
      is_public: open,
      operators: staff,
      members: { alice: null, bob: null },
    },
  ]);
  const users = { alice: { nickname: 'Alice' }, bob: { nickname: 'Bob' } };
  return JSON.stringify({ version: 1, users, group_channels: Object.fromEntries(rooms) });
}

function csvOf(list: readonly RoomRow[]): string {
  const cells = ({ id, title, open, staff }: RoomRow) => [id, `"${title}"`, String(open), staff.join(';')].join(',');
  return ['id,title,open,staff', ...list.map(cells), ''].join('\n');
}

async function contentOf(files: Files) {
  const loaded = await loadAll(files);
  expect(codesOf(loaded)).toEqual([]);
  return objectsIn(loaded);
}

test('makes the same objects from a list, NDJSON and CSV as from separate blocks', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (list) => {
      const expected = await contentOf({ 'a.yaml': writtenOut(list) });
      const ndjson = list.map((one) => `${JSON.stringify(one)}\n`).join('');
      expect(await contentOf({ 'a.yaml': manifest(list, block) })).toEqual(expected);
      expect(await contentOf({ 'a.yaml': manifest({ file: 'r.ndjson' }, block), 'r.ndjson': ndjson })).toEqual(
        expected,
      );
      expect(await contentOf({ 'a.yaml': manifest({ file: 'r.csv' }, block), 'r.csv': csvOf(list) })).toEqual(expected);
    }),
    { numRuns: inSuite(20, 60) },
  );
});

test('changes no other object when a row is inserted', async () => {
  await fc.assert(
    fc.asyncProperty(rows, fc.nat(), async (list, place) => {
      const [added, ...others] = list;
      if (added === undefined) return;
      const at = place % (others.length + 1);
      const more = [...others.slice(0, at), added, ...others.slice(at)];
      const before = await contentOf({ 'a.yaml': manifest(others, block) });
      const after = await contentOf({ 'a.yaml': manifest(more, block) });
      expect(after.filter(({ address }) => address !== `group_channel.room-${added.id}`)).toEqual(before);
      expect(after.length).toBe(before.length + 1);
    }),
    { numRuns: inSuite(20, 60) },
  );
});

fastTest('gives each object the place of its block and its row', async () => {
  const text = `version: 1
open_channels:
  room-${each('id')}:
    for_each: { file: rooms.csv }
    name: ${each('title')}
  hall-${each('value')}:
    for_each: { from: 9, to: 10, digits: 2 }
`;
  const { resources, diagnostics } = await loadAll({
    'a.yaml': text,
    'rooms.csv': 'id,title\none,One\n"two","Two\nlines"\n',
  });
  expect(diagnostics).toEqual([]);
  expect([...resources].map(({ address, source }) => [address, source])).toEqual([
    ['open_channel.hall-09', { file: 'a.yaml', line: 6, column: 3, row: '09' }],
    ['open_channel.hall-10', { file: 'a.yaml', line: 6, column: 3, row: '10' }],
    ['open_channel.room-one', { file: 'a.yaml', line: 3, column: 3, row: 'rooms.csv:2' }],
    ['open_channel.room-two', { file: 'a.yaml', line: 3, column: 3, row: 'rooms.csv:3' }],
  ]);
  expect(resources.at(2)?.attributeSources?.name).toMatchObject({ line: 5, row: 'rooms.csv:2' });
});

fastTest('keeps ids as written', async () => {
  const text = `version: 1\nusers:\n  user-${each('value')}: { for_each: [007, 1e5, yes], nickname: "${each('value')}" }\n`;
  const { resources, diagnostics } = await loadAll({ 'a.yaml': text });
  expect(diagnostics).toEqual([]);
  expect([...resources].map(({ address, attributes }) => [address, attributes.nickname])).toEqual([
    ['user.user-007', '007'],
    ['user.user-1e5', '1e5'],
    ['user.user-yes', 'yes'],
  ]);
});

const atTheLimit: readonly (readonly [number, readonly string[]])[] = inSuite(
  [[100_001, ['manifest.too-many']]],
  [
    [100_000, []],
    [100_001, ['manifest.too-many']],
  ],
);

test.for(atTheLimit)('reads a file of %s rows up to the limit', async ([count, expected]) => {
  const lines = Array.from({ length: count }, (_, index) => `{"id":${index}}\n`).join('');
  const text = `version: 1\nusers:\n  user-${each('id')}: { for_each: { file: r.ndjson }, nickname: N }\n`;
  const loaded = await loadAll({ 'a.yaml': text, 'r.ndjson': lines });
  expect(codesOf(loaded)).toEqual(expected);
  expect(loaded.resources.length).toBe(expected.length === 0 ? count : 0);
});

fastTest('counts a variable in a block without rows as used', async () => {
  const variables = { region: { type: 'string', default: 'eu' }, spare: { type: 'string', default: 'x' } };
  const users = { [`u-${each('id')}`]: { for_each: [], nickname: '$'.concat('{var.region}') } };
  const loaded = await loadAll({ 'a.yaml': JSON.stringify({ version: 1, variables, users }) });
  expect(codesOf(loaded)).toEqual(['manifest.unused-variable']);
});
