// Tests which plans are refused: budgets, acknowledgements, whole kinds, protection, work on closed objects.
import { describe, expect, test } from 'vitest';
import type { Acknowledgement, Policy } from '../../../../src/core/model/policy.ts';
import type { StateRecord } from '../../../../src/core/model/record.ts';
import type { Resource } from '../../../../src/core/model/resource.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import {
  defaultPolicy,
  planFor,
  resource,
  resources,
  type State,
  stateOf,
} from '../../../support/planning/planning.ts';

const n = { nickname: 'U' };

function users(count: number, block: JsonObject = {}): Resource[] {
  return Array.from({ length: count }, (_, index) => resource('user', `u${index}`, { nickname: 'U', ...block }));
}

function refusalsOf(desired: readonly Resource[], state: State, policy: Partial<Policy> = {}, today = '2026-06-01') {
  return planFor(desired, state, { policy: { ...defaultPolicy, ...policy }, today }).refusals;
}

const codes = (...given: Parameters<typeof refusalsOf>) => refusalsOf(...given).map(({ code }) => code);

const over = ['safety.over-budget'];
const effect = 'user.deactivate';
const said = (count: number, more: Partial<Acknowledgement> = {}) => ({ acknowledge: [{ effect, count, ...more }] });

const budgets: readonly (readonly [name: string, all: number, removed: number, string[], policy?: Partial<Policy>])[] =
  [
    ['half of few', 20, 10, over],
    ['half of a handful', 4, 2, []],
    ['more than half of a handful', 3, 2, over],
    ['three that are more than a third', 6, 3, []],
    ['four that are more than a third', 11, 4, over],
    ['four that are a third', 12, 4, []],
    ['half of few, acknowledged', 20, 10, [], said(10)],
    ['half of few, where the policy allows that share', 20, 10, [], { removals: { max_share: 0.5, free_count: 10 } }],
    ['many of few', 20, 11, over],
    ['many, but a small share', 200, 20, []],
    ['one more than the share', 200, 21, over],
    ['no budget at all', 20, 1, over, { removals: { max_share: 0, free_count: 0 } }],
    ['acknowledged', 20, 11, [], said(11)],
    ['acknowledged another number', 20, 11, over, said(12)],
    ['acknowledged another effect', 20, 11, over, said(11, { effect: 'user.delete' })],
    ['acknowledged until today', 20, 11, [], said(11, { expires: '2026-06-01' })],
    ['acknowledged until yesterday', 20, 11, over, said(11, { expires: '2026-05-31' })],
    [
      'acknowledged anew, beside an old number',
      20,
      11,
      [],
      { acknowledge: [37, 11].map((count) => ({ effect, count })) },
    ],
  ];

describe('budgets', () => {
  test.for(budgets)('%s', ([, all, removed, expected, policy]) => {
    const state = stateOf(users(all));
    expect(codes(users(all - removed), state, policy)).toEqual(expected);
    // The effect is counted, whatever causes it.
    const flagged = [...users(all - removed), ...users(all, { deactivated: true }).slice(all - removed)];
    expect(codes(flagged, state, policy)).toEqual(expected);
  });

  test.for([
    [11, 'user.deactivate would happen 11 times, of 20 in state'],
    [
      10,
      "user: the plan takes away 10 of 20 that state manages. More than half of a kind's objects, or more than three that are more than a third, need an acknowledgement.",
    ],
  ] as const)('are refused with the numbers, the rule and the line to write: %i of 20', ([removed, says]) => {
    const [refusal] = refusalsOf(users(20 - removed), stateOf(users(20)));
    expect(refusal?.detail).toContain(says);
    expect(refusal?.detail).toContain(`policy: {acknowledge: [{effect: user.deactivate, count: ${removed}}]}`);
  });

  test('count all removals together, and each effect needs its number', () => {
    const removals = users(6, {}).slice(0, 2);
    const removed = removals.map(({ address, source }) => ({ address, on_remove: 'delete' as const, source }));
    const desired = users(6).slice(4);
    const judged = (acknowledge: readonly Acknowledgement[]) =>
      planFor(desired, stateOf(users(6)), { policy: { ...defaultPolicy, acknowledge }, removed }).refusals;
    const counts = [
      { effect: 'user.deactivate', count: 2 },
      { effect: 'user.delete', count: 2 },
    ];
    expect(judged([]).map(({ code }) => code)).toEqual(['safety.over-budget', 'safety.over-budget']);
    expect(judged(counts)).toEqual([]);
  });

  test('count a removed channel, but not a declared freeze', () => {
    const halls = (frozen: boolean) => ['a', 'b', 'c'].map((key) => resource('open_channel', key, { frozen }));
    expect(codes(halls(true), stateOf(halls(false)))).toEqual([]);
    expect(codes(halls(false).slice(2), stateOf(halls(false)))).toEqual(over);
  });

  test('do not count work on disabled objects', () => {
    const closed = (nickname: string) => users(3, { nickname, deactivated: true });
    const reopen = { deactivated: 'allow', frozen: 'allow' } as const;
    expect(codes(closed('New'), stateOf(closed('Old')), { reopen })).toEqual([]);
  });

  test('do not count forgotten objects', () => {
    expect(codes(users(1), stateOf(users(3)), { on_remove: { user: 'forget' } })).toEqual([]);
  });

  test('count removed members against all memberships', () => {
    const room = (count: number) =>
      resource('group_channel', 'room', {
        members: Object.fromEntries(Array.from({ length: count }, (_, index) => [`u${index}`, {}])),
      });
    const state = stateOf([...users(40), room(40)]);
    expect(codes([...users(40), room(30)], state)).toEqual([]);
    expect(refusalsOf([...users(40), room(29)], state).map(({ detail }) => detail)).toEqual([
      expect.stringContaining('group_channel.leave would happen 11 times, of 40'),
    ]);
  });

  test('do not count the rest of a creation, in the same run or a later one', () => {
    expect(codes(users(50, { deactivated: true }), new Map())).toEqual([]);
    const interrupted = new Map(
      [...stateOf(users(50))].map(([key, record]) => [key, { ...record, creating: true as const }]),
    );
    expect(codes(users(50, { deactivated: true }), interrupted)).toEqual([]);
  });

  test('do not count retired objects as managed', () => {
    const all = users(200);
    const shrunk = planFor(users(100), stateOf(all)).plan.steps;
    expect(shrunk).toHaveLength(100);
    const state = new Map(
      [...stateOf(all)].map(([key, record], index) => [
        key,
        index % 2 === 0
          ? { ...record, retired: true as const, attributes: { ...record.attributes, deactivated: true } }
          : record,
      ]),
    );
    const kept = all.filter(({ address }) => state.get(address)?.retired !== true);
    expect(codes(kept.slice(0, 89), state)).toEqual(over);
  });
});

describe('every object of a kind', () => {
  const estate = [...users(2), resource('open_channel', 'hall', {})];
  const state = stateOf(estate);
  const halls = [resource('open_channel', 'hall', {})];

  const forget = { on_remove: { user: 'forget' as const } };
  test.for<[string, Partial<Policy>, ...string[]]>([
    ['refused, however few', {}, 'safety.whole-kind'],
    ['acknowledged', said(2)],
    ['another number', said(1), 'safety.whole-kind'],
    ['forgotten', forget, 'safety.whole-kind'],
    ['forgotten and acknowledged', { ...forget, ...said(2, { effect: 'user.forget' }) }],
  ])('%s', ([, policy, ...expected]) => {
    expect(codes(halls, state, policy)).toEqual(expected);
  });

  test('is judged by the budget if one remains', () => {
    expect(codes([...users(1), ...halls], state)).toEqual([]);
  });

  test('is not called all when there is only one, and a number that includes brackets says so', () => {
    const [only] = refusalsOf([...users(2)], state);
    expect(only?.detail).toMatch(/^The only open_channel in state is removed from the manifest\. If/u);
    const room = (members: JsonObject) => resources({ group_channel: { room: { members } } });
    const before = stateOf([...resources({ user: { alice: n, bob: n } }), ...room({ alice: {}, bob: {} })]);
    const bob: StateRecord = { address: 'user.bob', attributes: { ...n, deactivated: true }, retired: true };
    const closed: State = new Map([...before, [bob.address, bob]]);
    const reopen = { deactivated: 'allow', frozen: 'allow' } as const;
    const [all] = refusalsOf(room({}), closed, { reopen });
    expect(all?.detail).toContain('or disabled again after temporary work, user.deactivate happens 2 times.');
    expect(all?.detail).toContain('{effect: user.deactivate, count: 2}');
  });

  test('names each kind for empty manifests', () => {
    expect(codes([], state)).toEqual(['safety.whole-kind', 'safety.whole-kind']);
  });
});

describe('protection', () => {
  const kept = users(3);
  const guarded = resource('user', 'boss', { nickname: 'B' }, { protect: true, on_remove: 'delete' });
  const state = stateOf([...kept, guarded]);
  const removed = [{ address: guarded.address, on_remove: 'forget' as const, source: guarded.source }];

  test('refuses any removal, also together with the protection', () => {
    expect(codes(kept, state)).toEqual(['safety.protected']);
    const { refusals } = planFor(kept, state, { policy: defaultPolicy, removed });
    expect(refusals.map(({ code }) => code)).toEqual(['safety.protected']);
  });

  test('allows the removal after the protection was removed', () => {
    const unguarded = [...kept, { ...guarded, lifecycle: {} }];
    expect(codes(unguarded, state)).toEqual([]);
    expect(codes(kept, stateOf(unguarded))).toEqual([]);
  });

  test('allows edits', () => {
    expect(codes([...kept, { ...guarded, attributes: { nickname: 'C' } }], state)).toEqual([]);
  });
});

describe('work on a closed object', () => {
  const estate = (nickname: string, frozen: boolean) =>
    resources({
      user: { bob: { nickname, deactivated: true }, eve: { nickname: 'Eve' } },
      open_channel: { hall: { name: nickname, frozen } },
    });
  const state = stateOf(estate('Bob', true));

  test('is refused by default and allowed by policy for a deactivated user', () => {
    const refusals = refusalsOf(estate('Robert', true), state);
    expect(refusals).toMatchObject([{ code: 'safety.reopen', address: 'user.bob' }]);
    expect(refusals[0]?.detail).toContain('policy: {reopen: {deactivated: allow}}');
    expect(codes(estate('Robert', true), state, { reopen: { frozen: 'refuse', deactivated: 'allow' } })).toEqual([]);
  });

  test('is shown as a danger, with a note', () => {
    const { plan } = planFor(estate('Robert', true), state);
    const bob = [...plan.changes].find(({ address }) => address === 'user.bob');
    expect(bob).toMatchObject({ dangerous: true, actions: ['update', 'reactivate', 'deactivate'] });
    expect(bob?.notes.join()).toContain('reopened for this work and disabled again');
  });
});
