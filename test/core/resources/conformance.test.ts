// Tests the contract of every registered kind: schemas, normal form, exact steps for any edit, faithful observation.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rememberAll, sentFields } from '../../../src/core/kinds/definition/attribute-table.ts';
import {
  type AttributeDefinition,
  type KindDefinition,
  neverDisabled,
} from '../../../src/core/kinds/definition/kind.ts';
import type { PartRead } from '../../../src/core/kinds/definition/live-reads.ts';
import { hasEntries, pick } from '../../../src/core/kinds/definition/values.ts';
import { userKinds } from '../../../src/core/kinds/parts/people.ts';
import { blockProperties } from '../../../src/core/manifest/schema/block-schema.ts';
import { addressOf } from '../../../src/core/model/address.ts';
import type { Resource } from '../../../src/core/model/resource.ts';
import { checkedRegistry, registry } from '../../../src/core/resources/index.ts';
import { equalJson, isObject, type JsonObject, type JsonValue } from '../../../src/lib/json.ts';
import { damage } from '../../support/odd-values.ts';
import { stateFaults } from '../../support/planning/expected.ts';
import { planFor, resource, type State, stateAfter, stateOf } from '../../support/planning/planning.ts';
import { StrictPlatform, sentRequest } from '../../support/planning/strict-platform.ts';
import { fastTest, inSuite } from '../../support/suite.ts';
import { undocumented } from '../../support/vendor/documented.ts';
import { asWritten, blockFor, blockSchema, strictAjv } from './support/blocks.ts';
import { wholeAnswer } from './support/plain-kind.ts';
import { sampleOf } from './support/samples.ts';

/** The times that answers have, as no platform should show them. */
const times = [1e21, -1e21, 0.5, 0].flatMap((time): JsonObject[] => [
  { created_at: time, last_seen_at: time, last_message: { created_at: time } },
  { banned_list: [{ user: { user_id: 'a' }, start_at: time, end_at: time }] },
  { muted_list: [{ user_id: 'a', start_at: time, end_at: time }] },
]);

const fixedProblems: Readonly<Record<string, readonly string[]>> = {
  create_only: ['plan.create-only'],
  one_way: ['plan.one-way'],
};

/** Parts of other objects have separate tests, because they are not objects of the platform. */
describe.each(registry.filter(({ isChild }) => isChild !== true))('$name', (kind) => {
  const check = strictAjv.compile(blockSchema(kind));
  const isValid = (block: JsonObject): boolean =>
    check(asWritten(kind, block)) === true &&
    !kind.normalise(kind.onlyKey ?? 'key-1', block).problems.some(({ severity }) => severity === 'error');
  const block = blockFor(kind, isValid);
  const key = keyFor(kind);
  const declare = (attributes: JsonObject): Resource => resource(kind.name, key, attributes);

  fastTest('has schemas that compile in strict mode, and describes every attribute', () => {
    expect(() => strictAjv.compile(kind.keySchema)).not.toThrow();
    const { lifecycle: _, ...properties } = blockProperties(kind);
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(kind.spellings ?? {})));
    const undescribed = Object.entries(properties)
      .filter(
        ([, schema]) => !isObject(schema) || typeof schema.description !== 'string' || schema.description.length < 10,
      )
      .map(([name]) => name);
    expect(undescribed).toEqual([]);
  });

  fastTest('has consistent tables', () => {
    const names = Object.keys(kind.attributes);
    expect(names).toEqual(expect.arrayContaining([...kind.required]));
    expect(names).toEqual(expect.arrayContaining(Object.values(kind.spellings ?? {}).map(({ use }) => use)));
    expect(Object.keys(kind.spellings ?? {}).filter((name) => names.includes(name))).toEqual([]);
    const closed = names.filter((name) => kind.attributes[name]?.change === 'closed');
    if (kind.disabledState === neverDisabled) {
      const own = kind.isChild === true ? ['retire', 'delete', 'forget'] : ['delete', 'forget'];
      expect(kind.removals.filter((removal) => !own.includes(removal))).toEqual([]);
      expect(closed).toEqual([]);
    } else {
      expect(kind.removals[0]).toBe(kind.disabledState.disable);
      expect(closed).toEqual([kind.disabledState.attribute]);
    }
    expect(names).toEqual(expect.arrayContaining([kind.memberships, kind.identity?.attribute].filter(isText)));
    if (kind.memberships !== undefined) expect(kind.attributes[kind.memberships]?.shape).toBe('map');
  });

  test('sends every field unchanged in a creation, and every mutable field in an update', () => {
    fc.assert(
      fc.property(block, (declared) => {
        const { attributes } = kind.normalise('key-1', declared);
        const fields = Object.keys(attributes).filter((name) => sentFields(kind.attributes, 'create').includes(name));
        const created = stepsOf(kind, {}, attributes).find(({ action }) => action === 'create');
        // A group channel without members is not created, because the platform refuses it.
        if (created === undefined) return;
        expect(pick(created.request?.body ?? {}, fields)).toEqual(pick(attributes, fields));
        const editable = fields.filter((name) => sentFields(kind.attributes, 'update').includes(name));
        for (const name of editable) {
          const { [name]: value = null, ...known } = attributes;
          const updates = stepsOf(kind, rememberAll(kind.attributes, known), attributes);
          const bodies: unknown[] = updates.map(({ request }) => request?.body?.[name]);
          if (needsCall(kind, name, value)) expect(bodies, name).toContainEqual(value);
        }
      }),
      { numRuns: inSuite(5, 30) },
    );
  });

  test('comes after the kinds that it refers to in the registry', () => {
    fc.assert(
      fc.property(block, (declared) => {
        const before = registry.slice(0, registry.indexOf(kind)).map((other) => other.name);
        for (const { kinds } of kind.references?.(kind.normalise('key-1', declared).attributes) ?? []) {
          expect(before).toEqual(expect.arrayContaining([...kinds]));
        }
      }),
      { numRuns: inSuite(5, 20) },
    );
  });

  fastTest('can be read by a refresh: a list by keys, and parts and limits of existing attributes', () => {
    if (kind.isChild === true) return expect(kind.live).toBeUndefined();
    const names = Object.keys(kind.attributes);
    const { list, parts, capacity } = kind.live ?? { list: undefined, parts: [], capacity: () => ({}) };
    expect(list === undefined).toBe(kind.onlyKey !== undefined);
    // The view of an object is below the list.
    if (list !== undefined) expect(kind.view('key-1').route).toBe(`${list.route}/${lastOf(kind.view('key-1').route)}`);
    if (list?.filter !== undefined) expect(list.query).not.toHaveProperty([list.filter]);
    expect(names).toEqual(
      expect.arrayContaining([...parts.map(({ attribute }) => attribute), ...Object.keys(capacity({}))]),
    );
    for (const part of parts) {
      expect(part.isWhole({})).toBe(false);
      const pages = part.isOneAnswer === true ? {} : { query: { limit: '100' } };
      expect(part.request('key-1')).toMatchObject({ method: 'GET', ...pages });
      // The kind observes the fields of its answers.
      expect(kind.observe({ [part.field]: partSample(kind, part) })).toHaveProperty([part.attribute]);
    }
    for (const [name, { shape, change, alsoSets }] of Object.entries(kind.attributes)) {
      if (change === 'mode') expect(kind.attributes[name.replace(/_mode$/u, '')]?.shape).toBeDefined();
      else if (shape !== undefined) expect(capacity({})).toHaveProperty([name]);
      if (alsoSets !== undefined) expect(names).toContain(alsoSets);
    }
  });

  fastTest('refuses keys that would lead to another path', () => {
    const checkKey = strictAjv.compile(kind.keySchema);
    for (const key of ['', '.', '..', 'abc\ud800']) expect(checkKey(key), key).toBe(false);
    expect(checkKey(kind.onlyKey ?? 'abcd')).toBe(true);
    if (kind.onlyKey !== undefined) expect(checkKey('abcd')).toBe(false);
  });

  test('has an idempotent normal form with the same meaning', () => {
    fc.assert(
      fc.property(block, (declared) => {
        const once = kind.normalise('key-1', declared).attributes;
        expect(kind.normalise('key-1', once)).toEqual(kind.normalise('key-1', declared));
        expect(isValid(once)).toBe(true);
        for (const name of Object.keys(once)) expect(Object.hasOwn(declared, name), name).toBe(true);
      }),
      { numRuns: inSuite(8, 60) },
    );
  });

  test('normalises only meaningless attributes away', () => {
    fc.assert(
      fc.property(block, (declared) => {
        const { attributes } = kind.normalise('key-1', declared);
        const gone = Object.keys(declared).filter((name) => attributes[name] === undefined);
        // An empty map counts as absent (semantics §1.1), and a creation must not send it.
        const sent = sentFields(kind.attributes, 'create');
        const isEmpty = (name: string) => sent.includes(name) && equalJson(declared[name] ?? null, {});
        expect(gone.filter((name) => declared[name] !== false && !isEmpty(name))).toEqual([]);
      }),
      { numRuns: inSuite(5, 30) },
    );
  });

  test('is created as declared, and the next plan is empty', () => {
    fc.assert(
      fc.property(block, (declared) => {
        const desired = [declare(declared)];
        const state = stateOf(desired);
        expect(stateFaults(desired, state)).toEqual([]);
        expect(planFor(desired, state).plan.steps).toEqual([]);
      }),
      { numRuns: inSuite(8, 60) },
    );
  });

  test.for(Object.entries(kind.attributes))('can add, edit and remove %s alone', ([name, definition]) => {
    fc.assert(
      fc.property(block, block, (base, other) => {
        const { [name]: _absent, ...without } = base;
        const values = [base, other].flatMap((source) => (Object.hasOwn(source, name) ? [pick(source, [name])] : []));
        const stages = [without, ...values.map((value) => ({ ...without, ...value })), without].filter(isValid);
        let state: State = new Map();
        for (const stage of stages) state = reach(kind, name, definition, declare(stage), state);
      }),
      { numRuns: inSuite(3, 25) },
    );
  });

  test('is on the platform as declared after its creation, and observed without unknown attributes', async () => {
    await fc.assert(
      fc.asyncProperty(block, fc.constantFrom(0, 1), damage(10), async (declared, choice, change) => {
        // The platform knows rules that schemas do not, so a sample tells values that it accepts.
        const { values = {}, lenient } = sampleOf(kind);
        const accepted = Object.entries(declared).map(([name, value]) => [name, values[name]?.[choice] ?? value]);
        const written = Object.fromEntries(accepted);
        const target = declare({ ...written, ...lenient?.(written) });
        const named = (kind.references?.(target.attributes) ?? []).filter(({ kinds }) => kinds.includes('user'));
        const ids = new Set(named.map(({ key: id }) => id).filter((id) => id !== key));
        const desired = [target, ...[...ids].map((id) => resource('user', id, { nickname: id }))];
        const platform = new StrictPlatform();
        for (const { request } of planFor(desired).plan.steps) if (request !== undefined) platform.call(request);
        expect(await platform.faults(desired, new Map())).toEqual([]);
        const answer = wholeAnswer(kind, key, target.attributes, (request) => platform.call(request));
        const observed = kind.observe(answer);
        expect(Object.keys(observed).filter((name) => kind.attributes[name] === undefined)).toEqual([]);
        // Whatever the platform responds, a read ends, and what it finds can be written.
        for (const field of times) {
          const odd = change({ ...answer, ...field });
          if (!isObject(odd)) continue;
          const read = [kind.observe(odd), kind.live?.facts(odd), kind.live?.lastActivity?.(odd, 1)];
          expect(JSON.stringify(read)).not.toMatch(/Invalid|NaN/u);
        }
      }),
      { numRuns: inSuite(8, 60) },
    );
  });
});

/** Plans an edit of one attribute, checks it, and returns the state afterwards. */
function reach(
  kind: KindDefinition,
  name: string,
  definition: AttributeDefinition,
  target: Resource,
  state: State,
): State {
  const record = state.get(target.address);
  const { plan, problems } = planFor([target], state);
  if (problems.length > 0) {
    const wanted = target.attributes[name];
    const fixed = record === undefined ? [] : (fixedProblems[definition.change] ?? []);
    const { problems: known = {}, creationProblems = [] } = sampleOf(kind);
    const own = known[name] ?? (record === undefined ? creationProblems : fixed);
    expect({ wanted, strange: problems.filter(({ code }) => !own.includes(code)) }).toEqual({ wanted, strange: [] });
    expect(plan.steps).toEqual([]);
    return state;
  }
  for (const step of plan.steps) {
    if (step.request !== undefined) expect(undocumented(sentRequest(step.request))).toEqual([]);
    if (step.action === 'create' || step.request === undefined || kind.onlyKey !== undefined) continue;
    // The metadata of a bot has the path of a user.
    expect(Object.values(step.request.params ?? {})).toEqual(
      expect.arrayContaining(Object.values(kind.view('key-1').params ?? {})),
    );
  }
  const after = stateAfter(state, plan.steps);
  expect(stateFaults([target], after)).toEqual([]);
  expect(planFor([target], after).plan.steps).toEqual([]);
  return after;
}

/** An answer to the read of a part. */
function partSample({ attributes }: KindDefinition, { attribute, isOneAnswer }: PartRead): JsonValue {
  const shown = attributes[attribute]?.shown;
  const by = shown?.as === 'not' ? undefined : shown?.by;
  if (isOneAnswer !== true) return [{ user_id: 'alice', custom_type: 'a' }];
  const own = typeof by === 'object' ? (by.answerField ?? by.field) : undefined;
  // A list of its own has the name of its attribute.
  return { [attribute]: [], [own ?? 'team']: 'a' };
}

function lastOf(route: string): string {
  return route.slice(route.lastIndexOf('/') + 1);
}

function keyFor({ onlyKey = 'key-1' }: KindDefinition): string {
  return onlyKey;
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}

/** A one-way flag that is declared false has the value of every new object. */
function needsCall(kind: KindDefinition, name: string, value: JsonValue): boolean {
  return !(kind.attributes[name]?.change === 'one_way' && value === false);
}

function stepsOf(kind: KindDefinition, before: JsonObject, after: JsonObject) {
  const key = keyFor(kind);
  const address = addressOf(kind.name, key);
  const state = hasEntries(before) ? new Map([[address, { address, attributes: before }]]) : new Map();
  return [...planFor([{ ...resource(kind.name, key, {}), attributes: after }], state).plan.steps];
}

describe('the registry', () => {
  fastTest('exactly the kinds whose key is a user_id can be named as people', () => {
    const people = registry.filter(({ keyName }) => keyName === 'user_id').map(({ name: kind }) => kind);
    expect([...userKinds]).toEqual(people);
  });

  const [first] = registry;
  const same = (change: Partial<KindDefinition>) => (first === undefined ? [] : [first, { ...first, ...change }]);

  fastTest.for([
    { name: 'the same kind', kinds: same({ section: 'others' }), expected: 'two kinds are named user' },
    { name: 'the same section', kinds: same({ name: 'other' }), expected: 'two kinds have the section users' },
    { name: 'a kind with a dot', kinds: same({ name: 'a.b', section: 'others' }), expected: 'a.b' },
  ])('refuses $name', ({ kinds, expected }) => {
    expect(() => checkedRegistry(kinds)).toThrow(expected);
  });

  fastTest('does not change a valid list', () => {
    expect(checkedRegistry(registry)).toBe(registry);
    expect(equalJson(addressOf(first?.name ?? '', 'a'), 'user.a')).toBe(true);
  });
});
