// Tests that a plan is the same whether it is kept in memory or on disk, and for every way of changing an object whether another apply can
// undo the change.
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Plan } from '../../../src/core/model/plan.ts';
import type { Removal } from '../../../src/core/model/resource.ts';
import { printPlanFile } from '../../../src/core/planner/plan-file/print.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { Spool } from '../../../src/lib/spool.ts';
import { estate, possible } from '../../support/planning/arbitrary-estates.ts';
import { hashOfSteps } from '../../support/planning/hash-of-steps.ts';
import {
  openPolicy,
  planFor,
  readPlanText,
  resource,
  resources,
  stateAfter,
  stateOf,
} from '../../support/planning/planning.ts';
import { fastTest, inSuite } from '../../support/suite.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The whole plan as comparable values. */
function whole(plan: Plan): unknown {
  return JSON.parse(
    JSON.stringify({
      ...plan,
      changes: [...plan.changes],
      steps: [...plan.steps],
      preconditions: [...plan.preconditions],
      origins: [...(plan.origins ?? [])],
      ...(plan.needed === undefined ? {} : { needed: [...plan.needed] }),
    }),
  );
}

test('builds the same plan on disk as in memory', async () => {
  const spool = new Spool({ folder: await temporaryFolder(), inMemory: 300 });
  onTestFinished(() => spool.close());
  fc.assert(
    fc.property(estate, estate, (first, second) => {
      const before = stateOf(first);
      const desired = possible(second, before);
      const { plan } = planFor(desired, before);
      const spooled = planFor(desired, before, { collect: spool.collect }).plan;
      expect(whole(spooled)).toEqual(whole(plan));
      expect(hashOfSteps(plan.application, spooled.steps)).toBe(plan.hash);
      expect(Array.from(spooled.steps, (_step, place) => spooled.steps.at(place))).toEqual([...plan.steps]);
      expect(stateAfter(before, spooled.steps)).toEqual(stateAfter(before, plan.steps));
    }),
    { numRuns: inSuite(6, 20) },
  );
});

fastTest('saves a plan from disk and reads it back', async () => {
  const spool = new Spool({ folder: await temporaryFolder(), inMemory: 0 });
  onTestFinished(() => spool.close());
  const desired = resources({
    user: { alice: { nickname: 'A' }, bob: { nickname: 'B', deactivated: true } },
    group_channel: { room: { members: { alice: {}, bob: {} } } },
  });
  const { plan } = planFor(desired, new Map(), { collect: spool.collect });
  const kept = planFor(desired).plan;
  const read = readPlanText(printPlanFile(plan), spool.collect);
  expect(Array.isArray(read.steps)).toBe(false);
  expect(whole(read)).toEqual(whole(kept));
});

fastTest('orders thousands of creations, with a channel after its members', () => {
  const known = resource('user', 'a', { nickname: 'A' });
  const users = Array.from({ length: 2_100 }, (_none, place) => resource('user', `u${place}`, { nickname: 'N' }));
  const members: JsonObject = { a: {}, u0: {}, u2099: {} };
  const { plan } = planFor([known, ...users, resource('group_channel', 'room', { members })], stateOf([known]));
  const last = plan.steps.at(plan.steps.length - 1);
  expect([last?.id, last?.needs]).toEqual(['group_channel.room#1', ['user.u0#1', 'user.u2099#1']]);
  const addresses = Array.from(plan.changes, ({ address }) => address);
  expect(addresses).toEqual([...addresses].sort());
  expect(addresses).toHaveLength(2_101);
  expect(hashOfSteps(plan.application, plan.steps)).toBe(plan.hash);
});

type Case = readonly [
  kind: 'user' | 'open_channel' | 'group_channel',
  name: string,
  expected: 'reversible' | 'lossy' | 'irreversible',
  before: JsonObject | undefined,
  /** Absent if the attribute is no longer declared. */
  after?: JsonObject | undefined,
  on_remove?: Removal | undefined,
  leaves?: boolean,
];

const user = { nickname: 'U' };
const room = { members: { m: {} } };
const open = { ...room, is_public: true };
const code = (revision: number) => ({ ...open, access_code: { env: 'CODE', revision } });

const cases: readonly Case[] = [
  ['user', 'created', 'reversible', undefined, user],
  ['user', 'created with a token', 'reversible', undefined, { ...user, issue_access_token: true }],
  ['group_channel', 'created as a supergroup', 'reversible', undefined, { ...room, is_super: true }],
  ['user', 'renamed', 'reversible', user, { nickname: 'V' }],
  ['user', 'image taken away', 'reversible', { ...user, profile_url: 'https://a.test/i' }, user],
  ['user', 'metadata taken away', 'reversible', { ...user, metadata: { a: '1' } }, user],
  ['user', 'first declared token, which may end another', 'lossy', user, { ...user, issue_access_token: true }],
  [
    'user',
    'next token, which revokes the one before',
    'lossy',
    { ...user, issue_access_token: true },
    { ...user, issue_access_token: { revision: 2 } },
  ],
  ['user', 'token no more managed', 'reversible', { ...user, issue_access_token: true }, user],
  ['user', 'deactivated', 'reversible', user, { ...user, deactivated: true }],
  ['user', 'deactivated, and out of the channels', 'lossy', user, { ...user, deactivated: true }, undefined, true],
  ['user', 'reactivated', 'reversible', { ...user, deactivated: true }, user],
  ['user', 'retired', 'reversible', user],
  ['user', 'forgotten', 'reversible', user, undefined, 'forget'],
  ['user', 'deleted', 'irreversible', user, undefined, 'delete'],
  ['open_channel', 'frozen', 'reversible', {}, { frozen: true }],
  ['open_channel', 'deleted channel', 'irreversible', {}, undefined, 'delete'],
  ['open_channel', 'operator taken away', 'reversible', { operators: ['m'] }, {}],
  ['group_channel', 'invited', 'reversible', room, { members: { m: {}, n: {} } }],
  ['group_channel', 'member taken away', 'lossy', { members: { m: {}, n: {} } }, room],
  ['group_channel', 'public no more', 'reversible', open, room],
  ['group_channel', 'made a supergroup', 'irreversible', room, { ...room, is_super: true }],
  ['group_channel', 'never a supergroup', 'reversible', room, { ...room, is_super: false }],
  ['group_channel', 'first code', 'reversible', open, code(1)],
  ['group_channel', 'next code, which nobody keeps', 'lossy', code(1), code(2)],
];

describe('reversibility', () => {
  test.for(cases)('%s %s: %s', ([kind, , expected, before, after, on_remove, leaves]) => {
    const people = ['m', 'n'].map((key) => resource('user', key, { nickname: 'M' }));
    const named = (block: JsonObject | undefined) =>
      block === undefined ? [] : [resource(kind, 'it', block, on_remove === undefined ? {} : { on_remove })];
    const { plan } = planFor([...people, ...named(after)], stateOf([...people, ...named(before)]), {
      policy: { ...openPolicy, leave_channels_on_deactivation: leaves === true },
    });
    expect([...plan.changes].map(({ address, reversibility }) => [address, reversibility])).toEqual([
      [`${kind}.it`, expected],
    ]);
  });
});
