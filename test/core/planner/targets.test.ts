// Tests what a partial plan includes and says about that, and that address patterns match what they look like.
import { describe, expect, test } from 'vitest';
import { readTarget } from '../../../src/core/app/plans/targets.ts';
import type { Address } from '../../../src/core/model/address.ts';
import { scopeOf } from '../../../src/core/planner/targets.ts';
import { registry } from '../../../src/core/resources/index.ts';
import { exactly, planFor, resources, stateOf } from '../../support/planning/planning.ts';

const patterns: readonly (readonly [string, string, boolean])[] = [
  ['user.alice', 'user.alice', true],
  ['user.alice', 'user.alicea', false],
  ['user.support-*', 'user.support-42', true],
  ['user.support-*', 'user.support-a/b', true],
  ['user.support-*', 'group_channel.support-42', false],
  ['group_channel.*', 'group_channel.a/../b', true],
  ['*.alice', 'user.alice', true],
  ['user.*', 'user.a\nb', true],
  ['user.a?', 'user.a/', true],
  ['user.a?', 'user.abc', false],
  ['user.[ab]*', 'user.bob', true],
  ['user.{alice,bob}', 'user.bob', true],
  ['user.{alice,bob}', 'user.carol', false],
  ['user.a(1)*', 'user.a(1)z', true],
  ['user.+(a)', 'user.aa', false],
  ['user.a|b*', 'user.a|bc', true],
  ['user.[x', 'user.[x', true],
  ['user.*', 'user..hidden', true],
  ['user.é*', 'user.étienne', true],
];

describe('patterns', () => {
  test.for(patterns)('%s means %s: %s', ([pattern, address, expected]) => {
    expect(readTarget(pattern, '--target').matches(address as Address)).toBe(expected);
  });

  test.for(['alice', '*', '!user.*', '', '.alice', 'User.alice'])('"%s" is not an address', (text) => {
    expect(() => readTarget(text, '--target')).toThrow('is not an address');
  });
});

const estate = resources({
  user: { alice: { nickname: 'A' }, bob: { nickname: 'B' }, carol: { nickname: 'C' } },
  group_channel: { room: { members: { alice: {}, bob: {} } }, hall: { members: { carol: {} } } },
});

describe('a scope', () => {
  test('includes the named objects and what they need, and tells them apart', () => {
    const scope = scopeOf(
      { targets: [exactly('group_channel.room'), exactly('user.bob')], excluded: [] },
      estate,
      [],
      registry,
    );
    expect(estate.filter(({ address }) => scope.has(address)).map(({ address }) => address)).toEqual([
      'user.alice',
      'user.bob',
      'group_channel.room',
    ]);
    expect([...scope.pulledIn]).toEqual([['user.alice', 'group_channel.room']]);
    expect(scope.unmatched).toEqual({ targets: [], excluded: [] });
  });

  test('matches objects that are only in state, and names patterns that match nothing', () => {
    const scope = scopeOf(
      { targets: [exactly('user.bob'), exactly('user.nobody')], excluded: [exactly('user.no-one')] },
      [],
      stateOf(estate).values(),
      registry,
    );
    expect(scope.has('user.bob')).toBe(true);
    expect(scope.unmatched).toEqual({ targets: ['user.nobody'], excluded: ['user.no-one'] });
  });

  test('reads once, and once more for each level of needs, for any number of targets', () => {
    const many = resources({
      group_channel: Object.fromEntries(
        Array.from({ length: 3000 }, (_, index) => [`room-${index}`, { members: { [`u${index}`]: {} } }]),
      ),
    });
    let passes = 0;
    const counting = {
      *[Symbol.iterator]() {
        passes += 1;
        yield* many;
      },
    };
    const scope = scopeOf(
      { targets: [{ text: 'group_channel.*', isPattern: true, matches: () => true }], excluded: [] },
      counting,
      [],
      registry,
    );
    expect(scope.pulledIn.size).toBe(3000);
    expect(passes).toBe(3);
  });
});

test('a partial plan does not record the loaded files', () => {
  const loaded = { now: [{ file: 'a.yaml', counts: { user: 3 } }], before: undefined };
  expect(planFor(estate, new Map(), { loaded }).plan.bookkeeping).toHaveLength(1);
  expect(planFor(estate, stateOf(estate), { loaded }).plan.bookkeeping).toBeUndefined();
});
