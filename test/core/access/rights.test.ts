// Tests each ground of a right on its own (semantics §15).
import { describe, expect, test } from 'vitest';
import { rulingsIn, type Scene } from '../../../src/core/access/rights.ts';
import { groundCodes, rights } from '../../../src/core/model/access/access.ts';
import type { Address } from '../../../src/core/model/address.ts';
import type { JsonObject } from '../../../src/lib/json.ts';

interface Case {
  readonly channel?: JsonObject;
  readonly type?: JsonObject;
  readonly user?: JsonObject | 'external' | 'absent';
  readonly isOpen?: boolean;
  readonly isAbsent?: boolean;
  /** AccessVerdict and first ground of reading, writing and moderating. */
  readonly says: readonly [string, string, string];
}

const members = { alice: {} };
const operators = ['alice'];
const past = { until: '2026-01-01T00:00:00.000Z' };
const future = { until: '2027-01-01T00:00:00.000Z' };

const cases: Readonly<Record<string, Case>> = {
  'a member reads and writes': { channel: { members }, says: ['yes member', 'yes member', 'no not_operator'] },
  'an operator moderates': { channel: { members, operators }, says: ['yes member', 'yes member', 'yes operator'] },
  'nobody else enters a private channel': {
    channel: { members: { bob: {} } },
    says: ['no not_member', 'no not_member', 'no not_operator'],
  },
  'an operator who is not a member': {
    channel: { operators },
    says: ['not_known operator_outside', 'not_known operator_outside', 'not_known operator'],
  },
  'an invitation that somebody has to accept': {
    channel: { members: { alice: { invitation_status: 'invited_by_friend' } }, operators },
    says: ['not_known invited', 'not_known invited', 'not_known operator'],
  },
  'a user who accepts invitations by hand': {
    channel: { members },
    user: { auto_accept: false },
    says: ['not_known waits_for_acceptance', 'not_known waits_for_acceptance', 'no not_operator'],
  },
  'anybody joins a public channel': {
    channel: { is_public: true, members: { bob: {} } },
    says: ['by_entering public', 'by_entering public', 'no not_operator'],
  },
  'an operator joins a public channel to moderate': {
    channel: { is_public: true, operators },
    says: ['by_entering public', 'by_entering public', 'by_entering operator'],
  },
  'joining by an SDK can be blocked': {
    channel: { is_public: true, block_sdk_user_channel_join: true },
    says: ['no joins_by_api_only', 'no joins_by_api_only', 'no not_operator'],
  },
  'anybody enters an open channel': {
    isOpen: true,
    says: ['by_entering open_channel', 'by_entering open_channel', 'no not_operator'],
  },
  'a mute takes only writing': {
    channel: { members, operators, muted: { alice: {} } },
    says: ['yes member', 'no muted', 'yes operator'],
  },
  'a mute that ended takes nothing': {
    channel: { members, muted: { alice: past } },
    says: ['yes member', 'yes member', 'no not_operator'],
  },
  'a freeze leaves writing to operators': {
    channel: { members, frozen: true },
    says: ['yes member', 'no frozen', 'no not_operator'],
  },
  'operators write in a frozen channel': {
    channel: { members, operators, frozen: true },
    says: ['yes member', 'yes operator', 'yes operator'],
  },
  'a ban takes everything': { channel: { banned: { alice: future } }, says: ['no banned', 'no banned', 'no banned'] },
  'a ban that ended leaves an outsider': {
    channel: { banned: { alice: past } },
    says: ['no not_member', 'no not_member', 'no not_operator'],
  },
  'operators of a custom type moderate its channels': {
    channel: { members },
    type: { operators },
    says: ['yes member', 'yes member', 'yes type_operator'],
  },
  'operators of a custom type in a frozen channel': {
    channel: { members, frozen: true },
    type: { operators },
    says: ['yes member', 'not_known type_operator_in_frozen', 'yes type_operator'],
  },
  'a mute of a custom type': {
    channel: { members },
    type: { muted: { alice: {} } },
    says: ['yes member', 'no type_muted', 'no not_operator'],
  },
  'a ban of a custom type': {
    channel: { members, operators },
    type: { banned: { alice: {} } },
    says: ['no type_banned', 'no type_banned', 'no type_banned'],
  },
  'a deactivated user cannot connect': {
    channel: { members, operators },
    user: { deactivated: true },
    says: ['no deactivated', 'no deactivated', 'no deactivated'],
  },
  'a user whom others manage': {
    channel: { members },
    user: 'external',
    says: ['not_known user_not_managed', 'not_known user_not_managed', 'no not_operator'],
  },
  'a user who does not exist': {
    channel: { members },
    user: 'absent',
    says: ['no no_user', 'no no_user', 'no no_user'],
  },
  'a channel that does not exist': { isAbsent: true, says: ['no no_channel', 'no no_channel', 'no no_channel'] },
};

function sceneOf({ channel = {}, type, user = {}, isOpen = false, isAbsent = false }: Case): Scene {
  const address: Address = isOpen ? 'open_channel.x' : 'group_channel.x';
  const person: Scene['person'] =
    user === 'external' ? user : { address: 'user.alice', attributes: user === 'absent' ? undefined : user };
  return {
    channel: { address, attributes: isAbsent ? undefined : channel },
    type: type === undefined ? undefined : { address: 'custom_type.t', attributes: type },
    person,
    userId: 'alice',
    nowMs: Date.UTC(2026, 10, 1),
  };
}

describe('decides by one ground', () => {
  test.for(Object.entries(cases))('%s', ([, wanted]) => {
    const found = rulingsIn(sceneOf(wanted));
    expect(rights.map((right) => `${found[right].verdict} ${found[right].because[0]?.code}`)).toEqual(wanted.says);
  });
});

test('names the line of each ground', () => {
  const channel = { members: { alice: { hidden_status: 'hidden_allow_auto_unhide' } }, muted: { alice: {} } };
  const { read, write } = rulingsIn(sceneOf({ channel, says: ['', '', ''] }));
  expect(read.because).toEqual([
    { code: 'member', address: 'group_channel.x', path: ['members', 'alice'] },
    { code: 'hidden', address: 'group_channel.x', path: ['members', 'alice'] },
  ]);
  expect(write.because).toEqual([{ code: 'muted', address: 'group_channel.x', path: ['muted', 'alice'] }]);
});

test('every ground occurs', () => {
  const extra: readonly Case[] = [
    { channel: { is_public: true, access_code: { revision: 1 } }, says: ['', '', ''] },
    { channel: { members: { alice: { hidden_status: 'hidden_prevent_auto_unhide' } } }, says: ['', '', ''] },
  ];
  const all = [...Object.values(cases), ...extra].map((wanted) => rulingsIn(sceneOf(wanted)));
  const seen = new Set(all.flatMap((found) => rights.flatMap((right) => found[right].because.map(({ code }) => code))));
  expect(groundCodes.filter((code) => !seen.has(code))).toEqual([]);
});
