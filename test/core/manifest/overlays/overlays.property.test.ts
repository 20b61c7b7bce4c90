// Tests that a base and its overlays mean the same as one manifest with all declarations.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { isObject, type JsonObject, type JsonValue } from '../../../../src/lib/json.ts';
import { fastTest, inSuite } from '../../../support/suite.ts';
import { errorsIn, type Files, load, objectsIn } from '../support/in-memory.ts';

type Json = JsonValue;
type Fields = Record<string, Json>;

async function loaded(files: Files, path: string) {
  const manifest = await load(files, { paths: [path] });
  const { source: _where, ...settings } = manifest.application ?? { source: undefined };
  const { source: _policy, ...rules } = manifest.policy;
  return { errors: errorsIn(manifest), objects: objectsIn(manifest), settings, rules };
}

const absent: Json = { absent: true };

function isAbsent(value: Json | undefined): boolean {
  return isObject(value) && value.absent === true;
}

/** A second implementation of overlays: maps are merged by key, lists of ids by entry, and { absent: true } removes. */
function merged(upper: Json, lower: Json | undefined, path: readonly string[]): Json {
  if (path.at(-1) === 'operators' && Array.isArray(lower)) {
    const before = lower.map(String);
    if (Array.isArray(upper)) return [...before, ...upper.map(String).filter((id) => !before.includes(id))];
    const edits = Object.entries(isObject(upper) ? upper : {});
    const kept = before.filter((id) => !edits.some(([name, value]) => name === id && isAbsent(value)));
    return [...kept, ...edits.flatMap(([name, value]) => (isAbsent(value) || kept.includes(name) ? [] : [name]))];
  }
  if (!isObject(upper) || !isObject(lower)) return upper;
  const result: Fields = { ...lower };
  for (const [key, value] of Object.entries(upper)) {
    if (isAbsent(value)) delete result[key];
    else result[key] = merged(value, lower[key], [...path, key]);
  }
  return result;
}

const word = fc.constantFrom('one', 'two', 'three', '007', 'yes');
const people = ['ann', 'ben', 'cleo', 'dan'];
const user = fc.record(
  { nickname: word, profile_url: word, metadata: fc.dictionary(word, word, { minKeys: 1 }) },
  { requiredKeys: ['nickname'] },
);
const members = fc
  .uniqueArray(fc.constantFrom(...people), { minLength: 1 })
  .chain((ids) => fc.tuple(...ids.map((id) => fc.tuple(fc.constant(id), fc.constantFrom<Json>({}, null)))))
  .map((entries) => Object.fromEntries(entries));
const operators = fc.uniqueArray(fc.constantFrom(...people), { minLength: 1 });
const channel = fc.record(
  { name: word, data: word, members, operators, frozen: fc.boolean() },
  { requiredKeys: ['members'] },
);

const base = fc.record({
  users: fc
    .tuple(user, user, user, user)
    .map((list) => Object.fromEntries(people.map((id, at) => [id, list[at] as Json]))),
  group_channels: fc.dictionary(fc.constantFrom('room-1', 'room-2', 'room-3'), channel, { minKeys: 1 }),
});

/** An overlay for a map: new values, and removals of existing keys. Required keys are never removed. */
function edit(lower: Json | undefined, fresh: fc.Arbitrary<Json>, kept: readonly string[]): fc.Arbitrary<Json> {
  if (!isObject(lower)) return fresh;
  const takeable = Object.keys(lower).filter((key) => !kept.includes(key));
  return fc.tuple(fresh, fc.subarray(takeable)).map(([value, taken]) => ({
    ...(isObject(value) ? value : {}),
    ...Object.fromEntries(taken.map((key): [string, Json] => [key, absent])),
  }));
}

function overlayOf(lower: JsonObject): fc.Arbitrary<JsonObject> {
  const rooms = isObject(lower.group_channels) ? lower.group_channels : {};
  const editOf = (room: JsonObject) =>
    fc.record(
      {
        name: word,
        data: room.data === undefined ? word : fc.oneof(word, fc.constant(absent)),
        operators: Array.isArray(room.operators)
          ? fc.oneof(
              operators,
              edit(Object.fromEntries(room.operators.map((id) => [String(id), 1])), fc.constant({}), []),
            )
          : operators,
        members: edit(room.members, members, Object.keys(isObject(room.members) ? room.members : {}).slice(0, 1)),
      },
      { requiredKeys: [] },
    );
  const channels = Object.entries(rooms).map(([key, room]) =>
    fc.tuple(fc.constant(key), editOf(isObject(room) ? room : {})),
  );
  const people = Object.entries(isObject(lower.users) ? lower.users : {}).map(([key, one]) =>
    fc.tuple(
      fc.constant(key),
      edit(one, fc.record({ nickname: word, profile_url: word }, { requiredKeys: [] }), ['nickname']),
    ),
  );
  return fc.record({
    users: fc
      .tuple(...people)
      .chain((list) => fc.subarray(list))
      .map((list) => Object.fromEntries(list)),
    group_channels: fc
      .tuple(
        fc.tuple(...channels).chain((list) => fc.subarray(list)),
        fc.option(channel, { nil: undefined }),
      )
      .map(([list, added]) => ({ ...Object.fromEntries(list), ...(added === undefined ? {} : { 'room-new': added }) })),
  }) as fc.Arbitrary<JsonObject>;
}

function written(content: JsonObject, more: JsonObject = {}): string {
  return JSON.stringify({ version: 1, ...more, ...content });
}

/** As a person writes it: a member without statuses has an empty value. */
function writtenByHand(content: JsonObject, more: JsonObject): string {
  return stringify({ version: 1, ...more, ...content }, { nullStr: '' });
}

const policies: JsonObject = { policy: { external: { users: ['.*'] } } };

test('merges overlays like plain objects, also when a program has printed them again', async () => {
  const estates = base.chain((lower) =>
    overlayOf(lower).chain((upper) => {
      const both = merged(upper as Json, lower as Json, []) as JsonObject;
      return overlayOf(both).map((top) => ({ lower: lower as JsonObject, upper, top, both }));
    }),
  );
  await fc.assert(
    fc.asyncProperty(estates, async ({ lower, upper, top, both }) => {
      const files = {
        'base/a.yaml': written(lower, policies),
        'staging/a.yaml': writtenByHand(upper, { extends: '../base' }),
        'night/a.yaml': writtenByHand(top, { extends: '../staging/a.yaml' }),
        'whole/a.yaml': written(both, policies),
        'all/a.yaml': written(merged(top as Json, both as Json, []) as JsonObject, policies),
      };
      const expected = await loaded(files, 'whole');
      expect(expected.errors).toEqual([]);
      expect(await loaded(files, 'staging')).toEqual(expected);
      expect(await loaded(files, 'night')).toEqual(await loaded(files, 'all'));
      const reprinted = Object.entries(files).map(([name, text]): [string, string] => [name, stringify(parse(text))]);
      expect(await loaded(Object.fromEntries(reprinted), 'night')).toEqual(await loaded(files, 'all'));
    }),
    { numRuns: inSuite(30, 150) },
  );
});

fastTest('merges and removes rows of a source like blocks', async () => {
  const rows = Array.from(
    { length: 2_000 },
    (_, index) => `${JSON.stringify({ user_id: `u${index}`, nickname: `U${index}` })}\n`,
  );
  const sources = (file: string) => [{ kind: 'user', file }];
  const files = {
    'base/a.yaml': JSON.stringify({ version: 1, sources: sources('users.ndjson') }),
    'base/users.ndjson': rows.join(''),
    'staging/a.yaml': JSON.stringify({
      version: 1,
      extends: '../base',
      users: { u7: { metadata: { team: 'x' } }, u1999: { absent: true }, new: { nickname: 'New' } },
      sources: sources('more.csv'),
    }),
    'staging/more.csv': 'user_id,nickname,profile_url\nu3,Third,\nu4,Fourth,https://example.com/4\nmore,More,\n',
  };
  const { errors, objects } = await loaded(files, 'staging');
  expect(errors).toEqual([]);
  expect(objects.length).toBe(2_001);
  const byAddress = new Map(objects.map(({ address, attributes }): [string, JsonObject] => [address, attributes]));
  expect(byAddress.get('user.u7')).toEqual({ nickname: 'U7', metadata: { team: 'x' } });
  expect(byAddress.get('user.u3')).toEqual({ nickname: 'Third' });
  expect(byAddress.get('user.u4')).toEqual({ nickname: 'Fourth', profile_url: 'https://example.com/4' });
  expect([byAddress.has('user.u1999'), byAddress.has('user.new'), byAddress.has('user.more')]).toEqual([
    false,
    true,
    true,
  ]);
});
