// Tests that memberships of one channel do not wait for one another, and that a saved plan knows which are done.
import { describe, expect, test } from 'vitest';
import { remainingWork } from '../../../../src/core/app/plans/remaining-work.ts';
import type { Address } from '../../../../src/core/model/address.ts';
import type { StateSnapshot } from '../../../../src/core/model/ports.ts';
import { applyEntry } from '../../../../src/core/model/record.ts';
import { collectInMemory } from '../../../../src/lib/series.ts';
import { planFor, resources, stateAfter } from '../../../support/planning/planning.ts';

const ids = Array.from({ length: 350 }, (_, place) => `u${place}`);
const desired = resources({
  user: Object.fromEntries(ids.map((id) => [id, { nickname: id }])),
  group_channel: {
    room: { is_super: true, members: Object.fromEntries(ids.map((id) => [id, {}])), frozen: true },
    hall: { is_super: true, members: Object.fromEntries(ids.map((id) => [id, {}])) },
  },
});
const { plan } = planFor(desired);
const stepsOf = (address: Address) => [...plan.steps].filter((step) => step.address === address);
const needsWithin = (address: Address) =>
  stepsOf(address).map(({ id, needs }) => [id, needs.filter((other) => other.startsWith(address))]);

function snapshotAfter(done: readonly string[]): StateSnapshot {
  const records = stateAfter(
    new Map(),
    [...plan.steps].filter(({ id }) => done.includes(id)),
  );
  return {
    header: undefined,
    get: (address) => records.get(address),
    records: () => [...records.values()],
    size: records.size,
    pending: [],
  };
}

describe('the invitations of a supergroup', () => {
  test('wait for its creation, and later steps wait for all of them', () => {
    expect(needsWithin('group_channel.room')).toEqual([
      ['group_channel.room#1', []],
      ['group_channel.room#2', ['group_channel.room#1']],
      ['group_channel.room#3', ['group_channel.room#1']],
      ['group_channel.room#4', ['group_channel.room#1']],
      ['group_channel.room#5', ['group_channel.room#2', 'group_channel.room#3', 'group_channel.room#4']],
    ]);
  });

  test('are followed by one step without a call that ends the creation', () => {
    const [create, ...rest] = stepsOf('group_channel.hall');
    const last = rest.at(-1);
    expect(create?.entry).toMatchObject({ type: 'put', record: { creating: true } });
    expect(rest.slice(0, -1).some(({ entry }) => entry.type === 'patch' && entry.marks !== undefined)).toBe(false);
    expect(last?.request).toBeUndefined();
    expect(last?.entry).toMatchObject({ type: 'patch', edits: [], marks: { creating: null } });
  });
});

describe('a saved plan', () => {
  const users = ids.map((id) => `user.${id}#1`);
  const room = (...positions: number[]) => positions.map((position) => `group_channel.room#${position}`);

  test.for([
    { done: [], left: [1, 2, 3, 4, 5] },
    { done: [1], left: [2, 3, 4, 5] },
    { done: [1, 3], left: [2, 4, 5] },
    { done: [1, 4, 2], left: [3, 5] },
    { done: [1, 2, 3, 4], left: [5] },
    { done: [1, 2, 3, 4, 5], left: [] },
  ])('after $done of the room, $left are left', ({ done, left }) => {
    const { steps, conflicts } = remainingWork(plan, snapshotAfter([...users, ...room(...done)]), collectInMemory);
    expect(conflicts).toEqual([]);
    const ofRoom = [...steps].filter(({ address }) => address === 'group_channel.room').map(({ id }) => id);
    expect(ofRoom).toEqual(room(...left));
  });

  test('is in conflict with an unplanned member', () => {
    const state = snapshotAfter([...users, ...room(1, 3)]);
    const record = state.get('group_channel.room');
    const edits = [{ op: 'set', path: ['members', 'stranger'], value: {} }] as const;
    const other = applyEntry(record, { type: 'patch', address: 'group_channel.room', edits });
    const changed = { ...state, get: (address: Address) => (address === other?.address ? other : state.get(address)) };
    expect(remainingWork(plan, changed, collectInMemory).conflicts).toEqual(['group_channel.room']);
  });
});
