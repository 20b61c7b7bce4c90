// Tests of every way of changing an object whether another apply could undo it.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/lib/json.ts';
import type { Removal } from '../../src/model/resource.ts';
import { openPolicy, planFor, resource, stateOf } from '../support/planning/planning.ts';

interface Case {
  readonly name: string;
  readonly kind: 'user' | 'open_channel' | 'group_channel';
  readonly before?: JsonObject;
  /** Absent: declared no more. */
  readonly after?: JsonObject;
  readonly on_remove?: Removal;
  readonly leaves?: boolean;
  readonly expected: 'reversible' | 'lossy' | 'irreversible';
}

const user = { nickname: 'U' };
const room = { members: { m: {} } };
const open = { ...room, is_public: true };
const code = (revision: number) => ({ ...open, access_code: { env: 'CODE', revision } });

const cases: readonly Case[] = [
  { name: 'created', kind: 'user', after: user, expected: 'reversible' },
  { name: 'created with a token', kind: 'user', after: { ...user, issue_access_token: true }, expected: 'reversible' },
  {
    name: 'created as a supergroup',
    kind: 'group_channel',
    after: { ...room, is_super: true },
    expected: 'reversible',
  },
  { name: 'renamed', kind: 'user', before: user, after: { nickname: 'V' }, expected: 'reversible' },
  {
    name: 'image taken away',
    kind: 'user',
    before: { ...user, profile_url: 'https://a.test/i' },
    after: user,
    expected: 'reversible',
  },
  {
    name: 'metadata taken away',
    kind: 'user',
    before: { ...user, metadata: { a: '1' } },
    after: user,
    expected: 'reversible',
  },
  {
    name: 'first token',
    kind: 'user',
    before: user,
    after: { ...user, issue_access_token: true },
    expected: 'reversible',
  },
  {
    name: 'next token, which revokes the one before',
    kind: 'user',
    before: { ...user, issue_access_token: true },
    after: { ...user, issue_access_token: { revision: 2 } },
    expected: 'lossy',
  },
  {
    name: 'token no more managed',
    kind: 'user',
    before: { ...user, issue_access_token: true },
    after: user,
    expected: 'reversible',
  },
  { name: 'deactivated', kind: 'user', before: user, after: { ...user, deactivated: true }, expected: 'reversible' },
  {
    name: 'deactivated, and out of the channels',
    kind: 'user',
    before: user,
    after: { ...user, deactivated: true },
    leaves: true,
    expected: 'lossy',
  },
  { name: 'reactivated', kind: 'user', before: { ...user, deactivated: true }, after: user, expected: 'reversible' },
  { name: 'retired', kind: 'user', before: user, expected: 'reversible' },
  { name: 'forgotten', kind: 'user', before: user, on_remove: 'forget', expected: 'reversible' },
  { name: 'deleted', kind: 'user', before: user, on_remove: 'delete', expected: 'irreversible' },
  { name: 'frozen', kind: 'open_channel', before: {}, after: { frozen: true }, expected: 'reversible' },
  { name: 'deleted channel', kind: 'open_channel', before: {}, on_remove: 'delete', expected: 'irreversible' },
  {
    name: 'operator taken away',
    kind: 'open_channel',
    before: { operators: ['m'] },
    after: {},
    expected: 'reversible',
  },
  {
    name: 'invited',
    kind: 'group_channel',
    before: room,
    after: { members: { m: {}, n: {} } },
    expected: 'reversible',
  },
  {
    name: 'member taken away',
    kind: 'group_channel',
    before: { members: { m: {}, n: {} } },
    after: room,
    expected: 'lossy',
  },
  { name: 'public no more', kind: 'group_channel', before: open, after: room, expected: 'reversible' },
  {
    name: 'made a supergroup',
    kind: 'group_channel',
    before: room,
    after: { ...room, is_super: true },
    expected: 'irreversible',
  },
  {
    name: 'never a supergroup',
    kind: 'group_channel',
    before: room,
    after: { ...room, is_super: false },
    expected: 'reversible',
  },
  { name: 'first code', kind: 'group_channel', before: open, after: code(1), expected: 'reversible' },
  { name: 'next code, which nobody keeps', kind: 'group_channel', before: code(1), after: code(2), expected: 'lossy' },
];

describe('another apply undoes it', () => {
  test.for(cases)('$kind $name: $expected', ({ kind, before, after, on_remove, leaves, expected }) => {
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
