// Tests that deleted people no longer count as members and operators of closed channels, and are restored with them
// (semantics §1.7). test/promise plays the same with kills in between.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { Plan } from '../../../src/model/plan.ts';
import { requestPath } from '../../../src/model/request.ts';
import { openPolicy, planFor, resources, type State, stateAfter, stateOf } from '../../support/planning/planning.ts';

const alice = { alice: { nickname: 'Alice' } };
const both = { ...alice, bob: { nickname: 'Bob' } };
const room = { members: { alice: {}, bob: { hidden_status: 'hidden_prevent_auto_unhide' } } };
const lobby = { operators: ['bob'] };
const deletes = { policy: { ...openPolicy, on_remove: { user: 'delete' as const } } };

const whole = estate(both, room, lobby);
/** Both channels are retired, and Bob is deleted, in one plan or in two. */
const inOne = planFor(estate(alice), stateOf(whole), deletes).plan;
const closed = stateAfter(stateOf(whole), planFor(estate(both), stateOf(whole), deletes).plan.steps);
const inTwo = planFor(estate(alice), closed, deletes).plan;

function estate(user: Record<string, JsonObject>, group?: JsonObject, open?: JsonObject) {
  return resources({
    user,
    ...(group === undefined ? {} : { group_channel: { room: group } }),
    ...(open === undefined ? {} : { open_channel: { lobby: open } }),
  });
}

function calls({ steps }: Plan): string[] {
  return Array.from(steps).flatMap(({ request }) =>
    request === undefined
      ? []
      : [`${request.method} ${requestPath(request)} ${JSON.stringify({ ...request.body, ...request.query })}`],
  );
}

describe.each<{ name: string; plan: Plan; before: State }>([
  { name: 'in one plan', plan: inOne, before: stateOf(whole) },
  { name: 'in two', plan: inTwo, before: closed },
])('closed and deleted $name', ({ plan, before }) => {
  const after = stateAfter(before, plan.steps);

  test('waits with the deletion until both records are marked', () => {
    const marks = Array.from(plan.steps).filter(({ phase }) => phase === 'leave');
    expect(marks.map(({ address, request }) => [address, request])).toEqual([
      ['group_channel.room', undefined],
      ['open_channel.lobby', undefined],
    ]);
    expect(Array.from(plan.steps).find(({ action }) => action === 'delete')?.needs).toEqual(marks.map(({ id }) => id));
    expect(after.get('group_channel.room')).toMatchObject({ retired: true, unsure_of: ['user.bob'] });
  });

  test('leaves the next plan empty', () => {
    expect(planFor(estate(alice), after, deletes).plan.steps).toHaveLength(0);
  });

  test('invites Bob and makes him an operator when all three are declared again', () => {
    const back = planFor(whole, after, deletes).plan;
    const again = calls(back).filter((call) => call.includes('bob'));
    expect(again).toEqual([
      expect.stringContaining('POST /users'),
      expect.stringContaining('POST /group_channels/room/invite'),
      expect.stringContaining('POST /open_channels/lobby/operators'),
    ]);
    const end = stateAfter(after, back.steps);
    expect(end).toEqual(stateOf(whole));
    expect(planFor(whole, end, deletes).plan.steps).toHaveLength(0);
  });

  test('removes Bob from channels that return without him, in case he was not deleted', () => {
    const without = estate(alice, { members: { alice: {} } }, {});
    const back = planFor(without, after, deletes).plan;
    expect(calls(back).filter((call) => call.includes('bob'))).toEqual([
      expect.stringContaining('DELETE /open_channels/lobby/operators'),
      expect.stringContaining('PUT /group_channels/room/leave'),
    ]);
    expect(planFor(without, stateAfter(after, back.steps), deletes).plan.steps).toHaveLength(0);
  });
});
