// Tests what a refresh means for a plan: people who left or joined, objects that are gone, exist already, or were closed.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { Policy } from '../../../src/model/policy.ts';
import type { StateRecord } from '../../../src/model/record.ts';
import type { Resource } from '../../../src/model/resource.ts';
import type { JudgedPlan } from '../../../src/planner/plan.ts';
import { livePart, type There } from '../../support/planning/live-objects.ts';
import {
  defaultPolicy,
  openPolicy,
  planFor,
  printSteps,
  resource,
  resources,
  type State,
  stateAfter,
  stateOf,
} from '../../support/planning/planning.ts';

const n = { nickname: 'N' };
const users = { alice: n, bob: n, carol: n };
const members = (...ids: readonly string[]): JsonObject => Object.fromEntries(ids.map((id) => [id, {}]));
const room = (block: JsonObject = {}) => resources({ user: users, group_channel: { room: block } });

function look(
  desired: readonly Resource[],
  state: State,
  there: There,
  policy: Partial<Policy> = {},
): JudgedPlan & { readonly record: (address: StateRecord['address']) => StateRecord | undefined } {
  const planned = planFor(desired, state, {
    ...livePart(desired, state, there, { members: 7, last_message_at: '2026-05-01T00:00:00.000Z' }),
    policy: { ...openPolicy, ...policy },
  });
  const after = stateAfter(state, planned.plan.steps);
  return { ...planned, record: (address) => after.get(address) };
}

const notesOf = ({ plan }: JudgedPlan) => [...plan.changes].flatMap(({ notes }) => notes);
const driftOf = ({ plan }: JudgedPlan) =>
  [...(plan.drift ?? [])].map(({ address, type, note }) => [address, type, note]);

describe('a member who left', () => {
  const desired = room({ members: members('alice', 'bob'), operators: ['alice', 'bob'] });
  const state = stateOf(desired);
  const there: There = { 'group_channel.room': { members: members('alice'), operators: ['alice'] } };

  test('is reported and left alone, as are their other roles', () => {
    const made = look(desired, state, there);
    expect(made.plan.steps).toEqual([]);
    expect(driftOf(made)).toEqual([
      ['group_channel.room', 'departed', 'bob: left, and not invited again (policy: {departed: leave_alone})'],
    ]);
    expect(made.plan.drift?.at(0)?.attributes).toEqual([
      { path: ['members', 'bob'], before: {}, how: 'set' },
      { path: ['operators'], before: ['bob'], after: [], how: 'set' },
    ]);
  });

  test('is invited again if the policy says so', () => {
    const made = look(desired, state, there, { departed: 'reinvite' });
    expect(printSteps(made.plan.steps)).toEqual([
      'POST /group_channels/room/invite {"user_ids":["bob"]}',
      'POST /group_channels/room/operators {"operator_ids":["bob"]}',
    ]);
    expect(made.record('group_channel.room')).toEqual(state.get('group_channel.room'));
  });

  test('makes no call when their line is edited', () => {
    const edited = room({
      members: { alice: {}, bob: { hidden_status: 'hidden_allow_auto_unhide' } },
      operators: ['alice', 'bob'],
    });
    const made = look(edited, state, there);
    expect(printSteps(made.plan.steps)).toEqual(['(update)']);
    expect(planFor(edited, stateAfter(state, made.plan.steps)).plan.steps).toEqual([]);
  });

  test('makes no call when their line is removed', () => {
    const made = look(room({ members: members('alice'), operators: ['alice'] }), state, there);
    expect(printSteps(made.plan.steps)).toEqual(['(update)']);
    expect(made.record('group_channel.room')?.attributes).toEqual({
      members: { alice: {} },
      operators: ['alice'],
      strict: undefined,
    });
  });

  test('is invited again with a new account after a deletion', () => {
    const made = look(desired, state, { ...there, 'user.bob': null });
    expect(printSteps(made.plan.steps)).toEqual([
      'POST /users {"user_id":"bob","nickname":"N","profile_url":""}',
      'POST /group_channels/room/invite {"user_ids":["bob"]}',
      'POST /group_channels/room/operators {"operator_ids":["bob"]}',
    ]);
    const invite = [...made.plan.steps].find(({ action }) => action === 'invite');
    expect(invite?.needs).toEqual(['user.bob#1']);
  });

  test('is invited when a retired channel is declared again', () => {
    const frozen = { ...(state.get('group_channel.room')?.attributes ?? {}), frozen: true };
    const retired = new Map(state).set('group_channel.room', {
      address: 'group_channel.room',
      attributes: frozen,
      retired: true,
    });
    const made = look(desired, retired, {
      'group_channel.room': { members: members('alice'), operators: ['alice'], frozen: true },
    });
    expect(printSteps(made.plan.steps)).toContain('POST /group_channels/room/invite {"user_ids":["bob"]}');
    expect(notesOf(made)).toEqual(['was retired; its memberships were read, and missing members are invited again']);
    expect(made.record('group_channel.room')).toEqual(state.get('group_channel.room'));
  });
});

describe('a member who joined', () => {
  const state = stateOf(room({ members: members('alice') }));
  const there: There = { 'group_channel.room': { members: members('alice', 'bob', 'carol'), operators: ['carol'] } };

  test('is managed once declared, and the plan explains the consequence', () => {
    const made = look(room({ members: members('alice', 'bob') }), state, there);
    expect(printSteps(made.plan.steps)).toEqual(['(update)']);
    expect(notesOf(made)).toEqual([
      'bob already in members, and managed from now on: removing a line removes the entry on the platform',
    ]);
    expect(made.record('group_channel.room')?.attributes.members).toEqual(members('alice', 'bob'));
  });

  test('is left alone and is not drift', () => {
    const made = look(room({ members: members('alice') }), state, there);
    expect([made.plan.steps, made.plan.drift]).toEqual([[], []]);
  });

  test('is removed from an exclusive list, named, counted and reported as drift', () => {
    const desired = room({ members: members('alice'), members_mode: 'exclusive', operators_mode: 'exclusive' });
    const made = look(desired, state, there, { removals: { max_share: 0, min_count: 1 } });
    expect(printSteps(made.plan.steps)).toEqual(['PUT /group_channels/room/leave {"user_ids":["bob","carol"]}']);
    expect(made.plan.changes.at(0)?.attributes).toEqual([
      { path: ['members', 'bob'], before: {}, how: 'reset' },
      { path: ['members', 'carol'], before: {}, how: 'reset' },
    ]);
    expect(driftOf(made)).toEqual([['group_channel.room', 'changed', 'members: an apply makes it as declared']]);
    expect(made.refusals).toMatchObject([{ code: 'safety.over-budget' }]);
  });

  test('is removed from an exclusive list of operators', () => {
    const declared = room({ members: members('alice'), operators: ['alice'], operators_mode: 'exclusive' });
    const before = stateOf(declared);
    const made = look(declared, before, {
      'group_channel.room': { members: members('alice', 'carol'), operators: ['alice', 'carol'] },
    });
    expect(printSteps(made.plan.steps)).toEqual(['DELETE /group_channels/room/operators?operator_ids=carol']);
    expect(made.record('group_channel.room')).toEqual(before.get('group_channel.room'));
  });

  test('is unknown without a refresh, and the plan says so', () => {
    const desired = room({ members: members('alice'), members_mode: 'exclusive' });
    expect(planFor(desired, state).plan.warnings).toMatchObject([{ severity: 'note', code: 'plan.not-checked' }]);
    expect(look(desired, state, {}).plan.warnings).toEqual([]);
  });
});

describe('an object that is gone', () => {
  const desired = resources({ user: users, open_channel: { hall: { name: 'Hall', frozen: true } } });
  const state = stateOf(desired);

  test('is created again as a whole', () => {
    const made = look(desired, state, { 'open_channel.hall': null });
    expect(printSteps(made.plan.steps)).toEqual([
      'POST /open_channels {"channel_url":"hall","name":"Hall"}',
      'PUT /open_channels/hall/freeze {"freeze":true}',
    ]);
    expect(made.plan.changes.at(0)).toMatchObject({ actions: ['create', 'freeze'], dangerous: false });
    expect(driftOf(made)[0]?.[1]).toBe('missing');
    expect(made.record('open_channel.hall')).toEqual(state.get('open_channel.hall'));
  });

  test('is forgotten without a call when it is no longer declared, also if it was protected', () => {
    const kept = new Map(state).set('open_channel.hall', {
      address: 'open_channel.hall',
      attributes: {},
      lifecycle: { protect: true },
    });
    const made = look(resources({ user: users }), kept, { 'open_channel.hall': null });
    expect(printSteps(made.plan.steps)).toEqual(['(forget)']);
    expect(made.refusals).toEqual([]);
    expect(made.record('open_channel.hall')).toBeUndefined();
  });
});

describe('an existing object that is not in state', () => {
  const desired = resources({ user: { alice: { nickname: 'A', metadata: { team: 'x' } } } });
  const there = (nickname: string, more: JsonObject = {}): There => ({
    'user.alice': { nickname, metadata: { team: 'x', theirs: '1' }, deactivated: false, ...more },
  });

  test.for([
    { existing: 'refuse', nickname: 'A', says: 'existing: refuse' },
    { existing: 'adopt_equal', nickname: 'B', says: 'differs from the declaration in nickname' },
  ] as const)('$existing: the plan foresees the conflict', ({ existing, nickname, says }) => {
    const made = look(desired, new Map(), there(nickname), { existing });
    expect(printSteps(made.plan.steps)).toHaveLength(1);
    expect(made.plan.changes.at(0)?.actions).toEqual(['create']);
    expect(made.plan.warnings).toMatchObject([{ severity: 'warning', code: 'plan.exists', address: 'user.alice' }]);
    expect(made.plan.warnings[0]?.detail).toContain(says);
  });

  test.for([
    { existing: 'adopt_equal', nickname: 'A', calls: ['(adopt)'] },
    { existing: 'adopt', nickname: 'B', calls: ['(adopt)', 'PUT /users/alice {"nickname":"A"}'] },
  ] as const)('$existing: the plan takes it over, with every difference', ({ existing, nickname, calls }) => {
    const made = look(desired, new Map(), there(nickname), { existing });
    expect(printSteps(made.plan.steps)).toEqual(calls);
    expect(made.plan.changes.at(0)?.actions[0]).toBe('adopt');
    expect(made.record('user.alice')).toEqual(stateOf(desired).get('user.alice'));
  });

  test('is opened when adopted and closed, which is a danger', () => {
    const made = look(
      resources({ user: { alice: { nickname: 'A', deactivated: false } } }),
      new Map(),
      there('A', { deactivated: true }),
      { existing: 'adopt' },
    );
    expect(printSteps(made.plan.steps)).toEqual(['(adopt)', 'PUT /users/alice {"is_active":true}']);
    expect(made.plan.changes.at(0)?.dangerous).toBe(true);
  });

  test('is a conflict, not a manifest error, when no call can make it as declared', () => {
    const channel = resources({ group_channel: { room: { members: members('alice'), is_ephemeral: true } } });
    const made = look(
      channel,
      new Map(),
      { 'group_channel.room': { members: members('alice'), is_ephemeral: false } },
      { existing: 'adopt' },
    );
    expect(made.problems).toEqual([]);
    expect(made.plan.warnings).toMatchObject([{ code: 'plan.exists' }]);
  });

  test('lists only the first of many conflicts', () => {
    const many = resources({ user: Object.fromEntries(Array.from({ length: 50 }, (_none, at) => [`u${at}`, n])) });
    const all = Object.fromEntries(many.map(({ address }) => [address, { ...n }]));
    const { warnings } = look(many, new Map(), all).plan;
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)?.detail).toContain('30 more objects');
  });

  test('is ignored when it is not declared', () => {
    expect(look([], new Map(), { 'user.zoe': { nickname: 'Z' } }).plan).toMatchObject({ steps: [], drift: [] });
  });
});

describe('an object that others closed', () => {
  const desired = room({ members: members('alice', 'bob') });
  const state = stateOf(room({ members: members('alice') }));

  test('is opened for work and closed again when the declaration does not mention it', () => {
    const made = look(desired, state, { 'user.bob': { nickname: 'N', deactivated: true } });
    expect(printSteps(made.plan.steps)).toEqual([
      'PUT /users/bob {"is_active":true}',
      'POST /group_channels/room/invite {"user_ids":["bob"]}',
      'PUT /users/bob {"is_active":false,"leave_all_when_deactivated":false}',
    ]);
    expect(made.plan.drift).toEqual([]);
    expect(made.record('user.bob')).toEqual(state.get('user.bob'));
  });

  test('is refused if the policy refuses such work', () => {
    const made = look(desired, state, { 'user.bob': { nickname: 'N', deactivated: true } }, defaultPolicy);
    expect(made.refusals).toMatchObject([{ code: 'safety.reopen', address: 'user.bob' }]);
  });

  test('has a reason that separates their change from the edit', () => {
    const hall = (block: JsonObject) => resources({ open_channel: { hall: block } });
    const reasonOf = (before: JsonObject, now: JsonObject, live: JsonObject) =>
      look(hall(now), stateOf(hall(before)), { 'open_channel.hall': live }).plan.changes.at(0)?.reason;
    expect(reasonOf({ name: 'A' }, { name: 'A', frozen: true }, { name: 'B' })).toBe(
      'frozen edited since the last apply; name changed on the platform since the last apply',
    );
    const open = { name: 'A', frozen: false };
    expect(reasonOf(open, { ...open, name: 'B' }, { name: 'A', frozen: true })).toBe(
      'name edited since the last apply; frozen changed on the platform since the last apply',
    );
    expect(reasonOf(open, open, { name: 'A', frozen: true })).toBe(
      'frozen changed on the platform since the last apply',
    );
  });

  test('is closed again if it was retired and others opened it', () => {
    const retired: StateRecord = { address: 'user.bob', attributes: { ...n, deactivated: true }, retired: true };
    const made = look([], new Map([[retired.address, retired]]), {
      'user.bob': { nickname: 'Bo', deactivated: false },
    });
    expect(printSteps(made.plan.steps)).toEqual([
      'PUT /users/bob {"is_active":false,"leave_all_when_deactivated":false}',
    ]);
    expect(driftOf(made)).toEqual([['user.bob', 'changed', 'it was retired: an apply disables it again']]);
    expect(made.record('user.bob')).toEqual(retired);
  });

  test('is retired without a call when it is removed from the manifests', () => {
    const made = look([], stateOf(resources({ user: { bob: n } })), {
      'user.bob': { nickname: 'N', deactivated: true },
    });
    expect(printSteps(made.plan.steps)).toEqual(['(update)']);
    expect(made.record('user.bob')).toEqual({
      address: 'user.bob',
      attributes: { ...n, deactivated: true },
      retired: true,
    });
  });

  test('is not drift when an interrupted run had opened it', () => {
    const left: StateRecord = { address: 'user.bob', attributes: { ...n, deactivated: false }, bracket: true };
    const declared = [resource('user', 'bob', { ...n, deactivated: true })];
    const made = look(declared, new Map([[left.address, left]]), { 'user.bob': { nickname: 'N', deactivated: true } });
    expect(made.plan.drift).toEqual([]);
    expect(printSteps(made.plan.steps)).toEqual([
      'PUT /users/bob {"is_active":false,"leave_all_when_deactivated":false}',
    ]);
  });
});

describe('changes that the platform makes', () => {
  const desired = room({ members: members('alice', 'bob'), is_distinct: true });
  const state = stateOf(desired);

  test('reports a channel that is no longer distinct, and sends nothing', () => {
    const made = look(desired, state, {
      'group_channel.room': { members: members('alice', 'bob'), is_distinct: false },
    });
    expect(made.problems).toEqual([]);
    expect(made.plan.steps).toEqual([]);
    expect(driftOf(made)[0]?.[2]).toContain('the platform also changes it by itself');
  });

  test('a distinct channel that somebody made one again is in state as it is', () => {
    const plain = room({ members: members('alice', 'bob'), is_distinct: false });
    const made = look(desired, stateOf(plain), {
      'group_channel.room': { members: members('alice', 'bob'), is_distinct: true },
    });
    expect(printSteps(made.plan.steps)).toEqual([expect.stringMatching(/^\(/u)]);
  });

  test('allows members of such a channel to change', () => {
    const edited = room({ members: members('alice', 'carol'), is_distinct: true });
    const made = look(edited, state, {
      'group_channel.room': { members: members('alice', 'bob'), is_distinct: false },
    });
    expect(made.problems).toEqual([]);
    expect(printSteps(made.plan.steps)).toHaveLength(2);
    expect(planFor(edited, state).problems).toMatchObject([
      { code: 'group_channel.distinct-members' },
      { code: 'group_channel.distinct-members' },
    ]);
  });
});

describe('limits that unmanaged members use up', () => {
  test.for([
    { name: 'metadata', others: 3, wanted: { a: '1', b: '1', c: '1' }, warned: true },
    { name: 'metadata', others: 2, wanted: { a: '1', b: '1', c: '1' }, warned: false },
  ])('$others others and three of ours: $warned', ({ others, wanted, warned }) => {
    const desired = resources({ user: { alice: { ...n, metadata: wanted } } });
    const state = stateOf(resources({ user: { alice: { ...n, metadata: { a: '1' } } } }));
    const theirs = Object.fromEntries(Array.from({ length: others }, (_none, at) => [`x${at}`, '']));
    const made = look(desired, state, { 'user.alice': { ...n, metadata: { a: '1', ...theirs } } });
    expect(made.plan.warnings.map(({ code }) => code)).toEqual(warned ? ['plan.no-room'] : []);
  });

  test('stops when a hundred others have joined', () => {
    const crowd = Object.fromEntries(Array.from({ length: 99 }, (_none, at) => [`x${at}`, {}]));
    const state = stateOf(room({ members: members('alice'), is_public: true }));
    const made = look(room({ members: members('alice', 'bob'), is_public: true }), state, {
      'group_channel.room': { members: { ...crowd, alice: {} }, is_public: true },
    });
    expect(made.plan.warnings).toMatchObject([{ code: 'plan.no-room', address: 'group_channel.room' }]);
  });
});

describe('what is at stake', () => {
  const desired = room({ members: members('alice') });
  const state = stateOf(desired);
  const there: There = { 'group_channel.room': { members: members('alice') } };
  const facts = { members: 7, last_message_at: '2026-05-01T00:00:00.000Z' };

  test('are given only for objects that are disabled or deleted', () => {
    const frozen = look(room({ members: members('alice'), frozen: true }), state, there);
    expect(frozen.plan.changes.at(0)?.live).toEqual(facts);
    const gone = look(resources({ user: users }), state, there, { on_remove: { group_channel: 'delete' } });
    expect(gone.plan.changes.at(0)).toMatchObject({ actions: ['delete'], live: facts });
    const renamed = look(room({ members: members('alice'), name: 'x' }), state, there);
    expect(renamed.plan.changes.at(0)).not.toHaveProperty('live');
  });
});
