// Tests the plan of one object for each pair of declaration and state, and which setting decides a removal.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { Action } from '../../../src/model/action.ts';
import type { Policy } from '../../../src/model/policy.ts';
import { applyEntry, type StateRecord } from '../../../src/model/record.ts';
import type { Lifecycle, Removal } from '../../../src/model/resource.ts';
import { openPolicy, planFor, printSteps, resource } from '../../support/planning/planning.ts';

const source = { file: 'removed.yaml', line: 3, column: 5 };
const bob: StateRecord = { address: 'user.bob', attributes: { nickname: 'Bob' } };
const close = 'PUT /users/bob {"is_active":false,"leave_all_when_deactivated":false}';
const open = 'PUT /users/bob {"is_active":true}';
const create = 'POST /users {"user_id":"bob","nickname":"Bob","profile_url":""}';
const closed: StateRecord = { ...bob, attributes: { nickname: 'Bob', deactivated: true } };
const renamed: StateRecord = { ...bob, attributes: { nickname: 'Robert' } };
/** Makes `record` present. */
const reopened: StateRecord = { ...bob, attributes: { nickname: 'Bob', deactivated: false }, bracket: true };
const retired: StateRecord = { ...closed, retired: true };

interface Case {
  readonly name: string;
  readonly record?: StateRecord;
  readonly declared?: JsonObject;
  readonly lifecycle?: Lifecycle;
  readonly removed?: { readonly on_remove?: Removal };
  readonly policy?: Policy['on_remove'];
  readonly calls: readonly string[];
  /** The record afterwards, or null if there is none. */
  readonly becomes?: StateRecord | null;
  readonly reason?: string;
}

const pairs: readonly Case[] = [
  {
    name: 'declared, not in state: created',
    declared: { nickname: 'Bob' },
    calls: [create],
    becomes: bob,
    reason: 'declared but not in state',
  },
  {
    name: 'declared with a lifecycle: kept in state',
    declared: { nickname: 'Bob' },
    lifecycle: { protect: true, on_remove: 'forget' },
    calls: [create],
    becomes: { ...bob, lifecycle: { protect: true, on_remove: 'forget' } },
  },
  { name: 'declared as remembered: nothing', record: bob, declared: { nickname: 'Bob' }, calls: [], becomes: bob },
  {
    name: 'declared otherwise: updated',
    record: bob,
    declared: { nickname: 'Robert' },
    calls: ['PUT /users/bob {"nickname":"Robert"}'],
    becomes: renamed,
    reason: 'nickname edited since the last apply',
  },
  {
    name: 'declared otherwise and closed: the reason names both',
    record: bob,
    declared: { nickname: 'Robert', deactivated: true },
    calls: ['PUT /users/bob {"nickname":"Robert"}', close],
    becomes: { ...bob, attributes: { nickname: 'Robert', deactivated: true } },
    reason: 'nickname, deactivated edited since the last apply',
  },
  {
    name: 'declared closed, and nothing else: the reason names it',
    record: bob,
    declared: { nickname: 'Bob', deactivated: true },
    calls: [close],
    becomes: closed,
    reason: 'deactivated was edited since the last apply',
  },
  {
    name: 'declared otherwise and open again: the reason names both',
    record: closed,
    declared: { nickname: 'Robert' },
    calls: [open, 'PUT /users/bob {"nickname":"Robert"}'],
    becomes: renamed,
    reason: 'nickname, deactivated edited since the last apply',
  },
  {
    name: 'the lifecycle edited: state alone',
    record: { ...bob, lifecycle: { protect: true } },
    declared: { nickname: 'Bob' },
    lifecycle: { ignore_changes: ['nickname'] },
    calls: ['(update)'],
    becomes: { ...bob, lifecycle: { ignore_changes: ['nickname'] } },
    reason: 'its lifecycle was edited',
  },
  {
    name: 'the lifecycle removed: state alone',
    record: { ...bob, lifecycle: { protect: true } },
    declared: { nickname: 'Bob' },
    calls: ['(update)'],
    becomes: bob,
  },
  {
    name: 'an ignored attribute: left alone, also in state',
    record: bob,
    declared: { nickname: 'Robert', profile_url: 'x' },
    lifecycle: { ignore_changes: ['nickname'] },
    calls: ['PUT /users/bob {"profile_url":"x"}', '(update)'],
    becomes: { ...bob, attributes: { nickname: 'Bob', profile_url: 'x' }, lifecycle: { ignore_changes: ['nickname'] } },
  },
  {
    name: 'ignored, but the creation was interrupted: set',
    record: { ...bob, creating: true, lifecycle: { ignore_changes: ['metadata'] } },
    declared: { nickname: 'Bob', metadata: { a: '1' } },
    lifecycle: { ignore_changes: ['metadata'] },
    calls: ['PUT /users/bob/metadata {"metadata":{"a":"1"},"upsert":true}'],
    becomes: {
      ...bob,
      attributes: { nickname: 'Bob', metadata: { a: '1' } },
      lifecycle: { ignore_changes: ['metadata'] },
    },
    reason: 'its creation was interrupted',
  },
  {
    name: 'the end state ignored: it stays closed',
    record: {
      ...bob,
      attributes: { nickname: 'Bob', deactivated: true },
      lifecycle: { ignore_changes: ['deactivated'] },
    },
    declared: { nickname: 'Bob', deactivated: false },
    lifecycle: { ignore_changes: ['deactivated'] },
    calls: [],
  },
  {
    name: 'a creation that lacks only its mark: state alone',
    record: { ...bob, creating: true },
    declared: { nickname: 'Bob' },
    calls: ['(update)'],
    becomes: bob,
  },
  { name: 'not declared: retired', record: bob, calls: [close], becomes: retired, reason: 'removed from the manifest' },
  { name: 'not declared, closed already: retired in state', record: closed, calls: ['(update)'], becomes: retired },
  { name: 'retired and not declared: nothing', record: retired, calls: [], becomes: retired },
  {
    name: 'retired, with another policy by now: nothing',
    record: retired,
    policy: { user: 'delete' },
    calls: [],
    becomes: retired,
  },
  {
    name: 'retired and listed under removed: more',
    record: retired,
    removed: { on_remove: 'delete' },
    calls: ['DELETE /users/bob'],
    becomes: null,
    reason: 'listed under removed',
  },
  { name: 'retired and listed as it is: nothing', record: retired, removed: { on_remove: 'deactivate' }, calls: [] },
  { name: 'retired and listed without a word: nothing', record: retired, removed: {}, calls: [] },
  {
    name: 'retired and forgotten',
    record: retired,
    removed: { on_remove: 'forget' },
    calls: ['(forget)'],
    becomes: null,
  },
  {
    name: 'retired and declared again: opened',
    record: retired,
    declared: { nickname: 'Bob' },
    calls: [open, '(update)'],
    becomes: bob,
    reason: 'declared again after its retirement',
  },
  {
    name: 'retired and declared closed: ours again, without a call',
    record: retired,
    declared: { nickname: 'Bob', deactivated: true },
    calls: ['(update)'],
    becomes: closed,
  },
  {
    name: 'retired and declared again, its end state ignored from now on: opened, since nobody declared that end',
    record: retired,
    declared: { nickname: 'Bob' },
    lifecycle: { ignore_changes: ['deactivated'] },
    calls: [open, '(update)'],
    becomes: { ...bob, lifecycle: { ignore_changes: ['deactivated'] } },
  },
  {
    name: 'retired, left open by an interrupted return, and not declared: closed again',
    record: { ...bob, retired: true },
    calls: [close],
    becomes: retired,
  },
  {
    name: 'an open bracket, declared closed: closed',
    record: reopened,
    declared: { nickname: 'Bob', deactivated: true },
    calls: [close],
    becomes: closed,
    reason: 'was reopened for work and not disabled again',
  },
  {
    name: 'an open bracket, declared open by now: opened, since its close may have happened unseen',
    record: reopened,
    declared: { nickname: 'Bob' },
    calls: ['PUT /users/bob {"is_active":true}'],
    becomes: bob,
  },
  {
    name: 'an open bracket on a retired object: closed',
    record: { ...bob, attributes: { nickname: 'Bob', deactivated: false }, bracket: true, retired: true },
    calls: [close],
    becomes: retired,
  },
  {
    name: 'an open bracket that is to be forgotten: closed first',
    record: reopened,
    policy: { user: 'forget' },
    calls: [close, '(forget)'],
    becomes: null,
  },
];

const deciders: readonly (Omit<Case, 'calls'> & { readonly action: Action })[] = [
  { name: "the kind's default", action: 'deactivate' },
  { name: 'the policy', policy: { user: 'forget' }, action: 'forget' },
  {
    name: 'state before the policy',
    policy: { user: 'forget' },
    record: { ...bob, lifecycle: { on_remove: 'delete' } },
    action: 'delete',
  },
  {
    name: 'removed before state',
    policy: { user: 'forget' },
    record: { ...bob, lifecycle: { on_remove: 'delete' } },
    removed: { on_remove: 'deactivate' },
    action: 'deactivate',
  },
  {
    name: 'removed without a word leaves it to state',
    record: { ...bob, lifecycle: { on_remove: 'delete' } },
    removed: {},
    action: 'delete',
  },
];

function plan({ record, declared, lifecycle, removed, policy }: Omit<Case, 'calls'>) {
  return planFor(
    declared === undefined ? [] : [resource('user', 'bob', declared, lifecycle)],
    new Map(record === undefined ? [] : [[record.address, record]]),
    {
      policy: { ...openPolicy, on_remove: policy ?? {} },
      removed: removed === undefined ? [] : [{ address: 'user.bob', source, ...removed }],
    },
  );
}

describe('one object', () => {
  test.for(pairs)('$name', (given) => {
    const { plan: made, problems } = plan(given);
    expect(problems).toEqual([]);
    expect(printSteps(made.steps)).toEqual(given.calls);
    if (given.becomes !== undefined) {
      const end = [...made.steps].reduce<StateRecord | undefined>(
        (record, { entry }) => applyEntry(record, entry),
        given.record,
      );
      expect(end ?? null).toEqual(given.becomes);
    }
    if (given.reason !== undefined) expect([...made.changes].map(({ reason }) => reason)).toEqual([given.reason]);
  });

  test.for(deciders)('is removed as $name says', ({ record = bob, action, ...given }) => {
    expect([...plan({ ...given, record }).plan.steps].map((step) => step.action)).toEqual([action]);
  });

  test.for([
    { why: 'its line was removed', record: { ...bob, attributes: retired.attributes }, how: 'reset' },
    { why: 'it is declared again: its retirement closed it, and no line did', record: retired, how: 'set' },
  ])('is opened, since $why', ({ record, how }) => {
    const { changes } = plan({ name: '', record, declared: { nickname: 'Bob' } }).plan;
    expect(changes.at(0)?.attributes).toEqual([{ path: ['deactivated'], before: true, after: false, how }]);
  });

  test('refuses a removal that the kind does not support', () => {
    const made = plan({ name: '', record: bob, removed: { on_remove: 'freeze' } });
    expect(made.problems).toMatchObject([{ code: 'plan.impossible-removal', address: 'user.bob' }]);
    expect(made.plan.steps).toEqual([]);
  });

  test('notes a removed address that is not in state', () => {
    const made = plan({ name: '', removed: { on_remove: 'delete' } }).plan;
    expect(made.steps).toEqual([]);
    expect(made.warnings).toMatchObject([
      { severity: 'note', code: 'plan.removed-unknown', address: 'user.bob', source },
    ]);
  });
});

test.for([
  ['user.bob', 'deactivated', 'was retired; memberships may have changed meanwhile'],
  ['open_channel.lobby', 'frozen', undefined],
] as const)(
  'says of %s that it was %s already, and what may have changed when it returns',
  ([address, ended, note]) => {
    const attributes = address === 'user.bob' ? { nickname: 'Bob' } : { name: 'Lobby' };
    const record: StateRecord = { address, attributes: { ...attributes, [ended]: true } };
    const notesOf = (declared: boolean, remembered: StateRecord) =>
      planFor(
        declared ? [resource(...(address.split('.') as [string, string]), attributes)] : [],
        new Map([[address, remembered]]),
      ).plan.changes.at(0)?.notes;
    expect(notesOf(false, record)).toEqual([`${ended} already, so nothing is sent`]);
    expect(notesOf(true, { ...record, retired: true })).toEqual(note === undefined ? [] : [note]);
  },
);
