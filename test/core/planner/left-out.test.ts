// Tests what --exclude leaves out of a plan: the named objects, and the changes that need one of them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressesOf } from '../../../src/core/kinds/definition/kind.ts';
import { type Address, keyOf, kindOf } from '../../../src/core/model/address.ts';
import type { Resource } from '../../../src/core/model/resource.ts';
import type { Step } from '../../../src/core/model/step.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { historyFileOfLines, historyFileResource } from '../../support/history-files.ts';
import { estate, possible } from '../../support/planning/arbitrary-estates.ts';
import { kindNamed, planFor, resources, stateAfter, stateOf } from '../../support/planning/planning.ts';
import { inSuite } from '../../support/suite.ts';
import { expectPlans } from './support/plans.ts';

const n = { nickname: 'N' };
const off = { ...n, deactivated: true };
const room = (...ids: readonly string[]): JsonObject => ({ members: Object.fromEntries(ids.map((id) => [id, {}])) });
const channels = (...ids: readonly string[]) => ({ group_channel: { hall: room('alice'), room: room(...ids) } });
const both = resources({ user: { alice: n, bob: n }, ...channels('alice', 'bob') });
const renamed = resources({ user: { alice: n, bob: { nickname: 'M' } }, ...channels('alice', 'bob') });
const line = { id: 'm1', sender: 'alice', at: '2024-01-01T10:00:00Z', text: 'Hi' };
const withHistory = [...both, historyFileResource('group_channel', 'room', historyFileOfLines('a.ndjson', [line]))];

test('a plan with --exclude leaves out what needs an excluded object, and says why', async () => {
  await expectPlans('left-out', {
    'a new channel needs a new user': { desired: both, excluded: ['user.bob'] },
    'a history needs its channel, which needs a new user': { desired: withHistory, excluded: ['user.bob'] },
    'a history of a channel that exists waits for its other changes': {
      desired: withHistory,
      state: stateOf(resources({ user: { alice: n }, ...channels('alice') })),
      excluded: ['user.bob'],
    },
    'a history needs a channel that is excluded itself': {
      desired: withHistory,
      excluded: ['group_channel.room'],
    },
    'a channel exists, and a new user is to be invited': {
      desired: both,
      state: stateOf(resources({ user: { alice: n }, ...channels('alice') })),
      excluded: ['user.bob'],
    },
    'an excluded user exists': {
      desired: renamed,
      state: stateOf(resources({ user: { alice: n, bob: n } })),
      excluded: ['user.bob'],
    },
    'an excluded user is deactivated, and an invitation needs them active': {
      desired: both,
      state: stateOf(resources({ user: { alice: n, bob: off }, ...channels('alice') })),
      excluded: ['user.bob'],
    },
    'an excluded object is no longer declared': {
      desired: resources({ user: { alice: n } }),
      state: stateOf(both),
      excluded: ['group_channel.room', 'user.bob'],
    },
    'a target without one of the objects that it needs': {
      desired: both,
      targets: ['group_channel.hall', 'group_channel.room'],
      excluded: ['user.bob'],
    },
    'a user whom only a left-out target needs': {
      desired: resources({ user: { alice: n, carl: n }, group_channel: { hall: room('carl', 'alice') } }),
      targets: ['group_channel.hall'],
      excluded: ['user.carl'],
    },
    'a pattern of a user who is managed elsewhere leaves out nothing': {
      desired: resources({ user: { alice: n }, ...channels('alice', 'guest') }),
      excluded: ['user.guest'],
    },
  });
});

test('a plan names the first ten objects that it leaves out for each of the first ten needs, and counts the others', () => {
  const leftOut = (userOf: (at: number) => string) => {
    const numbers = Array.from({ length: 13 }, (_, at) => at);
    const users = [...new Set(numbers.map(userOf))];
    const rooms = Object.fromEntries(numbers.map((at) => [`room-${at}`, room(userOf(at))]));
    const desired = resources({ user: Object.fromEntries(users.map((id) => [id, n])), group_channel: rooms });
    const { plan } = planFor(desired, new Map(), { excluded: users.map((id): Address => `user.${id}`) });
    return plan.warnings.filter(({ code }) => code === 'plan.left-out').map(({ detail }) => detail);
  };
  const [ofBob, ...others] = leftOut(() => 'bob');
  expect(others).toEqual([]);
  expect(ofBob).toMatch(
    /^user\.bob is excluded and does not exist yet, so the plan leaves out 13 objects: .*, and 3 more\./u,
  );
  const ofMany = leftOut((at) => `u${at}`);
  expect(ofMany).toHaveLength(11);
  expect(ofMany.at(-1)).toBe('The plan leaves out 3 more objects that need an excluded object.');
});

/** Reasons of changes that the steps of another object bring with them, without a declaration that names it. */
const consequences: readonly string[] = ['needed_reopened', 'users_deleted'];

const halves = fc.tuple(estate, estate, fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), fc.boolean());

test('an exclusion leaves its objects as they are, needs nothing that is missing, and the rest follows later', () => {
  fc.assert(
    fc.property(halves, ([before, wanted, picks, isTargeted]) => {
      const state = stateOf(before);
      const after = possible(wanted, state);
      const all = [...new Set([...after.map(addressOf), ...state.keys()])];
      const pickOne = (pick: number): Address => all[pick % all.length] ?? 'user.nobody';
      const excluded = [...new Set(picks.map(pickOne))];
      const targets = isTargeted ? all.filter((_address, at) => at % 2 === 0) : [];
      const part = planFor(after, state, { excluded, targets });
      if (part.problems.length > 0) return;
      const steps = [...part.plan.steps];
      const ids = new Set(steps.map(({ id }) => id));
      expect(steps.filter(({ needs }) => needs.some((id) => !ids.has(id)))).toEqual([]);
      expect(steps.filter(({ address }) => excluded.includes(address))).toEqual([]);
      const leftOut = part.plan.warnings.filter(({ code }) => code === 'plan.left-out').map(({ detail }) => detail);
      const isLeftOut = (address: Address) =>
        leftOut.some((detail) => new RegExp(`[ ]${address}[,.]`, 'u').test(detail));
      const changes = [...part.plan.changes];
      const isConsequence = (address: Address) =>
        changes.some((change) => change.address === address && consequences.includes(change.reason.code));
      for (const { address } of steps) {
        expect(isLeftOut(address), address).toBe(false);
        const parents = address.startsWith('messages.') ? parentsOf(address) : [];
        expect(parents.filter(isLeftOut), address).toEqual([]);
        if (!isTargeted || targets.includes(address)) continue;
        const needing = isConsequence(address)
          ? steps.filter((step) => areOrdered(step, address, steps)).map(addressOf)
          : after.filter((other) => needs(other, address)).map(addressOf);
        expect(
          needing.some((other) => targets.includes(other) && !isLeftOut(other)),
          address,
        ).toBe(true);
      }
      const half = stateAfter(state, steps);
      for (const address of excluded) expect(half.get(address)).toEqual(state.get(address));
      const declared = new Set(after.map(addressOf));
      for (const record of half.values()) {
        if (equalRecord(record, state.get(record.address))) continue;
        const missing = membersOf(record.attributes).filter((key) => {
          const address: Address = `user.${key}`;
          return declared.has(address) && !half.has(address);
        });
        expect(missing, record.address).toEqual([]);
      }
      const left = planFor(after, half);
      if (left.problems.length > 0) return;
      expect(planFor(after, stateAfter(half, left.plan.steps)).plan.steps).toEqual([]);
    }),
    { numRuns: inSuite(12, 1000) },
  );
});

function addressOf({ address }: { readonly address: Address }): Address {
  return address;
}

function parentsOf(address: Address): readonly Address[] {
  return [`group_channel.${keyOf(address)}`, `open_channel.${keyOf(address)}`];
}

function needs({ address, attributes }: Resource, needed: Address): boolean {
  const references = kindNamed(kindOf(address)).references?.(attributes) ?? [];
  return references.some((reference) => addressesOf(reference).includes(needed));
}

type OrderedStep = Pick<Step, 'id' | 'address' | 'needs'>;

function areOrdered(step: OrderedStep, address: Address, steps: readonly OrderedStep[]): boolean {
  const own = steps.filter((other) => other.address === address);
  return own.some(({ id, needs: earlier }) => step.needs.includes(id) || earlier.includes(step.id));
}

function membersOf({ members = {} }: JsonObject): readonly string[] {
  return Object.keys(members as JsonObject);
}

function equalRecord(left: object, right: object | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
