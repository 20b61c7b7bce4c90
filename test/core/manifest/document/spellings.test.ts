// Tests the meaning of the platform's spellings of attributes.
import { expect, test } from 'vitest';
import { inOneSpelling } from '../../../../src/core/manifest/document/spellings.ts';
import { blockSchema } from '../../../../src/core/manifest/schema/block-schema.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import type { JsonObject, JsonValue } from '../../../../src/lib/json.ts';
import { strictAjv } from '../../resources/support/blocks.ts';

test.for<{ readonly kind: string; readonly block: JsonObject; readonly meant: JsonObject }>([
  { kind: 'open_channel', block: { operators: ['a'], operator_ids: ['b'] }, meant: { operators: ['a'] } },
  { kind: 'open_channel', block: { 'operator_ids[]': ['b'], freeze: true }, meant: { operators: ['b'], frozen: true } },
  { kind: 'open_channel', block: { 'operators[]': ['b'] }, meant: { operators: ['b'] } },
  { kind: 'group_channel', block: { user_ids: ['b', 'c'] }, meant: { members: { b: {}, c: {} } } },
  { kind: 'group_channel', block: { users: [{ user_id: 'c' }] }, meant: { members: { c: {} } } },
  {
    kind: 'group_channel',
    block: { hidden_status: { b: 'unhidden' }, user_ids: ['b'] },
    meant: { members: { b: { hidden_status: 'unhidden' } } },
  },
  {
    kind: 'group_channel',
    block: {
      members: { a: null, b: { hidden_status: 'unhidden' } },
      invitation_status: { a: 'joined', b: 'joined', x: 'joined' },
      hidden_status: { b: 'hidden_allow_auto_unhide' },
    },
    meant: {
      members: { a: { invitation_status: 'joined' }, b: { invitation_status: 'joined', hidden_status: 'unhidden' } },
    },
  },
  { kind: 'user', block: { is_active: false }, meant: { deactivated: true } },
  { kind: 'user', block: { is_active: true }, meant: { deactivated: false } },
  {
    kind: 'user',
    block: { issue_session_token: true, session_token_expires_at: 1_798_761_600_000 },
    meant: { session_token: { expires_at: '2027-01-01T00:00:00.000Z' } },
  },
  { kind: 'user', block: { nickname: 'A', session_token_expires_at: 1_798_761_600_000 }, meant: { nickname: 'A' } },
  { kind: 'bot', block: { operator_ids: ['a'] }, meant: { operator_ids: ['a'] } },
])('reads $block of a $kind as $meant', ({ kind, block, meant }) => {
  const definition = registry.find(({ name }) => name === kind);
  expect(definition && inOneSpelling(definition, block)).toEqual(meant);
});

const ids = (count: number, prefix = 'u') => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
const lines = (count: number) => Object.fromEntries(ids(count).map((id) => [id, null]));
const users = (count: number) => ids(count).map((user_id) => ({ user_id }));
const long = (length: number) => 'u'.repeat(length);

/** Each row: values of an attribute, and the same values in the other spellings. */
interface SameValues {
  readonly kind: string;
  readonly beside: JsonObject;
  /** The first value is accepted and the others are refused. */
  readonly spellings: readonly (readonly [string, ...JsonValue[]])[];
}

const sameValues: readonly SameValues[] = [
  {
    kind: 'group_channel',
    beside: {},
    spellings: [
      ['members', lines(100), lines(101), { [long(81)]: null }, { '': null }, 'u', [1]],
      ['user_ids', ids(100), ids(101), [long(81)], [''], 'u', [1]],
      ['users', users(100), users(101), [{ user_id: long(81) }], [{ user_id: '' }], 'u', [1]],
    ],
  },
  {
    kind: 'group_channel',
    beside: { is_super: true },
    spellings: [
      ['members', lines(2000), lines(2001)],
      ['user_ids', ids(2000), ids(2001)],
      ['users', users(2000), users(2001)],
    ],
  },
  {
    kind: 'group_channel',
    beside: { user_ids: ['u'] },
    spellings: [
      ['invitation_status', { u: 'invited_by_friend' }, { u: 'invited' }, ['u'], { u: null }],
      ['hidden_status', { u: 'unhidden' }, { u: 'hidden' }, ['u'], { u: null }],
    ],
  },
  ...['open_channel', 'group_channel'].map((kind) => ({
    kind,
    beside: {},
    spellings: [
      ...['operators', 'operator_ids', 'operator_ids[]', 'operators[]'].map(
        (name) => [name, ids(100), ids(101), ['u', 'u'], ['a,b'], [long(81)], 'u', { u: null }] as const,
      ),
      ...['frozen', 'freeze'].map((name) => [name, true, 'yes', 1, null] as const),
    ],
  })),
  {
    kind: 'user',
    beside: { nickname: 'A' },
    spellings: ['deactivated', 'is_active'].map((name) => [name, true, 'yes', 1, null] as const),
  },
];

test('refuses in every spelling what it refuses in its own, and accepts what it accepts', () => {
  const tried = new Set<string>();
  for (const { kind, beside, spellings } of sameValues) {
    const definition = registry.find(({ name }) => name === kind);
    if (definition === undefined) throw new Error(`no kind ${kind}`);
    const check = strictAjv.compile(blockSchema(definition));
    for (const [name, accepted = null, ...refused] of spellings) {
      tried.add(`${kind}.${name}`);
      expect(check({ ...beside, [name]: accepted }), `${kind}.${name} ${JSON.stringify(check.errors)}`).toBe(true);
      for (const value of refused) {
        expect(check({ ...beside, [name]: value }), `${kind}.${name}: ${JSON.stringify(value)?.slice(0, 60)}`).toBe(
          false,
        );
      }
    }
  }
  const spelled = registry.flatMap(({ name, spellings = {} }) =>
    Object.entries(spellings)
      .filter(([, { form }]) => typeof form === 'string' || 'part' in form)
      .map(([spelling]) => `${name}.${spelling}`),
  );
  expect([...tried]).toEqual(expect.arrayContaining(spelled));
});
