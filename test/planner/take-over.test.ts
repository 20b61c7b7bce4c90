// Tests how a live object that a creation met is adopted: what is managed then, and which calls make it as declared.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/lib/json.ts';
import { applyEntry, type StateRecord } from '../../src/model/record.ts';
import type { Step } from '../../src/model/step.ts';
import { takeOverOf } from '../../src/planner/take-over.ts';
import { groupChannel } from '../../src/resources/group-channel/group-channel.ts';
import { user } from '../../src/resources/user/user.ts';

function createOf(address: StateRecord['address'], attributes: JsonObject): Step {
  return {
    id: `${address}#1`,
    address,
    action: 'create',
    phase: 'channel',
    request: { method: 'POST', route: '/any' },
    entry: { type: 'put', record: { address, attributes } },
    needs: [],
    begin: true,
    doneOn: [],
  };
}

const calls = (steps: readonly Step[] | undefined) =>
  steps?.flatMap(({ request }) => (request === undefined ? [] : [`${request.method} ${request.route}`]));

describe('adoptionOf', () => {
  test('makes no call for an object that is as declared', () => {
    const steps = takeOverOf(user, createOf('user.a', { nickname: 'A' }), { nickname: 'A', is_active: true });
    expect(calls(steps)).toEqual([]);
    expect(steps?.map(({ action }) => action)).toEqual(['adopt', 'adopt']);
  });

  test('updates attributes that differ, and ignores undeclared ones', () => {
    const declared = { nickname: 'A', metadata: { team: 'x' } };
    const live = { nickname: 'B', profile_url: 'https://example.com/b.png', metadata: { team: 'y', theirs: 'z' } };
    const steps = takeOverOf(user, createOf('user.a', declared), live);
    expect(steps?.map(({ request }) => request?.body).filter((body) => body !== undefined)).toEqual([
      { nickname: 'A' },
      { metadata: { team: 'x' }, upsert: true },
    ]);
  });

  test('invites missing members and keeps members that others invited', () => {
    const declared = { name: 'N', members: { a: {}, b: {} }, operators: ['a'] };
    const live = {
      name: 'N',
      members: [{ user_id: 'a' }, { user_id: 'guest' }],
      operators: [{ user_id: 'guest' }],
      freeze: false,
    };
    const steps = takeOverOf(groupChannel, createOf('group_channel.room', declared), live);
    expect(calls(steps)).toEqual([
      'POST /group_channels/{channel_url}/invite',
      'POST /group_channels/{channel_url}/operators',
    ]);
  });

  test('refuses an object that no call can make as declared', () => {
    const declared = { is_ephemeral: true, members: { a: {} } };
    const live = { is_ephemeral: false, members: [{ user_id: 'a' }] };
    expect(takeOverOf(groupChannel, createOf('group_channel.room', declared), live)).toBeUndefined();
  });

  test('ends with the record of a creation, wherever it was interrupted', () => {
    const declared = { name: 'N', members: { a: {} }, operators: ['a'] };
    const create = createOf('group_channel.room', declared);
    const steps = takeOverOf(groupChannel, create, { name: 'Other', members: [], operators: [] }) ?? [];
    let record: StateRecord | undefined;
    for (const step of steps) record = applyEntry(record, step.entry);
    expect(record).toEqual({ address: 'group_channel.room', attributes: declared });
    expect(applyEntry(undefined, steps[0]?.entry ?? create.entry)).toMatchObject({ creating: true });
  });
});
