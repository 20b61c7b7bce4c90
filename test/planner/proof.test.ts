// Tests that a plan file whose parts disagree is refused (6), whoever computed its hash and checksum.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { equalJson, isList, isObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';
import { Refusal } from '../../src/model/errors.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { Step } from '../../src/model/step.ts';
import { printPlanFile } from '../../src/planner/plan-file/print.ts';
import { hashPlan, OtherLayout } from '../../src/planner/plan-file/reader.ts';
import { estate, possible } from '../support/planning/arbitrary-estates.ts';
import { livePart } from '../support/planning/live-objects.ts';
import { planFor, readPlanText, resources, stateOf } from '../support/planning/planning.ts';
import { inSuite } from '../support/suite.ts';

const users = { alice: { nickname: 'A' }, bob: { nickname: 'B' }, eve: { nickname: 'E' } };
const room = { name: 'Room', members: { alice: {}, bob: {}, eve: {} }, operators: ['alice'] };
const applied = resources({ user: users, group_channel: { room } });
const state = stateOf(applied);

/** Renames a user. */
const harmless = planOf({ user: { ...users, eve: { nickname: 'Evie' } }, group_channel: { room } });
/** Takes a member out, freezes the channel, and takes a user out of the manifests. */
const harmful = planOf({
  user: { alice: users.alice, bob: users.bob },
  group_channel: { room: { ...room, members: { alice: {}, bob: {} }, frozen: true } },
});

function planOf(blocks: Parameters<typeof resources>[0]): Plan {
  const desired = resources(blocks);
  return planFor(desired, state, livePart(desired, state, {})).plan;
}

/** The file of a plan, with the hash and the checksum of whoever edits one. */
function forged(plan: Plan): Iterable<string> {
  return printPlanFile({ ...plan, hash: hashPlan(plan.application, plan.steps, plan.settings.existing) });
}

/** Undefined for a plan that is refused. */
function read(plan: Plan): Plan | undefined {
  try {
    return readPlanText(forged(plan));
  } catch (error) {
    if (error instanceof OtherLayout) return undefined;
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({ code: 'plan.unreadable', exitCode: 6 });
    return undefined;
  }
}

/** The members of a plan that its file has and a reader can judge. The rest describes the plan: its warnings, its price and its state. */
const parts = ['changes', 'steps', 'origins', 'summary', 'requests'] as const;

describe('a plan file', () => {
  test('that mixes parts of two plans of one state is refused', () => {
    for (let mixture = 1; mixture < 2 ** parts.length - 1; mixture += 1) {
      const taken = parts.filter((_part, place) => (mixture & (2 ** place)) !== 0);
      const mixed = { ...harmless, ...Object.fromEntries(taken.map((part) => [part, harmful[part]])) };
      expect([taken, read(mixed)]).toEqual([taken, undefined]);
    }
    expect(read(harmless)).toEqual(harmless);
    expect(read(harmful)).toEqual(harmful);
  });

  test.for<[string, (step: Step) => Step]>([
    [
      'a secret in the place of a value',
      (step) => withRequest(step, { placeholders: [{ type: 'secret', field: 'nickname', variable: 'DB_PASSWORD' }] }),
    ],
    ['a route that no kind has', (step) => withRequest(step, { method: 'POST', route: '/applications/api_tokens' })],
    ['another field in the body', (step) => withRequest(step, { body: { nickname: 'Evie', is_active: false } })],
    ['another object', (step) => withRequest(step, { params: { user_id: 'alice' } })],
    ['another record', (step) => ({ ...step, entry: { type: 'delete', address: step.address } })],
    ['the record of another object', (step) => ({ ...step, entry: { type: 'delete', address: 'user.alice' } })],
    ['a token that is written to a file', (step) => ({ ...step, sink: { field: 'access_token', user_id: 'eve' } })],
    ['no wait for another step', (step) => ({ ...step, needs: ['user.alice#1'] })],
  ])('with %s is refused', ([, edit]) => {
    expect(read({ ...harmless, steps: [...harmless.steps].map(edit) })).toBeUndefined();
  });

  test('of any estate reads back, and is refused when anything of a change or a step is edited', () => {
    fc.assert(
      fc.property(estate, estate, fc.nat(), fc.boolean(), (first, second, at, isStep) => {
        const before = stateOf(first);
        const { plan } = planFor(possible(second, before), before);
        expect(read(plan)).toEqual(plan);
        const values = [...(isStep ? plan.steps : plan.changes)] as unknown as JsonValue[];
        const places = [...placesIn(values)];
        const path = places[at % Math.max(1, places.length)];
        if (path === undefined) return;
        const edited = editedAt(values, path);
        if (equalJson(edited, values)) return;
        expect([path, read({ ...plan, [isStep ? 'steps' : 'changes']: edited })]).toEqual([path, undefined]);
      }),
      { numRuns: inSuite(40, 1_000) },
    );
  });
});

function withRequest(step: Step, more: Partial<NonNullable<Step['request']>>): Step {
  return step.request === undefined ? step : { ...step, request: { ...step.request, ...more } };
}

/** The paths of all values that are neither lists nor objects, and of all lists, to which something may be added. */
function* placesIn(value: JsonValue, path: readonly string[] = []): Generator<readonly string[]> {
  if (!isList(value) && !isObject(value)) {
    yield path;
    return;
  }
  if (path.length > 0 && isList(value)) yield path;
  for (const [name, inner] of Object.entries(value as JsonObject)) yield* placesIn(inner, [...path, name]);
}

function editedAt(value: JsonValue, [name, ...rest]: readonly string[]): JsonValue {
  if (name === undefined) {
    if (isList(value)) return value.length > 0 ? value.slice(1) : ['x'];
    return typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${String(value)}x`;
  }
  if (isList(value)) return value.map((item, place) => (String(place) === name ? editedAt(item, rest) : item));
  return isObject(value) ? { ...value, [name]: editedAt(value[name] ?? null, rest) } : value;
}
