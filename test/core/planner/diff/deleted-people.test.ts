// Tests that deleted people no longer count as members and operators of closed channels, and are restored with them
// (semantics §1.7). test/promise plays the same with kills in between.
import { expect, test } from 'vitest';
import { openPolicy, planFor, resources, stateAfter, stateOf } from '../../../support/planning/planning.ts';
import { expectPlans } from '../support/plans.ts';

const alice = resources({ user: { alice: { nickname: 'Alice' } } });
const both = [...alice, ...resources({ user: { bob: { nickname: 'Bob' } } })];
const whole = [
  ...both,
  ...resources({
    group_channel: { room: { members: { alice: {}, bob: { hidden_status: 'hidden_prevent_auto_unhide' } } } },
    open_channel: { lobby: { operators: ['bob'] } },
  }),
];
const withoutBob = [
  ...alice,
  ...resources({ group_channel: { room: { members: { alice: {} } } }, open_channel: { lobby: {} } }),
];
const policy = { on_remove: { user: 'delete' as const } };

const applied = stateOf(whole);
const closed = stateAfter(applied, planFor(both, applied).plan.steps);

test.for([
  ['one plan', applied],
  ['two plans', closed],
] as const)('closed and deleted in %s: marked first, and restored exactly', async ([name, before]) => {
  const made = planFor(alice, before, { policy: { ...openPolicy, ...policy } }).plan;
  const state = stateAfter(before, made.steps);
  await expectPlans(`deleted-in-${name.replace(' ', '-')}`, {
    'the deletion waits until both records are marked': { desired: alice, state: before, policy },
    'the next plan is empty': { desired: alice, state, policy },
    'all three declared again: Bob is invited, and an operator': { desired: whole, state, policy },
    'the channels return without Bob: he is removed, in case he was not deleted': {
      desired: withoutBob,
      state,
      policy,
    },
  });
  const back = planFor(whole, state, { policy: { ...openPolicy, ...policy } }).plan;
  expect(stateAfter(state, back.steps)).toEqual(applied);
});
