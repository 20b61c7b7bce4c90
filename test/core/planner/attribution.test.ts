// Tests that a plan separates changes of the request under review from changes that were pending before it.
import { describe, expect, test } from 'vitest';
import { attribute } from '../../../src/core/planner/attribution.ts';
import { planWords } from '../../../src/core/view/text/plan-problems.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { planFor, resources, stateOf } from '../../support/planning/planning.ts';

type Users = Readonly<Record<string, JsonObject>>;

function causes(state: Users, base: Users, head: Users, channels: [Users, Users, Users] = [{}, {}, {}]) {
  const estate = (user: Users, at: 0 | 1 | 2) => resources({ user, group_channel: channels[at] });
  const records = stateOf(estate(state, 0));
  const attributed = attribute(
    planFor(estate(head, 2), records).plan,
    planFor(estate(base, 1), records).plan,
    planWords,
  );
  return Object.fromEntries([...attributed.changes].map(({ address, cause }) => [address, cause]));
}

const alice = { nickname: 'Alice' };
const edited = { nickname: 'Alicia' };

const bob = { nickname: 'Bob' };
const room = { members: { alice: {} } };

describe('attribution', () => {
  test.for<[string, Parameters<typeof causes>, ReturnType<typeof causes>]>([
    ['the request for its edit', [{ alice }, { alice }, { alice: edited }], { 'user.alice': 'request' }],
    ['what was merged and not applied', [{ alice }, { alice: edited }, { alice: edited }], { 'user.alice': 'pending' }],
    [
      'a removal that was waiting, and one of the request',
      [{ alice, bob }, { alice }, {}],
      { 'user.alice': 'request', 'user.bob': 'pending' },
    ],
    ['nothing where the request takes a waiting edit back', [{ alice }, { alice: edited }, { alice }], {}],
    [
      'a creation that waits, for which the request adds what it needs first',
      [{ alice }, { alice }, { alice: edited }, [{}, { room }, { room }]],
      { 'group_channel.room': 'pending', 'user.alice': 'request' },
    ],
  ])('is blamed on %s', ([, estates, expected]) => {
    expect(causes(...estates)).toEqual(expected);
  });

  test('attributes a change of both to the request and notes what was pending', () => {
    const state = stateOf(resources({ user: { alice } }));
    const base = planFor(resources({ user: { alice: { ...alice, profile_url: 'https://a.test/1' } } }), state).plan;
    const head = planFor(resources({ user: { alice: { ...edited, profile_url: 'https://a.test/1' } } }), state).plan;
    const [change] = attribute(head, base, planWords).changes;
    expect(change).toMatchObject({ cause: 'request' });
    expect(change?.notes).toEqual(['partly waiting before this request: profile_url']);
  });
});

test('adds only causes and notes to the plan', () => {
  const state = stateOf(resources({ user: { alice } }));
  const head = planFor(resources({ user: { alice: edited } }), state).plan;
  const { changes, ...rest } = attribute(head, planFor(resources({ user: { alice } }), state).plan, planWords);
  const { changes: before, ...same } = head;
  expect(rest).toEqual(same);
  expect(changes.length).toBe(before.length);
});
