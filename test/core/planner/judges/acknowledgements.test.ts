// Tests how an acknowledged number is counted down through interrupted runs.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Acknowledgement, Policy } from '../../../../src/core/model/policy.ts';
import type { StateRecord } from '../../../../src/core/model/record.ts';
import type { Resource } from '../../../../src/core/model/resource.ts';
import { expiredSince } from '../../../../src/core/planner/judges/acknowledgements.ts';
import type { JudgedPlan } from '../../../../src/core/planner/judges/judge.ts';
import {
  defaultPolicy,
  planFor,
  resource,
  type State,
  stateAfter,
  stateOf,
} from '../../../support/planning/planning.ts';
import { fastTest, inSuite } from '../../../support/suite.ts';

const effect = 'user.deactivate';

function users(from: number, to: number): Resource[] {
  return Array.from({ length: to - from }, (_, index) => resource('user', `u${from + index}`, { nickname: 'U' }));
}

interface Life {
  state: State;
  acknowledged?: StateRecord;
}

function plan(life: Life, desired: readonly Resource[], blocks: readonly Acknowledgement[], today = '2026-06-01') {
  const policy: Policy = { ...defaultPolicy, acknowledge: blocks };
  return planFor(desired, life.state, {
    policy,
    today,
    ...(life.acknowledged === undefined ? {} : { acknowledged: life.acknowledged }),
  });
}

/** The run writes its metadata first, then completes this number of its steps. */
function run(life: Life, { plan: made }: JudgedPlan, steps: number): Life {
  const next: Life = { ...life, state: stateAfter(life.state, [...made.steps].slice(0, steps)) };
  for (const entry of made.bookkeeping ?? []) {
    if (entry.type === 'put') next.acknowledged = entry.record;
    else delete next.acknowledged;
  }
  return next;
}

const codes = ({ refusals }: JudgedPlan) => refusals.map(({ code }) => code);
const whole: Life = { state: stateOf(users(0, 60)) };
const kept = users(0, 20);
const block: Acknowledgement = { effect, count: 40, expires: '2026-06-01' };

const begun = run(whole, plan(whole, kept, [block]), 25);
/** All but two of the steps are done. */
const almost = run(begun, plan(begun, kept, [block]), 13);
const over = ['safety.over-budget'];

fastTest.for<[claim: string, Life, desired: Resource[], Acknowledgement[], today?: string | undefined, ...string[]]>([
  ['continues under the same number, though fewer objects remain', begun, kept, [block]],
  ['finishes after its acknowledgement has expired, because it began in time', begun, kept, [block], '2026-06-02'],
  ['does not begin after its acknowledgement has expired', whole, kept, [block], '2026-06-02', ...over],
  ['is refused when more were added than the number covers', begun, users(0, 15), [block], undefined, ...over],
  ['is refused for the number that remains', begun, users(0, 15), [{ effect, count: 20 }], undefined, ...over],
  ['continues under the number of those done and those that remain', begun, users(0, 15), [{ effect, count: 45 }]],
  ['needs no new number when some objects are declared again', begun, [...kept, ...users(57, 60)], [block]],
  ['continues when the few that remain need no number', almost, kept, [block]],
  [
    'is refused when those done, those that remain and new ones exceed it',
    almost,
    users(0, 8),
    [block],
    undefined,
    ...over,
  ],
])('an interrupted run %s', ([, life, desired, blocks, today, ...expected]) => {
  const made = plan(life, desired, blocks, today);
  expect(codes(made)).toEqual(expected);
  if (desired === kept && life !== whole) expect(made.plan.bookkeeping).toBeUndefined();
});

fastTest('an interrupted run counts what was done when its acknowledgement is withdrawn or too small', () => {
  expect(plan(begun, kept, [block]).plan.steps).toHaveLength(15);
  const [withdrawn] = plan(begun, kept, []).refusals;
  expect(withdrawn?.detail).toContain('would happen 15 times, in addition to 25 already done');
  expect(withdrawn?.detail).toContain(`{effect: ${effect}, count: 40}`);
  const [tooSmall] = plan(begun, users(0, 15), [block]).refusals;
  expect(tooSmall?.detail).toContain('would happen 20 times, in addition to 25 already done');
});

fastTest.for<[said: string, Acknowledgement]>([
  ['The acknowledgement of 7 does not match that number.', { effect, count: 7 }],
  ['The acknowledgement of 40 expired after 2026-05-31.', { effect, count: 40, expires: '2026-05-31' }],
  ['The acknowledgement of 40 is for user.delete.', { effect: 'user.delete', count: 40 }],
])('says of an entry that does not cover the plan: %s', ([said, entry]) => {
  const { refusals, plan: refused } = plan(whole, kept, [entry]);
  expect(refusals).toMatchObject([{ code: 'safety.over-budget', detail: expect.stringContaining(said) }]);
  expect(refused.warnings.map(({ detail }) => detail).join()).not.toContain('Everything');
});

describe('a finished run', () => {
  const first = plan(whole, kept, [block]);
  const done = run(whole, first, first.plan.steps.length);

  fastTest('notes that the entry is used up', () => {
    const next = plan(done, kept, [block]);
    expect(next.plan.warnings).toMatchObject([{ severity: 'note', code: 'safety.spent' }]);
    expect(next.plan.warnings[0]?.detail).toContain('count: 40');
  });

  fastTest('counts the next removal separately', () => {
    const next = plan(done, users(0, 8), [{ effect, count: 12 }]);
    expect(codes(next)).toEqual([]);
    const small = plan(done, users(0, 19), []);
    expect(codes(small)).toEqual([]);
    expect(small.plan.bookkeeping).toEqual([{ type: 'delete', address: 'chatform.acknowledged' }]);
  });

  fastTest('keeps nothing when no number was needed', () => {
    const few = plan(whole, users(0, 55), [{ effect, count: 5 }]);
    expect(codes(few)).toEqual([]);
    expect(few.plan.bookkeeping).toBeUndefined();
  });
});

fastTest('counts members who leave one by one, through an interruption', () => {
  const room = (count: number) =>
    resource('group_channel', 'room', {
      members: Object.fromEntries(Array.from({ length: count }, (_, index) => [`u${index}`, {}])),
    });
  const life: Life = { state: stateOf([...users(0, 50), room(50)]) };
  const leaving = [...users(0, 50), room(20)];
  const said = [{ effect: 'group_channel.leave', count: 30 }];
  const begun = run(life, plan(life, leaving, said), 0);
  expect(codes(plan(begun, leaving, said))).toEqual([]);
  expect(codes(plan(begun, [...users(0, 50), room(19)], said))).toEqual(['safety.over-budget']);
});

fastTest('covers every object of a kind through an interruption', () => {
  const life: Life = { state: stateOf([...users(0, 3), resource('open_channel', 'hall', {})]) };
  const halls = [resource('open_channel', 'hall', {})];
  const said = [{ effect, count: 3 }];
  const begun = run(life, plan(life, halls, said), 2);
  expect(codes(plan(begun, halls, said))).toEqual([]);
  expect(codes(plan(begun, halls, []))).toEqual(['safety.whole-kind']);
});

fastTest('refuses a saved plan after its acknowledgement expired, unless a run of it began', () => {
  const { plan: saved } = plan(whole, kept, [block]);
  expect(expiredSince(saved.bookkeeping, undefined, '2026-06-01')).toEqual([]);
  expect(expiredSince(saved.bookkeeping, undefined, '2026-06-02')).toEqual([effect]);
  const { acknowledged } = run(whole, plan(whole, kept, [block]), 1);
  expect(expiredSince(saved.bookkeeping, acknowledged, '2026-06-02')).toEqual([]);
  expect(expiredSince(undefined, undefined, '2026-06-02')).toEqual([]);
});

test('completes an acknowledged removal after any interruptions', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 20, max: 60 }),
      fc.nat({ max: 19 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 12 }),
      (all, left, cuts) => {
        const desired = users(0, left);
        const said = [{ effect, count: all - left, expires: '2026-06-01' }];
        let life: Life = { state: stateOf([...users(0, all)]) };
        for (const [day, cut] of [...cuts, all].entries()) {
          const made = plan(life, desired, said, day === 0 ? '2026-06-01' : '2026-07-01');
          expect(codes(made)).toEqual([]);
          life = run(life, made, cut);
        }
        expect(plan(life, desired, said, '2026-07-01').plan.steps).toHaveLength(0);
      },
    ),
    { numRuns: inSuite(12, 50) },
  );
});
