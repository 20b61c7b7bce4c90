// Tests the plan of one object for each pair of declaration and state, which setting decides a removal, and how single
// attributes are added, changed and removed.
import { describe, expect, test } from 'vitest';
import type { Policy } from '../../../../src/core/model/policy.ts';
import { applyEntry, type StateRecord } from '../../../../src/core/model/record.ts';
import type { Lifecycle, Removal } from '../../../../src/core/model/resource.ts';
import { pairsOfKind } from '../../../../src/core/planner/diff/object-draft.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { planFor, printSteps, resource, resources } from '../../../support/planning/planning.ts';
import { MadeSeries } from '../../../support/series.ts';
import { expectPlans, type Given } from '../support/plans.ts';

const source = { file: 'removed.yaml', line: 3, column: 5 };
const n = { nickname: 'Bob' };
const edited = { nickname: 'Robert' };
const off = { ...n, deactivated: true };
const ignored: Lifecycle = { ignore_changes: ['nickname'] };
const bob: StateRecord = { address: 'user.bob', attributes: n };
const closed: StateRecord = { ...bob, attributes: off };
/** A run reopened it for work and was interrupted. */
const reopened: StateRecord = { ...bob, attributes: { ...n, deactivated: false }, bracket: true };
const retired: StateRecord = { ...closed, retired: true };
const deleting: StateRecord = { ...bob, lifecycle: { on_remove: 'delete' } };

interface Case {
  readonly record?: StateRecord;
  readonly declared?: JsonObject;
  readonly lifecycle?: Lifecycle;
  readonly removed?: { readonly on_remove?: Removal };
  readonly policy?: Policy['on_remove'];
}

function given({ record, declared, lifecycle, removed, policy = {} }: Case): Given {
  return {
    desired: declared === undefined ? [] : [resource('user', 'bob', declared, lifecycle)],
    state: new Map(record === undefined ? [] : [[record.address, record]]),
    policy: { on_remove: policy },
    removed: removed === undefined ? [] : [{ address: 'user.bob', source, ...removed }],
  };
}

const groups: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  declared: {
    'not in state: created': { declared: n },
    'with a lifecycle: kept in state': { declared: n, lifecycle: { protect: true, on_remove: 'forget' } },
    'as remembered: nothing': { record: bob, declared: n },
    'otherwise: updated': { record: bob, declared: edited },
    'otherwise and closed: the reason names both': { record: bob, declared: { ...edited, deactivated: true } },
    'closed, and nothing else: the reason names it': { record: bob, declared: off },
    'otherwise and open again: the reason names both': { record: closed, declared: edited },
    'open again: opened, since its line was removed': { record: closed, declared: n },
    'with an edited lifecycle: state alone': {
      record: { ...bob, lifecycle: { protect: true } },
      declared: n,
      lifecycle: ignored,
    },
    'without its lifecycle: state alone': { record: { ...bob, lifecycle: { protect: true } }, declared: n },
    'with an ignored attribute: left alone, also in state': {
      record: bob,
      declared: { ...edited, profile_url: 'x' },
      lifecycle: ignored,
    },
    'ignored, but the creation was interrupted: set': {
      record: { ...bob, creating: true, lifecycle: { ignore_changes: ['metadata'] } },
      declared: { ...n, metadata: { a: '1' } },
      lifecycle: { ignore_changes: ['metadata'] },
    },
    'with an ignored end state: stays closed': {
      record: { ...closed, lifecycle: { ignore_changes: ['deactivated'] } },
      declared: { ...n, deactivated: false },
      lifecycle: { ignore_changes: ['deactivated'] },
    },
    'when the creation lacks only its mark: state alone': { record: { ...bob, creating: true }, declared: n },
  },
  removed: {
    'not declared: retired': { record: bob },
    'not declared, closed already: retired in state': { record: closed },
    'retired and not declared: nothing': { record: retired },
    'retired, with another policy by now: nothing': { record: retired, policy: { user: 'delete' } },
    'retired and listed under removed: more': { record: retired, removed: { on_remove: 'delete' } },
    'retired and listed as it is: nothing': { record: retired, removed: { on_remove: 'deactivate' } },
    'retired and listed without a word: nothing': { record: retired, removed: {} },
    'retired and forgotten': { record: retired, removed: { on_remove: 'forget' } },
    'retired and declared again: opened, since no line had closed it': { record: retired, declared: n },
    'retired and declared closed: managed again, without a call': { record: retired, declared: off },
    'retired and declared again, its end state ignored from now on: opened, since nobody declared that end': {
      record: retired,
      declared: n,
      lifecycle: { ignore_changes: ['deactivated'] },
    },
    'retired, left open by an interrupted return, and not declared: closed again': {
      record: { ...bob, retired: true },
    },
    'reopened, declared closed: closed': { record: reopened, declared: off },
    'reopened, declared open by now: opened, since its close may have happened unseen': {
      record: reopened,
      declared: n,
    },
    'reopened while retired: closed': { record: { ...reopened, retired: true } },
    'reopened and to be forgotten: closed first': { record: reopened, policy: { user: 'forget' } },
    'removed as the policy says': { record: bob, policy: { user: 'forget' } },
    'removed as state says, before the policy': { record: deleting, policy: { user: 'forget' } },
    'removed as its entry says, before state': {
      record: deleting,
      policy: { user: 'forget' },
      removed: { on_remove: 'deactivate' },
    },
    'removed without a word leaves it to state': { record: deleting, removed: {} },
    'erased as its entry says, retired or not': { record: retired, removed: { on_remove: 'erase' } },
    'erased as state says': { record: { ...bob, lifecycle: { on_remove: 'erase' } } },
    'refuses a removal that the kind does not support': { record: bob, removed: { on_remove: 'freeze' } },
    'notes a removed address that is not in state': { removed: { on_remove: 'delete' } },
  },
  attributes: {
    'are set, reset, removed by entry or released, with the value before and after': {
      record: {
        ...bob,
        attributes: { ...n, profile_url: 'x', metadata: { a: '1', b: '2' }, issue_access_token: { revision: 1 } },
      },
      declared: { nickname: 'Bo', metadata: { b: '3', c: '4' } },
    },
    'a first declared token may end another': { record: bob, declared: { ...n, issue_access_token: { revision: 2 } } },
    'a token issued anew revokes the one before': {
      record: { ...bob, attributes: { ...n, issue_access_token: { revision: 1 } } },
      declared: { ...n, issue_access_token: { revision: 2 } },
    },
  },
};

test.for(Object.entries(groups))('plans one object: %s', async ([name, cases]) => {
  await expectPlans(
    `object-${name}`,
    Object.fromEntries(Object.entries(cases).map(([claim, one]) => [claim, given(one)])),
  );
});

test('notes that a removed channel was frozen already, and opens it when it returns', async () => {
  const lobby = { address: 'open_channel.lobby', attributes: { name: 'Lobby', frozen: true } } as const;
  await expectPlans('closed-channel', {
    'frozen already': { desired: [], state: new Map([[lobby.address, lobby]]) },
    returns: {
      desired: resources({ open_channel: { lobby: { name: 'Lobby' } } }),
      state: new Map([[lobby.address, { ...lobby, retired: true }]]),
    },
  });
});

describe('an attribute', () => {
  test.for(['constructor', 'toString', 'hasOwnProperty', '10'])('metadata keys may be named %s', (key) => {
    const withKey = { ...n, metadata: { [key]: '1' } };
    const plan = (record: StateRecord, declared: JsonObject) => {
      const { desired, state } = given({ record, declared });
      return planFor(desired, state).plan;
    };
    expect(printSteps(plan({ ...bob, attributes: withKey }, n).steps)).toEqual([`DELETE /users/bob/metadata/${key}`]);
    expect(plan(bob, withKey).changes.at(0)?.attributes).toEqual([{ path: ['metadata', key], after: '1', how: 'set' }]);
  });

  test('has problems at its line, if that is known', () => {
    const room = resource('group_channel', 'room', { members: { a: {} }, is_ephemeral: true });
    const line = { file: 'rooms.yaml', line: 7, column: 5 };
    const record: StateRecord = { address: room.address, attributes: { members: { a: {} } } };
    const { problems } = planFor(
      [{ ...room, attributeSources: { is_ephemeral: line } }],
      new Map([[record.address, record]]),
    );
    expect(problems).toMatchObject([{ code: 'plan.create-only', address: room.address, source: line }]);
  });
});

test('marks a creation of several steps until its last step', () => {
  const block = { ...off, session_token: { expires_at: '2027-01-01T00:00:00Z' } };
  let record: StateRecord | undefined;
  const marks = [...planFor([resource('user', 'bob', block, { protect: true })]).plan.steps].map(({ entry }) => {
    record = applyEntry(record, entry);
    return record?.creating;
  });
  expect(marks).toEqual([true, true, undefined]);
  expect(record).toEqual({ address: 'user.bob', attributes: block, lifecycle: { protect: true } });
});

test('pairs objects of one kind by address and skips other kinds', () => {
  const declared = [resource('open_channel', 'lobby', {}), resource('user', 'bob', { nickname: 'B' })];
  const records: StateRecord[] = (['open_channel.old', 'user.alice', 'user.bob', 'users.x'] as const).map(
    (address) => ({ address, attributes: {} }),
  );
  const pairs = Array.from(pairsOfKind('user', declared, records), ({ address, resource: is, record: was }) => [
    address,
    is?.address,
    was?.address,
  ]);
  expect(pairs).toEqual([
    ['user.alice', undefined, 'user.alice'],
    ['user.bob', 'user.bob', 'user.bob'],
  ]);
});

test('the registry lists the parts of a kind after the kind', () => {
  for (const [place, { children = {} }] of registry.entries()) {
    const described = registry.findIndex(
      ({ section, isChild }) => isChild === true && Object.hasOwn(children, section),
    );
    if (Object.keys(children).length > 0) expect(described).toBeGreaterThan(place);
  }
});

test('reads each record once', () => {
  const records: StateRecord[] = Array.from({ length: 100 }, (_none, place) => ({
    address: `user.a${1_000 + place}` as const,
    attributes: {},
  }));
  let read = 0;
  const at = (index: number): StateRecord | undefined => {
    read += 1;
    return records[index];
  };
  const series = new MadeSeries(records.length, at, () => records[Symbol.iterator]());
  expect(Array.from(pairsOfKind('user', [], series), ({ record }) => record)).toEqual(records);
  // The binary search for the kind's first record reads a few of them.
  expect(read).toBeLessThan(records.length + 12);
});
