// Tests the edits of values in the text of a manifest: what changes, what stays byte by byte, and what is refused.
import { describe, expect, test } from 'vitest';
import { editBlocks } from '../../../../src/core/manifest/write/block-edits.ts';
import type { BlockEdit } from '../../../../src/core/manifest/write/whole-edits.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import type { JsonValue } from '../../../../src/lib/json.ts';

function edit(place: string, before: JsonValue, after: JsonValue | undefined): BlockEdit {
  const [section = '', key = '', attribute = ''] = place.split('/');
  return { section, key, attribute, before, after };
}

function edited(text: string, ...edits: readonly BlockEdit[]) {
  const { text: result, refused } = editBlocks(text, edits, registry);
  return { text: result, refused: [...refused.values()] };
}

/** Begins a placeholder. */
const sign = '$';

const al = (lines: string): string => `users:\n  al:\n    ${lines}`;
const named = (before: string, after: string) => edit('users/al/nickname', before, after);
const metadata = (before: JsonValue, after: JsonValue) => edit('users/al/metadata', before, after);
const [a, b] = [{ a: 'x' }, { b: 'why' }];

describe('changes only the value', () => {
  test.for<readonly [string, string, BlockEdit, string]>([
    ['a plain text', al('nickname: Al # her name\n'), named('Al', 'Bo'), 'nickname: Bo # her name\n'],
    [
      'a quoted text',
      "users: {al: {nickname: 'Al',  metadata: {}}}\n",
      named('Al', 'Bo'),
      'users: {al: {nickname: Bo,  metadata: {}}}\n',
    ],
    ['a text that needs quotes', al('nickname: Al\n'), named('Al', 'a: #"b\n'), 'nickname: "a: #\\"b\\n"\n'],
    ['a text that looks like a number', al('nickname: Al\n'), named('Al', '007'), 'nickname: "007"\n'],
    [
      'a text that looks like a placeholder',
      al('nickname: Al\n'),
      named('Al', `${sign}{var.x}`),
      `nickname: "${sign}${sign}{var.x}"\n`,
    ],
    [
      'a text over several lines',
      al('nickname: |\n      Al\n      Bo\n  bo:\n'),
      named('Al\nBo\n', 'Al'),
      al('nickname: Al\n  bo:\n'),
    ],
    [
      'a number as a key',
      'users:\n  007:\n    nickname: Al\n',
      edit('users/007/nickname', 'Al', 'Bo'),
      '  007:\n    nickname: Bo\n',
    ],
    [
      'an entry of a map',
      al('metadata:\n      a: x # a\n      b: why\n'),
      metadata({ ...a, ...b }, { a: 'z', ...b }),
      'a: z # a\n      b: why\n',
    ],
    [
      'an entry of a map that goes',
      al('metadata:\n      # above\n      a: x # a\n      b: why\n'),
      metadata({ ...a, ...b }, b),
      '      # above\n      # a\n      b: why\n',
    ],
    ['all entries of a map', al('metadata:\n      a: x # a\n'), metadata(a, {}), '    metadata: {} # a\n'],
    [
      'an entry of a map that comes',
      al('metadata:\n      a: x # a'),
      metadata(a, { ...a, b: 'y z' }),
      'a: x # a\n      b: y z\n',
    ],
    ['a map without entries', al('metadata: {}\n'), metadata({}, b), 'metadata: { b: why }\n'],
    [
      'a member in brackets',
      'group_channels: { r: { members: { alice: , bo: , c: } } }\n',
      edit('group_channels/r/members', { alice: {}, bo: {}, c: {} }, { bo: {}, d: {} }),
      'members: { bo: , d: }',
    ],
    [
      'a member on its line',
      'group_channels:\n  r:\n    members:\n      alice: # on call\n      bo:\n',
      edit('group_channels/r/members', { alice: {}, bo: {} }, { alice: {}, d: {} }),
      '      alice: # on call\n      d:\n',
    ],
    [
      'an id of a list',
      'open_channels:\n  r:\n    operators:\n      - al # first\n      - bo\n',
      edit('open_channels/r/operators', ['al', 'bo'], ['bo', 'c']),
      '    operators:\n      # first\n      - bo\n      - c\n',
    ],
    [
      'an id of a list in brackets',
      'open_channels:\n  r:\n    operators: [al,  bo,c]\n',
      edit('open_channels/r/operators', ['al', 'bo', 'c'], ['al', 'c']),
      'operators: [al,c]\n',
    ],
    [
      'a line',
      'open_channels:\n  r:\n    name: x # why\n    data: y\n',
      edit('open_channels/r/name', 'x', undefined),
      '  r:\n    # why\n    data: y\n',
    ],
    [
      'a flag in the spelling of the platform',
      'open_channels:\n  r:\n    freeze: true # now\n',
      edit('open_channels/r/frozen', true, false),
      '    freeze: false # now\n',
    ],
    [
      'an opposite flag',
      al('is_active: true # now\n'),
      edit('users/al/deactivated', false, true),
      'is_active: false # now\n',
    ],
    [
      'an id of a list in the spelling of the platform',
      'open_channels:\n  r:\n    operator_ids: [al, bo]\n',
      edit('open_channels/r/operators', ['al', 'bo'], ['bo', 'c']),
      'operator_ids: [bo, c]\n',
    ],
    [
      'a member of a list of ids',
      'group_channels:\n  r:\n    user_ids:\n      - al # on call\n      - bo\n',
      edit('group_channels/r/members', { al: {}, bo: {} }, { al: {}, c: {} }),
      '    user_ids:\n      - al # on call\n      - c\n',
    ],
    [
      'JSON over several lines',
      '{"users": {\n  "al": {"metadata": {\n    "a": "x",\n    "b": "why"\n  }}\n}}\n',
      metadata({ ...a, ...b }, { b: 'z', c: 'c' }),
      '{"users": {\n  "al": {"metadata": {\n    "b": "z",\n    "c": "c"\n  }}\n}}\n',
    ],
    [
      'lines with CR LF',
      al('metadata:\n      a: x\n').replaceAll('\n', '\r\n'),
      metadata(a, { ...a, ...b }),
      '      a: x\r\n      b: why\r\n',
    ],
  ])('%s', ([, text, one, expected]) => {
    const result = edited(text, one);
    expect(result.refused).toEqual([]);
    expect(result.text).toContain(expected);
  });

  test('several values of one line, one after the other', () => {
    const text = 'open_channels: { r: { name: x, data: y, custom_type: z } }\n';
    const edits = ['name', 'data', 'custom_type'].map((name) => edit(`open_channels/r/${name}`, 'x', undefined));
    expect(edited(text, ...edits)).toEqual({ text: 'open_channels: { r: {} }\n', refused: [] });
  });

  test('a file in the layout of fmt stays in it', () => {
    const text = `version: 1\n\n${al('nickname: Al\n    metadata: { a: x }\n')}`;
    const long = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`key_${index}`, 'a long text for one line']),
    );
    const { text: result } = edited(text, metadata(a, { ...a, ...long }));
    expect(edited(result, named('Al', 'Bo')).text).toBe(result.replace('Al', 'Bo'));
  });
});

describe('a long file is edited block by block', () => {
  const count = 250;
  // Long comments make a file long without making it slow to parse.
  const comment = 'a long comment '.repeat(15).trimEnd();
  const users = (lineOf: (place: number) => string): string =>
    `version: 1\n\nusers:\n${Array.from({ length: count }, (_, place) => lineOf(place)).join('')}`;
  const plain = (place: number, name = `User ${place}`): string =>
    `  # Number ${place}: ${comment}\n  user-${place}:\n    nickname: ${name} # a name\n    metadata: { a: x }\n`;
  const rename = (place: number, before = `User ${place}`) => edit(`users/user-${place}/nickname`, before, 'New');

  test.for<readonly [string, (place: number) => string, readonly number[]]>([
    ['with an edit in each chunk', plain, Array.from({ length: count }, (_, place) => place)],
    ['with few edits', plain, [0, 7, 125, 249]],
    ['with keys in quotes', (place) => plain(place).replace(/user-\d+/u, '"$&"'), [5, 200]],
    [
      'with keys in quotes with escapes',
      (place) =>
        plain(place)
          .replace(/user-/u, '"\\u0075ser-')
          .replace(/(user-)?(?<=ser-)(\d+):/u, '$2":'),
      [5],
    ],
    ['in CR LF', (place) => plain(place).replaceAll('\n', '\r\n'), [5, 200]],
  ])('%s', ([, lineOf, places]) => {
    const text = users(lineOf);
    const expected = users((place) =>
      places.includes(place) ? lineOf(place).replace(/nickname: User \d+/u, 'nickname: New') : lineOf(place),
    );
    expect(text.length).toBeGreaterThan(1 << 16);
    const { text: result, refused } = edited(text, ...places.map((place) => rename(place)));
    expect(refused).toEqual([]);
    expect(result === expected).toBe(true);
  });

  test('in one section only, whatever the keys of others', () => {
    const rooms = Array.from({ length: 50 }, (_, place) => `  user-${place}:\n    name: Room\n`).join('');
    const text = `${users(plain)}group_channels:\n${rooms}`;
    const { text: result, refused } = edited(text, rename(3), edit('group_channels/user-3/name', 'Room', 'Hall'));
    expect(refused).toEqual([]);
    const room = '  user-3:\n    name: Room';
    const expected = text.replace(plain(3), plain(3, 'New')).replace(room, room.replace('Room', 'Hall'));
    expect(result === expected).toBe(true);
  });

  test('refuses what has no plain key, and values of anchors', () => {
    const anchored = plain(7).replace('{ a: x }', '&m { a: x }');
    const { refused } = edited(
      users((place) => (place === 7 ? anchored : plain(place))),
      edit('users/nobody/nickname', 'A', 'B'),
      edit('users/user-7/metadata', a, b),
    );
    expect(refused).toEqual([
      'The block has no plain key in the file.',
      'The value has an anchor, which others may share.',
    ]);
  });
});

describe('refuses a value', () => {
  test.for([
    ['of an anchor', 'users:\n  al:\n    metadata: &m { a: x }\n', 'The value has an anchor'],
    ['of an alias', 'users:\n  b: { metadata: &m { a: x } }\n  al:\n    metadata: *m\n', 'The value is an alias'],
    [
      'of a merge key',
      'users:\n  b: &m { metadata: { a: x } }\n  al:\n    <<: *m\n',
      'it comes from defaults or a merge key',
    ],
    ['of a block that others merge', 'users:\n  al: &m { metadata: { a: x } }\n', 'The block has an anchor'],
    ['of a variable', `users:\n  al: { metadata: { a: "${sign}{var.x}" } }\n`, 'The value comes from a variable.'],
    ['of a for_each block', `users:\n  "${sign}{each.id}": { metadata: { a: x } }\n`, 'The block has no plain key'],
    ['in brackets with a comment', 'users:\n  al:\n    metadata: { # why\n      a: x }\n', 'brackets'],
  ] as const)('%s', ([, text, why]) => {
    const { text: result, refused } = edited(text, metadata(a, {}));
    expect(result).toBe(text);
    expect(refused).toEqual([expect.stringContaining(why)]);
  });

  test.for([
    [
      'of users in a list of objects',
      'users: [{ user_id: al }]',
      { c: {} },
      'The value is written as users. Write members',
    ],
    [
      'of a status in a list of ids',
      'user_ids: [al]',
      { al: { hidden_status: 'unhidden' } },
      'The value is written as user_ids.',
    ],
  ] as const)('%s', ([, line, after, why]) => {
    const text = `group_channels:\n  r:\n    ${line}\n`;
    const { text: result, refused } = edited(text, edit('group_channels/r/members', { al: {} }, after));
    expect(result).toBe(text);
    expect(refused).toEqual([expect.stringContaining(why)]);
  });
});
