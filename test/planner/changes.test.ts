// Tests, for every way of changing an object, whether another apply can undo the change.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/lib/json.ts';
import type { Removal } from '../../src/model/resource.ts';
import { openPolicy, planFor, resource, stateOf } from '../support/planning/planning.ts';

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
  ['user', 'first token', 'reversible', user, { ...user, issue_access_token: true }],
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
