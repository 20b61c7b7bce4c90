// Tests explanations of single objects: the source of each value, dependencies, and the effect of a removal.
import { expect, test } from 'vitest';
import type { Address } from '../../../src/core/model/address.ts';
import type { Resource } from '../../../src/core/model/resource.ts';
import { explainObject } from '../../../src/core/planner/explain.ts';
import { explanationForPeople } from '../../../src/core/view/terminal/explanation.ts';
import { defaultPolicy, kindNamed, planFor, resource, stateOf } from '../../support/planning/planning.ts';

const at = (line: number, column = 3) => ({ file: 'chat.yaml', line, column });

function placed(one: Resource, line: number, sources: Resource['attributeSources'] = {}): Resource {
  return { ...one, source: at(line), attributeSources: sources };
}

function explain(address: Address, desired: readonly Resource[], before: readonly Resource[], on_remove = {}) {
  const state = stateOf(before);
  const policy = { ...defaultPolicy, on_remove };
  const { plan, problems, refusals } = planFor(desired, state, { policy });
  return explainObject({
    address,
    kind: kindNamed(address.slice(0, address.indexOf('.'))),
    resource: desired.find((one) => one.address === address),
    record: state.get(address),
    removed: [],
    policy,
    plan,
    diagnostics: [...problems, ...refusals],
  });
}

const shown = (...given: Parameters<typeof explain>) =>
  [...explanationForPeople(explain(...given), { color: false, width: 100 })].join('');

const user = (key: string, lifecycle: Resource['lifecycle'] = {}) =>
  resource('user', key, { nickname: key }, lifecycle);
const [alice, bob] = [user('alice'), user('bob')];
const room = { name: 'Room', custom_type: 'support', members: { alice: {} }, is_distinct: false };

test('explains values, changes and removals to people', async () => {
  const before = resource('group_channel', 'room', { ...room, data: 'x', is_public: true });
  const edited = { ...room, name: 'Hall', custom_type: 'sales', members: { alice: {}, bob: {} }, frozen: true };
  const after = placed(resource('group_channel', 'room', edited, { ignore_changes: ['custom_type'] }), 10, {
    name: at(11),
    custom_type: at(4),
    members: at(12),
    is_distinct: at(13),
    frozen: at(14),
  });
  const [guarded, deleted, forgotten] = [
    user('boss', { protect: true }),
    user('dora', { on_remove: 'delete' }),
    user('eve', { on_remove: 'forget' }),
  ];
  const policy = { user: 'deactivate' } as const;
  const texts: Readonly<Record<string, string>> = {
    'an edit, with an ignored value, one of the defaults, and removed lines': shown(
      'group_channel.room',
      [alice, bob, after],
      [alice, before],
    ),
    'no change': shown('user.alice', [placed(alice, 3, { nickname: at(3, 12) })], [alice]),
    'a removal': shown('user.bob', [alice], [alice, bob]),
    'a removal that is refused': shown('user.boss', [alice], [alice, guarded, user('other', { protect: true })]),
    'a removal by the lifecycle that state remembers': shown('user.eve', [bob], [forgotten, bob], policy),
    'the effect of a removal by its own lifecycle': shown('user.dora', [deleted, bob], [deleted, bob], policy),
    'the effect of a removal by the policy': shown('user.alice', [alice, bob], [alice, bob], policy),
    'the effect of a removal that is protected': shown('user.boss', [guarded, bob], [guarded, bob], policy),
  };
  const sections = Object.entries(texts).map(([claim, text]) => `## ${claim}\n\n${text}`);
  await expect(sections.join('\n')).toMatchFileSnapshot('goldens/explain.txt');
});

test('lists steps with their needs in both directions', () => {
  const desired = [alice, bob, resource('group_channel', 'room', room)];
  const { steps, change } = explain('user.alice', desired, []);
  expect(change?.actions).toEqual(['create']);
  expect(steps).toMatchObject([
    { request: 'POST /users', waits_for: [], held_by_it: [{ address: 'group_channel.room', action: 'create' }] },
  ]);
  expect(explain('group_channel.room', desired, []).steps).toMatchObject([
    { request: 'POST /group_channels', waits_for: [{ address: 'user.alice', action: 'create' }] },
  ]);
});

test('escapes control sequences in names', () => {
  const evil = resource('user', 'evil\u001b[2J', { nickname: '\u001b]0;x\u0007' });
  expect(shown('user.evil\u001b[2J', [evil], [])).not.toContain('\u001b');
});
