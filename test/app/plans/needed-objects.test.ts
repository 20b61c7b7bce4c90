// Tests that a saved plan conflicts if its calls need an object that was disabled or deleted since.
import { expect, test } from 'vitest';
import { blockedObjects } from '../../../src/app/plans/needed-objects.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { Address } from '../../../src/model/address.ts';
import type { StateSnapshot } from '../../../src/model/ports.ts';
import type { StateRecord } from '../../../src/model/record.ts';
import type { Resource } from '../../../src/model/resource.ts';
import { archiveOfLines, archiveResource } from '../../support/archives.ts';
import { planFor, resources, stateOf } from '../../support/planning/planning.ts';

const user = { alice: { nickname: 'Alice' }, bob: { nickname: 'Bob' } };
const room = (block: JsonObject) => resources({ user, group_channel: { room: block } });
const before = stateOf(room({ members: { alice: {} } }));

type What = 'closed' | 'deleted';

function blockedBy(desired: readonly Resource[], other: Address, what: What) {
  const { steps, needed } = planFor(desired, before).plan;
  const record = before.get(other);
  const attribute = other.startsWith('user.') ? 'deactivated' : 'frozen';
  const now = new Map<Address, StateRecord>(before);
  if (what === 'deleted') now.delete(other);
  else if (record !== undefined) now.set(other, { ...record, attributes: { ...record.attributes, [attribute]: true } });
  const state = { get: (address: Address) => now.get(address) } as StateSnapshot;
  return blockedObjects(steps, needed, state);
}

const archive = archiveOfLines('room.ndjson', [
  { message_type: 'MESG', timestamp: 1_700_000_000_000, user_id: 'bob', message: 'Hi' },
]);
const withArchive = [...room({ members: { alice: {} } }), archiveResource('group_channel', 'room', archive)];

interface Case {
  readonly name: string;
  readonly desired: readonly Resource[];
  readonly other: Address;
  readonly what: What;
  readonly blocked?: { readonly address: Address; readonly what: string };
}

const ofRoom = (what: string) => ({ address: 'group_channel.room' as const, what });
const ofArchive = (what: string) => ({ address: 'messages.room' as const, what });

test.for<Case>([
  {
    name: 'a new member',
    desired: room({ members: { alice: {}, bob: {} } }),
    other: 'user.bob',
    what: 'closed',
    blocked: ofRoom('needs user.bob, which is deactivated'),
  },
  {
    name: 'a new member',
    desired: room({ members: { alice: {}, bob: {} } }),
    other: 'user.bob',
    what: 'deleted',
    blocked: ofRoom('needs user.bob, which is gone'),
  },
  {
    name: 'a member who leaves',
    desired: room({ members: { bob: {} } }),
    other: 'user.alice',
    what: 'closed',
    blocked: ofRoom('needs user.alice, which is deactivated'),
  },
  {
    name: 'a new operator',
    desired: room({ members: { alice: {} }, operators: ['alice'] }),
    other: 'user.alice',
    what: 'closed',
    blocked: ofRoom('needs user.alice, which is deactivated'),
  },
  {
    name: 'a new operator',
    desired: room({ members: { alice: {} }, operators: ['alice'] }),
    other: 'user.alice',
    what: 'deleted',
    blocked: ofRoom('needs user.alice, which is gone'),
  },
  {
    name: 'a sender of an archive',
    desired: withArchive,
    other: 'user.bob',
    what: 'closed',
    blocked: ofArchive('needs user.bob, which is deactivated'),
  },
  {
    name: 'a sender of an archive',
    desired: withArchive,
    other: 'user.bob',
    what: 'deleted',
    blocked: ofArchive('needs user.bob, which is gone'),
  },
  {
    name: 'the channel of an archive',
    desired: withArchive,
    other: 'group_channel.room',
    what: 'closed',
    blocked: ofArchive('needs group_channel.room, which is frozen'),
  },
  {
    name: 'the channel of an archive',
    desired: withArchive,
    other: 'group_channel.room',
    what: 'deleted',
    blocked: ofArchive('needs group_channel.room, which is gone'),
  },
  ...(['closed', 'deleted'] as const).map((what) => ({
    name: 'a member whom no call names',
    desired: room({ name: 'Room', members: { alice: {} } }),
    other: 'user.alice' as const,
    what,
  })),
])('$name who was $what', ({ desired, other, what, blocked }) => {
  expect(blockedBy(desired, other, what)).toEqual(blocked === undefined ? [] : [blocked]);
});

test('does not miss an object that the plan creates', () => {
  const plan = planFor(room({ members: { alice: {} } }), new Map()).plan;
  const state = { get: () => undefined } as unknown as StateSnapshot;
  expect(plan.needed).toBeUndefined();
  expect(blockedObjects(plan.steps, plan.needed, state)).toEqual([]);
});

test('accepts a disabled user whom the plan reactivates first', () => {
  const deactivated = { ...user, bob: { nickname: 'Bob', deactivated: true } };
  const known = stateOf(resources({ user: deactivated, group_channel: { room: { members: { alice: {} } } } }));
  const desired = resources({ user: deactivated, group_channel: { room: { members: { alice: {}, bob: {} } } } });
  const { steps, needed } = planFor(desired, known).plan;
  const state = { get: (address: Address) => known.get(address) } as StateSnapshot;
  expect(blockedObjects(steps, needed, state)).toEqual([]);
});
