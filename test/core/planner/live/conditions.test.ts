// Tests the conditions of a saved plan on live objects: the values that it changes, before or after, and nothing else.

import { describe, expect, test } from 'vitest';
import type { Address } from '../../../../src/core/model/address.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { absence, brokenConditions } from '../../../../src/core/planner/live/conditions.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { livePart, type There } from '../../../support/planning/live-objects.ts';
import { kindNamed, openPolicy, planFor, resources, stateOf } from '../../../support/planning/planning.ts';

const n = { nickname: 'N' };
const users = { alice: n, bob: n };
const line = (...ids: readonly string[]): JsonObject => Object.fromEntries(ids.map((id) => [id, {}]));

const before = resources({
  user: { ...users, carol: { nickname: 'C', profile_url: 'x', metadata: { team: 'a' } } },
  open_channel: { hall: { name: 'Hall', custom_type: 'a', operators: ['alice'] } },
  group_channel: { room: { members: line('alice', 'bob') } },
});
const after = resources({
  user: { ...users, carol: { nickname: 'D', metadata: { team: 'b' } }, dora: n },
  open_channel: { hall: { name: 'Hall', operators: ['bob'] } },
  group_channel: { room: { members: line('alice', 'carol') } },
});
const state = stateOf(before);
const untouched: There = {
  'user.carol': { nickname: 'C', profile_url: 'x', metadata: { team: 'a', theirs: '1' }, deactivated: false },
  'open_channel.hall': { name: 'Hall', custom_type: 'a', operators: ['alice', 'zoe'] },
  'group_channel.room': { members: line('alice', 'bob', 'zoe') },
};
const { plan } = planFor(after, state, livePart(after, state, untouched));

const conditionsIn = ({ live = [] }: Plan, address: Address) => new Map(live).get(address) ?? [];

function broken(address: keyof typeof untouched, now: JsonObject | null): string[] {
  const kind = kindNamed(address.slice(0, address.indexOf('.')));
  const live = { exists: now !== null, attributes: now ?? {} };
  return brokenConditions(kind, conditionsIn(plan, address), live).map(({ path }) => path.join('.'));
}

const carol = untouched['user.carol'] ?? {};
const hall = untouched['open_channel.hall'] ?? {};
const room = untouched['group_channel.room'] ?? {};

describe('an object that is changed', () => {
  test.for<readonly [keyof typeof untouched, name: string, now: JsonObject | null, paths: readonly string[]]>([
    ['user.carol', 'as it was', carol, []],
    ['user.carol', 'as it will be', { nickname: 'D', profile_url: '', metadata: { team: 'b' } }, []],
    ['user.carol', 'half way', { ...carol, nickname: 'D' }, []],
    ['user.carol', 'otherwise', { ...carol, nickname: 'E' }, ['nickname']],
    ['user.carol', 'otherwise in a text that is taken back', { ...carol, profile_url: 'y' }, ['profile_url']],
    ['user.carol', 'a key gone', { ...carol, metadata: {} }, ['metadata.team']],
    ['user.carol', 'others’ keys', { ...carol, metadata: { team: 'a', more: '2' } }, []],
    ['open_channel.hall', 'what the plan does not touch', { ...hall, name: 'x' }, []],
    ['open_channel.hall', 'other operators', { ...hall, operators: ['alice', 'max'] }, []],
    ['group_channel.room', 'other members', { members: line('bob', 'max') }, []],
    ['group_channel.room', 'who was to be invited is there', { members: line('alice', 'bob', 'carol') }, []],
    ['group_channel.room', 'gone', null, ['']],
    ['group_channel.room', 'as it was', room, []],
  ])('%s, %s', ([address, , now, paths]) => {
    expect(broken(address, now)).toEqual(paths);
  });
});

test('needs no entry for an object that must not exist before its creation', () => {
  expect(Array.from(plan.live ?? [], ([address]) => address)).not.toContain('user.dora');
  expect(brokenConditions(kindNamed('user'), absence, { exists: false, attributes: {} })).toEqual([]);
  expect(brokenConditions(kindNamed('user'), absence, { exists: true, attributes: n })).toHaveLength(1);
});

test('allows that an object to delete is already gone', () => {
  const rest = resources({ user: { ...users, carol: carolAsDeclared() } });
  const policy = { ...openPolicy, on_remove: { open_channel: 'delete', group_channel: 'delete' } } as const;
  const made = planFor(rest, state, { ...livePart(rest, state, untouched), policy }).plan;
  const conditions = conditionsIn(made, 'open_channel.hall');
  expect(brokenConditions(kindNamed('open_channel'), conditions, { exists: false, attributes: {} })).toEqual([]);
  expect(conditions).not.toEqual([]);
});

test('has no condition on the URL of an uploaded image', () => {
  const image = { file: 'a.png', digest: 'a', media_type: 'image/png' };
  const wanted = resources({ open_channel: { hall: { cover_file: image } } });
  const had = stateOf(resources({ open_channel: { hall: { cover_url: 'https://a' } } }));
  const made = planFor(wanted, had, livePart(wanted, had, { 'open_channel.hall': { cover_url: 'https://a' } })).plan;
  expect(conditionsIn(made, 'open_channel.hall').map(({ path }) => path.join('.'))).toEqual(['']);
});

test('has no conditions without a refresh', () => {
  expect(planFor(after, state).plan).not.toHaveProperty('live');
});

function carolAsDeclared(): JsonObject {
  return { nickname: 'C', profile_url: 'x', metadata: { team: 'a' } };
}
