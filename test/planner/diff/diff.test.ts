// Tests how single attributes are added, changed and removed: set, reset, by entry, released, refused.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import { applyEntry, type StateRecord } from '../../../src/model/record.ts';
import { planFor, printSteps, resource } from '../../support/planning/planning.ts';

const bob: StateRecord = { address: 'user.bob', attributes: { nickname: 'Bob' } };

function update(record: StateRecord, declared: JsonObject) {
  return planFor([resource('user', 'bob', declared)], new Map([[record.address, record]]));
}

describe('attributes', () => {
  const before: StateRecord = {
    address: 'user.bob',
    attributes: {
      nickname: 'Bob',
      profile_url: 'x',
      metadata: { a: '1', b: '2' },
      issue_access_token: { revision: 1 },
    },
  };

  test('are set, reset, removed by entry or released, with the value before and after', () => {
    const { plan: made } = update(before, { nickname: 'Bo', metadata: { b: '3', c: '4' } });
    expect(made.changes.at(0)?.attributes).toEqual([
      { path: ['nickname'], before: 'Bob', after: 'Bo', how: 'set' },
      { path: ['profile_url'], before: 'x', after: '', how: 'reset' },
      { path: ['metadata', 'a'], before: '1', how: 'reset' },
      { path: ['metadata', 'b'], before: '2', after: '3', how: 'set' },
      { path: ['metadata', 'c'], after: '4', how: 'set' },
      { path: ['issue_access_token'], before: { revision: 1 }, how: 'release' },
    ]);
    expect(made.changes.at(0)?.notes).toEqual(['issue_access_token is no longer managed and stays as it is']);
  });

  test.for([
    { after: { revision: 2 }, isDangerous: true },
    { after: { revision: 1 }, isDangerous: false },
  ])('a token issued anew revokes the one before: $after', ({ after, isDangerous }) => {
    const record = { ...bob, attributes: { nickname: 'Bob', issue_access_token: { revision: 1 } } };
    const made = update(record, { nickname: 'Bo', issue_access_token: after }).plan;
    expect(made.changes.at(0)?.dangerous).toBe(isDangerous);
    const first = update(bob, { nickname: 'Bo', issue_access_token: after }).plan;
    expect(first.changes.at(0)?.dangerous).toBe(false);
  });

  test.for(['constructor', 'toString', 'hasOwnProperty', '10'])('metadata keys may be named %s', (key) => {
    const record = { ...bob, attributes: { nickname: 'Bob', metadata: { [key]: '1' } } };
    const gone = update(record, { nickname: 'Bob' }).plan;
    expect(printSteps(gone.steps)).toEqual([`DELETE /users/bob/metadata/${key}`]);
    const come = update(bob, { nickname: 'Bob', metadata: { [key]: '1' } }).plan;
    expect(come.changes.at(0)?.attributes).toEqual([{ path: ['metadata', key], after: '1', how: 'set' }]);
  });

  test('report problems at the line of the attribute, if it is known', () => {
    const room = { ...resource('group_channel', 'room', { members: { a: {} }, strict: false }) };
    const line = { file: 'rooms.yaml', line: 7, column: 5 };
    const record: StateRecord = { address: room.address, attributes: { members: { a: {} } } };
    const { problems } = planFor(
      [{ ...room, attributeSources: { strict: line } }],
      new Map([[record.address, record]]),
    );
    expect(problems).toMatchObject([{ code: 'plan.create-only', address: room.address, source: line }]);
  });
});

test('marks a creation of several steps until its last step', () => {
  const block = { nickname: 'Bob', session_token: { expires_at: '2027-01-01T00:00:00Z' }, deactivated: true };
  const { plan } = planFor([resource('user', 'bob', block, { protect: true })]);
  let record: StateRecord | undefined;
  const marks = [...plan.steps].map(({ entry }) => {
    record = applyEntry(record, entry);
    return record?.creating;
  });
  expect(marks).toEqual([true, true, undefined]);
  expect(record).toEqual({ address: 'user.bob', attributes: block, lifecycle: { protect: true } });
});
