// Tests the meaning of the platform's own field names in place of attributes.
import { expect, test } from 'vitest';
import { withoutAliases } from '../../../../src/core/manifest/document/aliases.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';

test.for<{ readonly kind: string; readonly block: JsonObject; readonly meant: JsonObject }>([
  { kind: 'open_channel', block: { operators: ['a'], operator_ids: ['b'] }, meant: { operators: ['a', 'b'] } },
  {
    kind: 'group_channel',
    block: { members: { a: null }, user_ids: ['b'], users: [{ user_id: 'c' }] },
    meant: { members: { a: null, b: {}, c: {} } },
  },
  {
    kind: 'group_channel',
    block: {
      members: { a: null, b: { hidden_status: 'unhidden' } },
      invitation_status: { a: 'joined', x: 'joined' },
      hidden_status: { b: 'hidden_allow_auto_unhide' },
    },
    meant: { members: { a: { invitation_status: 'joined' }, b: { hidden_status: 'unhidden' } } },
  },
  {
    kind: 'user',
    block: { issue_session_token: true, session_token_expires_at: 1_798_761_600_000 },
    meant: { session_token: { expires_at: '2027-01-01T00:00:00.000Z' } },
  },
  { kind: 'user', block: { nickname: 'A', session_token_expires_at: 1_798_761_600_000 }, meant: { nickname: 'A' } },
  { kind: 'bot', block: { operator_ids: ['a'] }, meant: { operator_ids: ['a'] } },
])('reads $block of a $kind as $meant', ({ kind, block, meant }) => {
  const definition = registry.find(({ name }) => name === kind);
  expect(definition && withoutAliases(definition, block)).toEqual(meant);
});
