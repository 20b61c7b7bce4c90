// Tests refresh and drift over any estates on the emulator: without edits by others there is no drift, with edits exactly
// the managed ones are drift, and an apply with a refresh restores the declaration.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isReadEach } from '../../../src/core/kinds/definition/attribute-table.ts';
import type { AttributeDefinition, KindDefinition } from '../../../src/core/kinds/definition/kind.ts';
import { type Address, keyOf, kindOf } from '../../../src/core/model/address.ts';
import type { Drift } from '../../../src/core/model/change.ts';
import type { Resource } from '../../../src/core/model/resource.ts';
import { registry } from '../../../src/core/resources/index.ts';
import type { Behaviours } from '../../../src/emulator/api/behaviours.ts';
import { equalJson, isList, isObject, type JsonObject, type JsonValue } from '../../../src/lib/json.ts';
import { estate, possible } from '../../support/planning/arbitrary-estates.ts';
import { kindNamed } from '../../support/planning/planning.ts';
import { fastTest, inSuite } from '../../support/suite.ts';
import { edits, perform } from './support/edits.ts';
import { Rig } from './support/rig.ts';

const runs = { numRuns: inSuite(5, 50) };

/** Variants of how lists show operators and how all members are requested. */
const behaviours: fc.Arbitrary<Partial<Behaviours>> = fc.record({
  operatorsInOpenLists: fc.constantFrom('empty', 'listed', 'absent'),
  operatorsInGroupViews: fc.constantFrom('listed', 'absent'),
  memberActiveModeAll: fc.constantFrom('refused', 'allowed'),
});

describe('without edits by others', () => {
  test('nothing is drift after any two estates, and the plan is empty', async () => {
    await fc.assert(
      fc.asyncProperty(estate, estate, fc.boolean(), behaviours, async (first, second, isRefreshed, read) => {
        const rig = new Rig({}, read);
        rig.apply(withoutModes(first));
        const desired = possible(withoutModes(second), rig.state);
        if (!isRefreshed) rig.apply(desired);
        const plan = isRefreshed ? await rig.settle(desired) : (await rig.refresh(desired)).plan;
        expect([plan.drift, plan.steps]).toEqual([[], []]);
      }),
      runs,
    );
  });

  test('a refresh finds no drift, and saves calls at most', async () => {
    await fc.assert(
      fc.asyncProperty(estate, estate, async (first, second) => {
        const rig = new Rig();
        rig.apply(withoutModes(first));
        const desired = possible(withoutModes(second), rig.state);
        const { plan } = await rig.refresh(desired);
        expect(plan.drift).toEqual([]);
        const calls = (steps: typeof plan.steps) => [...steps].filter(({ request }) => request !== undefined).length;
        expect(calls(plan.steps)).toBeLessThanOrEqual(calls(rig.plan(desired).plan.steps));
      }),
      runs,
    );
  });
});

describe('with edits by others', () => {
  test('drift names exactly the managed values that changed', async () => {
    await fc.assert(
      fc.asyncProperty(estate, edits, async (wanted, deeds) => {
        const rig = new Rig();
        const desired = withoutModes(wanted);
        rig.apply(desired);
        const before = managed(rig);
        for (const deed of deeds) perform(rig, deed);
        const expected = changedSince(before, managed(rig));
        const { plan } = await rig.refresh(desired);
        expect(placesOf([...(plan.drift ?? [])]).sort()).toEqual(expected.sort());
      }),
      { numRuns: inSuite(6, 60) },
    );
  });

  fastTest('the edits cause every kind of drift, in every kind of object', async () => {
    const possibleDrift = registry.flatMap(({ name: kind, live, onlyKey, memberships }) => [
      ...(live === undefined ? [] : [`${kind} changed`]),
      ...(live === undefined || onlyKey !== undefined ? [] : [`${kind} missing`]),
      ...(memberships === undefined ? [] : [`${kind} departed`]),
    ]);
    const seen = new Set<string>();
    // Many edits of each estate, because every refresh reads all of it.
    const manyEdits = fc.array(edits, { minLength: 8, maxLength: 8 }).map((lists) => lists.flat());
    for (const [wanted, deeds] of fc.sample(fc.tuple(estate, manyEdits), { numRuns: 30, seed: 2 })) {
      const rig = new Rig();
      rig.apply(withoutModes(wanted));
      for (const deed of deeds) perform(rig, deed);
      for (const { type, address } of (await rig.refresh(withoutModes(wanted))).plan.drift ?? []) {
        seen.add(`${kindOf(address)} ${type}`);
      }
      if (seen.size === possibleDrift.length) break;
    }
    expect([...seen].sort()).toEqual(possibleDrift.sort());
  });

  test('an apply with a refresh restores the declaration, and nothing is drift afterwards', async () => {
    await fc.assert(
      fc.asyncProperty(estate, estate, edits, behaviours, async (first, second, deeds, read) => {
        const rig = new Rig({ departed: 'reinvite' }, read);
        rig.apply(withoutModes(first));
        for (const deed of deeds) perform(rig, deed);
        const desired = possible(withoutModes(second), rig.state);
        dismissBanned(rig, desired);
        const plan = await rig.settle(desired);
        expect([plan.drift, plan.steps, rig.plan(desired).plan.steps]).toEqual([[], [], []]);
      }),
      { numRuns: inSuite(6, 60) },
    );
  });

  test('a member who left stays away and is the only remaining drift', async () => {
    await fc.assert(
      fc.asyncProperty(estate, edits, async (wanted, deeds) => {
        const rig = new Rig({ departed: 'leave_alone' });
        const desired = withoutModes(wanted);
        rig.apply(desired);
        for (const deed of deeds) perform(rig, deed);
        dismissBanned(rig, desired);
        const plan = await rig.settle(desired);
        expect([...(plan.drift ?? [])].filter(({ type }) => type !== 'departed')).toEqual([]);
        expect(plan.steps).toEqual([]);
      }),
      runs,
    );
  });
});

describe('exclusive lists', () => {
  test('contain nobody else after an apply with a refresh, whoever joined', async () => {
    await fc.assert(
      fc.asyncProperty(estate, edits, async (wanted, deeds) => {
        const rig = new Rig({ departed: 'reinvite' });
        const desired = exclusive(wanted);
        rig.apply(desired);
        for (const deed of deeds) perform(rig, deed);
        dismissBanned(rig, desired);
        const plan = await rig.settle(desired);
        expect([plan.steps, plan.drift]).toEqual([[], []]);
        for (const { address, attributes } of desired) {
          const kind = kindNamed(kindOf(address));
          const answer = wholeAnswer(rig, kind, keyOf(address), attributes);
          const seen = answer === undefined ? {} : kind.observe(answer);
          if (attributes.members_mode === 'exclusive') expect(idsOf(seen.members)).toEqual(idsOf(attributes.members));
          if (attributes.operators_mode === 'exclusive' && attributes.operators !== undefined) {
            expect(idsOf(seen.operators)).toEqual(idsOf(attributes.operators));
          }
        }
      }),
      runs,
    );
  });
});

/** The platform may refuse to ban an operator (platform §11), and chatform does not dismiss operators that others appoint. */
function dismissBanned(rig: Rig, desired: readonly Resource[]): void {
  for (const { address, attributes } of desired) {
    const { route: view, params = {} } = kindNamed(kindOf(address)).view(keyOf(address));
    for (const operator_ids of idsOf(attributes.banned)) {
      const route = `${view}/operators`;
      rig.answer({ method: 'DELETE', route, params, query: { operator_ids } });
    }
  }
}

function idsOf(value: JsonValue | undefined): string[] {
  return (isList(value) ? value.map(String) : Object.keys(isObject(value) ? value : {})).sort();
}

/** Members of all channels that are not public, and operators of these and of open channels. */
function exclusive(desired: readonly Resource[]): Resource[] {
  return withoutModes(desired).map((one) => {
    const kind = kindOf(one.address);
    if (kind === 'user' || one.attributes.is_public === true) return one;
    const modes: JsonObject = {
      operators_mode: 'exclusive',
      ...(kind === 'group_channel' ? { members_mode: 'exclusive' } : {}),
    };
    return { ...one, attributes: { ...one.attributes, ...modes } };
  });
}

/** Exclusive lists have separate tests. Here, people who are not declared are not managed. */
function withoutModes(desired: readonly Resource[]): Resource[] {
  return desired.map((one) => {
    const { members_mode: _members, operators_mode: _operators, ...attributes } = one.attributes;
    return { ...one, attributes };
  });
}

type Managed = ReadonlyMap<Address, JsonObject | undefined>;

/** Returns the live values of attributes in state, with only those entries of maps and sets that are in state. */
function managed(rig: Rig): Managed {
  return new Map(
    [...rig.state].map(([address, { attributes }]): [Address, JsonObject | undefined] => {
      const kind = kindNamed(kindOf(address));
      const answer = wholeAnswer(rig, kind, keyOf(address), attributes);
      if (answer === undefined) return [address, undefined];
      const seen = kind.observe(answer);
      const shown = Object.entries(attributes).flatMap(([name, remembered]): [string, JsonValue][] => {
        const value = seen[name];
        return value === undefined ? [] : [[name, ofOurs(kind.attributes[name], value, remembered)]];
      });
      return [address, Object.fromEntries(shown)];
    }),
  );
}

/** The view with its separately read parts. Undefined if the object does not exist. */
function wholeAnswer(rig: Rig, kind: KindDefinition, key: string, remembered: JsonObject): JsonObject | undefined {
  const view = kind.onlyKey === undefined ? rig.answer(kind.view(key)) : { type: 'ok' as const, body: {} };
  if (view.type !== 'ok') return undefined;
  let answer: JsonObject = view.body;
  for (const { attribute, field, request, isWhole, isOneAnswer } of kind.live?.parts ?? []) {
    const isApart = isOneAnswer === true || isReadEach(kind.attributes[attribute]) || kind.onlyKey !== undefined;
    if (!isApart || remembered[attribute] === undefined || isWhole(answer)) continue;
    const part = rig.answer(request(key));
    if (part.type === 'ok')
      answer = { ...answer, [field]: isOneAnswer === true ? part.body : (part.body[field] ?? []) };
  }
  return answer;
}

function ofOurs(definition: AttributeDefinition | undefined, value: JsonValue, remembered: JsonValue): JsonValue {
  if (isList(value) && isList(remembered) && definition?.shape === 'set') {
    return value.filter((id) => remembered.includes(id));
  }
  if (definition?.shape !== 'map' || !isObject(value) || !isObject(remembered)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => Object.hasOwn(remembered, key)));
}

function changedSince(before: Managed, after: Managed): string[] {
  return [...before].flatMap(([address, left]) => {
    const right = after.get(address);
    if (right === undefined) return left === undefined ? [] : [`${address} missing`];
    return Object.keys(left ?? {})
      .filter((name) => !equalJson(left?.[name], right[name]))
      .map((name) => `${address} ${name}`);
  });
}

/** Without repetitions: of two operators one may have been dismissed, which is a change, and the other may have left. */
function placesOf(drift: readonly Drift[]): string[] {
  const places = drift.flatMap(({ address, type, attributes }) =>
    type === 'missing' ? [`${address} missing`] : attributes.map(({ path }) => `${address} ${path[0]}`),
  );
  return [...new Set(places)];
}
