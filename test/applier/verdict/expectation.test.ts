// Tests that an answer is compared with what a step expects, and that differences are said in words.
import { describe, expect, test } from 'vitest';
import { unmetExpectations } from '../../../src/applier/verdict/expectation.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { Expectation } from '../../../src/model/request.ts';

const live = {
  nickname: 'Alice',
  frozen: false,
  metadata: { team: 'support', 'a.b': '1' },
  members: [{ user_id: 'alice', role: '' }, { user_id: 'bob' }, { role: 'none' }],
  operators: ['alice', 7],
  nothing: null,
};

const cases: { name: string; expectations: Expectation[]; found: string[] }[] = [
  { name: 'nothing is expected', expectations: [], found: [] },
  { name: 'an equal value', expectations: [{ path: ['nickname'], is: 'Alice' }], found: [] },
  {
    name: 'an equal object, in any order',
    expectations: [{ path: ['metadata'], is: { 'a.b': '1', team: 'support' } }],
    found: [],
  },
  { name: 'a value inside', expectations: [{ path: ['metadata', 'team'], is: 'support' }], found: [] },
  { name: 'null is a value', expectations: [{ path: ['nothing'], is: null }], found: [] },
  { name: 'the whole answer', expectations: [{ path: [], is: live }], found: [] },
  {
    name: 'another value',
    expectations: [{ path: ['nickname'], is: 'Bob' }],
    found: ['nickname is "Alice" instead of "Bob"'],
  },
  {
    name: 'a value of another type',
    expectations: [{ path: ['frozen'], is: 'false' }],
    found: ['frozen is false instead of "false"'],
  },
  { name: 'an absent value', expectations: [{ path: ['data'], is: '' }], found: ['data is absent instead of ""'] },
  {
    name: 'a path through what is no object',
    expectations: [{ path: ['nickname', 'length'], is: 5 }],
    found: ['nickname.length is absent instead of 5'],
  },
  {
    name: 'names of the prototype are no values',
    expectations: [{ path: ['constructor', 'name'], is: 'Object' }],
    found: ['constructor.name is absent instead of "Object"'],
  },
  {
    name: 'a path that has to be quoted',
    expectations: [{ path: ['metadata', 'a.b'], is: '2' }],
    found: ['metadata."a.b" is "1" instead of "2"'],
  },
  {
    name: 'ids in a list of objects',
    expectations: [{ path: ['members'], includes: ['bob', 'alice'], by: 'user_id' }],
    found: [],
  },
  {
    name: 'ids in a list of strings',
    expectations: [{ path: ['operators'], includes: ['alice'], by: 'user_id' }],
    found: [],
  },
  { name: 'no ids are wanted', expectations: [{ path: ['members'], includes: [], by: 'user_id' }], found: [] },
  {
    name: 'missing ids',
    expectations: [{ path: ['members'], includes: ['alice', 'carol', 'dave', 'erin', 'frank'], by: 'user_id' }],
    found: ['members lacks "carol", "dave", "erin" and 1 more'],
  },
  {
    name: 'no list',
    expectations: [{ path: ['nickname'], includes: ['a'], by: 'id' }],
    found: ['nickname is not a list'],
  },
  {
    name: 'an absent list',
    expectations: [{ path: ['banned'], includes: ['a'], by: 'id' }],
    found: ['banned is not a list'],
  },
  {
    name: 'all differences are told',
    expectations: [
      { path: ['nickname'], is: 'Bob' },
      { path: ['frozen'], is: false },
      { path: ['members'], includes: ['carol'], by: 'user_id' },
    ],
    found: ['nickname is "Alice" instead of "Bob"', 'members lacks "carol"'],
  },
];

describe('differences', () => {
  test.for(cases)('$name', ({ expectations, found }) => {
    expect(unmetExpectations(live, expectations).map(({ text }) => text)).toEqual(found);
  });

  test('what a view leaves out says nothing of an object that may be ours', () => {
    const operators = { path: ['operators'], includes: ['alice'], by: 'user_id', ifShown: true } as const;
    const toldOf = (answer: JsonObject, mayBeOurs: boolean) =>
      unmetExpectations(answer, [operators], mayBeOurs).map(({ text }) => text);
    expect(toldOf({}, true)).toEqual([]);
    expect(toldOf({}, false)).toEqual(['operators is not a list']);
    expect(toldOf({ operators: [] }, true)).toEqual(['operators lacks "alice"']);
  });

  test('long values are cut between characters', () => {
    const [difference] = unmetExpectations({ name: '😀'.repeat(100) }, [{ path: ['name'], is: '' }]);
    expect(difference?.text).toBe(`name is "${'😀'.repeat(56)}..." instead of ""`);
  });
});
