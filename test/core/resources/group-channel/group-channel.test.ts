// Tests the exact calls for group channels: attributes, members with all statuses, supergroups, refused edits.
import { describe, expect, test } from 'vitest';
import { requestPath } from '../../../../src/core/model/request.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { printRequest } from '../../../support/planning/planning.ts';
import { type Case, edit, image, sendsExactCalls, stepsOf } from '../support/cases.ts';

const code = (revision: number, env = 'CODE') => ({ env, revision });
const alone = { members: { alice: {} } };
const creations: readonly Case[] = [
  { name: 'the least: strict is ours', after: alone },
  {
    name: 'all of it, frozen by a call of its own',
    after: {
      name: 'Room',
      cover_url: 'c',
      custom_type: 't',
      data: 'd',
      members: {
        bob: { invitation_status: 'invited_by_friend' },
        alice: { hidden_status: 'hidden_allow_auto_unhide' },
      },
      operators: ['bob'],
      is_distinct: false,
      is_public: true,
      is_super: false,
      is_ephemeral: false,
      access_code: code(1),
      inviter_id: 'alice',
      strict: false,
      block_sdk_user_channel_join: true,
      frozen: true,
    },
  },
  {
    name: 'a code in the creation, and a cover file alone after it',
    after: { ...alone, cover_file: image('a'), is_public: true, access_code: code(1) },
  },
];

const updates: readonly Case[] = [
  edit('nothing', alone, { name: 'Room' }, { name: 'Room' }),
  edit('several, one call', alone, { name: 'A' }, { name: 'B', is_public: true, is_super: true }),
  edit('neutral values come back', alone, { custom_type: 'a', data: 'b', is_public: true }, {}),
  edit('others are released', alone, { name: 'A', is_super: true, inviter_id: 'a', strict: true }, {}),
  edit('a supergroup that is none: as every new one', alone, {}, { is_super: false }),
  edit('a code', { ...alone, is_public: true }, {}, { access_code: code(1) }),
  edit('another code', { ...alone, is_public: true }, { access_code: code(1) }, { access_code: code(2, 'NEW') }),
  edit(
    'the same code from another variable',
    { ...alone, is_public: true },
    { access_code: code(1) },
    { access_code: code(1, 'NEW') },
  ),
  edit('public, and then a code', alone, {}, { is_public: true, access_code: code(1) }),
  edit('code and public removed', alone, { is_public: true, access_code: code(1) }, {}),
  edit('frozen', alone, {}, { frozen: true }),
  edit('unfrozen', alone, { frozen: true }, { frozen: false }),
];

const members = (lines: JsonObject): JsonObject => ({ members: lines });
const invited = { invitation_status: 'invited_by_friend' };
const hidden = { hidden_status: 'hidden_prevent_auto_unhide' };

const memberships: readonly Case[] = [
  edit('one comes', {}, alone, members({ alice: {}, bob: { ...invited, ...hidden } })),
  edit('one comes, invited by the inviter', { inviter_id: 'alice' }, alone, members({ alice: {}, bob: {} })),
  edit('one goes', {}, members({ alice: {}, bob: {} }), alone),
  edit('one goes who was operator', {}, { ...members({ alice: {}, bob: {} }), operators: ['bob'] }, alone),
  edit('one comes and becomes operator', {}, alone, { ...members({ alice: {}, bob: {} }), operators: ['bob'] }),
  edit('becomes distinct', {}, { ...alone, is_distinct: false }, { ...alone, is_distinct: true }),
  edit(
    'some come and go once it is not distinct any more',
    {},
    { ...members({ alice: {}, bob: {} }), is_distinct: true },
    { ...members({ alice: {}, carol: {} }), is_distinct: false },
  ),
  edit('accepts', {}, members({ alice: invited }), alone),
  edit(
    'accepts where there is a code: by the code as it is then',
    { is_public: true },
    { ...members({ alice: invited }), access_code: code(1) },
    { ...alone, access_code: code(2) },
  ),
  edit('hides for good', {}, alone, members({ alice: hidden })),
  edit('hides until the next message', {}, members({ alice: hidden }), {
    members: { alice: { hidden_status: 'hidden_allow_auto_unhide' } },
  }),
  edit('unhides', {}, members({ alice: hidden }), alone),
  edit('accepts and hides', {}, members({ alice: invited }), members({ alice: hidden })),
  edit('defaults written out are no edit', {}, alone, {
    members: { alice: { invitation_status: 'joined', hidden_status: 'unhidden' } },
  }),
];

const removals: readonly Case[] = [
  { name: 'by default', before: alone },
  { name: 'delete', before: alone, on_remove: 'delete' },
  { name: 'forget', before: alone, on_remove: 'forget' },
];

const both = members({ alice: {}, bob: {} });

const refused: readonly Case[] = [
  { name: 'nobody in it', after: {} },
  edit('back to invited', {}, alone, members({ alice: invited })),
  edit('a distinct one that somebody joins', { is_distinct: true }, alone, both),
  edit('becomes distinct while somebody joins', {}, { ...alone, is_distinct: false }, { ...both, is_distinct: true }),
  edit('a distinct one whose line is removed while somebody joins', {}, { ...alone, is_distinct: true }, both),
  edit('no supergroup any more', alone, { is_super: true }, { is_super: false }),
  edit('strict later', alone, {}, { strict: false }),
  edit('strict as it was sent', alone, {}, { strict: true }),
  edit('an inviter later, or again', alone, {}, { inviter_id: 'a' }),
  edit('a fixed value that it has', alone, {}, { block_sdk_user_channel_join: false, is_ephemeral: false }),
  edit('a fixed value that it has not', alone, {}, { block_sdk_user_channel_join: true }),
];

describe('group_channel', () => {
  sendsExactCalls('group_channel', 'room', {
    creation: creations,
    update: updates,
    memberships,
    removal: removals,
    refused,
  });

  test('invites 2,000 members, operators first, with short addresses', () => {
    const ids = Array.from({ length: 2000 }, (_, index) => `${index}-${'ü'.repeat(74)}`);
    const lines = Object.fromEntries(ids.map((id) => [id, {}]));
    const operators = [...ids].sort().slice(-100);
    const steps = stepsOf('group_channel', 'room', { after: { members: lines, operators, is_super: true } });
    // The last step has no call. It records in state that the creation has finished.
    expect(steps.map(({ action, request }) => (request === undefined ? 'over' : action))).toEqual([
      'create',
      ...Array.from({ length: 19 }, () => 'invite'),
      'over',
    ]);
    const named = steps.flatMap(({ request }) => (request?.body?.user_ids ?? []) as readonly string[]);
    expect(steps[0]?.request?.body?.user_ids).toEqual(operators);
    expect([...named].sort()).toEqual([...ids].sort());
    // The answer of a supergroup shows only ten members.
    expect(JSON.stringify(steps[0]?.resolve?.expect)).not.toContain('members');
  });

  test('removes a hundred operators with short addresses', () => {
    const ids = Array.from({ length: 100 }, (_, index) => `${index}-${'𝒳'.repeat(74)}`);
    const lines = Object.fromEntries(ids.map((id) => [id, {}]));
    const steps = stepsOf('group_channel', 'r'.repeat(100), edit('', members(lines), { operators: ids }, {}));
    const named = steps.flatMap(({ request }) =>
      request?.query?.operator_ids === undefined ? [] : String(request.query.operator_ids).split(','),
    );
    expect([...named].sort()).toEqual([...ids].sort());
    for (const { request } of steps) expect(printRequest(request).length).toBeLessThan(4096);
  });

  test('resolves a creation by a read with all members, deactivated ones included', () => {
    const [create] = stepsOf('group_channel', 'room', { after: { ...alone, operators: ['alice'] } });
    expect(create).toMatchObject({
      begin: true,
      resolve: {
        request: { query: { show_member: 'true', member_active_mode: 'all' } },
        expect: [
          { path: ['channel_url'], is: 'room' },
          { path: ['members'], includes: ['alice'], by: 'user_id' },
          { path: ['operators'], includes: ['alice'], by: 'user_id' },
        ],
      },
    });
    expect(create?.resolve === undefined ? '' : requestPath(create.resolve.request)).toBe('/group_channels/room');
  });
});
