// Tests which changes are blamed on the request under review, and which were waiting before it.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/lib/json.ts';
import { attribute } from '../../src/planner/attribution.ts';
import { planFor, resources, stateOf } from '../support/planning/planning.ts';

type Users = Readonly<Record<string, JsonObject>>;

function causes(state: Users, base: Users, head: Users, channels: [Users, Users, Users] = [{}, {}, {}]) {
  const estate = (user: Users, at: 0 | 1 | 2) => resources({ user, group_channel: channels[at] });
  const records = stateOf(estate(state, 0));
  const attributed = attribute(planFor(estate(head, 2), records).plan, planFor(estate(base, 1), records).plan);
  return Object.fromEntries([...attributed.changes].map(({ address, cause }) => [address, cause]));
}

const alice = { nickname: 'Alice' };
const edited = { nickname: 'Alicia' };

describe('who caused it', () => {
  test('an edit of the request', () => {
    expect(causes({ alice }, { alice }, { alice: edited })).toEqual({ 'user.alice': 'request' });
  });

  test('an edit that was merged and not applied', () => {
    expect(causes({ alice }, { alice: edited }, { alice: edited })).toEqual({ 'user.alice': 'pending' });
  });

  test('a removal that was waiting, and one of the request', () => {
    const bob = { nickname: 'Bob' };
    expect(causes({ alice, bob }, { alice }, {})).toEqual({ 'user.alice': 'request', 'user.bob': 'pending' });
  });

  test('a waiting edit that the request takes back causes nothing', () => {
    expect(causes({ alice }, { alice: edited }, { alice })).toEqual({});
  });

  test('a creation that waits, for which the request adds what it needs first', () => {
    const room = { members: { alice: {} } };
    expect(causes({ alice }, { alice }, { alice: edited }, [{}, { room }, { room }])).toEqual({
      'group_channel.room': 'pending',
      'user.alice': 'request',
    });
  });

  test('both: the request, with a note that names what was waiting', () => {
    const state = stateOf(resources({ user: { alice } }));
    const base = planFor(resources({ user: { alice: { ...alice, profile_url: 'https://a.test/1' } } }), state).plan;
    const head = planFor(resources({ user: { alice: { ...edited, profile_url: 'https://a.test/1' } } }), state).plan;
    const [change] = attribute(head, base).changes;
    expect(change).toMatchObject({ cause: 'request' });
    expect(change?.notes).toEqual(['partly waiting before this request: profile_url']);
  });
});

test('the plan stays what it was, but for causes and notes', () => {
  const state = stateOf(resources({ user: { alice } }));
  const head = planFor(resources({ user: { alice: edited } }), state).plan;
  const { changes, ...rest } = attribute(head, planFor(resources({ user: { alice } }), state).plan);
  const { changes: before, ...same } = head;
  expect(rest).toEqual(same);
  expect(changes.length).toBe(before.length);
});
