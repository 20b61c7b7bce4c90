// Tests what a refresh means for a plan: people who left or joined, objects that are gone, exist already, or were closed.
import { expect, test } from 'vitest';
import type { StateRecord } from '../../../../src/core/model/record.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { livePart, type There } from '../../../support/planning/live-objects.ts';
import { defaultPolicy, planFor, resources, type State, stateOf } from '../../../support/planning/planning.ts';
import { expectPlans, type Given } from '../support/plans.ts';

const n = { nickname: 'N' };
const people = resources({ user: { alice: n, bob: n, carol: n } });
const members = (...ids: readonly string[]): JsonObject => Object.fromEntries(ids.map((id) => [id, {}]));
const channel = (block: JsonObject) => resources({ group_channel: { room: block } });
const room = (block: JsonObject) => [...people, ...channel(block)];
const alone = { members: members('alice') };
const shows = (block: JsonObject): There => ({ 'group_channel.room': block });
const numbered = (count: number, value: JsonObject | string) =>
  Object.fromEntries(Array.from({ length: count }, (_none, at) => [`x${at}`, value]));
const only = (record: StateRecord): State => new Map([[record.address, record]]);

const both = { members: members('alice', 'bob'), operators: ['alice', 'bob'] };
const ofBoth = stateOf(room(both));
const bobLeft = shows({ ...alone, operators: ['alice'] });
const roomRetired = new Map(ofBoth).set('group_channel.room', {
  address: 'group_channel.room',
  attributes: { ...ofBoth.get('group_channel.room')?.attributes, frozen: true },
  retired: true,
});

const ofAlice = stateOf(room(alone));
const othersJoined = shows({ members: members('alice', 'bob', 'carol'), operators: ['carol'] });
const exclusive = room({ ...alone, members_mode: 'exclusive', operators_mode: 'exclusive' });
const exclusiveOperators = room({ ...alone, operators: ['alice'], operators_mode: 'exclusive' });

const hall = (block: JsonObject) => resources({ open_channel: { hall: block } });
const withHall = [...people, ...hall({ name: 'Hall', frozen: true })];
const hallProtected = new Map(stateOf(withHall)).set('open_channel.hall', {
  address: 'open_channel.hall',
  attributes: {},
  lifecycle: { protect: true },
});
const noHall: There = { 'open_channel.hall': null };

const declared = resources({ user: { alice: { nickname: 'A', metadata: { team: 'x' } } } });
const existing = (nickname: string, more: JsonObject = {}): There => ({
  'user.alice': { nickname, metadata: { team: 'x', theirs: '1' }, deactivated: false, ...more },
});

const bobClosed: There = { 'user.bob': { ...n, deactivated: true } };
const retired: StateRecord = { address: 'user.bob', attributes: { ...n, deactivated: true }, retired: true };
const leftOpen: StateRecord = { address: 'user.bob', attributes: { ...n, deactivated: false }, bracket: true };

const pair = { members: members('alice', 'bob'), is_distinct: true };
const noLongerDistinct = shows({ ...pair, is_distinct: false });
const keys = { a: '1', b: '1', c: '1' };

const groups: Readonly<Record<string, Readonly<Record<string, Given>>>> = {
  left: {
    'is reported and left alone, as are their other roles': { desired: room(both), state: ofBoth, there: bobLeft },
    'is invited again if the policy says so': {
      desired: room(both),
      state: ofBoth,
      there: bobLeft,
      policy: { departed: 'reinvite' },
    },
    'makes no call when their line is edited': {
      desired: room({ ...both, members: { alice: {}, bob: { hidden_status: 'hidden_allow_auto_unhide' } } }),
      state: ofBoth,
      there: bobLeft,
    },
    'makes no call when their line is removed': {
      desired: room({ ...alone, operators: ['alice'] }),
      state: ofBoth,
      there: bobLeft,
    },
    'is invited again with a new account after a deletion': {
      desired: room(both),
      state: ofBoth,
      there: { ...bobLeft, 'user.bob': null },
    },
    'is invited when a retired channel is declared again': {
      desired: room(both),
      state: roomRetired,
      there: shows({ ...alone, operators: ['alice'], frozen: true }),
    },
  },
  joined: {
    'is managed once declared, and the plan explains the consequence': {
      desired: room({ members: members('alice', 'bob') }),
      state: ofAlice,
      there: othersJoined,
    },
    'is left alone and is not drift': { desired: room(alone), state: ofAlice, there: othersJoined },
    'is removed from an exclusive list, named, counted and reported as drift': {
      desired: exclusive,
      state: ofAlice,
      there: othersJoined,
      policy: { removals: { max_share: 0, free_count: 1 } },
    },
    'is removed from an exclusive list of operators': {
      desired: exclusiveOperators,
      state: stateOf(exclusiveOperators),
      there: shows({ members: members('alice', 'carol'), operators: ['alice', 'carol'] }),
    },
    'is unknown without a refresh, and the plan says so': { desired: exclusive, state: ofAlice },
    'is known to be nobody after a refresh': { desired: exclusive, state: ofAlice, there: {} },
  },
  gone: {
    'is created again as a whole': { desired: withHall, state: stateOf(withHall), there: noHall },
    'is forgotten without a call when it is no longer declared, also if it was protected': {
      desired: people,
      state: hallProtected,
      there: noHall,
    },
  },
  exists: {
    'existing: refuse: the plan foresees the conflict': { desired: declared, there: existing('A') },
    'existing: adopt_equal, with a difference: the plan foresees the conflict': {
      desired: declared,
      there: existing('B'),
      policy: { existing: 'adopt_equal' },
    },
    'existing: adopt_equal: the plan takes it over': {
      desired: declared,
      there: existing('A'),
      policy: { existing: 'adopt_equal' },
    },
    'existing: adopt: the plan takes it over, with every difference': {
      desired: declared,
      there: existing('B'),
      policy: { existing: 'adopt' },
    },
    'is opened when adopted and closed, which is a danger': {
      desired: resources({ user: { alice: { nickname: 'A', deactivated: false } } }),
      there: existing('A', { deactivated: true }),
      policy: { existing: 'adopt' },
    },
    'is a conflict, not a manifest error, when no call can make it as declared': {
      desired: channel({ ...alone, is_ephemeral: true }),
      there: shows({ ...alone, is_ephemeral: false }),
      policy: { existing: 'adopt' },
    },
    'is ignored when it is not declared': { desired: [], there: { 'user.zoe': { nickname: 'Z' } } },
  },
  closed: {
    'is opened for work and closed again when the declaration does not mention it': {
      desired: room({ members: members('alice', 'bob') }),
      state: ofAlice,
      there: bobClosed,
    },
    'is refused if the policy refuses such work': {
      desired: room({ members: members('alice', 'bob') }),
      state: ofAlice,
      there: bobClosed,
      policy: defaultPolicy,
    },
    'has a reason that separates their rename from the freeze': {
      desired: hall({ name: 'A', frozen: true }),
      state: stateOf(hall({ name: 'A' })),
      there: { 'open_channel.hall': { name: 'B' } },
    },
    'has a reason that separates their freeze from the rename': {
      desired: hall({ name: 'B', frozen: false }),
      state: stateOf(hall({ name: 'A', frozen: false })),
      there: { 'open_channel.hall': { name: 'A', frozen: true } },
    },
    'has a reason that names only their freeze': {
      desired: hall({ name: 'A', frozen: false }),
      state: stateOf(hall({ name: 'A', frozen: false })),
      there: { 'open_channel.hall': { name: 'A', frozen: true } },
    },
    'is closed again if it was retired and others opened it': {
      desired: [],
      state: only(retired),
      there: { 'user.bob': { nickname: 'Bo', deactivated: false } },
    },
    'is retired without a call when it is removed from the manifests': {
      desired: [],
      state: stateOf(resources({ user: { bob: n } })),
      there: bobClosed,
    },
    'is not drift when an interrupted run had opened it': {
      desired: resources({ user: { bob: { ...n, deactivated: true } } }),
      state: only(leftOpen),
      there: bobClosed,
    },
  },
  platform: {
    'reports a channel that is no longer distinct, and sends nothing': {
      desired: room(pair),
      state: stateOf(room(pair)),
      there: noLongerDistinct,
    },
    'takes a channel that somebody made distinct again into state, without a call': {
      desired: room(pair),
      state: stateOf(room({ ...pair, is_distinct: false })),
      there: shows(pair),
    },
    'allows members of a channel that is no longer distinct to change': {
      desired: room({ members: members('alice', 'carol'), is_distinct: true }),
      state: stateOf(room(pair)),
      there: noLongerDistinct,
    },
    'allows no change to members of a channel that is distinct, as far as state knows': {
      desired: room({ members: members('alice', 'carol'), is_distinct: true }),
      state: stateOf(room(pair)),
    },
  },
  limits: {
    'three keys of others and three declared ones are too many': {
      desired: resources({ user: { alice: { ...n, metadata: keys } } }),
      state: stateOf(resources({ user: { alice: { ...n, metadata: { a: '1' } } } })),
      there: { 'user.alice': { ...n, metadata: { a: '1', ...numbered(3, '') } } },
    },
    'two keys of others and three declared ones have room': {
      desired: resources({ user: { alice: { ...n, metadata: keys } } }),
      state: stateOf(resources({ user: { alice: { ...n, metadata: { a: '1' } } } })),
      there: { 'user.alice': { ...n, metadata: { a: '1', ...numbered(2, '') } } },
    },
    'a hundred others have joined': {
      desired: room({ members: members('alice', 'bob'), is_public: true }),
      state: stateOf(room({ ...alone, is_public: true })),
      there: shows({ members: { ...numbered(99, {}), alice: {} }, is_public: true }),
    },
  },
  stakes: {
    'are shown for a channel that is frozen': {
      desired: room({ ...alone, frozen: true }),
      state: ofAlice,
      there: shows(alone),
    },
    'are shown for a channel that is deleted': {
      desired: people,
      state: ofAlice,
      there: shows(alone),
      policy: { on_remove: { group_channel: 'delete' } },
    },
    'are not shown for a channel that is renamed': {
      desired: room({ ...alone, name: 'x' }),
      state: ofAlice,
      there: shows(alone),
    },
  },
};

test.for(Object.entries(groups))('a refresh decides on what %s', async ([name, cases]) => {
  await expectPlans(`observed-${name}`, cases);
});

test('lists only the first of many conflicts', () => {
  const many = resources({ user: numbered(50, n) as Record<string, JsonObject> });
  const all = Object.fromEntries(many.map(({ address }) => [address, n]));
  const { warnings } = planFor(many, new Map(), livePart(many, new Map(), all)).plan;
  expect(warnings).toHaveLength(21);
  expect(warnings.at(-1)?.detail).toContain('30 more objects');
});
