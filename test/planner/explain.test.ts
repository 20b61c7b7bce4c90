// Tests explanations of single objects: the source of each value, dependencies, and the effect of a removal.
import { describe, expect, test } from 'vitest';
import type { Address } from '../../src/model/address.ts';
import type { Resource } from '../../src/model/resource.ts';
import { explainObject } from '../../src/planner/explain.ts';
import { explanationForPeople } from '../../src/view/terminal/explanation.ts';
import { defaultPolicy, kindNamed, planFor, resource, stateOf } from '../support/planning/planning.ts';

const at = (line: number, column = 3) => ({ file: 'chat.yaml', line, column });

function placed(one: Resource, line: number, sources: Resource['attributeSources'] = {}): Resource {
  return { ...one, source: at(line), attributeSources: sources };
}

function explain(address: Address, desired: readonly Resource[], before: readonly Resource[]) {
  const state = stateOf(before);
  const { plan, problems, refusals } = planFor(desired, state, { policy: defaultPolicy });
  return explainObject({
    address,
    kind: kindNamed(address.slice(0, address.indexOf('.'))),
    resource: desired.find((one) => one.address === address),
    record: state.get(address),
    removed: [],
    policy: defaultPolicy,
    plan,
    diagnostics: [...problems, ...refusals],
  });
}

const alice = resource('user', 'alice', { nickname: 'Alice' });
const bob = resource('user', 'bob', { nickname: 'Bob' });
const room = { name: 'Room', custom_type: 'support', members: { alice: {} }, is_distinct: false };

describe('values', () => {
  const before = resource('group_channel', 'room', { ...room, data: 'x', is_public: true });
  const after = placed(
    resource(
      'group_channel',
      'room',
      {
        name: 'Hall',
        custom_type: 'sales',
        members: { alice: {}, bob: {} },
        is_distinct: false,
        cover_url: 'https://a.test/c',
      },
      { ignore_changes: ['custom_type'] },
    ),
    10,
    { name: at(11), custom_type: at(4), members: at(12), is_distinct: at(13), cover_url: at(14) },
  );
  const { attributes } = explain('group_channel.room', [alice, bob, after], [alice, before]);

  test.for([
    ['name', 'edited', 11],
    ['custom_type', 'ignored', 4],
    ['members', 'edited', 12],
    ['is_distinct', 'as_applied', 13],
    ['cover_url', 'to_apply', 14],
    ['data', 'removed', undefined],
    ['is_public', 'removed', undefined],
  ] as const)('%s: %s', ([name, standing, line]) => {
    const found = attributes.find((one) => one.name === name);
    expect(found).toMatchObject({ standing });
    expect(found?.source?.line).toBe(line);
    expect(found?.from_defaults).toBe(name === 'custom_type' ? true : undefined);
  });

  test('explains only managed attributes', () => {
    expect(attributes).toHaveLength(7);
  });
});

test('lists steps with their needs in both directions', () => {
  const after = resource('group_channel', 'room', room);
  const desired = [alice, bob, after];
  const { steps, change } = explain('user.alice', desired, []);
  expect(change?.actions).toEqual(['create']);
  expect(steps).toMatchObject([
    { request: 'POST /users', waits_for: [], held_by_it: [{ address: 'group_channel.room', action: 'create' }] },
  ]);
  expect(explain('group_channel.room', desired, []).steps).toMatchObject([
    { request: 'POST /group_channels', waits_for: [{ address: 'user.alice', action: 'create' }] },
  ]);
});

describe('removal', () => {
  test.for([
    { name: 'policy', lifecycle: {}, declared: true, expected: ['deactivate', 'policy', false] },
    { name: 'its own', lifecycle: { on_remove: 'delete' }, declared: true, expected: ['delete', 'lifecycle', false] },
    { name: 'remembered', lifecycle: { on_remove: 'forget' }, declared: false, expected: ['forget', 'state', false] },
    { name: 'protected', lifecycle: { protect: true }, declared: true, expected: ['deactivate', 'policy', true] },
  ] as const)('$name', ({ lifecycle, declared, expected }) => {
    const one = resource('user', 'one', { nickname: 'One' }, lifecycle);
    const policy = { ...defaultPolicy, on_remove: { user: 'deactivate' as const } };
    const state = stateOf([one, bob]);
    const desired = declared ? [one, bob] : [bob];
    const explanation = explainObject({
      address: one.address,
      kind: kindNamed('user'),
      resource: declared ? one : undefined,
      record: state.get(one.address),
      removed: [],
      policy,
      plan: planFor(desired, state, { policy }).plan,
      diagnostics: [],
    });
    const { on_remove, on_remove_from, protected: isProtected } = explanation.lifecycle;
    expect([on_remove, on_remove_from, isProtected]).toEqual(expected);
  });
});

test('lists problems of the object and no others', () => {
  const guarded = resource('user', 'boss', { nickname: 'Boss' }, { protect: true });
  const other = resource('user', 'other', { nickname: 'Other' }, { protect: true });
  const { problems } = explain('user.boss', [bob], [guarded, other, bob]);
  expect(problems).toMatchObject([{ code: 'safety.protected', address: 'user.boss' }]);
});

describe('the text', () => {
  const shown = (...given: Parameters<typeof explain>) =>
    [...explanationForPeople(explain(...given), { color: false, width: 100 })].join('');

  test('shows a change with its values', async () => {
    const before = resource('group_channel', 'room', { ...room, data: 'x' });
    const after = placed(
      resource('group_channel', 'room', { ...room, name: 'Hall', members: { alice: {}, bob: {} }, frozen: true }),
      10,
      { name: at(11), custom_type: at(4), members: at(12), is_distinct: at(13), frozen: at(14) },
    );
    await expect(shown('group_channel.room', [alice, bob, after], [alice, before])).toMatchFileSnapshot(
      'goldens/explain-change.txt',
    );
  });

  test('shows an object without changes, a removal, and a refused removal', async () => {
    const guarded = resource('user', 'boss', { nickname: 'Boss' }, { protect: true });
    const texts = [
      shown('user.alice', [placed(alice, 3, { nickname: at(3, 12) })], [alice]),
      shown('user.bob', [alice], [alice, bob]),
      shown('user.boss', [alice], [alice, guarded]),
    ];
    await expect(texts.join('\n---\n')).toMatchFileSnapshot('goldens/explain-others.txt');
  });

  test('escapes control sequences in names', () => {
    const evil = resource('user', 'evil\u001b[2J', { nickname: '\u001b]0;x\u0007' });
    expect(shown('user.evil\u001b[2J', [evil], [])).not.toContain('\u001b');
  });
});
