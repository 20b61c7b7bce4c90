// Tests how a live object that a creation met is adopted: what is managed then, and which calls make it as declared.
import { expect, test } from 'vitest';
import type { StateRecord } from '../../../src/core/model/record.ts';
import { takeOverOf } from '../../../src/core/planner/take-over.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { kindNamed, printSteps, stateAfter } from '../../support/planning/planning.ts';

function takeOver(address: StateRecord['address'], attributes: JsonObject, live: JsonObject) {
  const create = {
    id: `${address}#1`,
    address,
    action: 'create',
    phase: 'channel',
    request: { method: 'POST', route: '/any' },
    entry: { type: 'put', record: { address, attributes } },
    needs: [],
    begin: true,
    doneOn: [],
  } as const;
  return takeOverOf(kindNamed(address.slice(0, address.indexOf('.'))), create, live);
}

const room = 'group_channel.room';
const guest = { user_id: 'guest' };

test.for<[claim: string, StateRecord['address'], declared: JsonObject, live: JsonObject, calls: readonly string[]]>([
  [
    'makes no call for an object that is as declared',
    'user.a',
    { nickname: 'A' },
    { nickname: 'A', is_active: true },
    [],
  ],
  [
    'updates attributes that differ, and ignores undeclared ones',
    'user.a',
    { nickname: 'A', metadata: { team: 'x' } },
    { nickname: 'B', profile_url: 'https://example.com/b.png', metadata: { team: 'y', theirs: 'z' } },
    ['PUT /users/a {"nickname":"A"}', 'PUT /users/a/metadata {"metadata":{"team":"x"},"upsert":true}'],
  ],
  [
    'invites missing members and keeps members that others invited',
    room,
    { name: 'N', members: { a: {}, b: {} }, operators: ['a'] },
    { name: 'N', members: [{ user_id: 'a' }, guest], operators: [guest], freeze: false },
    [
      'POST /group_channels/room/invite {"user_ids":["b"]}',
      'POST /group_channels/room/operators {"operator_ids":["a"]}',
    ],
  ],
  [
    'invites everybody to a channel that is empty and has another name',
    room,
    { name: 'N', members: { a: {} }, operators: ['a'] },
    { name: 'Other', members: [], operators: [] },
    [
      'PUT /group_channels/room {"name":"N"}',
      'POST /group_channels/room/invite {"user_ids":["a"]}',
      'POST /group_channels/room/operators {"operator_ids":["a"]}',
    ],
  ],
])('%s, and ends with the record of a creation', ([, address, declared, live, calls]) => {
  const steps = takeOver(address, declared, live) ?? [];
  expect(printSteps(steps)).toEqual(['(adopt)', ...calls, '(adopt)']);
  expect(stateAfter(new Map(), steps).get(address)).toEqual({ address, attributes: declared });
  // Whatever the last step that a run reached, the next one completes it.
  for (let done = 1; done < steps.length; done += 1)
    expect(stateAfter(new Map(), steps.slice(0, done)).get(address)).toMatchObject({ creating: true });
});

test('refuses an object that no call can make as declared', () => {
  const declared = { is_ephemeral: true, members: { a: {} } };
  expect(takeOver(room, declared, { is_ephemeral: false, members: [{ user_id: 'a' }] })).toBeUndefined();
});
