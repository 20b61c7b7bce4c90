// Tests how an answer is compared with the expectation of a step, and the words for differences.
import { describe, expect, test } from 'vitest';
import { unmetExpectations } from '../../../../src/core/applier/verdict/expectation.ts';
import type { Expectation } from '../../../../src/core/model/request.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';

const live = {
  nickname: 'Alice',
  frozen: false,
  metadata: { team: 'support', 'a.b': '1' },
  members: [{ user_id: 'alice', role: '' }, { user_id: 'bob' }, { role: 'none' }],
  operators: ['alice', 7],
  nothing: null,
};

const cases: readonly (readonly [name: string, expectations: Expectation[], found: string[]])[] = [
  ['nothing is expected', [], []],
  ['an equal value', [{ path: ['nickname'], is: 'Alice' }], []],
  ['an equal object, in any order', [{ path: ['metadata'], is: { 'a.b': '1', team: 'support' } }], []],
  ['a value inside', [{ path: ['metadata', 'team'], is: 'support' }], []],
  ['null is a value', [{ path: ['nothing'], is: null }], []],
  ['the whole answer', [{ path: [], is: live }], []],
  ['another value', [{ path: ['nickname'], is: 'Bob' }], ['nickname is "Alice" instead of "Bob"']],
  ['a value of another type', [{ path: ['frozen'], is: 'false' }], ['frozen is false instead of "false"']],
  ['an absent value', [{ path: ['data'], is: '' }], ['data is absent instead of ""']],
  [
    'a path through what is no object',
    [{ path: ['nickname', 'length'], is: 5 }],
    ['nickname.length is absent instead of 5'],
  ],
  [
    'names of the prototype are no values',
    [{ path: ['constructor', 'name'], is: 'Object' }],
    ['constructor.name is absent instead of "Object"'],
  ],
  ['a path that has to be quoted', [{ path: ['metadata', 'a.b'], is: '2' }], ['metadata."a.b" is "1" instead of "2"']],
  ['ids in a list of objects', [{ path: ['members'], includes: ['bob', 'alice'], by: 'user_id' }], []],
  ['ids in a list of strings', [{ path: ['operators'], includes: ['alice'], by: 'user_id' }], []],
  ['no ids are wanted', [{ path: ['members'], includes: [], by: 'user_id' }], []],
  [
    'missing ids',
    [{ path: ['members'], includes: ['alice', 'carol', 'dave', 'erin', 'frank'], by: 'user_id' }],
    ['members lacks "carol", "dave", "erin" and 1 more'],
  ],
  ['no list', [{ path: ['nickname'], includes: ['a'], by: 'id' }], ['nickname is not a list']],
  ['an absent list', [{ path: ['banned'], includes: ['a'], by: 'id' }], ['banned is not a list']],
  [
    'all differences are told',
    [
      { path: ['nickname'], is: 'Bob' },
      { path: ['frozen'], is: false },
      { path: ['members'], includes: ['carol'], by: 'user_id' },
    ],
    ['nickname is "Alice" instead of "Bob"', 'members lacks "carol"'],
  ],
];

describe('differences', () => {
  test.for(cases)('%s', ([, expectations, found]) => {
    expect(unmetExpectations(live, expectations).map(({ text }) => text)).toEqual(found);
  });

  test('ignore attributes that a view leaves out', () => {
    const operators = { path: ['operators'], includes: ['alice'], by: 'user_id', ifShown: true } as const;
    const toldOf = (answer: JsonObject, mayBeOurs: boolean) =>
      unmetExpectations(answer, [operators], mayBeOurs).map(({ text }) => text);
    expect(toldOf({}, true)).toEqual([]);
    expect(toldOf({}, false)).toEqual(['operators is not a list']);
    expect(toldOf({ operators: [] }, true)).toEqual(['operators lacks "alice"']);
  });

  test('show the longest id as a whole', () => {
    const [id, other] = ['x'.repeat(100), 'y'.repeat(100)];
    const [url, members] = unmetExpectations({ channel_url: id, members: [] }, [
      { path: ['channel_url'], is: other },
      { path: ['members'], by: 'user_id', includes: [other] },
    ]);
    expect(url).toMatchObject({ found: id, text: `channel_url is "${id}" instead of "${other}"` });
    expect(members?.text).toBe(`members lacks "${other}"`);
  });

  test('truncate long values between characters', () => {
    const [difference] = unmetExpectations({ name: '😀'.repeat(130) }, [{ path: ['name'], is: '' }]);
    expect(difference?.text).toBe(`name is "${'😀'.repeat(116)}..." instead of ""`);
  });
});
