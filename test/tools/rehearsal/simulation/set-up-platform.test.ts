// Tests that the simulated platform has the objects in state, and the users whom state or the plan names.
import { expect, test } from 'vitest';
import type { StateEntry, StateRecord } from '../../../../src/core/model/record.ts';
import type { Step } from '../../../../src/core/model/step.ts';
import { EmulatedPlatform } from '../../../../src/emulator/platform.ts';
import { setUpPlatform } from '../../../../src/tools/rehearsal/simulation/set-up-platform.ts';
import { openPolicy } from '../../../support/planning/planning.ts';

const token = 'token';
const room = (members: readonly string[]): StateRecord => ({
  address: 'group_channel.room',
  attributes: { members: Object.fromEntries(members.map((id) => [id, {}])) },
});
const userRecord = (id: string): StateRecord => ({ address: `user.${id}`, attributes: { nickname: id } });

interface Case {
  readonly name: string;
  readonly records: readonly StateRecord[];
  readonly entries: readonly StateEntry[];
  readonly users: readonly string[];
}

const cases: readonly Case[] = [
  { name: 'has nobody without state or work', records: [], entries: [], users: [] },
  {
    name: 'has the users of state, and those whom a channel of state names',
    records: [room(['alice', 'zoe']), userRecord('alice'), userRecord('bob')],
    entries: [],
    users: ['alice', 'bob', 'zoe'],
  },
  {
    name: 'has users whom a new channel names, but not those whom the plan creates',
    records: [],
    entries: [
      { type: 'put', record: userRecord('alice') },
      { type: 'put', record: room(['alice', 'zoe']) },
    ],
    users: ['zoe'],
  },
  {
    name: 'has users who will be invited or become operators, but not those who are only removed',
    records: [room(['alice']), userRecord('alice')],
    entries: [
      {
        type: 'patch',
        address: 'group_channel.room',
        edits: [
          { op: 'set', path: ['members', 'yan'], value: {} },
          { op: 'add', path: ['operators'], values: ['xia'] },
          { op: 'unset', path: ['members', 'gone'] },
          { op: 'remove', path: ['operators'], values: ['away'] },
        ],
      },
      { type: 'delete', address: 'user.alice' },
    ],
    users: ['alice', 'xia', 'yan'],
  },
  {
    name: 'ignores records of chatform itself',
    records: [{ address: 'chatform.loaded', attributes: { files: [] } }, userRecord('alice')],
    entries: [],
    users: ['alice'],
  },
];

function missingOn(
  emulator: EmulatedPlatform,
  records: readonly StateRecord[],
  entries: readonly StateEntry[],
): string[] {
  return setUpPlatform({
    emulator,
    token,
    nowMs: 0,
    records,
    steps: entries.map((entry) => ({ entry }) as Step),
    planInput: {
      policy: openPolicy,
      application: 'example.com/v3',
      settings: { base_url: 'https://example.com/v3', rate_plan: '5k_mau', limits: {}, rate_share: 1 },
      limitsOf: () => [],
      now: '2026-01-01',
    },
  });
}

test.for(cases)('$name', ({ records, entries, users }) => {
  const emulator = new EmulatedPlatform({ token, seed: 'test' });
  expect(missingOn(emulator, records, entries)).toEqual([]);
  expect([...emulator.state.users.ascending()].map(({ userId }) => userId).sort()).toEqual(users);
});

test('sets up a ban and a mute that end when state says', () => {
  const emulator = new EmulatedPlatform({ token, seed: 'test' });
  const [until, other] = ['2030-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z'];
  const attributes = {
    members: { bob: {} },
    banned: { eve: { until }, mallory: {} },
    muted: { bob: { until: other } },
  };
  expect(missingOn(emulator, [{ address: 'group_channel.room', attributes }], [])).toEqual([]);
  const { ban, mute } = emulator.state.restrictions;
  expect(ban.current('room', 'eve', 0)).toMatchObject({ endAt: Date.parse(until), permanent: false });
  expect(ban.current('room', 'mallory', 0)).toMatchObject({ permanent: true });
  expect(mute.current('room', 'bob', 0)).toMatchObject({ endAt: Date.parse(other), permanent: false });
});

test('names an object that cannot be set up, with the reason', () => {
  const missing = missingOn(new EmulatedPlatform({ token: 'another', seed: 'test' }), [userRecord('alice')], []);
  expect(missing).toEqual([expect.stringContaining('user.alice: ')]);
});
