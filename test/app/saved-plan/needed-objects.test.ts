// Tests that a saved plan is in conflict when its calls need an object open that was closed since.
import { expect, test } from 'vitest';
import { blockedObjects } from '../../../src/app/saved-plan/needed-objects.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { Address } from '../../../src/model/address.ts';
import type { StateSnapshot } from '../../../src/model/ports.ts';
import type { StateRecord } from '../../../src/model/record.ts';
import { planFor, resources, stateOf } from '../../support/planning/planning.ts';

const user = { alice: { nickname: 'Alice' }, bob: { nickname: 'Bob' } };
const room = (block: JsonObject) => resources({ user, group_channel: { room: block } });
const before = stateOf(room({ members: { alice: {} } }));

function blockedBy(block: JsonObject, closed: Address) {
  const { steps } = planFor(room(block), before).plan;
  const record = before.get(closed);
  const attribute = closed.startsWith('user.') ? 'deactivated' : 'frozen';
  const now = new Map<Address, StateRecord>(before);
  if (record !== undefined) now.set(closed, { ...record, attributes: { ...record.attributes, [attribute]: true } });
  const state = { get: (address: Address) => now.get(address) } as StateSnapshot;
  return blockedObjects(steps, state);
}

test.for<{ name: string; block: JsonObject; closed: Address; what?: string }>([
  {
    name: 'a new member',
    block: { members: { alice: {}, bob: {} } },
    closed: 'user.bob',
    what: 'needs user.bob, which is deactivated',
  },
  {
    name: 'a member who leaves',
    block: { members: { bob: {} } },
    closed: 'user.alice',
    what: 'needs user.alice, which is deactivated',
  },
  {
    name: 'a new operator',
    block: { members: { alice: {} }, operators: ['alice'] },
    closed: 'user.alice',
    what: 'needs user.alice, which is deactivated',
  },
  { name: 'a member whom no call names', block: { name: 'Room', members: { alice: {} } }, closed: 'user.alice' },
])('$name', ({ block, closed, what }) => {
  expect(blockedBy(block, closed)).toEqual(what === undefined ? [] : [{ address: 'group_channel.room', what }]);
});

test('a user whom the plan opens for the work', () => {
  const deactivated = { ...user, bob: { nickname: 'Bob', deactivated: true } };
  const known = stateOf(resources({ user: deactivated, group_channel: { room: { members: { alice: {} } } } }));
  const desired = resources({ user: deactivated, group_channel: { room: { members: { alice: {}, bob: {} } } } });
  const { steps } = planFor(desired, known).plan;
  const state = { get: (address: Address) => known.get(address) } as StateSnapshot;
  expect(blockedObjects(steps, state)).toEqual([]);
});
