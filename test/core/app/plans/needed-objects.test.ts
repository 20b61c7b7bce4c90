// Tests that a saved plan conflicts if its calls need an object that was disabled or deleted since.
import { expect, test } from 'vitest';
import { blockedObjects } from '../../../../src/core/app/plans/needed-objects.ts';
import type { Address } from '../../../../src/core/model/address.ts';
import type { StateSnapshot } from '../../../../src/core/model/ports.ts';
import type { StateRecord } from '../../../../src/core/model/record.ts';
import type { Resource } from '../../../../src/core/model/resource.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { historyFileOfLines, historyFileResource } from '../../../support/history-files.ts';
import { planFor, resources, stateAfter, stateOf } from '../../../support/planning/planning.ts';

const user = { alice: { nickname: 'Alice' }, bob: { nickname: 'Bob' } };
const room = (block: JsonObject) => resources({ user, group_channel: { room: block } });
const before = stateOf(room({ members: { alice: {} } }));

type What = 'closed' | 'deleted';

function blockedBy(desired: readonly Resource[], other: Address, what: What) {
  const { plan } = planFor(desired, before);
  const record = before.get(other);
  const attribute = other.startsWith('user.') ? 'deactivated' : 'frozen';
  const now = new Map<Address, StateRecord>(before);
  if (what === 'deleted') now.delete(other);
  else if (record !== undefined) now.set(other, { ...record, attributes: { ...record.attributes, [attribute]: true } });
  const state = { get: (address: Address) => now.get(address) } as StateSnapshot;
  return blockedObjects(plan.steps, plan, state);
}

const historyFile = historyFileOfLines('room.ndjson', [
  { message_type: 'MESG', timestamp: 1_700_000_000_000, user_id: 'bob', message: 'Hi' },
]);
const withHistoryFile = [
  ...room({ members: { alice: {} } }),
  historyFileResource('group_channel', 'room', historyFile),
];

const withBob = room({ members: { alice: {}, bob: {} } });
const withoutAlice = room({ members: { bob: {} } });
const withOperator = room({ members: { alice: {} }, operators: ['alice'] });

test.for<[name: string, blocked: string, desired: readonly Resource[], what: What]>([
  ['a new member', 'group_channel.room needs user.bob, which is deactivated', withBob, 'closed'],
  ['a new member', 'group_channel.room needs user.bob, which is gone', withBob, 'deleted'],
  ['a member who leaves', 'group_channel.room needs user.alice, which is deactivated', withoutAlice, 'closed'],
  ['a new operator', 'group_channel.room needs user.alice, which is deactivated', withOperator, 'closed'],
  ['a new operator', 'group_channel.room needs user.alice, which is gone', withOperator, 'deleted'],
  ['a sender of a history file', 'messages.room needs user.bob, which is deactivated', withHistoryFile, 'closed'],
  ['a sender of a history file', 'messages.room needs user.bob, which is gone', withHistoryFile, 'deleted'],
  [
    'the channel of a history file',
    'messages.room needs group_channel.room, which is frozen',
    withHistoryFile,
    'closed',
  ],
  [
    'the channel of a history file',
    'messages.room needs group_channel.room, which is gone',
    withHistoryFile,
    'deleted',
  ],
])('conflicts with %s: %s', ([, blocked, desired, what]) => {
  const [, address, other = ''] = /^(\S+) needs (\S+),/u.exec(blocked) ?? [];
  const found = blockedBy(desired, other as Address, what);
  expect(found).toEqual([{ address, what: blocked.slice((address ?? '').length + 1) }]);
});

test.for<What>(['closed', 'deleted'])('accepts a %s member if no call names them', (what) => {
  expect(blockedBy(room({ name: 'Room', members: { alice: {} } }), 'user.alice', what)).toEqual([]);
});

test('does not miss an object that the plan creates', () => {
  const plan = planFor(room({ members: { alice: {} } }), new Map()).plan;
  const state = { get: () => undefined } as unknown as StateSnapshot;
  expect(plan.needed).toBeUndefined();
  expect(blockedObjects(plan.steps, plan, state)).toEqual([]);
});

test('accepts a disabled user whom the plan reactivates first', () => {
  const deactivated = { ...user, bob: { nickname: 'Bob', deactivated: true } };
  const known = stateOf(resources({ user: deactivated, group_channel: { room: { members: { alice: {} } } } }));
  const desired = resources({ user: deactivated, group_channel: { room: { members: { alice: {}, bob: {} } } } });
  const { plan } = planFor(desired, known);
  const state = { get: (address: Address) => known.get(address) } as StateSnapshot;
  expect(blockedObjects(plan.steps, plan, state)).toEqual([]);
});

test('lets a channel name a user that the same plan has already deactivated', () => {
  const desired = resources({
    user: { bob: { nickname: 'Bob', deactivated: true } },
    open_channel: { lobby: { operators: ['bob'] } },
  });
  const { plan } = planFor(desired, new Map());
  const steps = [...plan.steps];
  const ofBob = steps.filter(({ address }) => address === 'user.bob');
  const others = steps.filter(({ address }) => address !== 'user.bob');
  expect(ofBob.some(({ needs }) => others.some(({ id }) => needs.includes(id)))).toBe(false);
  const done = stateAfter(new Map(), ofBob);
  const state = { get: (address: Address) => done.get(address), size: done.size } as StateSnapshot;
  expect(done.get('user.bob')?.attributes.deactivated).toBe(true);
  expect(blockedObjects(others, plan, state)).toEqual([]);
});
